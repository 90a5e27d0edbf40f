"""reStructuredText to blocks, by the body elements of its specification.

https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html; section numbers of it are not stable, so the names
of its elements are used here. Docutils itself is not: it gives no last lines, and reads other files on demand. Inline
markup stays as it is written. Each line is looked at a bounded number of times, whatever is nested in what.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from oncall_tui.corpus.blocks import Block, BlockKind
from oncall_tui.corpus.loaders import restructured_tables as tables
from oncall_tui.corpus.loaders.indentation import body_stop, first_filled, indent_of, is_blank, trimmed
from oncall_tui.models import LineSpan
from oncall_tui.text import single_line

_MARKER_WIDTH: Final = 200
"""Characters in which a marker must stand: so long lines cost nothing."""

_LONGEST_TITLE: Final = 500
_SHORTEST_SURE_LINE: Final = 4
"""A shorter row of punctuation is an underline only if it is as long as its title, and never a transition."""

_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1*")
_BULLET: Final = re.compile(r"[-+*•‣⁃](?: |$)")
_ENUMERATOR: Final = re.compile(
    r"(?:\((?:\d+|[A-Za-z]|[ivxlcdmIVXLCDM]+|#)\)|(?:\d+|[A-Za-z]|[ivxlcdmIVXLCDM]+|#)[.)])(?: |$)"
)
_FIELD: Final = re.compile(r":(?![: ])((?:[^:\\]|\\.|:(?![ `]|$))+)(?<! ):(?: |$)")
_OPTION: Final = re.compile(
    r"(?:-\w|--\w[\w-]*|/[A-Z])(?:[ =]<?[\w.-]+>?)?(?:, (?:-\w|--\w[\w-]*)(?:[ =]<?[\w.-]+>?)?)*  +\S"
)
_LINE_BLOCK: Final = re.compile(r"\|(?: |$)")
_EXPLICIT: Final = re.compile(r"\.\.(?: |$)")
_DIRECTIVE: Final = re.compile(r"\.\. +([^\W_]+(?:[-._+:][^\W_]+)*) ?::(?: |$)")
_FOOTNOTE: Final = re.compile(r"\.\. +\[(?:\d+|#[\w-]*|\*|[\w.-]+)\](?: |$)")
_ANONYMOUS_TARGET: Final = re.compile(r"__(?: |$)")

_CODE_DIRECTIVES: Final = frozenset({"code", "code-block", "sourcecode", "parsed-literal", "prompt"})
_HIDDEN_DIRECTIVES: Final = frozenset(
    ("contents", "default-role", "highlight", "index", "meta", "raw", "role", "sectnum", "tabularcolumns", "toctree")
)
"""They steer how a page is made and hold no text of it."""

_OPEN_DIRECTIVES: Final = frozenset(
    ("class", "compound", "container", "ifconfig", "only", "rst-class", "tab", "tab-item", "tab-set", "tabs", "topic")
)
"""What is in them is read as if it stood by itself."""

_ROLE: Final = re.compile(r":[a-zA-Z][\w.+:-]*:(?=`)")
_REFERENCE: Final = re.compile(r"`([^`<]+?)\s*<[^`>]+>`_{0,2}|`([^`]+)`_{0,2}")
_EMPHASIS: Final = re.compile(r"(?<![\w\\*])(\*{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ESCAPE: Final = re.compile(r"\\(\S)")


@dataclass(frozen=True, slots=True)
class _Found:
    """An element: its blocks, and the line after it."""

    blocks: Sequence[Block]
    stop: int


_Recogniser = Callable[[Sequence[str], int], _Found | None]


def parse(text: str, start: int = 0) -> Iterator[Block]:
    """Yield the blocks of ``text`` from line ``start`` on, in order, without overlaps.

    Comments, targets, substitution definitions and directives without text are in no block.
    """
    lines = text.split("\n")
    styles: list[tuple[str, bool]] = []
    number = first_filled(lines, start)
    while number < len(lines):
        found = _title(lines, number, styles) or _element(lines, number)
        yield from found.blocks
        number = first_filled(lines, found.stop)


def split_fields(text: str) -> tuple[Mapping[str, str], int]:
    """Return the field list at the top of a page and the line at which the body starts.

    A field list under the page's title is read too, but stays in the body.
    """
    lines = text.split("\n")
    number = _after_hidden(lines, 0)
    title = _title(lines, number, []) if number < len(lines) else None
    if title:
        return _fields(lines, _after_hidden(lines, title.stop))[0], 0
    return _fields(lines, number)


def _after_hidden(lines: Sequence[str], number: int) -> int:
    """Return the first line from ``number`` on that is neither blank nor in a comment or the like."""
    number = first_filled(lines, number)
    while number < len(lines) and (found := _explicit(lines, number)) and not found.blocks:
        number = first_filled(lines, found.stop)
    return number


def _fields(lines: Sequence[str], number: int) -> tuple[dict[str, str], int]:
    values: dict[str, str] = {}
    stop = 0
    while number < len(lines) and (marker := _FIELD.match(lines[number][:_MARKER_WIDTH])):
        stop = body_stop(lines, number)
        name = marker[1].strip().lower().replace("-", "_").replace(" ", "_")
        values[name] = single_line(" ".join([lines[number][marker.end() :], *lines[number + 1 : stop]]))
        number = first_filled(lines, stop)
    return values, stop


def _title(lines: Sequence[str], number: int, styles: list[tuple[str, bool]]) -> _Found | None:
    """Return a section title; ``styles`` are those met so far, whose order is the levels'."""
    if indent_of(lines[number]) or _starts_other(lines, number):
        return None
    has_overline = bool(_adornment(lines[number]))
    span = LineSpan(number, number + (3 if has_overline else 2))
    if span.stop > len(lines):
        return None
    title, underline = lines[span.stop - 2], _adornment(lines[span.stop - 1])
    if not underline or is_blank(title) or _adornment(title):
        return None
    if has_overline and underline != _adornment(lines[number]):
        return None
    if len(underline) < min(_SHORTEST_SURE_LINE, _columns(title.strip())):
        return None
    style = underline[0], has_overline
    if style not in styles:
        styles.append(style)
    heading = Block(BlockKind.HEADING, span, styles.index(style) + 1, heading_text(title))
    return _Found((heading,), span.stop)


