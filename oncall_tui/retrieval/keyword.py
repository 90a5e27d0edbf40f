"""BM25 over the postings; ``rank_bm25`` defines the score and checks it."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from oncall_tui.index.postings import K1, Postings
from oncall_tui.retrieval.protocols import Mask, Retrieved, Rows, Signals, top_rows
from oncall_tui.retrieval.question import Question

NAME: Final = "keyword"


class KeywordRetriever:
    """Ranks by BM25Okapi over weighted token counts."""

    def __init__(self, postings: Postings) -> None:
        self._postings = postings

    @property
    def name(self) -> str:
        """Name of the list."""
        return NAME

    def retrieve(self, question: Question, limit: int, allowed: Mask | None) -> Retrieved:
        """Return the best rows that share a term with the question."""
        scores = self._postings.score(question.tokens)
        touched = self._postings.touched(question.tokens)
        rows = top_rows(np.where(touched, scores, -np.inf), limit, allowed)
        return Retrieved(NAME, rows, scores[rows], lambda rows: self.share(question, rows))

    def share(self, question: Question, rows: Rows) -> Signals:
        """Return how much of the best possible score each row reaches, 0 to 1.

        What no chunk holds counts as missed. Unlike a score, the share can be compared between
        questions: one that the corpus hardly shares a word with reaches little everywhere.
        """
        reached = np.zeros(len(rows))
        possible = 0.0
        for token, weight in question.tokens.items():
            information = self._postings.information(token) * weight
            possible += information * (K1 + 1)
            reached += self._postings.saturation(token, rows) * information
        return reached / possible if possible else reached

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
