"""The decision that nothing here answers a question.

A rank is no measure of fit: something is always first. The ``share`` score and the cosine are,
since both mean the same for every question, so the decision uses them whatever fusion orders
the list. README has how the limits were calibrated, and the error rates of the decision.
"""

from collections.abc import Sequence
from typing import Final

from oncall_tui.retrieval.fusion import share
from oncall_tui.retrieval.protocols import Candidate

ANSWERABLE_FIT: Final = 0.23
"""Least fit: the best share score plus :data:`COSINE_WEIGHT` times the best cosine."""

COSINE_WEIGHT: Final = 0.15

KEYWORD_ONLY_SHARE: Final = 0.13
"""Least keyword share where there are no vectors to ask."""

VECTOR_ONLY_COSINE: Final = 0.30
"""Least cosine where only vectors were asked."""


def is_answered(candidates: Sequence[Candidate]) -> bool:
    """Return whether what was found can answer the question at all."""
    keyword = max((candidate.signals.get("keyword", 0.0) for candidate in candidates), default=0.0)
    has_vectors = any("vector" in candidate.signals for candidate in candidates)
    if not has_vectors:
        return keyword >= KEYWORD_ONLY_SHARE
    cosine = max(candidate.signals.get("vector", 0.0) for candidate in candidates)
    if not any("keyword" in candidate.signals for candidate in candidates):
        return cosine >= VECTOR_ONLY_COSINE
    best = max(sum(part.value for part in parts) for parts in share(candidates))
    return best + COSINE_WEIGHT * cosine >= ANSWERABLE_FIT