def _starts_other(lines: Sequence[str], number: int) -> bool:
    """Return whether a line starts an element that goes before a title."""
    head = lines[number][:_MARKER_WIDTH]
    markers = (_BULLET, _FIELD, _OPTION, _LINE_BLOCK, _EXPLICIT, _ANONYMOUS_TARGET)
    return any(marker.match(head) for marker in markers) or _is_enumerated(lines, number)


def _adornment(line: str) -> str:
    """Return a line that is one punctuation character repeated, or nothing."""
    line = line.rstrip()
    return line if line and _ADORNMENT.fullmatch(line) else ""


def _columns(title: str) -> int:
    """Return how wide a title is, as far as it matters; a wide character takes two columns."""
    head = title[:_SHORTEST_SURE_LINE]
    return sum(1 if ord(character) < 0x1100 else 2 for character in head)  # noqa: PLR2004 - where wide scripts begin


def _element(lines: Sequence[str], number: int) -> _Found:
    for recognise in _RECOGNISERS:
        if found := recognise(lines, number):
            return found
    return _paragraph(lines, number)


def _head(lines: Sequence[str], number: int) -> str:
    """Return the start of a line without its indentation."""
    return lines[number].lstrip(" \t")[:_MARKER_WIDTH]


def _explicit(lines: Sequence[str], number: int) -> _Found | None:
    """Return what two dots start: a directive, a footnote, or what has no text of the page."""
    head = _head(lines, number)
    if not _EXPLICIT.match(head):
        return _Found((), number + 1) if _ANONYMOUS_TARGET.match(head) else None
    if directive := _DIRECTIVE.match(head):
        return _directive(lines, number, directive[1].lower())
    if head.rstrip() == ".." and (number + 1 == len(lines) or is_blank(lines[number + 1])):
        return _Found((), number + 1)  # an empty comment has no body
    stop = body_stop(lines, number)
    return _one(BlockKind.OTHER, number, stop) if _FOOTNOTE.match(head) else _Found((), stop)


def _directive(lines: Sequence[str], number: int, name: str) -> _Found:
    if name in _OPEN_DIRECTIVES:
        return _one(BlockKind.OTHER, number, _after_options(lines, number))
    stop = body_stop(lines, number)
    if name in _CODE_DIRECTIVES:
        return _one(BlockKind.CODE, number, stop)
    if name in _HIDDEN_DIRECTIVES:
        return _Found((), stop)
    if name == "glossary":
        return _glossary(lines, number, stop)
    if starts := tables.directive_rows(lines, number, stop, name):
        return _cut(BlockKind.ROW, lines, [number, *starts[1:]], stop)
    return _one(BlockKind.OTHER, number, stop)


def _after_options(lines: Sequence[str], number: int) -> int:
    """Return the line after a directive's first line and its options."""
    number += 1
    while number < len(lines) and _FIELD.match(_head(lines, number)) and indent_of(lines[number]):
        number += 1
    return number


def _glossary(lines: Sequence[str], number: int, stop: int) -> _Found:
    """Return a glossary's entries: its terms stand at one indentation, and what they mean deeper."""
    first = first_filled(lines, _after_options(lines, number))
    starts = [
        line
        for line in range(first, stop)
        if not is_blank(lines[line])
        and indent_of(lines[line]) <= indent_of(lines[first])
        and (line == first or is_blank(lines[line - 1]) or indent_of(lines[line - 1]) > indent_of(lines[first]))
    ]
    return _cut(BlockKind.ITEM, lines, [number, *starts[1:]], stop)


