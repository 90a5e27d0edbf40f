"""``rank_bm25`` as the oracle of our keyword scores: the definition, slow and plain."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from rank_bm25 import BM25Okapi

from oncall_tui.index.postings import EPSILON, K1, B, Bags, Postings, term_hash
from oncall_tui.retrieval.protocols import Signals

TOLERANCE: Final = 1e-6


class _WeightedOkapi(BM25Okapi):  # type: ignore[misc]  # the package has no types
    """BM25Okapi over counts that are already there and may be fractions."""

    def __init__(self, counts: Sequence[Mapping[int, float]]) -> None:
        self._counts = counts
        super().__init__([[0]] * len(counts), k1=K1, b=B, epsilon=EPSILON)

    def _initialize(self, corpus: object) -> dict[int, int]:  # noqa: ARG002 - the package's own signature
        self.corpus_size = len(self._counts)
        self.doc_freqs = [dict(count) for count in self._counts]
        self.doc_len = [sum(count.values()) for count in self._counts]
        self.avgdl = sum(self.doc_len) / len(self._counts)
        frequencies: dict[int, int] = {}
        for count in self._counts:
            for term in count:
                frequencies[term] = frequencies.get(term, 0) + 1
        return frequencies


def reference_scores(bags: Bags, tokens: Sequence[str]) -> Signals:
    """Return rank_bm25's score of every chunk for the tokens, repeats counted."""
    counts = [
        dict(zip(bags.terms[start:stop].tolist(), bags.weights[start:stop].astype(float).tolist(), strict=True))
        for start, stop in zip(bags.starts[:-1].tolist(), bags.starts[1:].tolist(), strict=True)
    ]
    scores: Signals = _WeightedOkapi(counts).get_scores([term_hash(token) for token in tokens])
    return scores


def largest_difference(postings: Postings, bags: Bags, tokens: Sequence[str]) -> float:
    """Return by how much our scores differ from rank_bm25's at most."""
    weights: dict[str, float] = {}
    for token in tokens:
        weights[token] = weights.get(token, 0.0) + 1.0
    return float(np.abs(postings.score(weights) - reference_scores(bags, tokens)).max(initial=0.0))
