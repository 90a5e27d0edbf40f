"""What holds for the blocks and chunks of any reStructuredText, hostile or not."""

import sys
from collections.abc import Callable
from itertools import pairwise
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncall_tui.corpus.blocks import BlockKind
from oncall_tui.corpus.chunker import ChunkSize
from oncall_tui.corpus.loaders.restructured_text import parse, split_fields
from tests.builders import chunks_of, make_document

LINES = st.sampled_from(
    [
        "",
        "",
        "Redis timeouts",
        "磁盘空间不足",
        "=====",
        "--------",
        "===  ===",
        "+---+---+",
        "| a | b |",
        "* item",
        "- item",
        "#. step",
        "1. step::",
        "A. Einstein",
        "Run::",
        "::",
        "> quoted",
        ".. code-block:: sh",
        ".. note:: Never",
        ".. warning::",
        ".. list-table::",
        ".. csv-table:: Codes",
        ".. table::",
        ".. glossary::",
        ".. only:: html",
        ":widths: 1 2",
        ".. hidden comment",
        ".. _hidden-target:",
        ".. toctree::",
        "..",
        "__ https://wiki/hidden",
        ".. [1] note",
        "* - cell",
        "  - cell",
        ":field: value",
        "-f  option",
        "| line",
        ">>> 1",
        "\u3000",
        "\tx",
    ]
)
INDENTED = st.builds(
    lambda indent, line: indent + line, st.sampled_from(["", "", "", "  ", "   ", "      ", "\t"]), LINES
)
TEXTS = st.one_of(st.lists(INDENTED, max_size=30).map("\n".join), st.text(max_size=200))
SIZES = st.integers(1, 400).flatmap(lambda size: st.builds(ChunkSize, st.just(size), st.integers(0, size - 1)))

HIDDEN_STARTS = (".. hidden", ".. _hidden", ".. toctree", "__ ")


@given(TEXTS, st.integers(0, 3))
def test_blocks_are_in_order_do_not_overlap_and_start_and_end_with_text(text: str, start: int) -> None:
    lines = text.split("\n")
    spans = [block.span for block in parse(text, start)]
    assert all(one.stop <= two.start for one, two in pairwise(spans))
    for span in spans:
        assert start <= span.start < span.stop <= len(lines)
        assert lines[span.start].strip()
        assert lines[span.stop - 1].strip()


@given(st.lists(INDENTED, max_size=30))
def test_a_line_is_in_a_block_unless_it_is_hidden_by_the_format(lines: list[str]) -> None:
    covered = {number for block in parse("\n".join(lines)) for number in range(block.span.start, block.span.stop)}
    hidden_by = -1
    for number, line in enumerate(lines):
        indent = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip(" "))
        if not line.strip() or number in covered:
            continue
        if line.strip(" \t").startswith((*HIDDEN_STARTS, "..")):
            hidden_by = indent
        assert hidden_by >= 0
        assert indent > hidden_by or line.strip(" \t").startswith((*HIDDEN_STARTS, ".."))


@given(TEXTS, SIZES)
def test_a_chunk_is_exactly_its_source_lines_unless_one_was_too_long(text: str, size: ChunkSize) -> None:
    document = make_document(text, "redis.rst")
    for chunk in chunks_of(text, "redis.rst", size):
        lines = document.lines[chunk.span.start : chunk.span.stop]
        is_verbatim = chunk.text == "\n".join(lines).rstrip()
        assert is_verbatim or any(len(line) * 2.3 + 1 > size.size for line in lines)


@given(st.lists(st.one_of(LINES, st.just(".. hidden comment")), max_size=30).map("\n".join), SIZES)
def test_what_is_hidden_is_in_no_chunk(text: str, size: ChunkSize) -> None:
    document = make_document(text, "redis.rst")
    shown = {
        number
        for block in parse(document.text, document.body_start)
        for number in range(block.span.start, block.span.stop)
    }
    for chunk in chunks_of(text, "redis.rst", size):
        for number in range(chunk.span.start, chunk.span.stop):
            assert number in shown or not document.lines[number].strip()


