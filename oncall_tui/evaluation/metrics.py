"""Retrieval metrics over the rank at which a right page stands. Pure functions."""

import math
from collections.abc import Sequence

Ranks = Sequence[int | None]
"""Rank of the first right page a question, from 1; ``None`` if it was not found."""


def recall(ranks: Ranks, cutoff: int) -> float:
    """Return the share of questions with a right page among the first ``cutoff``."""
    return _mean([rank is not None and rank <= cutoff for rank in ranks])


def mean_reciprocal_rank(ranks: Ranks) -> float:
    """Return the mean of ``1 / rank``, 0 where nothing was found (Voorhees, TREC-8, 1999)."""
    return _mean([1 / rank if rank else 0.0 for rank in ranks])


def ndcg(found: Sequence[bool], relevant: int, cutoff: int = 10) -> float:
    """Return the normalised discounted cumulative gain of one ranking.

    Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, with
    gains of 0 and 1.

    Args:
        found: Whether the page at each place is right, best first.
        relevant: How many right pages there are.
        cutoff: How many places count.
    """
    gain = sum(1 / math.log2(place + 1) for place, is_right in enumerate(found[:cutoff], 1) if is_right)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(relevant, cutoff) + 1))
    return gain / ideal if ideal else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies (nearest rank); 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else 0.0


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 of nothing."""
    return _mean(values)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
