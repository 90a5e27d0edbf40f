"""BM25 over the postings; ``rank_bm25`` defines the score and checks it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from oncall_tui.index.postings import K1, Postings
from oncall_tui.retrieval.protocols import Mask, Retrieved, Rows, Signals, SignalsOf, top_rows
from oncall_tui.retrieval.question import Question

NAME: Final = "keyword"
GLOSSARY: Final = "glossary"

PAGE: Final = "page"
"""Signal: the share that the passage's page reaches with all its passages together."""

SYNONYMS: Final = "synonyms"
"""Signal: what the glossary's other words reach, as a share of what the question could reach."""

TRANSLATION: Final = "translation"
"""Signal: the share of the glossary's other words alone that a passage reaches."""


class KeywordRetriever:
    """Ranks by BM25Okapi over weighted token counts.

    Args:
        postings: The index's postings.
        documents: Number of each row's document, ascending.
    """

    def __init__(self, postings: Postings, documents: npt.NDArray[np.int32]) -> None:
        self._postings = postings
        self._documents = documents

    @property
    def name(self) -> str:
        """Name of the list."""
        return NAME

    def retrieve(self, question: Question, limit: int, allowed: Mask | None) -> Retrieved:
        """Return the best rows that share a term with the question."""
        return self._ranked(
            NAME,
            question.tokens,
            limit,
            allowed,
            lambda rows: {
                NAME: self._reached(question.weights, rows) / self._possible(question.weights),
                PAGE: self._page_reached(question.weights, rows) / self._possible(question.weights),
            },
        )

    def retrieve_expansions(self, question: Question, limit: int, allowed: Mask | None) -> Retrieved:
        """Return the best rows by the glossary's other words for what the question says."""
        return self._ranked(
            GLOSSARY,
            question.expansions,
            limit,
            allowed,
            lambda rows: {
                SYNONYMS: self._reached(question.expansions, rows) / self._possible(question.weights),
                TRANSLATION: self._reached(question.expansions, rows)
                / self._possible(
                    {token: weight for token, weight in question.expansions.items() if self.frequency(token)}
                ),
            },
        )

    def _ranked(
        self, source: str, weights: Mapping[str, float], limit: int, allowed: Mask | None, signals: SignalsOf
    ) -> Retrieved:
        scores = self._postings.score(weights)
        rows = top_rows(np.where(self._postings.touched(weights), scores, -np.inf), limit, allowed)
        return Retrieved(source, rows, scores[rows], signals)

    def _possible(self, weights: Mapping[str, float]) -> float:
        """Return the highest sum that a passage could reach; what no chunk holds counts too.

        A sum's share of it means the same for every question, which a BM25 score does not: a
        question that the corpus hardly shares a word with reaches little everywhere.
        """
        total = sum(self._postings.information(token) * weight for token, weight in weights.items())
        return total * (K1 + 1) or 1.0

    def _reached(self, weights: Mapping[str, float], rows: Rows) -> Signals:
        """Return the sum of information times saturation that each row reaches."""
        reached = np.zeros(len(rows))
        for token, weight in weights.items():
            reached += self._postings.saturation(token, rows) * (self._postings.information(token) * weight)
        return reached

    def _page_reached(self, weights: Mapping[str, float], rows: Rows) -> Signals:
        """Return what each row's page reaches if every token counts where the page holds it best."""
        documents, page_of = np.unique(self._documents[rows], return_inverse=True)
        starts = np.searchsorted(self._documents, documents)
        stops = np.searchsorted(self._documents, documents, side="right")
        if not len(documents):
            return np.zeros(0)
        all_rows = np.concatenate([np.arange(start, stop) for start, stop in zip(starts, stops, strict=True)])
        edges = np.concatenate(([0], np.cumsum(stops - starts)[:-1]))
        reached = np.zeros(len(documents))
        for token, weight in weights.items():
            best = np.maximum.reduceat(self._postings.saturation(token, all_rows), edges)
            reached += best * (self._postings.information(token) * weight)
        pages: Signals = reached[page_of]
        return pages

    def matched(self, question: Question, row: int) -> tuple[str, ...]:
        """Return the question's tokens that stand in a row."""
        return tuple(token for token in question.tokens if self._postings.saturation(token, np.array([row]))[0] > 0)

    def coverage(self, question: Question, matched: Sequence[str]) -> float:
        """Return the matched tokens' share of the question's information, 0 to 1."""
        total = sum(map(self._postings.information, question.tokens))
        return sum(map(self._postings.information, matched)) / total if total else 0.0

    def rows_with_all(self, tokens: Iterable[str]) -> frozenset[int]:
        """Return the rows that hold every one of the tokens; none if there are no tokens."""
        held = [frozenset(self._postings.rows_with(token).tolist()) for token in tokens]
        return frozenset.intersection(*held) if held else frozenset()

    def frequency(self, token: str) -> int:
        """Return how many rows hold a token."""
        return len(self._postings.rows_with(token))
