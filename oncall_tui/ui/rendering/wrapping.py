"""Long lines to rows of a given width, measured in terminal cells."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from rich.cells import cell_len

TAB_SIZE: Final = 4

_WIDEST_CELLS: Final = 2
"""No character takes more cells than this."""

_ENDINGS: Final = frozenset("，。、；：？！）】》」』〉”’…")
"""Punctuation that stands at no row's start."""

_EMOJI_FORM: Final = "\ufe0f"


def breaks(line: str, width: int) -> tuple[int, ...]:
    """Return the offsets in ``line`` at which rows start, the first being 0.

    Rows end after a space where there is one, or between two wide characters, which are
    written without spaces. A space that ends a row may stand beyond ``width``.
    """
    width = max(width, _WIDEST_CELLS)
    if len(line) * _WIDEST_CELLS <= width or (line.isascii() and len(line) <= width):
        return (0,)
    return tuple(_narrow_breaks(line, width) if line.isascii() else _wide_breaks(line, width))


def wrapped_text(text: str, width: int) -> str:
    """Return a paragraph with line feeds where its rows end."""
    starts = breaks(text, width)
    rows = (text[start:stop].rstrip() for start, stop in zip(starts, [*starts[1:], len(text)], strict=True))
    return "\n".join(rows)


def _narrow_breaks(line: str, width: int) -> Iterable[int]:
    """Yield row starts where every character is one cell."""
    start = 0
    # The spaces of an indentation are no place to break: the row would be empty.
    least = len(line) - len(line.lstrip(" "))
    yield start
    while len(line) - start > width:
        space = line.rfind(" ", max(start, least), start + width + 1)
        start = space + 1 if space > start else start + width
        if start < len(line):
            yield start


def _wide_breaks(line: str, width: int) -> Iterable[int]:
    """Yield row starts where characters take 0, 1 or 2 cells."""
    start = used = chance = used_at_chance = 0
    before = ""
    yield start
    for offset, (character, cells) in enumerate(zip(line, _cells(line), strict=True)):
        if not cells:
            continue
        is_between = cells == _WIDEST_CELLS or before == " " or _CELLS[before] == _WIDEST_CELLS
        if is_between and character not in _ENDINGS:
            chance, used_at_chance = offset, used
        before = character
        if used + cells > width and character != " ":
            if chance <= start:
                chance, used_at_chance = offset, used
            start, used = chance, used - used_at_chance
            yield start
        used += cells


class _Cells(dict[str, int]):
    """The cells that characters take, measured once each."""

    def __missing__(self, character: str) -> int:
        self[character] = cells = cell_len(character)
        return cells


_CELLS: Final = _Cells()


def _cells(line: str) -> list[int]:
    """Return the cells of each character; a selector of the emoji form may widen the one before it."""
    cells = [_CELLS[character] for character in line]
    if _EMOJI_FORM in line:
        for offset in range(1, len(line)):
            if line[offset] == _EMOJI_FORM:
                cells[offset - 1] = _CELLS[line[offset - 1 : offset + 1]]
    return cells


class RowMap:
    """Which row of the screen holds which part of which line.

    Args:
        row_counts: The number of rows of each line.
    """

    def __init__(self, row_counts: Iterable[int]) -> None:
        self._starts = list(accumulate(row_counts, initial=0))

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._starts[-1]

    def row_of(self, line: int) -> int:
        """Return the first row of a line."""
        return self._starts[min(line, len(self._starts) - 1)]

    def line_at(self, row: int) -> tuple[int, int]:
        """Return the line that a row shows, and which of the line's rows it is."""
        line = bisect_right(self._starts, row) - 1
        return line, row - self._starts[line]
