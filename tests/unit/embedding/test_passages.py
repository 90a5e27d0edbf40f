"""What of a chunk is embedded."""

import pytest

from oncall_tui.embedding.passages import EMBEDDED_CHARACTERS, passage_text, text_hash
from tests.builders import make_chunk


def test_title_and_headings_come_before_the_body() -> None:
    chunk = make_chunk("Raise\nmaxclients.", title="Redis timeouts", heading_path=("Causes", "Pool"))
    assert passage_text(chunk) == "Redis timeouts › Causes › Pool\nRaise maxclients."


def test_a_file_name_that_the_title_does_not_say_comes_first() -> None:
    assert passage_text(make_chunk("x", path="db/slowlog.md", title="Redis")).startswith("slowlog › Redis\n")


@pytest.mark.parametrize(("path", "title"), [("redis.md", "Redis timeouts"), ("DiskFull.md", "The disk full alert")])
def test_a_file_name_that_the_title_says_too_is_not_repeated(path: str, title: str) -> None:
    assert passage_text(make_chunk("x", path=path, title=title)) == f"{title}\nx"


def test_a_heading_that_is_the_title_is_not_repeated() -> None:
    chunk = make_chunk("x", title="Redis timeouts", heading_path=("Redis timeouts", "Pool"))
    assert passage_text(chunk) == "Redis timeouts › Pool\nx"


def test_the_line_of_the_heading_is_not_repeated_in_the_body() -> None:
    assert passage_text(make_chunk("## Pool\n\nRaise it.", title="Redis")) == "Redis\nRaise it."


def test_a_comment_of_a_script_is_not_taken_for_a_heading() -> None:
    assert passage_text(make_chunk("Run:\n# as root", title="Redis")) == "Redis\nRun: # as root"


def test_a_long_passage_is_cut_to_what_the_model_reads() -> None:
    assert len(passage_text(make_chunk("word " * 500))) == EMBEDDED_CHARACTERS


def test_a_passage_of_ideographs_is_cut_sooner() -> None:
    assert EMBEDDED_CHARACTERS / 3 < len(passage_text(make_chunk("磁盘空间不足" * 200))) < EMBEDDED_CHARACTERS / 2


def test_the_same_text_has_the_same_key() -> None:
    assert text_hash("redis 重启") == text_hash("redis 重启")
    assert text_hash("redis") != text_hash("redis ")
