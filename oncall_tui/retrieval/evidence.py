"""Fused candidates to numbered evidence."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from oncall_tui.models import Chunk, Contribution, Passage
from oncall_tui.retrieval.abstention import is_answered
from oncall_tui.retrieval.keyword import KeywordRetriever
from oncall_tui.retrieval.protocols import Candidate
from oncall_tui.retrieval.question import Question
from oncall_tui.retrieval.tokens import is_identifier, tokenize
from oncall_tui.retrieval.trust import penalty, standing

PASSAGES_A_DOCUMENT: Final = 3
"""More hits of one page are named under its best one, so that it does not fill the list."""

NEAREST_MISSES: Final = 3

_DECIDING: Final = 20
"""So many of the best candidates decide whether anything answers."""

_RARE_SHARE: Final = 0.002
_RARE_COUNT: Final = 3
"""An identifier is rare if at most 3 chunks, or 2 in a thousand, hold it."""

_IDENTIFIER_QUESTION_WORDS: Final = 4
"""A question of at most so many words that holds a rare identifier asks for it."""

_DUPLICATE_OVERLAP: Final = 0.9
"""Share of common words from which on two passages say the same."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its chunk and the summands of its score."""

    candidate: Candidate
    chunk: Chunk
    contributions: tuple[Contribution, ...]
    is_exact: bool

    @property
    def score(self) -> float:
        """The sum of the contributions."""
        return sum(part.value for part in self.contributions)


class EvidenceSelector:
    """Orders, thins and numbers what the lists found.

    Args:
        keyword: Tells which words of a question stand in a row.
        size: Number of rows in the index.
        chunk: Returns the chunk in a row.
        today: The day on which pages must hold.
    """

    def __init__(self, keyword: KeywordRetriever, size: int, chunk: Callable[[int], Chunk], today: date) -> None:
        self._keyword = keyword
        self._size = size
        self._chunk = chunk
        self._today = today

    def order(
        self, question: Question, candidates: Sequence[Candidate], fused: Sequence[tuple[Contribution, ...]]
    ) -> list[Scored]:
        """Return the candidates best first: holders of all rare identifiers lead, ties by row."""
        holders = self._keyword.rows_with_all(self._rare_identifiers(question))
        scored = []
        for candidate, contributions in zip(candidates, fused, strict=True):
            chunk = self._chunk(candidate.row)
            is_exact = candidate.row in holders
            scored.append(Scored(candidate, chunk, self._with_penalty(chunk, contributions), is_exact))
        return sorted(scored, key=lambda item: (not item.is_exact, -item.score, item.candidate.row))

    def select(
        self, question: Question, ordered: Sequence[Scored], limit: int
    ) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
        """Return the passages that answer, or none of them and the nearest misses."""
        leading = [item.candidate for item in ordered[:_DECIDING]]
        if any(item.is_exact for item in ordered[:_DECIDING]) or is_answered(leading):
            return tuple(self._number(question, ordered, limit)), ()
        return (), tuple(self._number(question, ordered, NEAREST_MISSES))

    def _rare_identifiers(self, question: Question) -> frozenset[str]:
        """Return the rare identifiers of a question that asks for little else.

        In a pasted alert a host's name is one word among many; alone it is what is looked for.
        """
        if len(question.text.split()) > _IDENTIFIER_QUESTION_WORDS:
            return frozenset()
        most = max(_RARE_COUNT, int(self._size * _RARE_SHARE))
        return frozenset(
            token for token in question.tokens if is_identifier(token) and 0 < self._keyword.frequency(token) <= most
        )

    def _with_penalty(self, chunk: Chunk, contributions: tuple[Contribution, ...]) -> tuple[Contribution, ...]:
        reason, lost = penalty(chunk, self._today)
        if not lost:
            return contributions
        loss = -lost * abs(sum(part.value for part in contributions))  # a cosine may be negative
        return (*contributions, Contribution(reason, f"−{lost:.0%}", loss))

    def _number(self, question: Question, ordered: Sequence[Scored], limit: int) -> Iterator[Passage]:
        """Yield passages from label 1 on, folding duplicates and what one page has too much of."""
        shown: list[Passage] = []
        words: list[frozenset[str]] = []
        in_document: Counter[str] = Counter()
        for item in ordered:
            is_full = len(shown) == limit
            held = frozenset() if is_full else frozenset(tokenize(item.chunk.text))
            twin = next((n for n, other in enumerate(words) if _overlap(held, other) >= _DUPLICATE_OVERLAP), None)
            if twin is not None:
                shown[twin] = replace(shown[twin], also_in=(*shown[twin].also_in, item.chunk.citation))
            elif is_full or in_document[item.chunk.document_id] >= PASSAGES_A_DOCUMENT:
                _name_under_its_page(shown, item.chunk)
            else:
                in_document[item.chunk.document_id] += 1
                shown.append(self._passage(question, item, len(shown) + 1))
                words.append(held)
        yield from shown

    def _passage(self, question: Question, item: Scored, label: int) -> Passage:
        matched = self._keyword.matched(question, item.candidate.row)
        page = standing(item.chunk.metadata, self._today)
        return Passage(
            label=label,
            chunk=item.chunk,
            score=item.score,
            ranks=item.candidate.ranks,
            contributions=item.contributions,
            matched=matched,
            missed=tuple(token for token in question.tokens if token not in matched),
            coverage=round(self._keyword.coverage(question, matched), 3),
            is_exact=item.is_exact,
            trust=page.trust,
            freshness=page.freshness,
        )


def _name_under_its_page(shown: list[Passage], chunk: Chunk) -> None:
    """Name a further hit under the best shown passage of its page, if there is one."""
    for place, passage in enumerate(shown):
        if passage.chunk.document_id == chunk.document_id:
            shown[place] = replace(passage, more_in_document=(*passage.more_in_document, chunk.id))
            return


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the Jaccard similarity of two sets."""
    if not min(len(first), len(second)) >= _DUPLICATE_OVERLAP * max(len(first), len(second)):
        return 0.0  # sets of such different sizes cannot overlap enough
    return len(first & second) / len(first | second) if first and second else 0.0
