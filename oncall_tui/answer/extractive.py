"""The default answer: the lines that bear on the question, verbatim, each with its citation.

Nothing is written here. A statement is a run of whole lines of a page, so it is right by
construction about what the page says; a step keeps the command under it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Final

from oncall_tui.answer.roles import section_of
from oncall_tui.models import (
    Answer,
    Chunk,
    Citation,
    DocumentType,
    Evidence,
    Grounding,
    LineSpan,
    Metadata,
    Passage,
    Section,
    Statement,
)
from oncall_tui.retrieval.tokens import tokenize
from oncall_tui.retrieval.trust import OUT_OF_VALIDITY
from oncall_tui.text import language_of

PROVIDER: Final = "extractive"

QUOTAS: Final[Mapping[Section, int]] = MappingProxyType(
    {
        Section.BEFORE: 2,
        Section.STEPS: 8,
        Section.VERIFY: 3,
        Section.RISKS: 3,
        Section.LIMITS: 1,
        Section.ROLLBACK: 2,
        Section.ESCALATE: 1,
        Section.CONTEXT: 3,
    }
)
"""Most statements a section: together about what is read at 3 a.m.; the page has the rest."""

_SUPPORTING_STATEMENTS: Final = 3
"""Most statements from a passage other than the best page's."""

_ADDED_STEPS: Final = 2
"""Passages of the best page that tell what to do and are added although they were not found."""

_NEAR_SCORE: Final = 0.6
"""A passage of another page is quoted if its score is at least this share of the best one's."""

Units = Callable[[str, str], Sequence[LineSpan]]
"""Takes a page's path and a passage's text; returns the line spans that stay together."""


@dataclass(frozen=True, slots=True)
class _Quote:
    """A statement that may be chosen."""

    passage: Passage
    span: LineSpan
    """Lines of the file."""
    text: str
    section: Section
    bearing: int
    """How many of the question's words it holds."""


