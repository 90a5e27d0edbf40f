"""The decision that nothing here answers a question.

A fused rank is no measure of fit: something is always first. The keyword share and the cosine
are, since both mean the same for every question. README has how the limits were calibrated
on labelled unanswerable questions, and the error rates of the decision.
"""

from collections.abc import Mapping
from typing import Final

ANSWERABLE_FIT: Final = 0.30
"""Least fit of the best passage."""

_COSINE_WEIGHT: Final = 0.6
_SHARE_WEIGHT: Final = 1.0

KEYWORD_ONLY_SHARE: Final = 0.13
"""Least keyword share where there are no vectors to ask."""

VECTOR_ONLY_COSINE: Final = 0.30


def fit(signals: Mapping[str, float]) -> float:
    """Return how well a passage fits a question, from its signals; about 0 to 1.5."""
    return _SHARE_WEIGHT * signals.get("keyword", 0.0) + _COSINE_WEIGHT * signals.get("vector", 0.0)


def is_answered(signals: Mapping[str, float]) -> bool:
    """Return whether a passage with these signals can answer at all."""
    if "vector" not in signals:
        return signals.get("keyword", 0.0) >= KEYWORD_ONLY_SHARE
    if "keyword" not in signals:
        return signals["vector"] >= VECTOR_ONLY_COSINE
    return fit(signals) >= ANSWERABLE_FIT
