"""One search over one snapshot of the index: retrieve, fuse, select."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from oncall_tui.errors import EmbeddingError
from oncall_tui.index.snapshot import Snapshot
from oncall_tui.models import Contribution, Evidence, Filters, Hit, Mode, Ranking, Rung
from oncall_tui.retrieval.evidence import EvidenceSelector
from oncall_tui.retrieval.expand import Glossary
from oncall_tui.retrieval.filters import FilterValues, matches
from oncall_tui.retrieval.keyword import KeywordRetriever
from oncall_tui.retrieval.protocols import Candidate, Fusion, Mask, Retrieved, Retriever
from oncall_tui.retrieval.question import Question, analyse
from oncall_tui.retrieval.vector import EmbedQuestion, VectorRetriever

CANDIDATES_PER_RETRIEVER: Final = 50


@dataclass(frozen=True, slots=True)
class VectorSide:
    """What vector search needs, or why there is none."""

    embed: EmbedQuestion | None = None
    reason: str = ""
    """Why vectors do not take part, in plain words."""


class Searcher:
    """Searches one snapshot.

    Args:
        snapshot: The index.
        fuse: Makes one score of several lists.
        vectors: How questions are embedded.
        glossary: Other words for what a question says.
        today: The day on which pages must hold.
    """

    def __init__(self, snapshot: Snapshot, fuse: Fusion, vectors: VectorSide, glossary: Glossary, today: date) -> None:
        self._snapshot = snapshot
        self._fuse = fuse
        self._today = today
        self._glossary = glossary
        self._keyword = KeywordRetriever(snapshot.postings, snapshot.columns.document)
        self._vector: VectorRetriever | None = None
        self._degraded = vectors.reason
        if vectors.embed and snapshot.vectors is not None:
            self._vector = VectorRetriever(snapshot.vectors, vectors.embed)
        elif not vectors.reason:
            self._degraded = "vectors: the index has none yet; they are filled in by oncall index"
        self.values = FilterValues.of(snapshot.documents)
        self._selector = EvidenceSelector(self._keyword, len(snapshot), snapshot.chunk, today)

    def search(self, text: str, *, limit: int, mode: Mode, filters: Filters) -> Evidence:
        """Return the evidence for a question.

        Raises:
            QuestionError: If the question is empty or too long.
            EmbeddingError: If only vectors were asked for and there are none.
        """
        started = time.perf_counter()
        question = analyse(text, filters, self.values, self._glossary)
        allowed = self._allowed(question.filters)
        lists, degraded = self._retrieve(question, mode, allowed)
        candidates = self._candidates(question, lists)
        fused = self._fuse(candidates) if mode is Mode.HYBRID else _unfused(candidates, lists)
        ordered = self._selector.order(question, candidates, fused)
        passages, nearest = self._selector.select(question, ordered, limit)
        rung = Rung.KEYWORD_ONLY if degraded or mode is Mode.KEYWORD else Rung.HYBRID
        final = Ranking("fused", tuple(Hit(item.chunk.id, item.score) for item in ordered))
        return Evidence(
            question=question.text,
            mode=mode,
            rung=rung if passages else Rung.NOT_COVERED,
            filters=question.filters,
            passages=passages,
            nearest=nearest,
            degraded=degraded,
            took_ms=round((time.perf_counter() - started) * 1000, 2),
            rankings=(*map(self._ranking, lists), final),
        )

    def _retrieve(
        self, question: Question, mode: Mode, allowed: Mask | None
    ) -> tuple[list[Retrieved], tuple[str, ...]]:
        """Return the lists of the mode; in hybrid mode a missing vector side degrades."""
        lists = [] if mode is Mode.VECTOR else [self._run(self._keyword, question, allowed)]
        if mode is Mode.KEYWORD:
            return lists, ()
        if mode is Mode.HYBRID and question.expansions:
            lists.append(self._keyword.retrieve_expansions(question, CANDIDATES_PER_RETRIEVER, allowed))
        if self._vector is None:
            if mode is Mode.VECTOR:
                raise EmbeddingError("Vector search is not possible.", hint=f"{self._degraded}.")
            return lists, (self._degraded,)
        try:
            return [*lists, self._run(self._vector, question, allowed)], ()
        except EmbeddingError as error:
            if mode is Mode.VECTOR:
                raise
            return lists, (f"vectors: {error.message}",)

    def _run(self, retriever: Retriever, question: Question, allowed: Mask | None) -> Retrieved:
        return retriever.retrieve(question, CANDIDATES_PER_RETRIEVER, allowed)

    def _candidates(self, question: Question, lists: Sequence[Retrieved]) -> list[Candidate]:
        """Return every row that a list found, with its rank in each and the signal of all."""
        if not lists:
            return []
        rows = np.unique(np.concatenate([found.rows for found in lists]))
        signals = {name: values.tolist() for found in lists for name, values in found.signals(rows).items()}
        ranks = {found.source: {int(row): rank for rank, row in enumerate(found.rows, 1)} for found in lists}
        return [
            Candidate(
                row=row,
                ranks={source: places[row] for source, places in ranks.items() if row in places},
                signals={name: values[place] for name, values in signals.items()},
                is_same_language=self._snapshot.language(row) == question.language,
            )
            for place, row in enumerate(rows.tolist())
        ]

    def _allowed(self, filters: Filters) -> Mask | None:
        if filters.is_empty:
            return None
        passing = np.array([matches(record, filters, self._today) for record in self._snapshot.documents])
        mask: Mask = passing[self._snapshot.columns.document]
        return mask

    def _ranking(self, found: Retrieved) -> Ranking:
        pairs = zip(found.rows.tolist(), found.scores.tolist(), strict=True)
        return Ranking(found.source, tuple(Hit(self._snapshot.id_of(row), score) for row, score in pairs))


def _unfused(candidates: Sequence[Candidate], lists: Sequence[Retrieved]) -> list[tuple[Contribution, ...]]:
    """Return each candidate's own score of the one list that was asked for."""
    scores = {int(row): float(score) for found in lists for row, score in zip(found.rows, found.scores, strict=True)}
    source = lists[0].source if lists else ""
    return [(Contribution(source, f"{scores[c.row]:.3f}", scores[c.row]),) for c in candidates]
