"""A page as rows of styled text: which parts are marked and why. Nothing here knows of a widget."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from oncall_tui.models import LineSpan
from oncall_tui.ui.rendering.source_lines import LineKind, inline_marks, kinds_of
from oncall_tui.ui.rendering.wrapping import TAB_SIZE, RowMap, breaks

CITED: Final = "▌"
"""Margin of the lines that were cited."""

ALSO_CITED: Final = "│"
"""Margin of the other passages of the page that are evidence for the question."""


LONGEST_ROW: Final = 2000
"""Most cells of a row; a longer line takes several rows even where lines are not wrapped."""

_LONGEST_MATCH: Final = 200
"""Characters beyond a row in which a word that reaches into it is looked for."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Lines that a label stands for."""

    label: int
    span: LineSpan


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the screen."""

    line: int
    """Zero-based line of the page."""
    text: str
    start: int
    """Offset of ``text`` in its line."""


@dataclass(slots=True)
class PageText:
    """The text of a page, laid out for a width.

    Args:
        path: Tells the format.
        text: The page's text.
        marks: The evidence that stands on the page.
        pattern: Finds the words of the question.
    """

    path: str
    text: str
    marks: Sequence[Mark] = ()
    pattern: re.Pattern[str] | None = None
    lines: list[str] = field(init=False)
    kinds: list[LineKind] = field(init=False)
    cited: LineSpan | None = None
    _rows: RowMap = field(init=False)
    _width: int = field(init=False)
    _breaks: dict[int, tuple[int, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.lines = self.text.expandtabs(TAB_SIZE).split("\n")
        if len(self.lines) > 1 and not self.lines[-1]:
            self.lines.pop()  # what ends a file's last line starts no line of its own
        self.kinds = kinds_of(self.path, self.lines)
        self.lay_out(LONGEST_ROW)

    def lay_out(self, width: int) -> None:
        """Wrap the lines at a width."""
        self._width = width
        self._breaks.clear()
        self._rows = RowMap(len(breaks(line, width)) for line in self.lines)

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def row_of(self, line: int) -> int:
        """Return the first row of a line."""
        return self._rows.row_of(line)

    def row(self, number: int) -> Row:
        """Return a row."""
        line, part = self._rows.line_at(number)
        text = self.lines[line]
        starts = self._starts(line)
        stop = starts[part + 1] if part + 1 < len(starts) else len(text)
        return Row(line, text[starts[part] : stop], starts[part])

    def spans(self, row: Row) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and name of what is marked within a row; later ones lie on top."""
        line = self.lines[row.line]
        is_marked_up = self.kinds[row.line] is LineKind.TEXT and len(line) <= LONGEST_ROW
        found = list(inline_marks(line)) if is_marked_up else []
        if self.pattern:
            around = max(row.start - _LONGEST_MATCH, 0), row.start + len(row.text) + _LONGEST_MATCH
            found += [(match.start(), match.end(), "match") for match in self.pattern.finditer(line, *around)]
        for start, end, name in found:
            first, last = max(start - row.start, 0), min(end - row.start, len(row.text))
            if first < last:
                yield first, last, name

    def margin(self, row: Row) -> tuple[str, str]:
        """Return the label and the sign that stand beside a row."""
        mark = next((mark for mark in self.marks if mark.span.start <= row.line < mark.span.stop), None)
        label = str(mark.label) if mark and row.line == mark.span.start and not row.start else ""
        if self.cited and self.cited.start <= row.line < self.cited.stop:
            return label, CITED
        return label, ALSO_CITED if mark else " "

    def extract(self, first: tuple[int, int], last: tuple[int, int]) -> str:
        """Return the text between two places, each a row and an offset in it."""
        pieces: list[str] = []
        for number in range(first[0], min(last[0] + 1, self.row_count)):
            row = self.row(number)
            stop = last[1] if number == last[0] else len(row.text)
            if pieces and not row.start:
                pieces.append("\n")
            pieces.append(row.text[first[1] if number == first[0] else 0 : stop])
        return "".join(pieces)

    def _starts(self, line: int) -> tuple[int, ...]:
        if line not in self._breaks:
            self._breaks[line] = breaks(self.lines[line], self._width)
        return self._breaks[line]
