"""Plain text to paragraphs."""

from oncall_tui.corpus.blocks import Block, BlockKind
from oncall_tui.corpus.loaders.plain_text import parse
from oncall_tui.models import LineSpan


def spans(text: str, start: int = 0) -> list[LineSpan]:
    return [block.span for block in parse(text, start)]


def test_blank_lines_separate_paragraphs() -> None:
    assert spans("one\ntwo\n\n\nthree\n") == [LineSpan(0, 2), LineSpan(4, 5)]


def test_a_line_of_spaces_is_blank() -> None:
    assert spans("one\n   \ntwo") == [LineSpan(0, 1), LineSpan(2, 3)]


def test_every_block_is_a_paragraph() -> None:
    assert list(parse("# no heading here")) == [Block(BlockKind.PARAGRAPH, LineSpan(0, 1))]


def test_lines_before_the_start_are_not_read() -> None:
    assert spans("---\nfront: matter\n---\nbody", 3) == [LineSpan(3, 4)]


def test_a_start_beyond_the_text_gives_nothing() -> None:
    assert spans("---\n---", 2) == []


def test_no_text_gives_no_blocks() -> None:
    assert spans("") == []
