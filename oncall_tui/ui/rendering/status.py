"""The status line: what there is, on which rung of the ladder it stands, and what is under way."""

from collections.abc import Iterator, Sequence
from typing import Final

from textual.content import Content

from oncall_tui.models import Evidence, Progress, Rung, Stage
from oncall_tui.ui.rendering.styles import FAINT, MUTED
from oncall_tui.ui.state import IndexState

_SEPARATOR: Final = " · "
_BAR_CELLS: Final = 12

_STAGES: Final = {Stage.READING: "Reading", Stage.INDEXING: "Indexing", Stage.EMBEDDING: "Embedding"}
_UNITS: Final = {Stage.READING: "documents", Stage.INDEXING: "documents", Stage.EMBEDDING: "chunks"}

_RUNG_STYLES: Final = {
    Rung.HYBRID: "$text-success",
    Rung.KEYWORD_ONLY: "$text-warning",
    Rung.NOT_COVERED: "$text-warning",
}


def status_line(state: IndexState, evidence: Evidence, width: int) -> Content:
    """Return the status line; what matters least is left out where it does not fit."""
    pieces = sorted(_pieces(state, evidence), key=lambda piece: piece[0])
    while len(pieces) > 1 and _width(pieces) > width:
        del pieces[max(range(len(pieces)), key=lambda place: (_importance(pieces[place]), place))]
    line = Content.styled(_SEPARATOR, FAINT).join(content for _, _, content in pieces)
    return line.truncate(max(width, 1), ellipsis=True)


_Piece = tuple[int, int, Content]
"""Place in the line, rank by importance (0 is never left out), text."""


def _pieces(state: IndexState, evidence: Evidence) -> Iterator[_Piece]:
    status = state.status
    if state.is_running:
        yield 0, 0, _progress(state.progress)
    if evidence.question:
        yield 1, 1, Content.styled(evidence.rung.value, _RUNG_STYLES[evidence.rung])
        yield 6, 5, Content(f"{evidence.took_ms:.0f} ms")
    if status.is_demo:
        yield 2, 2, Content.styled("demo runbooks", "$text-accent")
    if status.exists:
        yield 3, 3, Content(f"{status.documents:,} documents")
        yield 4, 6, Content(f"{status.chunks:,} chunks")
        yield 4, 4, Content(_vectors(status.vectors, status.chunks))
    elif not state.is_running:
        yield 3, 0, Content.styled("no index", "$text-warning")
    if status.offline:
        yield 5, 3, Content("offline")
    if evidence.degraded:
        yield 7, 7, Content.styled("; ".join(evidence.degraded), MUTED)


def _vectors(done: int, total: int) -> str:
    return f"{done:,} vectors" if done >= total else f"{done:,}/{total:,} vectors"


def _progress(progress: Progress | None) -> Content:
    if progress is None:
        return Content.styled("Looking at the sources…", "$primary")
    share = progress.done / progress.total if progress.total else 0.0
    filled = min(_BAR_CELLS, int(share * _BAR_CELLS))
    return Content.assemble(
        (f"{_STAGES[progress.stage]} ", "$primary bold"),
        ("█" * filled, "$primary"),
        ("░" * (_BAR_CELLS - filled), FAINT),
        f" {progress.done:,}/{progress.total:,} {_UNITS[progress.stage]}",
    )


def _width(pieces: Sequence[_Piece]) -> int:
    return sum(content.cell_length for _, _, content in pieces) + len(_SEPARATOR) * (len(pieces) - 1)


def _importance(piece: _Piece) -> int:
    return piece[1]