def _grid_table(lines: Sequence[str], number: int) -> _Found | None:
    starts, stop = tables.grid_rows(lines, number)
    return _cut(BlockKind.ROW, lines, starts, stop) if starts else None


def _simple_table(lines: Sequence[str], number: int) -> _Found | None:
    starts, stop = tables.simple_rows(lines, number)
    return _cut(BlockKind.ROW, lines, starts, stop) if starts else None


def _item(lines: Sequence[str], number: int) -> _Found | None:
    """Return an item of a bullet, enumerated, field or option list, with everything indented under it."""
    head = _head(lines, number)
    if any(marker.match(head) for marker in (_BULLET, _FIELD, _OPTION)) or _is_enumerated(lines, number):
        return _one(BlockKind.ITEM, number, body_stop(lines, number))
    return None


def _is_enumerated(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is an enumerated item; ``A. Einstein`` in running text is none."""
    if not _ENUMERATOR.match(_head(lines, number)):
        return False
    if number + 1 == len(lines) or is_blank(lines[number + 1]):
        return True
    indent, following = indent_of(lines[number]), indent_of(lines[number + 1])
    return following != indent or bool(_ENUMERATOR.match(_head(lines, number + 1)))


def _line_block(lines: Sequence[str], number: int) -> _Found | None:
    return _one(BlockKind.OTHER, number, _run_stop(lines, number)) if _LINE_BLOCK.match(_head(lines, number)) else None


def _doctest(lines: Sequence[str], number: int) -> _Found | None:
    return _one(BlockKind.CODE, number, _run_stop(lines, number)) if _head(lines, number).startswith(">>> ") else None


def _transition(lines: Sequence[str], number: int) -> _Found | None:
    is_alone = number + 1 == len(lines) or is_blank(lines[number + 1])
    is_line = is_alone and len(_adornment(lines[number])) >= _SHORTEST_SURE_LINE
    return _one(BlockKind.OTHER, number, number + 1) if is_line else None


def _paragraph(lines: Sequence[str], number: int) -> _Found:
    """Return a paragraph with the literal block that it announces, or an item of a definition list."""
    indent = indent_of(lines[number])
    stop = number + 1
    while stop < len(lines) and not is_blank(lines[stop]) and indent_of(lines[stop]) == indent:
        stop += 1
    if stop == number + 1 and stop < len(lines) and indent_of(lines[stop]) > indent and not is_blank(lines[stop]):
        return _one(BlockKind.ITEM, number, body_stop(lines, number))
    literal = _literal(lines, stop, indent) if lines[stop - 1].rstrip().endswith("::") else None
    if literal is None:
        return _one(BlockKind.PARAGRAPH, number, stop)
    if lines[number].strip() == "::":
        return _one(BlockKind.CODE, number, literal.stop)
    blocks = Block(BlockKind.PARAGRAPH, LineSpan(number, stop)), Block(BlockKind.CODE, literal)
    return _Found(blocks, literal.stop)


def _literal(lines: Sequence[str], number: int, indent: int) -> LineSpan | None:
    """Return a literal block: what is indented, or lines that all start with the same punctuation."""
    number = first_filled(lines, number)
    if number == len(lines):
        return None
    if indent_of(lines[number]) > indent:
        return LineSpan(number, body_stop(lines, number, indent))
    mark = _head(lines, number)[0]
    if indent_of(lines[number]) < indent or not _ADORNMENT.fullmatch(mark):
        return None
    stop = number
    while stop < len(lines) and indent_of(lines[stop]) == indent and _head(lines, stop).startswith(mark):
        stop += 1
    return LineSpan(number, stop)


def _run_stop(lines: Sequence[str], number: int) -> int:
    """Return the line at which what is not blank and not less indented ends."""
    indent = indent_of(lines[number])
    while number < len(lines) and not is_blank(lines[number]) and indent_of(lines[number]) >= indent:
        number += 1
    return number


def _one(kind: BlockKind, start: int, stop: int) -> _Found:
    return _Found((Block(kind, LineSpan(start, stop)),), stop)


def _cut(kind: BlockKind, lines: Sequence[str], starts: Sequence[int], stop: int) -> _Found:
    """Return a block from each start to the next."""
    return _Found([Block(kind, trimmed(lines, one, two)) for one, two in pairwise([*starts, stop])], stop)


_RECOGNISERS: Final[tuple[_Recogniser, ...]] = (
    _item,
    _doctest,
    _line_block,
    _grid_table,
    _simple_table,
    _explicit,
    _transition,
)
"""In the order in which docutils tries them."""


def heading_text(source: str) -> str:
    """Return a title's source as plain words: no roles, references, emphasis or literal marks."""
    text = _ROLE.sub("", source[:_LONGEST_TITLE]).replace("``", "`")
    text = _REFERENCE.sub(lambda match: match[1] or match[2], text)
    text = _EMPHASIS.sub(r"\2", text)
    return single_line(_ESCAPE.sub(r"\1", text))
