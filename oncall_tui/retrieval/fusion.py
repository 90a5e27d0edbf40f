"""Several rankings to one score, with the arithmetic kept.

``share`` is the default: it adds signals that mean the same for every question, so keyword
evidence counts for as much of the question as it could match at all. Reciprocal rank fusion
and the normalised sum are there to compare with.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from oncall_tui.models import Contribution
from oncall_tui.retrieval.protocols import Candidate, Fusion

RRF_K: Final = 60
"""The constant from Cormack, Clarke and Büttcher (SIGIR 2009)."""

KEYWORD_WEIGHT: Final = 0.8
VECTOR_WEIGHT: Final = 0.2
"""Weights of the keyword evidence (0 to 1) and the cosine; README has the figures behind them."""

PAGE_SHARE: Final = 0.15
"""Part of the keyword evidence that the whole page gives, the passage giving the rest."""

SYNONYM_WEIGHT: Final = 0.2
"""What a synonym from the glossary counts beside the question's own word."""

CROSS_LANGUAGE_SHARE: Final = 0.4
TRANSLATION_SHARE: Final = 0.2
"""Keyword evidence that a passage in another language is credited with for each unit of cosine,
and of what its words share with the glossary's translation of the question. Its own words cannot
match; without this, passages that merely share the question's language would win."""

RRF_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({"glossary": 0.3})
"""Weight of a list in reciprocal rank fusion; 1 where nothing is said."""

SHARED_WORDS_WEIGHT: Final = 0.9
"""What words count that a passage in another language happens to share (names, error texts): of
two pages that hold them alike, the one in the question's language is read faster at 3 a.m."""

NORMALISED_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({"keyword": 0.7, "vector": 0.3})


def share(candidates: Sequence[Candidate]) -> list[tuple[Contribution, ...]]:
    """Add keyword evidence and cosine, weighted, crediting what another language hides."""
    return [_share(candidate) for candidate in candidates]


def _share(candidate: Candidate) -> tuple[Contribution, ...]:
    words = (("keyword", KEYWORD_WEIGHT * (1 - PAGE_SHARE)), ("page", KEYWORD_WEIGHT * PAGE_SHARE))
    if candidate.is_same_language:
        evidence = _weighted(candidate, (*words, ("synonyms", KEYWORD_WEIGHT * SYNONYM_WEIGHT)))
    else:
        shared = _weighted(candidate, [(name, weight * SHARED_WORDS_WEIGHT) for name, weight in words])
        credited = _weighted(
            candidate,
            (
                ("vector", KEYWORD_WEIGHT * CROSS_LANGUAGE_SHARE),
                ("translation", KEYWORD_WEIGHT * TRANSLATION_SHARE),
            ),
        )
        credited = tuple(replace(part, source=f"other language: {part.source}") for part in credited)
        evidence = max(shared, credited, key=lambda parts: sum(part.value for part in parts))
    return evidence + _weighted(candidate, (("vector", VECTOR_WEIGHT),))


def _weighted(candidate: Candidate, weights: Sequence[tuple[str, float]]) -> tuple[Contribution, ...]:
    return tuple(
        Contribution(name, f"{weight:.3g} × {candidate.signals[name]:.3f}", weight * candidate.signals[name])
        for name, weight in weights
        if candidate.signals.get(name)
    )


def reciprocal_rank(
    candidates: Sequence[Candidate], *, k: int = RRF_K, weights: Mapping[str, float] = RRF_WEIGHTS
) -> list[tuple[Contribution, ...]]:
    """Add ``weight / (k + rank)`` over the lists; a list that did not find a row adds nothing."""
    return [
        tuple(
            Contribution(
                source, f"{weights.get(source, 1.0):g} / ({k} + {rank})", weights.get(source, 1.0) / (k + rank)
            )
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
