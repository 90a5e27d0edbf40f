"""Documents to chunks."""

import pytest

from oncall_tui.corpus.chunker import ChunkSize, split_fixed
from oncall_tui.corpus.load import parser_for
from oncall_tui.errors import ConfigError
from oncall_tui.models import Chunk, LineSpan
from tests.builders import chunks_of, make_document


def texts(text: str, size: int = 100, overlap: int = 0) -> list[str]:
    return [chunk.text for chunk in chunks_of(text, size=ChunkSize(size, overlap))]


def fixed(text: str, size: int, overlap: int = 0) -> tuple[Chunk, ...]:
    return split_fixed(make_document(text), parser_for("redis.md"), ChunkSize(size, overlap))


@pytest.mark.parametrize(("size", "overlap"), [(100, 100), (100, 101), (100, -1), (0, 0), (-5, -9)])
def test_an_overlap_that_is_not_below_the_size_is_an_error(size: int, overlap: int) -> None:
    with pytest.raises(ConfigError, match="at least 0 and below the size") as caught:
        ChunkSize(size, overlap)
    assert "chunk_overlap" in caught.value.hint


def test_a_short_section_is_one_chunk_with_its_heading() -> None:
    (chunk,) = chunks_of("# Redis\n\nRaise maxclients.\n")
    assert chunk.text == "# Redis\n\nRaise maxclients."
    assert chunk.span == LineSpan(0, 3)
    assert chunk.heading_path == ("Redis",)


def test_each_heading_starts_a_chunk() -> None:
    assert texts("# A\n\none\n\n# B\n\ntwo") == ["# A\n\none", "# B\n\ntwo"]


def test_the_heading_path_leads_from_the_outermost_heading_inwards() -> None:
    paths = [chunk.heading_path for chunk in chunks_of("# A\n\nx\n\n### B\n\nx\n\n## C\n\nx")]
    assert paths == [("A",), ("A", "B"), ("A", "C")]


def test_text_above_the_first_heading_has_no_heading_path() -> None:
    assert chunks_of("intro\n\n# A\n\nx")[0].heading_path == ()


def test_a_heading_alone_above_a_deeper_one_lives_on_in_the_heading_path() -> None:
    (chunk,) = chunks_of("# Redis\n\n## Timeouts\n\nRaise maxclients.")
    assert chunk.heading_path == ("Redis", "Timeouts")
    assert chunk.span == LineSpan(2, 5)


def test_a_heading_alone_above_one_of_the_same_depth_is_kept() -> None:
    assert texts("## To do\n\n## Redis\n\nx") == ["## To do", "## Redis\n\nx"]


def test_a_heading_alone_at_the_end_is_kept() -> None:
    assert texts("# A\n\nx\n\n## To do") == ["# A\n\nx", "## To do"]


def test_paragraphs_are_packed_while_they_fit() -> None:
    assert texts("a" * 40 + "\n\n" + "b" * 40 + "\n\n" + "c" * 40) == ["a" * 40 + "\n\n" + "b" * 40, "c" * 40]


def test_a_fence_above_the_size_stays_whole() -> None:
    fence = "```\n" + "kubectl get pods\n" * 20 + "```"
    assert texts(f"before\n\n{fence}\n\nafter") == ["before", fence, "after"]


def test_a_fence_above_the_ceiling_is_cut_at_line_ends() -> None:
    fence = "```\n" + "kubectl get pods\n" * 40 + "```"
    parts = texts(fence)
    assert len(parts) > 1
    assert "\n".join(parts) == fence


def test_a_step_keeps_its_command_and_its_warning() -> None:
    command = "1. Drain the node, which moves its pods:\n\n   ```\n   kubectl drain n1\n   ```"
    step = f"{command}\n\n   You must not force it, because a pod may be the last of its kind."
    assert texts(f"{step}\n2. Wait.") == [step, "2. Wait."]


def test_a_line_that_ends_in_a_colon_stays_with_what_it_announces() -> None:
    lead, fence = "Then restart it like this, and not otherwise:", "```\n" + "systemctl restart redis\n" * 3 + "```"
    assert texts(f"{'x' * 60}\n\n{lead}\n\n{fence}") == ["x" * 60, f"{lead}\n\n{fence}"]


def test_a_full_width_colon_announces_too() -> None:
    fence = "```\n" + "systemctl restart redis\n" * 3 + "```"
    assert texts(f"{'x' * 60}\n\n按以下步骤重启服务：\n\n{fence}")[1].startswith("按以下步骤")


def test_a_fence_stays_whole_even_if_what_leads_in_to_it_is_too_long() -> None:
    lead = "\n".join(["word " * 15] * 6) + ":"
    fence = "```\n" + "systemctl restart redis\n" * 10 + "```"
    assert fence in texts(f"{lead}\n\n{fence}")


def test_a_long_paragraph_is_cut_at_line_ends() -> None:
    line = "The quick brown fox jumps over it."
    assert texts("\n".join([line] * 4)) == [f"{line}\n{line}", f"{line}\n{line}"]


def test_a_long_line_is_cut_after_sentences() -> None:
    one, two = "Stop the writer before you begin, always.", "You must not restart both replicas at the same time, ever."
    assert texts(f"{one}  {two}", 80) == [one, two]


def test_a_long_chinese_line_is_cut_after_sentences() -> None:
    one, two = "先停止写入，然后再开始操作。", "不要同时重启两个副本，否则数据会丢失。"
    assert texts(one + two, 60) == [one, two]


def test_a_long_sentence_is_cut_at_a_space() -> None:
    parts = texts("word " * 50)
    assert all(set(part.split()) == {"word"} for part in parts)
    assert sum(part.count("word") for part in parts) == 50