@given(TEXTS)
def test_a_heading_that_is_in_no_chunk_is_in_a_heading_path(text: str) -> None:
    document, chunks = make_document(text, "redis.rst"), chunks_of(text, "redis.rst")
    covered = {number for chunk in chunks for number in range(chunk.span.start, chunk.span.stop)}
    known = {heading for chunk in chunks for heading in chunk.heading_path}
    for block in parse(document.text, document.body_start):
        if block.kind is BlockKind.HEADING and block.span.start not in covered:
            assert block.title in known or not block.title


@given(TEXTS)
def test_fields_end_where_the_body_starts(text: str) -> None:
    values, start = split_fields(text)
    assert 0 <= start <= text.count("\n") + 1
    assert values or not start


# Hostile input


def calls(work: Callable[[], object]) -> int:
    """Return how many functions a piece of work calls, which tells its cost without a clock."""
    count = 0

    def look(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


HOSTILE = {
    "nested lists": lambda n: "\n\n".join(f"{' ' * (2 * depth)}* item" for depth in range(n)),
    "nested containers": lambda n: "\n\n".join(f"{' ' * (3 * depth)}.. only:: html" for depth in range(n)),
    "nested notes": lambda n: "\n\n".join(f"{' ' * (3 * depth)}.. note::" for depth in range(n)),
    "nested comments": lambda n: "\n\n".join(f"{' ' * (3 * depth)}.. x" for depth in range(n)),
    "nested quotes": lambda n: "\n\n".join(f"{' ' * depth}quote" for depth in range(n)),
    "falling quotes": lambda n: "\n\n".join(f"{' ' * (n - depth)}quote::" for depth in range(n)),
    "nested terms": lambda n: "\n".join(f"{' ' * depth}term" for depth in range(n)),
    "tables that never end": lambda n: "\n".join(f"{'=' * (number % 90 + 1)} ==" for number in range(n)),
    "tables that never end, apart": lambda n: "\n\n".join(f"== {'=' * (number % 90 + 1)}\nx" for number in range(n)),
    "grid tables that never end": lambda n: "\n".join(["+--+", "x"] * n),
    "grid table": lambda n: "\n".join(["+--+", "|x|"] * n),
    "titles": lambda n: "\n".join(["x", "===="] * n),
    "lines": lambda n: "\n".join(["===="] * n),
    "fields": lambda n: "\n".join([":a: b"] * n),
    "literals": lambda n: "\n\n".join(["::"] * n),
    "quoted literals": lambda n: "\n\n".join(["x::", "> y"] * n),
    "enumerators": lambda n: "\n".join(["A. x"] * n),
    "comments": lambda n: "\n".join([".. x"] * n),
    "glossary": lambda n: ".. glossary::\n\n" + "\n\n".join(["  a\n    b"] * n),
    "list table": lambda n: ".. list-table::\n\n" + "\n".join(["  * - a"] * n),
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_twice_the_text_is_at_most_twice_the_work(shape: str) -> None:
    small, large = HOSTILE[shape](300), HOSTILE[shape](600)
    assert calls(lambda: list(parse(large))) <= 2.2 * calls(lambda: list(parse(small)))


@pytest.mark.parametrize(
    "unit",
    ["x", "=", "*", "`", ":a", "a:", " ", "\t", "1.", "..", ".. ", "-a, ", "+-", "|", "= ", "[", "磁", "a-", "::", "_"],
)
def test_a_line_of_a_megabyte_is_read_in_a_moment(unit: str) -> None:
    line = unit * (1_000_000 // len(unit))
    for text in (
        line,
        f"{line}\n====",
        f"====\n{line}\n====",
        f".. {line}",
        f":{line}",
        f".. {line}::",
        f"a\n\n   {line}",
    ):
        assert len(list(parse(text))) <= 2
        split_fields(text)
