"""How far a page can be trusted today: trust × freshness × validity, each with its reason."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from oncall_tui.models import Chunk, DocumentType, Metadata

_RECENT: Final = timedelta(days=180)
_OLD: Final = timedelta(days=540)
_HIGHEST_TRUST: Final = 5

EXPIRED_PENALTY: Final = 0.3
"""Share of its score that a page loses once it is archived or out of its validity."""

_POINTER_LENGTH: Final = 400
_POINTER: Final = re.compile(
    r"\b(?:has|have|was|is) (?:been )?(?:moved|renamed|replaced|superseded|merged)\b|"
    r"已(?:移至|迁移|移动|合并|更名|废弃)",
    re.IGNORECASE,
)
"""A short passage that only says that its page went somewhere else."""

TYPE_PENALTIES: Final = {
    DocumentType.CASE_STUDY: 0.15,
    DocumentType.CHANGELOG: 0.20,
    DocumentType.POLICY: 0.05,
}
"""Share of its score that a page loses because it tells what happened, not what to do."""

OUT_OF_VALIDITY: Final = frozenset({"expired", "not yet valid", "archived"})
"""How a page stands that should not be followed any more, or not yet."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a page stands on a day."""

    trust: float
    """0 to 1."""
    freshness: str
    """One of ``current``, ``ageing``, ``old``, ``undated``, ``expired``, ``not yet valid``, ``archived``."""

    @property
    def is_out(self) -> bool:
        """Whether the page should not be followed any more, or not yet."""
        return self.freshness in OUT_OF_VALIDITY


_FACTORS: Final = {
    "current": 1.0,
    "ageing": 0.9,
    "old": 0.7,
    "undated": 0.8,
    "expired": 0.3,
    "not yet valid": 0.3,
    "archived": 0.3,
}


def standing(metadata: Metadata, today: date) -> Standing:
    """Return how a page stands today."""
    freshness = _freshness(metadata, today)
    return Standing(round(metadata.trust / _HIGHEST_TRUST * _FACTORS[freshness], 3), freshness)


def _freshness(metadata: Metadata, today: date) -> str:
    if metadata.category == "archive" or "archived" in metadata.tags:
        return "archived"
    if metadata.valid_to and today > metadata.valid_to:
        return "expired"
    if metadata.valid_from and today < metadata.valid_from:
        return "not yet valid"
    if metadata.last_updated is None:
        return "undated"
    age = today - metadata.last_updated
    if age <= _RECENT:
        return "current"
    return "ageing" if age <= _OLD else "old"


def penalty(chunk: Chunk, today: date) -> tuple[str, float]:
    """Return why a passage is shown later than its words deserve, and by what share of its score."""
    metadata = chunk.metadata
    page = standing(metadata, today)
    if page.is_out:
        return page.freshness, EXPIRED_PENALTY
    if len(chunk.text) <= _POINTER_LENGTH and _POINTER.search(chunk.text):
        return "points elsewhere", EXPIRED_PENALTY
    return metadata.type.value, TYPE_PENALTIES.get(metadata.type, 0.0)