def test_a_word_longer_than_a_chunk_is_cut_without_adding_a_space() -> None:
    word = "".join(map(str, range(200)))
    assert "".join(texts(word)) == word


def test_parts_of_a_long_line_cite_that_line() -> None:
    spans = {chunk.span for chunk in chunks_of("# A\n\n" + "word " * 50, size=ChunkSize(100))[1:]}
    assert spans == {LineSpan(2, 3)}


def test_an_ideograph_counts_as_more_than_a_letter() -> None:
    assert len(texts("盘" * 90)) > 1
    assert len(texts("x" * 90)) == 1


def test_the_overlap_repeats_the_end_of_the_chunk_before() -> None:
    assert texts("a" * 60 + "\n\n" + "b" * 30 + "\n\n" + "c" * 60, overlap=40) == [
        "a" * 60 + "\n\n" + "b" * 30,
        "b" * 30 + "\n\n" + "c" * 60,
    ]


def test_the_overlap_does_not_reach_into_another_section() -> None:
    assert texts("# A\n\none\n\n# B\n\ntwo", overlap=90) == ["# A\n\none", "# B\n\ntwo"]


def test_a_table_is_cut_between_rows_only() -> None:
    rows = [f"| {number} | {'x' * 30} |" for number in range(6)]
    parts = texts("\n".join(["| n | text |", "|---|---|", *rows]))
    assert len(parts) > 1
    assert all(line in rows for part in parts[1:] for line in part.split("\n"))


def test_a_link_definition_between_sections_is_kept() -> None:
    assert any("https://wiki/redis" in text for text in texts("# A\n\nSee [x].\n\n[x]: https://wiki/redis\n\n# B\n\nb"))


@pytest.mark.parametrize("text", ["---\ntitle: x\n---", "---\ntitle: x\n---\n", "---\ntitle: x\n---\n\n \n"])
def test_front_matter_without_a_body_gives_no_chunks(text: str) -> None:
    assert chunks_of(text) == ()


def test_a_line_of_ideographic_spaces_gives_no_chunk_of_its_own() -> None:
    assert texts("\u3000\u3000\n\n# A\n\nx") == ["# A\n\nx"]


def test_blank_lines_at_the_end_are_not_cited() -> None:
    assert chunks_of("# A\n\n```\nnever closed\n\n\n")[0].span == LineSpan(0, 4)


def test_chunks_are_numbered_within_their_document() -> None:
    assert [chunk.id for chunk in chunks_of("# A\n\nx\n\n# B\n\ny", "db/redis.md")] == ["db/redis:0", "db/redis:1"]


def test_plain_text_is_split_at_blank_lines() -> None:
    parts = chunks_of("a" * 60 + "\n\n" + "# no heading " * 5, "redis.log", ChunkSize(100))
    assert [chunk.span for chunk in parts] == [LineSpan(0, 1), LineSpan(2, 3)]


def test_fixed_chunks_have_the_size_and_repeat_the_overlap() -> None:
    assert [chunk.text for chunk in fixed("abcdefghij", 4, 1)] == ["abcd", "defg", "ghij"]


def test_fixed_chunks_know_their_lines_and_headings() -> None:
    chunks = fixed("# A\nxx\n# B\nyy", 7)
    assert [(chunk.span, chunk.heading_path) for chunk in chunks] == [
        (LineSpan(0, 2), ("A",)),
        (LineSpan(2, 4), ("B",)),
    ]


def test_fixed_chunks_leave_out_front_matter() -> None:
    assert [chunk.span for chunk in fixed("---\nowner: x\n---\nbody", 100)] == [LineSpan(3, 4)]


def test_no_body_gives_no_fixed_chunks() -> None:
    assert fixed("---\nowner: x\n---", 100) == ()


def test_a_line_of_a_chunk_is_a_line_of_its_span_also_after_a_line_that_was_cut() -> None:
    text = "# Page\n\n" + "One long sentence here. " * 30 + "\n\nSecond paragraph.\n\nThird paragraph.\n"
    lines = text.split("\n")
    last = chunks_of(text, size=ChunkSize(200))[-1]
    for offset, line in enumerate(last.text.split("\n")):
        assert line in lines[last.span.start + offset]


# Lines that are no text of the page


def test_a_comment_between_paragraphs_is_in_neither_passage() -> None:
    chunks = chunks_of("Redis\n=====\n\nOne.\n\n.. Old: FLUSHALL\n   now\n\nTwo.", "redis.rst")
    assert [(chunk.text, str(chunk.span)) for chunk in chunks] == [("Redis\n=====\n\nOne.", "L1-L4"), ("Two.", "L9")]
    assert [chunk.heading_path for chunk in chunks] == [("Redis",), ("Redis",)]


def test_a_heading_that_a_comment_cuts_off_is_in_the_heading_path_alone() -> None:
    (chunk,) = chunks_of("Redis\n=====\n\n.. a comment\n\nOne.", "redis.rst")
    assert (chunk.text, chunk.heading_path) == ("One.", ("Redis",))


def test_what_a_comment_cuts_off_is_not_repeated_by_the_overlap() -> None:
    chunks = chunks_of("One.\n\n.. a comment\n\nTwo.", "redis.rst", ChunkSize(100, 50))
    assert [chunk.text for chunk in chunks] == ["One.", "Two."]


def test_a_heading_over_nothing_but_a_comment_is_a_passage() -> None:
    (chunk,) = chunks_of("Redis\n=====\n\n.. to be written", "redis.rst")
    assert chunk.text == "Redis\n====="
