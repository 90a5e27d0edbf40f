"""A passage to what is quoted as one: a step with its command, a sentence's paragraph, a row."""

from collections.abc import Sequence
from itertools import pairwise

from oncall_tui.corpus.blocks import Block, BlockKind
from oncall_tui.corpus.load import parser_for
from oncall_tui.models import LineSpan


def quotable_units(path: str, text: str) -> Sequence[LineSpan]:
    """Return the line spans of a passage that stay together, in order; headings are left out."""
    blocks = [block for block in parser_for(path)(text, 0) if block.kind is not BlockKind.HEADING]
    lines = text.split("\n")
    units: list[LineSpan] = []
    for before, block in pairwise([None, *blocks]):
        assert block is not None  # noqa: S101 - only the first element is None
        span = _trimmed(block.span, lines)
        if units and _belongs_to(before, block, lines):
            units[-1] = LineSpan(units[-1].start, span.stop)
        else:
            units.append(span)
    return units


def _belongs_to(before: Block | None, block: Block, lines: Sequence[str]) -> bool:
    """Return whether a command belongs to the words over it, and a table row to its table."""
    if before is None:
        return False
    if block.kind is BlockKind.CODE:
        return before.kind is not BlockKind.ROW
    if block.kind is BlockKind.ROW and before.kind is BlockKind.ROW:
        return True
    last = lines[before.span.stop - 1].rstrip()
    return before.kind is BlockKind.PARAGRAPH and last.endswith((":", "："))


def _trimmed(span: LineSpan, lines: Sequence[str]) -> LineSpan:
    stop = span.stop
    while stop - 1 > span.start and not lines[stop - 1].strip():
        stop -= 1
    return LineSpan(span.start, stop)
