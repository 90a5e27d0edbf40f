"""Nearest passages by cosine over centred vectors."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from oncall_tui.errors import EmbeddingError
from oncall_tui.retrieval.protocols import Mask, Retrieved, Rows, Signals, top_rows
from oncall_tui.retrieval.question import Question

NAME: Final = "vector"

EmbedQuestion = Callable[[str, str], npt.NDArray[np.float32]]
"""Takes a question and its language; returns its centred unit vector."""

_REMEMBERED_QUESTIONS: Final = 256


class VectorRetriever:
    """Ranks by cosine, exactly, by one matrix product.

    Args:
        vectors: Centred unit vectors, shape ``(rows, dimension)``; zeros for a row without one.
        embed: Embeds a question.
    """

    def __init__(self, vectors: npt.NDArray[np.float32], embed: EmbedQuestion) -> None:
        self._vectors = vectors
        self._embed = lru_cache(maxsize=_REMEMBERED_QUESTIONS)(embed)

    @property
    def name(self) -> str:
        """Name of the list."""
        return NAME

    def retrieve(self, question: Question, limit: int, allowed: Mask | None) -> Retrieved:
        """Return the rows nearest to the question.

        Raises:
            EmbeddingError: If the question cannot be embedded, or by another model than the index.
        """
        vector = self._embed(question.text, question.language)
        if len(vector) != self._vectors.shape[1]:
            msg = f"The question's vector has {len(vector)} numbers, those of the index {self._vectors.shape[1]}."
            raise EmbeddingError(msg, hint="Run: oncall index --rebuild")
        cosines: Signals = (self._vectors @ vector).astype(np.float64)
        rows = top_rows(np.where(cosines == 0, -np.inf, cosines), limit, allowed)

        def signals(rows: Rows) -> Mapping[str, Signals]:
            return {NAME: cosines[rows]}

        return Retrieved(NAME, rows, cosines[rows], signals)
