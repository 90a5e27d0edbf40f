"""Why a passage stands where it stands, in figures that add up."""

from collections.abc import Iterator
from typing import Final

from textual.content import Content

from oncall_tui.models import Passage
from oncall_tui.ui.rendering.entry import freshness_of, title_of, trust_of
from oncall_tui.ui.rendering.styles import MUTED
from oncall_tui.ui.rendering.words import readable

_BAR_CELLS: Final = 24


def explanation(passage: Passage, question: str, width: int) -> Content:
    """Return the explanation of a passage's place."""
    lines = [
        Content.assemble((f"[{passage.label}] ", "$primary bold"), title_of(passage.chunk, width - 4)),
        Content.styled(f"{passage.chunk.location} · {passage.chunk.citation}", MUTED),
        Content(""),
        *_score_lines(passage),
        Content(""),
        *_rank_lines(passage),
        *_word_lines(passage, question),
        _line("Page", Content.assemble(trust_of(passage.chunk.metadata), ", ", freshness_of(passage))),
    ]
    if passage.more_in_document:
        lines.append(_line("Also here", Content(", ".join(passage.more_in_document))))
    if passage.also_in:
        lines.append(_line("Same text", Content(", ".join(passage.also_in))))
    return Content("\n").join(lines)


def _score_lines(passage: Passage) -> Iterator[Content]:
    """Yield the summands of the score, a bar for each, and their sum."""
    largest = max((abs(part.value) for part in passage.contributions), default=0.0) or 1.0
    names = max((len(part.source) for part in passage.contributions), default=5)
    details = max((len(part.detail) for part in passage.contributions), default=0)
    for part in passage.contributions:
        bar = "█" * max(1, round(_BAR_CELLS * abs(part.value) / largest))
        yield Content.assemble(
            f"{part.source:<{names}}  {part.detail:>{details}} ",
            (f" {part.value:+.4f} ", "bold"),
            (bar, "$text-error" if part.value < 0 else "$primary"),
        )
    yield Content.assemble(f"{'score':<{names}}  {'=':>{details}} ", (f"  {passage.score:.4f}", "bold"))


def _rank_lines(passage: Passage) -> Iterator[Content]:
    ranks = ", ".join(f"#{rank} by {source}" for source, rank in passage.ranks.items())
    yield _line("Ranks", Content(ranks or "found by no list"))
    if passage.is_exact:
        yield _line("Exact", Content("holds every rare identifier of the question, so it leads"))


def _word_lines(passage: Passage, question: str) -> Iterator[Content]:
    found, missing = readable(question, passage.matched), readable(question, passage.missed)
    yield _line("Found", Content(", ".join(found) or "no word of the question"))
    if missing:
        yield _line("Missing", Content(", ".join(missing)))
    yield _line("Coverage", Content(f"{passage.coverage:.0%} of what the question's words weigh"))


def _line(name: str, content: Content) -> Content:
    return Content.assemble((f"{name:<10}", MUTED), content)
