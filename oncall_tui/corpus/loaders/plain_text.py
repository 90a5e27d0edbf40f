"""Plain text and logs to blocks: paragraphs are what blank lines separate."""

from collections.abc import Iterator

from oncall_tui.corpus.blocks import Block, BlockKind
from oncall_tui.models import LineSpan


def parse(text: str, start: int = 0) -> Iterator[Block]:
    """Yield the paragraphs of ``text`` from line ``start`` on."""
    opened: int | None = None
    lines = text.split("\n")
    for number, line in enumerate(lines[start:], start):
        if line.strip():
            opened = number if opened is None else opened
        elif opened is not None:
            yield Block(BlockKind.PARAGRAPH, LineSpan(opened, number))
            opened = None
    if opened is not None:
        yield Block(BlockKind.PARAGRAPH, LineSpan(opened, len(lines)))
