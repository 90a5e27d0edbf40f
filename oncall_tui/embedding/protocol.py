"""What the rest of the program knows of an embedding model."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]
"""Vectors in rows, float32."""


class Embedder(Protocol):
    """Turns texts into unit vectors of one length."""

    @property
    def model(self) -> str:
        """Name and version of the model; vectors of different models are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one unit vector a text, shape ``(len(texts), dimension)``.

        Raises:
            EmbeddingError: If the model fails.
        """
        ...

    def embed_question(self, text: str) -> Matrix:
        """Return the unit vector of a question, shape ``(dimension,)``.

        Raises:
            EmbeddingError: If the model fails.
        """
        ...
