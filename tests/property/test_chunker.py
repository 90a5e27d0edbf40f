"""What holds for the chunks of any document."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncall_tui.corpus.blocks import BlockKind
from oncall_tui.corpus.chunker import ChunkSize, split_fixed
from oncall_tui.corpus.load import parser_for
from oncall_tui.corpus.loaders import markdown
from oncall_tui.errors import ConfigError
from oncall_tui.models import Chunk, Document
from oncall_tui.retrieval.tokens import tokenize
from oncall_tui.text import IDEOGRAPHIC
from tests.builders import chunks_of, make_document

CEILING = 5
"""A fence may be this many times the size before it is cut."""

WORDS = st.sampled_from(
    "redis|restart|Never|nginx.conf|--dry-run|KubePodCrashLooping|磁盘空间不足。|请重启服务|done.|Why?|steps:|步骤：|"
    f"`kubectl get pods`|[runbook](https://wiki/a)|a  b|\u3000|{'x' * 40}".split("|")
)
LINES = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
LONG_LINES = st.lists(WORDS, min_size=30, max_size=60).map(" ".join)
PARAGRAPHS = st.lists(st.one_of(LINES, LINES, LONG_LINES), min_size=1, max_size=4).map("\n".join)
HEADINGS = st.builds("{} {}".format, st.sampled_from(["#", "##", "###", "####"]), LINES)
FENCES = st.lists(st.one_of(LINES, st.sampled_from(["", "# comment", "- item", "| a |"])), max_size=25).map(
    lambda lines: "\n".join(["```sh", *lines, "```"])
)
ITEMS = st.one_of(
    LINES.map("- {}".format),
    LINES.map("1. {}\n\n   ```\n   reboot\n\n   ```\n\n   must not".format),
    LINES.map("  - {}".format),
)
LISTS = st.lists(ITEMS, min_size=1, max_size=5).map("\n".join)
TABLES = st.lists(LINES.map("| {} | 1 |".format), max_size=6).map(
    lambda rows: "\n".join(["| a | b |", "|---|---|", *rows])
)
ODDITIES = st.sampled_from(
    [
        "[runbook]: https://wiki/redis",
        "<!-- hidden\n\n# comment -->",
        "> quoted\nlazily",
        "---",
        "Title\n===",
        "    code",
        "<div>\nx\n</div>",
        "\u3000\u3000",
        "#",
        "-",
        "***",
        "~~~",
        "",
        "- [ ] task",
        "\\# no heading",
        "|a|",
        "[x]:",
    ]
)
BLOCKS = st.one_of(HEADINGS, PARAGRAPHS, FENCES, LISTS, TABLES, ODDITIES)
FRONT_MATTER = st.sampled_from(["", "", "---\ntitle: Redis\n---\n", "---\n---", "---\nowner: infra\n...\n\n"])
MARKDOWN = st.builds(
    lambda front, blocks, gap: front + gap.join(blocks),
    FRONT_MATTER,
    st.lists(BLOCKS, max_size=10),
    st.sampled_from(["\n", "\n\n"]),
)
TEXTS = st.one_of(MARKDOWN, MARKDOWN, st.text(max_size=200))
SIZES = st.integers(1, 400).flatmap(lambda size: st.builds(ChunkSize, st.just(size), st.integers(0, size - 1)))
WHOLE = st.integers(1, 400).map(ChunkSize)
"""Sizes without an overlap."""


def weight(text: str) -> float:
    return sum(2.3 if character_is_ideograph(character) else 1 for character in text)


def character_is_ideograph(character: str) -> bool:
    pairs = zip(IDEOGRAPHIC[::3], IDEOGRAPHIC[2::3], strict=True)
    return any(first <= character <= last for first, last in pairs)


def is_verbatim(chunk: Chunk, document: Document) -> bool:
    return chunk.text == "\n".join(document.lines[chunk.span.start : chunk.span.stop]).rstrip()


def uncovered(document: Document, chunks: tuple[Chunk, ...]) -> list[int]:
    """Return the lines of the body with something on them that are in no chunk."""
    covered = {number for chunk in chunks for number in range(chunk.span.start, chunk.span.stop)}
    lines = document.lines
    return [
        number for number in range(document.body_start, len(lines)) if lines[number].strip() and number not in covered
    ]


@given(TEXTS, SIZES)
def test_every_span_lies_in_the_body_of_its_document(text: str, size: ChunkSize) -> None:
    document = make_document(text)
    for chunk in chunks_of(text, size=size):
        assert document.body_start <= chunk.span.start < chunk.span.stop <= len(document.lines)


@given(TEXTS, SIZES)
def test_spans_are_in_the_order_of_the_file(text: str, size: ChunkSize) -> None:
    spans = [chunk.span for chunk in chunks_of(text, size=size)]
    assert all(one.start <= two.start and one.stop <= two.stop for one, two in pairwise(spans))


@given(TEXTS, WHOLE)
def test_without_an_overlap_two_chunks_share_a_line_only_if_it_is_too_long_for_one(text: str, size: ChunkSize) -> None:
    document = make_document(text)
    for one, two in pairwise(chunks_of(text, size=size)):
        if two.span.start < one.span.stop:
            assert two.span.start == one.span.stop - 1
            assert weight(document.lines[two.span.start]) + 1 > size.size


@given(TEXTS, SIZES)
def test_a_chunk_is_the_lines_of_its_span_unless_one_of_them_was_too_long(text: str, size: ChunkSize) -> None:
    document = make_document(text)
    for chunk in chunks_of(text, size=size):
        lines = document.lines[chunk.span.start : chunk.span.stop]
        assert is_verbatim(chunk, document) or any(weight(line) + 1 > size.size for line in lines)


@given(TEXTS, SIZES)
def test_every_line_of_a_chunk_stands_in_the_lines_of_its_span_word_for_word(text: str, size: ChunkSize) -> None:
    document = make_document(text)
    for chunk in chunks_of(text, size=size):
        source = document.lines[chunk.span.start : chunk.span.stop]
        assert all(any(line in whole for whole in source) for line in chunk.text.split("\n"))


@given(TEXTS, SIZES)
def test_no_chunk_is_blank(text: str, size: ChunkSize) -> None:
    assert all(chunk.text.strip() for chunk in chunks_of(text, size=size))


@given(TEXTS, SIZES)
def test_every_line_is_in_a_chunk_unless_it_is_a_heading_with_nothing_under_it(text: str, size: ChunkSize) -> None:
    document = make_document(text)
    blocks = markdown.parse(document.text, document.body_start)
    headings = [block.span for block in blocks if block.kind is BlockKind.HEADING]
    for line in uncovered(document, chunks_of(text, size=size)):
        assert any(span.start <= line < span.stop for span in headings)


@given(st.lists(st.one_of(HEADINGS, HEADINGS, PARAGRAPHS), max_size=10).map("\n".join), SIZES)
def test_a_heading_that_is_in_no_chunk_is_in_a_heading_path(text: str, size: ChunkSize) -> None:
    document, chunks = make_document(text), chunks_of(text, size=size)
    missing = uncovered(document, chunks)
    known = {heading for chunk in chunks for heading in chunk.heading_path}
    for block in markdown.parse(document.text, document.body_start):
        if block.kind is BlockKind.HEADING and block.span.start in missing:
            assert block.title in known or not block.title


@given(st.lists(st.one_of(HEADINGS, PARAGRAPHS, FENCES, TABLES), max_size=10), SIZES)
def test_a_fence_below_the_ceiling_is_in_one_chunk(blocks: list[str], size: ChunkSize) -> None:
    texts = [chunk.text for chunk in chunks_of("\n\n".join(blocks), size=size)]
    for block in blocks:
        if block.startswith("```") and weight(block) <= CEILING * size.size:
            assert any(block in text for text in texts)


@given(st.lists(st.one_of(PARAGRAPHS, LISTS), max_size=8).map("\n\n".join), WHOLE)
def test_prose_is_never_above_the_size_and_a_step_never_above_the_ceiling(text: str, size: ChunkSize) -> None:
    ceiling = max(CEILING * size.size, weight("磁"))
    assert all(weight(chunk.text) <= ceiling + chunk.text.count("\n") for chunk in chunks_of(text, size=size))


@given(PARAGRAPHS, WHOLE)
def test_words_in_prose_are_neither_lost_nor_invented(text: str, size: ChunkSize) -> None:
    kept = "".join("".join(chunk.text.split()) for chunk in chunks_of(text, "notes.txt", size))
    assert kept == "".join(text.split())


@given(TEXTS, SIZES)
def test_a_chunk_is_named_by_its_document_and_its_place(text: str, size: ChunkSize) -> None:
    chunks = chunks_of(text, "db/redis.md", size)
    assert [chunk.id for chunk in chunks] == [f"db/redis:{index}" for index in range(len(chunks))]


@given(TEXTS, SIZES)
def test_the_same_document_is_always_split_in_the_same_way(text: str, size: ChunkSize) -> None:
    assert chunks_of(text, size=size) == chunks_of(text, size=size)


@given(TEXTS, SIZES)
def test_every_token_of_a_chunk_is_found_by_typing_its_word_alone(text: str, size: ChunkSize) -> None:
    for chunk in chunks_of(text, size=size):
        typed = {token for word in chunk.text.split() for token in tokenize(word)}
        assert set(tokenize(chunk.text)) == typed


@given(st.text(max_size=300), SIZES)
def test_plain_text_is_covered_line_by_line(text: str, size: ChunkSize) -> None:
    assert uncovered(make_document(text, "a.log"), chunks_of(text, "a.log", size)) == []


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_a_size_is_accepted_exactly_if_the_overlap_is_at_least_zero_and_below_it(size: int, overlap: int) -> None:
    if 0 <= overlap < size:
        assert ChunkSize(size, overlap).overlap == overlap
    else:
        with pytest.raises(ConfigError):
            ChunkSize(size, overlap)


@given(TEXTS, st.integers(4, 60), st.integers(0, 3))
def test_fixed_chunks_cover_every_line_with_text_that_stands_there(text: str, size: int, overlap: int) -> None:
    document = make_document(text)
    chunks = split_fixed(document, parser_for(document.path), ChunkSize(size, overlap))
    assert uncovered(document, chunks) == []
    for chunk in chunks:
        assert len(chunk.text) <= size
        assert chunk.text.rstrip("\n") in "\n".join(document.lines[chunk.span.start : chunk.span.stop])
