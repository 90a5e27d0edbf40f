"""Several rankings to one score, with the arithmetic kept.

``share`` is the default: it adds signals that mean the same for every question, so keyword
evidence counts for as much of the question as it could match at all. Reciprocal rank fusion
and the normalised sum are there to compare with.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from oncall_tui.models import Contribution
from oncall_tui.retrieval.protocols import Candidate, Fusion

RRF_K: Final = 60
"""The constant from Cormack, Clarke and Büttcher (SIGIR 2009)."""

SHARE_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({"keyword": 0.8, "vector": 0.2})
"""Weights of the keyword share (0 to 1) and the cosine; README has the figures behind them."""

CROSS_LANGUAGE_SHARE: Final = 0.4
"""Keyword share that is granted for each unit of cosine to a passage in another language.

The words of such a passage cannot match. Without this the passages that merely share the
question's language would win; right passages in the same language have about this ratio.
"""

NORMALISED_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({"keyword": 0.7, "vector": 0.3})


def share(candidates: Sequence[Candidate]) -> list[tuple[Contribution, ...]]:
    """Add the keyword share and the cosine, weighted, crediting what another language hides."""
    return [_share(candidate) for candidate in candidates]


def _share(candidate: Candidate) -> tuple[Contribution, ...]:
    signals = dict(candidate.signals)
    name = "keyword"
    granted = CROSS_LANGUAGE_SHARE * signals.get("vector", 0.0)
    if not candidate.is_same_language and granted > signals.get("keyword", 0.0):
        signals["keyword"] = granted
        name = "other language"
    parts = []
    for source, weight in SHARE_WEIGHTS.items():
        if source in signals:
            label = name if source == "keyword" else source
            parts.append(Contribution(label, f"{weight:.2f} × {signals[source]:.3f}", weight * signals[source]))
    return tuple(parts)


def reciprocal_rank(
    candidates: Sequence[Candidate], *, k: int = RRF_K, weights: Mapping[str, float] = MappingProxyType({})
) -> list[tuple[Contribution, ...]]:
    """Add ``weight / (k + rank)`` over the lists; a list that did not find a row adds nothing."""
    return [
        tuple(
            Contribution(source, f"{weights.get(source, 1.0):g} / ({k} + {rank})", weights.get(source, 1.0) / (k + rank))
            for source, rank in sorted(candidate.ranks.items())
        )
        for candidate in candidates
    ]


def normalised(candidates: Sequence[Candidate]) -> list[tuple[Contribution, ...]]:
    """Add each list's signal scaled to 0..1 over the candidates, weighted."""
    scales = {source: _scale([c.signals.get(source, 0.0) for c in candidates]) for source in NORMALISED_WEIGHTS}
    fused = []
    for candidate in candidates:
        parts = []
        for source, weight in NORMALISED_WEIGHTS.items():
            if source in candidate.signals:
                low, width = scales[source]
                value = (candidate.signals[source] - low) / width
                parts.append(Contribution(source, f"{weight:.2f} × {value:.3f}", weight * value))
        fused.append(tuple(parts))
    return fused


def _scale(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    return low, (high - low) or 1.0


FUSIONS: Final[Mapping[str, Fusion]] = MappingProxyType(
    {"share": share, "rrf": reciprocal_rank, "normalised": normalised}
)
"""By the name that the settings use."""
