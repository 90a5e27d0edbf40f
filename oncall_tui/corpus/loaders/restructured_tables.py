"""The tables of reStructuredText: at which lines their rows start.

Every line of a table belongs to a row; the first has the border above it and a directive's caption, and each the
border below it.
"""

import re
from collections.abc import Sequence
from typing import Final

from oncall_tui.corpus.loaders.indentation import first_filled, indent_of, is_blank

_GRID_BORDER: Final = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE_BORDER: Final = re.compile(r"=+(?: +=+)+")
_SPAN_LINE: Final = re.compile(r"[- ]+")
_OPTION: Final = re.compile(r":[\w-]+:(?: |$)")
_SHOWN: Final = 200


def grid_rows(lines: Sequence[str], number: int) -> tuple[list[int], int]:
    """Return the first lines of a grid table's rows and the line after it; no rows if none starts here."""
    indent = indent_of(lines[number])
    if not _GRID_BORDER.fullmatch(lines[number].strip()):
        return [], number
    stop = number + 1
    while stop < len(lines) and indent_of(lines[stop]) == indent and lines[stop].lstrip(" \t")[:1] in ("+", "|"):
        stop += 1
    borders = [line for line in range(number + 1, stop - 1) if _GRID_BORDER.fullmatch(lines[line].strip())]
    return [number, *(line + 1 for line in borders)], stop


def simple_rows(lines: Sequence[str], number: int) -> tuple[list[int], int]:
    """Return the first lines of a simple table's rows and the line after it; no rows if none starts here."""
    if not _SIMPLE_BORDER.fullmatch(lines[number].strip()):
        return [], number
    indent = indent_of(lines[number])
    borders: list[int] = []
    for line in range(number + 1, len(lines)):
        if not is_blank(lines[line]) and indent_of(lines[line]) < indent:
            break
        if _SIMPLE_BORDER.fullmatch(lines[line].strip()):
            borders.append(line)
            if line + 1 == len(lines) or is_blank(lines[line + 1]):
                break
    if not borders:
        return [], number
    head, body = ([number], borders[0] + 1) if len(borders) > 1 else ([], number + 1)
    rows = [line for line in range(body, borders[-1]) if _starts_simple_row(lines[line], indent)]
    return [*head, *rows] if head else [number, *rows[1:]], borders[-1] + 1


def _starts_simple_row(line: str, indent: int) -> bool:
    """Return whether a line has something in the first column; what has not goes on with the row above."""
    return not is_blank(line) and indent_of(line) == indent and not _SPAN_LINE.fullmatch(line)


def directive_rows(lines: Sequence[str], number: int, stop: int, name: str) -> list[int]:
    """Return the first lines of the rows of a table that a directive holds; none if it holds no table."""
    first = first_filled(lines, number + 1)
    while first < stop and _OPTION.match(lines[first].strip()[:_SHOWN]):
        first = first_filled(lines, first + 1)
    if first >= stop:
        return []
    if name == "table":
        return grid_rows(lines, first)[0] or simple_rows(lines, first)[0]
    if name == "list-table":
        return [line for line in range(first, stop) if _starts_row(lines[line], indent_of(lines[first]))]
    return [line for line in range(first, stop) if not is_blank(lines[line])] if name == "csv-table" else []


def _starts_row(line: str, indent: int) -> bool:
    return indent_of(line) == indent and line.lstrip(" \t")[:2] in ("* ", "- ", "+ ")
