"""One passage as an entry of the evidence list."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len
from textual.content import Content

from oncall_tui.models import Chunk, Metadata, Passage
from oncall_tui.ui.rendering.styles import FAINT, MUTED
from oncall_tui.ui.rendering.words import readable

MARKER: Final = "▸"
"""Stands before the entry under the cursor, so that colour is not needed to see it."""

_ADDED: Final = "not found by its words, but cited in the answer"

_SEPARATOR: Final = " · "
_INDENT: Final = 4
_SHORTEST_TITLE: Final = 14

_FRESHNESS_STYLES: Final = {
    "current": "$text-success",
    "old": "$text-warning",
    "expired": "$text-error bold",
    "not yet valid": "$text-error bold",
    "archived": "$text-error bold",
}

_TRUST_WORDS: Final = {
    1: "a thread",
    2: "an edited page",
    3: "a maintained page",
    4: "a checked page",
    5: "a reviewed procedure",
}


def entry(passage: Passage, question: str, width: int, *, is_current: bool = False) -> Content:
    """Return the lines of an entry, none wider than ``width``."""
    marker = MARKER if is_current else " "
    label = (f"{marker}{passage.label:>2} ", "$primary bold" if is_current else "$primary")
    room = width - _INDENT
    title = Content.assemble(label, title_of(passage.chunk, room)).truncate(width, ellipsis=True)
    details = [Content(" " * _INDENT) + line for line in _flow(_details(passage, question, room), room)]
    return Content("\n").join([title, *details])


def title_of(chunk: Chunk, width: int) -> Content:
    """Return a passage's title and headings; if they are too long, the page's title is cut first."""
    headings = _headings_of(chunk)
    if not headings:
        return Content.styled(chunk.metadata.title, "bold").truncate(width, ellipsis=True)
    below = Content.styled(" › " + " › ".join(headings), "bold")
    title = Content(chunk.metadata.title)
    room = max(width - below.cell_length, min(_SHORTEST_TITLE, title.cell_length))
    return (title.truncate(room, ellipsis=True) + below).truncate(width, ellipsis=True)


def _headings_of(chunk: Chunk) -> Sequence[str]:
    """Return the headings above a passage without the page's title."""
    headings = chunk.heading_path
    return headings[1:] if headings[:1] == (chunk.metadata.title,) else headings


def trust_of(metadata: Metadata) -> str:
    """Return how far a page can be trusted, in words."""
    return f"trust {metadata.trust}/5, {_TRUST_WORDS.get(metadata.trust, 'unknown')}"


def freshness_of(passage: Passage) -> Content:
    """Return the badge of a passage's age and validity."""
    return Content.styled(passage.freshness, _FRESHNESS_STYLES.get(passage.freshness, MUTED))


def _details(passage: Passage, question: str, width: int) -> Iterable[Content]:
    """Yield what is said of a passage, the most useful first."""
    chunk = passage.chunk
    yield Content.styled(_end_of(chunk.location, width), "$secondary")
    if chunk.metadata.service:
        yield Content.styled(chunk.metadata.service, MUTED)
    if passage.freshness:
        yield freshness_of(passage)
    yield Content.styled(f"trust {chunk.metadata.trust}/5", MUTED)
    yield Content.styled(_end_of(chunk.citation, width), MUTED)
    ranks = _SEPARATOR.join(f"{source} #{rank}" for source, rank in passage.ranks.items())
    yield Content.styled(ranks or _ADDED, MUTED)
    if passage.is_exact:
        yield Content.styled("exact identifier", "$text-accent")
    matched = readable(question, passage.matched)
    if matched:
        yield Content.styled("has " + ", ".join(matched), MUTED)


def _end_of(text: str, width: int) -> str:
    """Return a text that fits, cut at its start: the end of a path and of a citation tells most."""
    if cell_len(text) <= width:
        return text
    return "…" + next(text[start:] for start in range(len(text) + 1) if cell_len(text[start:]) < max(width, 1))


def _flow(pieces: Iterable[Content], width: int) -> Iterable[Content]:
    """Yield lines of pieces with separators; a piece is never divided, only cut if it is longer than a line."""
    separator = Content.styled(_SEPARATOR, FAINT)
    line = Content("")
    for piece in pieces:
        if not line:
            line = piece
        elif line.cell_length + separator.cell_length + piece.cell_length <= width:
            line = line + separator + piece
        else:
            yield line.truncate(width, ellipsis=True)
            line = piece
    if line:
        yield line.truncate(width, ellipsis=True)