class ExtractiveAnswerer:
    """Quotes the evidence.

    Args:
        units: Splits a passage into what stays together.
        today: Returns the day from which a page's age is counted.
    """

    def __init__(self, units: Units, today: Callable[[], date]) -> None:
        self._units = units
        self._today = today

    def answer(self, evidence: Evidence, page: Sequence[Chunk]) -> Answer:
        """Return the answer; without evidence it says so and names nothing as an answer.

        Args:
            evidence: What was found.
            page: All passages of the best page. What it says to do, check and undo is quoted
                even where the question's words do not stand; such passages get labels of their own.
        """
        if not evidence.passages:
            return Answer(
                question=evidence.question,
                headline="No runbook covers this.",
                statements=(),
                grounding=Grounding.NONE,
                provider=PROVIDER,
                evidence=evidence,
            )
        evidence = self._with_page(evidence, page)
        quotes = _within_quotas(self._candidates(evidence))
        return Answer(
            question=evidence.question,
            headline=self._headline(evidence.passages[0], quotes),
            statements=tuple(_statement(quote) for quote in quotes),
            grounding=Grounding.FULL if quotes else Grounding.NONE,
            provider=PROVIDER,
            evidence=evidence,
        )

    def _with_page(self, evidence: Evidence, page: Sequence[Chunk]) -> Evidence:
        """Return the evidence with the passages added that the best page's procedure needs."""
        best = evidence.passages[0]
        if best.chunk.metadata.type is not DocumentType.INSTRUCTION:
            return evidence
        words = set(tokenize(evidence.question))
        known = {passage.chunk.id for passage in evidence.passages}
        has = {_section(p.chunk) for p in evidence.passages if p.chunk.document_id == best.chunk.document_id}
        added: list[Chunk] = []
        for section in (Section.STEPS, Section.VERIFY, Section.ROLLBACK, Section.ESCALATE):
            members = [chunk for chunk in page if chunk.id not in known and _section(chunk) is section]
            if section is Section.STEPS:
                # How the page starts, and what bears most on the question.
                bearing = sorted(members, key=lambda chunk: -len(words & set(tokenize(chunk.text))))
                added.extend(dict.fromkeys((*members[:1], *bearing[: _ADDED_STEPS - 1])))
            elif section not in has:
                added.extend(members[:1])
        labelled = (
            Passage(label=label, chunk=chunk, score=0.0, ranks={}, trust=best.trust, freshness=best.freshness)
            for label, chunk in enumerate(added, len(evidence.passages) + 1)
        )
        return replace(evidence, passages=(*evidence.passages, *labelled))

    def _candidates(self, evidence: Evidence) -> list[_Quote]:
        """Return what could be quoted: the best page's passages, then what comes near them."""
        best = evidence.passages[0]
        words = set(tokenize(evidence.question))
        found: list[_Quote] = []
        for passage in evidence.passages:
            quotes = list(self._quotes(passage, words))
            if passage.chunk.document_id != best.chunk.document_id:
                if not _supports(passage, best):
                    continue
                quotes.sort(key=lambda quote: (-quote.bearing, quote.span))
                quotes = [quote for quote in quotes[:_SUPPORTING_STATEMENTS] if quote.bearing]
            found.extend(quote for quote in quotes if not _is_repeat(quote, found))
        return found

    def _quotes(self, passage: Passage, words: set[str]) -> Iterator[_Quote]:
        chunk = passage.chunk
        lines = chunk.text.split("\n")
        for unit in self._units(chunk.path, chunk.text):
            text = "\n".join(lines[unit.start : unit.stop]).rstrip()
            # A passage cut out of one overlong line stands on that line as a whole.
            stop = min(chunk.span.start + unit.stop, chunk.span.stop)
            span = LineSpan(min(chunk.span.start + unit.start, stop - 1), stop)
            bearing = len(words & set(tokenize(text)))
            yield _Quote(passage, span, text, section_of(text, chunk.heading_path), bearing)

    def _headline(self, best: Passage, quotes: Sequence[_Quote]) -> str:
        metadata = best.chunk.metadata
        others = len({quote.passage.chunk.document_id for quote in quotes} - {best.chunk.document_id})
        count = len(quotes)
        from_where = ", ".join(filter(None, (best.chunk.path, metadata.owner, self._age(metadata))))
        more = f" and {others} other page{'s' if others > 1 else ''}" if others else ""
        return f"{metadata.title}: {count} statement{'s' if count != 1 else ''} from {from_where}{more}"

    def _age(self, metadata: Metadata) -> str:
        if metadata.last_updated is None:
            return ""
        days = (self._today() - metadata.last_updated).days
        return "updated today" if days <= 0 else f"updated {days} day{'s' if days > 1 else ''} ago"


def _within_quotas(quotes: Sequence[_Quote]) -> list[_Quote]:
    """Return the quotes to show, section by section in the order of work, each page in its own order."""
    pages = list(dict.fromkeys(quote.passage.chunk.document_id for quote in quotes))
    shown: list[_Quote] = []
    for section, quota in QUOTAS.items():
        members = [quote for quote in quotes if quote.section is section]
        if section is not Section.STEPS:  # steps lean on each other: they are kept from the first on
            members.sort(key=lambda quote: -quote.bearing)
        shown.extend(
            sorted(members[:quota], key=lambda quote: (pages.index(quote.passage.chunk.document_id), quote.span))
        )
    return shown


def _section(chunk: Chunk) -> Section:
    return section_of("", chunk.heading_path)


def _supports(passage: Passage, best: Passage) -> bool:
    """Return whether another page may be quoted beside the best one.

    Two services' pages, or two languages, are never mixed into one procedure, and a page that
    does not hold any more adds nothing to one that does.
    """
    return (
        passage.score >= _NEAR_SCORE * best.score
        and passage.chunk.metadata.service == best.chunk.metadata.service
        and passage.chunk.metadata.type is best.chunk.metadata.type
        and passage.freshness not in OUT_OF_VALIDITY
        and language_of(passage.chunk.text) == language_of(best.chunk.text)
    )


def _is_repeat(quote: _Quote, chosen: Sequence[_Quote]) -> bool:
    return any(" ".join(quote.text.split()) == " ".join(other.text.split()) for other in chosen)


def _statement(quote: _Quote) -> Statement:
    chunk = quote.passage.chunk
    citation = Citation(quote.passage.label, chunk.citation, chunk.path, quote.span)
    return Statement(quote.section, quote.text, (citation,))
