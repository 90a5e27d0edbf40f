"""BM25 postings in NumPy arrays that are memory-mapped, and the exact BM25Okapi score.

The score is that of ``rank_bm25.BM25Okapi`` (Robertson and Zaragoza, "The Probabilistic
Relevance Framework: BM25 and Beyond", 2009, with that package's rule for negative idf) over
weighted token counts. The part of the score that depends on a term and a chunk alone is
stored, so that a question adds up a few slices.

Terms are kept as 64-bit BLAKE2 hashes. Among a million terms two collide with a probability
of 3e-8; the harm would be one extra hit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from oncall_tui.index import sealed

K1: Final = 1.5
B: Final = 0.75
EPSILON: Final = 0.25
"""rank_bm25's defaults; EPSILON times the mean idf replaces a negative idf."""

Bag = Mapping[str, float]
"""Weighted counts of a chunk's tokens."""

Mask = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.float64]


@lru_cache(maxsize=500_000)
def term_hash(token: str) -> int:
    """Return the 64-bit key of a token."""
    return int.from_bytes(blake2b(token.encode(), digest_size=8).digest(), "little")


@dataclass(frozen=True, slots=True)
class Bags:
    """The weighted token counts of many chunks, compressed by rows."""

    starts: npt.NDArray[np.int64]
    """Where each chunk's entries start; one more than there are chunks."""
    terms: npt.NDArray[np.uint64]
    """Term hashes of the entries."""
    weights: npt.NDArray[np.float32]
    """Weighted counts of the entries."""

    @classmethod
    def from_bags(cls, bags: Iterable[Bag]) -> Self:
        """Return the bags as arrays."""
        lengths: list[int] = [0]
        terms: list[int] = []
        weights: list[float] = []
        for bag in bags:
            lengths.append(len(bag))
            terms.extend(map(term_hash, bag))
            weights.extend(bag.values())
        return cls(
            np.cumsum(lengths, dtype=np.int64),
            np.array(terms, dtype=np.uint64),
            np.array(weights, dtype=np.float32),
        )

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self.starts) - 1

    def take(self, rows: Sequence[int] | npt.NDArray[np.int64]) -> Self:
        """Return the bags of the given rows, in that order."""
        rows = np.asarray(rows, dtype=np.int64)
        lengths = np.diff(self.starts)[rows]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        # Entry i of the result comes from its row's first entry plus its place in the row.
        entries = np.repeat(self.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
        return type(self)(starts, self.terms[entries], self.weights[entries])

    def joined(self, other: Self) -> Self:
        """Return these bags followed by the others."""
        starts = np.concatenate((self.starts, other.starts[1:] + self.starts[-1]))
        terms = np.concatenate((self.terms, other.terms))
        return type(self)(starts, terms, np.concatenate((self.weights, other.weights)))

    def save(self, folder: Path) -> None:
        """Write the arrays into an existing folder."""
        for name in _BAG_ARRAYS:
            sealed.write_array(folder / f"bag_{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Map the arrays of a folder into memory."""
        return cls(*(sealed.map_array(folder / f"bag_{name}.npy", kind) for name, kind in _BAG_ARRAYS.items()))


@dataclass(frozen=True, slots=True)
class Postings:
    """Everything that scores a question, opened without reading it."""

    terms: npt.NDArray[np.uint64]
    """Term hashes in ascending order."""
    idf: npt.NDArray[np.float64]
    """Inverse document frequency of each term, as BM25Okapi has it."""
    starts: npt.NDArray[np.int64]
    """Where each term's entries start; one more than there are terms."""
    rows: npt.NDArray[np.int32]
    """Chunk row of each entry, ascending within a term."""
    saturations: npt.NDArray[np.float64]
    """Each entry's weighted count after BM25's saturation and length norm, 0 to ``k1 + 1``."""
    size: int
    """Number of chunks."""

    @classmethod
    def build(cls, bags: Bags, *, k1: float = K1, b: float = B) -> Self:
        """Return the postings of ``bags``; an empty corpus has none and scores nothing."""
        count = len(bags)
        lengths = np.diff(bags.starts)
        row_of = np.repeat(np.arange(count, dtype=np.int32), lengths)
        terms, term_of = np.unique(bags.terms, return_inverse=True)
        order = np.argsort(term_of, kind="stable")
        frequencies = np.bincount(term_of, minlength=len(terms))
        weights = bags.weights.astype(np.float64)
        totals = np.bincount(row_of, weights=weights, minlength=count)
        idf = _idf(frequencies, count)
        mean = totals.mean() if count else 1.0
        norm = k1 * (1 - b + b * totals / (mean or 1.0))
        saturations = weights * (k1 + 1) / (weights + norm[row_of])
        starts = np.concatenate(([0], np.cumsum(frequencies)))
        return cls(terms, idf, starts, row_of[order], saturations[order], count)

    def find(self, token: str) -> int | None:
        """Return the term's number, or ``None`` for a token that is in no chunk."""
        key = np.uint64(term_hash(token))
        place = int(np.searchsorted(self.terms, key))
        return place if place < len(self.terms) and self.terms[place] == key else None

    def idf_of(self, token: str) -> float | None:
        """Return a token's idf, or ``None`` if it is in no chunk."""
        term = self.find(token)
        return None if term is None else float(self.idf[term])

    def rows_with(self, token: str) -> npt.NDArray[np.int32]:
        """Return the rows of the chunks that hold a token, ascending."""
        term = self.find(token)
        return self.rows[:0] if term is None else self.rows[self.starts[term] : self.starts[term + 1]]

    def score(self, weights: Mapping[str, float]) -> Scores:
        """Return every chunk's BM25Okapi score, shape ``(size,)``, for tokens with their weights."""
        scores = np.zeros(self.size)
        for token, weight in weights.items():
            term = self.find(token)
            if term is not None:
                entries = slice(self.starts[term], self.starts[term + 1])
                scores[self.rows[entries]] += self.saturations[entries] * (self.idf[term] * weight)
        return scores

    def touched(self, tokens: Iterable[str]) -> Mask:
        """Return which chunks hold any of the tokens: a hit is a shared term, not a score above 0."""
        mask = np.zeros(self.size, dtype=np.bool_)
        for token in tokens:
            mask[self.rows_with(token)] = True
        return mask

    def saturation(self, token: str, rows: npt.NDArray[np.int64]) -> Scores:
        """Return a token's saturated count in some chunks, 0 where it does not occur."""
        term = self.find(token)
        if term is None:
            return np.zeros(len(rows))
        start, stop = int(self.starts[term]), int(self.starts[term + 1])
        held = self.rows[start:stop]
        places = np.minimum(np.searchsorted(held, rows), len(held) - 1)
        return np.where(held[places] == rows, self.saturations[start:stop][places], 0.0)

    def information(self, token: str) -> float:
        """Return how much a token tells: a smoothed idf that is never negative.

        ``ln(1 + (N - n + 0.5) / (n + 0.5))``, as Lucene has it; a token in no chunk tells most.
        """
        held = len(self.rows_with(token))
        return float(np.log1p((self.size - held + 0.5) / (held + 0.5)))

    def save(self, folder: Path) -> None:
        """Write the arrays into an existing folder."""
        for name in _ARRAYS:
            sealed.write_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: Path, size: int) -> Self:
        """Map the arrays of a folder into memory."""
        arrays = (sealed.map_array(folder / f"{name}.npy", kind) for name, kind in _ARRAYS.items())
        terms, idf, starts, rows, saturations = arrays
        return cls(terms, idf, starts, rows, saturations, size)


_BAG_ARRAYS: Final = {"starts": np.int64, "terms": np.uint64, "weights": np.float32}
_ARRAYS: Final = {
    "terms": np.uint64,
    "idf": np.float64,
    "starts": np.int64,
    "rows": np.int32,
    "saturations": np.float64,
}

TERM_FILES: Final = ("terms.npy", "idf.npy", "starts.npy")
"""The postings' files with an entry a term; they are small."""

ENTRY_FILES: Final = ("rows.npy", "saturations.npy", *(f"bag_{name}.npy" for name in _BAG_ARRAYS))
"""The files with an entry a term and chunk, and those of the bags."""


def _idf(frequencies: npt.NDArray[np.int64], count: int) -> Scores:
    idf: Scores = np.log(count - frequencies + 0.5) - np.log(frequencies + 0.5)
    if len(idf):
        idf[idf < 0] = EPSILON * idf.mean()
    return idf
