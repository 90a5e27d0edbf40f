"""Values to text: wrapping, line kinds, words, status."""

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from oncall_tui.models import Evidence, IndexStatus, LineSpan, Progress, Rung, Stage
from oncall_tui.text import strip_controls
from oncall_tui.ui.rendering.page_text import LONGEST_ROW, Mark, PageText
from oncall_tui.ui.rendering.source_lines import LineKind, kinds_of
from oncall_tui.ui.rendering.status import status_line
from oncall_tui.ui.rendering.words import pattern_of, readable
from oncall_tui.ui.rendering.wrapping import RowMap, breaks
from oncall_tui.ui.state import IndexState

LINES = st.text(st.sampled_from("ab c 中文　字-é\u0301☎️🙂"), max_size=80).map(strip_controls)
WIDTHS = st.integers(2, 30)
STATUS = IndexStatus(documents=64, chunks=1000, vectors=900, built_at="now", is_demo=True)


def rows_of(line: str, width: int) -> list[str]:
    """Return the rows of a line."""
    starts = breaks(line, width)
    return [line[start:stop] for start, stop in zip(starts, [*starts[1:], len(line)], strict=True)]


@given(LINES, WIDTHS)
def test_rows_join_to_the_line_and_fit_the_width(line: str, width: int) -> None:
    rows = rows_of(line, width)
    assert "".join(rows) == line
    assert all(cell_len(row.rstrip(" ")) <= width for row in rows)
    assert all(rows[1:])


@given(st.text("ab ", max_size=60), WIDTHS)
def test_a_row_is_not_ended_before_the_next_word_would_not_fit(line: str, width: int) -> None:
    rows = rows_of(line, width)
    indent = len(line) - len(line.lstrip(" "))
    for row, following in pairwise(rows):
        word = following.split(" ", 1)[0]
        assert len(row) + len(word) > width or len(row) <= indent


def test_wide_characters_are_divided_by_cells_not_characters() -> None:
    assert rows_of("中文中文中文", 5) == ["中文", "中文", "中文"]
    assert rows_of("ab 中文字", 6) == ["ab 中", "文字"]


def test_no_row_starts_with_the_end_of_a_sentence() -> None:
    assert rows_of("中文中文，中文", 8) == ["中文中", "文，中文"]
    assert rows_of("，，，，，，", 4) == ["，，", "，，", "，，"]


@given(st.lists(LINES, max_size=12), WIDTHS)
def test_every_row_finds_its_line_and_back(lines: list[str], width: int) -> None:
    rows = RowMap(len(breaks(line, width)) for line in lines)
    assert len(rows) == sum(len(breaks(line, width)) for line in lines)
    for number in range(len(rows)):
        line, part = rows.line_at(number)
        assert rows.row_of(line) + part == number


def test_a_page_of_a_hundred_thousand_lines_is_laid_out_in_a_moment() -> None:
    text = "\n".join(
        f"INFO {number} a line of a log that is longer than the screen is wide" for number in range(100_000)
    )
    page = PageText("app.log", text)
    started = time.process_time()
    page.lay_out(60)
    row = page.row(page.row_of(99_999))
    assert time.process_time() - started < 2
    assert row.text.startswith("INFO 99999")


def test_a_line_of_two_million_characters_is_drawn_by_parts() -> None:
    page = PageText("a.txt", "redis " * 350_000, pattern=pattern_of(("redis",)))
    row = page.row(page.row_count - 2)
    assert len(row.text) <= LONGEST_ROW
    started = time.process_time()
    assert sum(1 for _ in page.spans(row)) > 50
    assert time.process_time() - started < 0.5


def test_front_matter_headings_and_fences_are_told_apart() -> None:
    lines = [
        "---",
        "title: x",
        "---",
        "# A",
        "text",
        "```bash",
        "# no heading",
        "```",
        "#!nothing",
        "~~~",
        "``` inside",
        "~~~~",
    ]
    kinds = ["meta", "meta", "meta", "heading", "text", "fence", "code", "fence", "text", "fence", "code", "fence"]
    assert kinds_of("a.md", lines) == [LineKind(kind) for kind in kinds]


def test_a_fence_that_never_ends_is_code_to_the_end() -> None:
    assert kinds_of("a.md", ["```", "a", "b"])[1:] == [LineKind.CODE] * 2


def test_a_comment_in_another_format_is_no_heading() -> None:
    assert kinds_of("a.yaml", ["# comment"]) == [LineKind.TEXT]


def test_matched_pairs_of_ideographs_are_joined_to_words() -> None:
    tokens = ("redis", "连", "接", "数", "连接", "接数", "多", "the")
    assert readable("the redis 连接数 过多", tokens) == ("redis", "连接数")


def test_words_are_found_whole_and_without_case() -> None:
    pattern = pattern_of(("max", "连接"))
    assert pattern is not None
    assert [match[0] for match in pattern.finditer("MAX maxclients redis_max 连接数")] == ["MAX", "max", "连接"]
    assert pattern_of(()) is None


def test_the_margin_names_the_label_once_and_marks_every_line() -> None:
    page = PageText("a.txt", "a\nb\nc\nd", marks=(Mark(2, LineSpan(1, 3)),))
    assert [page.margin(page.row(number)) for number in range(4)] == [("", " "), ("2", "│"), ("", "│"), ("", " ")]
    page.cited = LineSpan(2, 3)
    assert page.margin(page.row(2)) == ("", "▌")


def test_a_selection_over_wrapped_rows_is_one_line() -> None:
    page = PageText("a.txt", "one two three\nfour")
    page.lay_out(8)
    assert page.extract((0, 4), (2, 2)) == "two three\nfo"


def test_the_line_feed_at_the_end_of_a_file_is_no_line() -> None:
    assert PageText("a.txt", "a\n").lines == ["a"]
    assert PageText("a.txt", "").lines == [""]


def test_a_match_over_a_row_border_is_marked_on_both_rows() -> None:
    page = PageText("a.txt", "abcdefgh", pattern=pattern_of(("abcdefgh",)))
    page.lay_out(4)
    assert [list(page.spans(page.row(number))) for number in (0, 1)] == [[(0, 4, "match")], [(0, 4, "match")]]


def test_the_status_line_keeps_what_matters_most_in_a_small_room() -> None:
    state = IndexState(STATUS).started().advanced(Progress(Stage.EMBEDDING, 450, 900))
    evidence = Evidence(question="x", rung=Rung.KEYWORD_ONLY, degraded=("vectors: none yet",), took_ms=7)
    wide = status_line(state, evidence, 200).plain
    assert "Embedding ██████░░░░░░ 450/900 chunks" in wide
    for fact in ("keyword only", "demo runbooks", "64 documents", "900/1,000 vectors", "offline", "7 ms", "none yet"):
        assert fact in wide
    narrow = status_line(state, evidence, 60).plain
    assert cell_len(narrow) <= 60
    assert narrow.startswith("Embedding")
    assert "keyword only" in narrow
