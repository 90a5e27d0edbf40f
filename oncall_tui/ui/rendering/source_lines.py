"""What each line of a page is, so that it can be coloured: decided once, by line, without parsing."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

_MARKDOWN_ENDINGS: Final = (".md", ".markdown", ".mdown", ".mkd")
_FENCE: Final = re.compile(r"\s{0,12}(?:[-*+] +)?(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}#{1,6}(?: |$)")
_INLINE: Final = re.compile(r"(?P<code>`[^`\n]+`)|(?P<strong>\*\*[^*\n]+\*\*)")


class LineKind(StrEnum):
    """What a line is."""

    TEXT = "text"
    HEADING = "heading"
    FENCE = "fence"
    CODE = "code"
    META = "meta"
    """Front matter."""


def kinds_of(path: str, lines: Sequence[str]) -> list[LineKind]:
    """Return the kind of every line; only Markdown has any but text."""
    if not path.lower().endswith(_MARKDOWN_ENDINGS):
        return [LineKind.TEXT] * len(lines)
    return list(_markdown_kinds(lines))


def _markdown_kinds(lines: Sequence[str]) -> Iterator[LineKind]:
    start = _front_matter_length(lines)
    yield from [LineKind.META] * start
    fence = ""
    for line in lines[start:]:
        mark = _FENCE.match(line)
        if fence:
            is_end = mark is not None and mark[1].startswith(fence) and not line.strip().strip(fence[0])
            yield LineKind.FENCE if is_end else LineKind.CODE
            fence = "" if is_end else fence
        elif mark:
            yield LineKind.FENCE
            fence = mark[1]
        else:
            yield LineKind.HEADING if _HEADING.match(line) else LineKind.TEXT


def _front_matter_length(lines: Sequence[str]) -> int:
    """Return how many lines the front matter takes, its fences included."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), 0)


def inline_marks(line: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and name (``code`` or ``strong``) of what is marked within a line of text."""
    for found in _INLINE.finditer(line):
        yield found.start(), found.end(), found.lastgroup or ""
