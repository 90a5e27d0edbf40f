"""Taking the language out of vectors, so that a Chinese question finds an English page.

The model's vectors carry the language of a text as a nearly constant direction. Subtracting
the mean vector of the texts in the same language removes it; questions and passages have
means of their own, since the model marks them by different prefixes. (The "language bias" of
multilingual encoders: Yang et al., "A Simple and Effective Method To Eliminate the Self
Language Bias in Multilingual Representations", EMNLP 2021.)
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from oncall_tui.embedding.protocol import Matrix

PRIOR_WEIGHT: Final = 50
"""The shipped mean counts as this many passages, so that three pages do not make a mean."""


class Centring(Protocol):
    """Takes the language out of vectors."""

    @property
    def id(self) -> str:
        """What the means are: vectors that were centred with other ones cannot be searched with these."""
        ...

    def centre_question(self, vector: Matrix, language: str) -> Matrix:
        """Return a question's vector without its language, of unit length."""
        ...

    def centre_passages(self, vectors: Matrix, languages: Sequence[str], present: npt.NDArray[np.bool_]) -> Matrix:
        """Return passages' vectors without their language, of unit length."""
        ...


@dataclass(frozen=True, slots=True)
class Centres:
    """Mean vectors by language, each of shape ``(dimension,)``."""

    passages: Mapping[str, Matrix] = field(default_factory=dict)
    questions: Mapping[str, Matrix] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """A short hash: vectors that were centred with other means cannot be searched with these."""
        digest = hashlib.sha256()
        for means in (self.passages, self.questions):
            for language, mean in sorted(means.items()):
                digest.update(language.encode() + mean.astype(np.float32).tobytes())
        return digest.hexdigest()[:12]

    def centre_question(self, vector: Matrix, language: str) -> Matrix:
        """Return a question's vector without its language, of unit length."""
        return _unit(vector - _mean_for(language, self.questions, np.zeros_like(vector)))

    def centre_passages(self, vectors: Matrix, languages: Sequence[str], present: npt.NDArray[np.bool_]) -> Matrix:
        """Return passages' vectors without their language, of unit length.

        Args:
            vectors: Shape ``(n, dimension)``.
            languages: Language of each passage.
            present: Which rows have a vector; the others stay zero, which is near to nothing.
        """
        centred = np.zeros_like(vectors)
        names = np.asarray(languages)
        for language in np.unique(names[present]) if len(names) else ():
            rows = (names == language) & present
            total = vectors[rows].sum(axis=0)
            prior = _mean_for(str(language), self.passages, total / rows.sum())
            mean = (total + PRIOR_WEIGHT * prior) / (rows.sum() + PRIOR_WEIGHT)
            centred[rows] = _unit(vectors[rows] - mean)
        return centred


def _mean_for(language: str, means: Mapping[str, Matrix], default: Matrix) -> Matrix:
    """Return the language's mean, or that of all languages, or the default if there is none."""
    if language in means:
        return means[language]
    if means:
        average: Matrix = np.mean(list(means.values()), axis=0, dtype=np.float32)
        return average
    return default


def _unit(vectors: Matrix) -> Matrix:
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Matrix = (vectors / np.maximum(norms, 1e-9)).astype(np.float32)
    return unit
