"""An answer as lines of a given width: sections, statements and their citation markers."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from textual.content import Content
from textual.style import Style

from oncall_tui.models import Answer, Passage, Statement
from oncall_tui.ui.rendering.entry import title_of
from oncall_tui.ui.rendering.source_lines import LineKind, inline_marks, kinds_of
from oncall_tui.ui.rendering.styles import FAINT, MUTED
from oncall_tui.ui.rendering.wrapping import TAB_SIZE, breaks

_CODE_BAR: Final = "│ "
_MARKDOWN: Final = "statement.md"
"""Statements are quoted from Markdown or from text that reads the same."""

_INLINE_STYLES: Final = {"code": "$secondary", "strong": "bold"}

NEAREST: Final = "Nearest misses. They come close to the question, but do not answer it:"


def answer_lines(answer: Answer, width: int) -> list[Content]:
    """Return an answer's lines."""
    lines = [*_wrapped(Content.styled(answer.headline, "$primary bold"), width)]
    if not answer.statements:
        return [*lines, *_nearest_lines(answer.evidence.nearest, width)]
    numbered = enumerate(answer.statements)
    for section, members in groupby(numbered, key=lambda pair: pair[1].section):
        lines += [Content(""), Content.styled(section.value, "$accent bold")]
        for index, statement in members:
            lines += _statement_lines(statement, index, width)
    return lines


def _nearest_lines(passages: Sequence[Passage], width: int) -> Iterator[Content]:
    """Yield the nearest misses, named as such."""
    if not passages:
        return
    yield Content("")
    yield from _wrapped(Content.styled(NEAREST, MUTED), width)
    for passage in passages:
        yield Content.assemble(f" {passage.label}  ", title_of(passage.chunk, width - 4))
        yield Content.styled(f"    {passage.chunk.location}", MUTED).truncate(width, ellipsis=True)


def _statement_lines(statement: Statement, index: int, width: int) -> Iterator[Content]:
    """Yield a statement's lines beside its markers."""
    markers = _markers(statement, index)
    margin = markers.cell_length + 1
    for number, line in enumerate(_text_lines(statement.text, max(width - margin, 1))):
        yield (markers + " " if number == 0 else Content(" " * margin)) + line


def _markers(statement: Statement, index: int) -> Content:
    """Return ``[n]`` for every citation, each of which can be clicked."""
    markers = []
    for number, citation in enumerate(statement.citations):
        click = Style.from_meta({"@click": f"open_citation({index}, {number})"})
        markers.append(Content.styled(f"[{citation.label}]", "$primary bold").stylize(click))
    return Content(" ") + Content("").join(markers)


def _text_lines(text: str, width: int) -> Iterator[Content]:
    """Yield a statement's text: code behind a bar instead of between fences, the rest as it stands."""
    lines = text.expandtabs(TAB_SIZE).split("\n")
    indent = 0
    for line, kind in zip(lines, kinds_of(_MARKDOWN, lines), strict=True):
        if kind is LineKind.FENCE:
            indent = len(line) - len(line.lstrip(" "))
        elif kind is LineKind.CODE:
            code = line[indent:] if not line[:indent].strip() else line
            for part in _wrapped(Content.styled(code, "$secondary"), width - len(_CODE_BAR)):
                yield Content.styled(_CODE_BAR, FAINT) + part
        elif not _is_table_rule(line):
            yield from _wrapped(_styled(line, kind), width)


def _is_table_rule(line: str) -> bool:
    """Return whether a line is the rule under a table's head, which says nothing."""
    return "---" in line and not line.strip().strip("|:- ")


def _styled(line: str, kind: LineKind) -> Content:
    if kind is LineKind.HEADING:
        return Content.styled(line, "bold")
    content = Content(line)
    for start, end, name in inline_marks(line):
        content = content.stylize(_INLINE_STYLES[name], start, end)
    return content


def _wrapped(content: Content, width: int) -> Iterator[Content]:
    """Yield the rows of a line, continued under its first character that is not a space."""
    plain = content.plain
    indent = min(len(plain) - len(plain.lstrip(" ")), width // 2)
    starts = breaks(plain[indent:], max(width - indent, 1))
    rows = content.divide([indent, *(indent + start for start in starts[1:])]) if indent else content.divide(starts[1:])
    if indent:
        rows = [rows[0] + rows[1], *(Content(" " * indent) + row for row in rows[2:])]
    yield from (row.rstrip() for row in rows)
