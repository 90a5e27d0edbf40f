"""The seams of retrieval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from oncall_tui.models import Contribution
from oncall_tui.retrieval.question import Question

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Signals = npt.NDArray[np.float64]


class Retriever(Protocol):
    """Anything that ranks the rows of an index for a question."""

    @property
    def name(self) -> str:
        """Name of its list, such as ``keyword``."""
        ...

    def retrieve(self, question: Question, limit: int, allowed: Mask | None) -> "Retrieved":
        """Return at most ``limit`` rows, best first, among the allowed ones."""
        ...


class SignalsOf(Protocol):
    """Says how well any rows fit the question, also those that the list was cut before."""

    def __call__(self, rows: Rows) -> Mapping[str, Signals]:
        """Return signals by name, one a row, on a scale that does not depend on the other rows."""
        ...


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One list: rows best first, their scores, and the signals of any row."""

    source: str
    rows: Rows
    scores: Signals
    signals: SignalsOf


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that at least one list found."""

    row: int
    ranks: Mapping[str, int] = field(default_factory=dict)
    """Rank by list, from 1; absent where a list did not find it."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """Signals by name, also of lists that did not find it."""
    is_same_language: bool = True
    """Whether the passage is in the question's language."""


class Fusion(Protocol):
    """Makes one score of several lists."""

    def __call__(self, candidates: Sequence[Candidate]) -> list[tuple[Contribution, ...]]:
        """Return each candidate's contributions, in order; they add up to its score."""
        ...


def top_rows(scores: Signals, limit: int, allowed: Mask | None) -> Rows:
    """Return the rows with the highest scores, best first, ties by row; ``-inf`` never counts."""
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    count = min(limit, len(scores))
    if count < len(scores):
        # All that could be in the result, ties at the edge included, then the exact order of those.
        edge = np.partition(scores, len(scores) - count)[len(scores) - count]
        rows = np.flatnonzero(scores >= edge)
    else:
        rows = np.arange(len(scores))
    rows = rows[scores[rows] > -np.inf]
    order = np.lexsort((rows, -scores[rows]))
    best: Rows = rows[order][:count].astype(np.int64)
    return best
