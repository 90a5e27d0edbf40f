"""What indentation tells of lines, in formats where it decides what belongs together."""

from collections.abc import Sequence
from typing import Final

from oncall_tui.models import LineSpan

_TAB: Final = 8
"""Columns between tab stops in reStructuredText."""


def is_blank(line: str) -> bool:
    """Return whether a line has nothing on it."""
    return not line or line.isspace()


def indent_of(line: str) -> int:
    """Return the column of a line's first character that is neither blank nor tab."""
    width = len(line) - len(line.lstrip(" \t"))
    head = line[:width]
    return len(head.expandtabs(_TAB)) if "\t" in head else width


def first_filled(lines: Sequence[str], number: int) -> int:
    """Return the first line from ``number`` on that is not blank, or the number of lines."""
    while number < len(lines) and is_blank(lines[number]):
        number += 1
    return number


def body_stop(lines: Sequence[str], number: int, indent: int | None = None) -> int:
    """Return the line after what is indented under a line, blank lines at its end left out.

    Args:
        lines: All lines.
        number: The line that has something under it.
        indent: What is deeper belongs to it; its own indentation if not given.
    """
    least = indent_of(lines[number]) if indent is None else indent
    stop = number + 1
    for following in range(number + 1, len(lines)):
        if is_blank(lines[following]):
            continue
        if indent_of(lines[following]) <= least:
            break
        stop = following + 1
    return stop


def trimmed(lines: Sequence[str], start: int, stop: int) -> LineSpan:
    """Return the lines as a span without the blank ones at its end."""
    while stop - 1 > start and is_blank(lines[stop - 1]):
        stop -= 1
    return LineSpan(start, stop)
