"""Chunks to vectors: the embedder, the text that stands for a chunk, and centring in one."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from oncall_tui.embedding.cache import VectorCache
from oncall_tui.embedding.centring import Centring
from oncall_tui.embedding.passages import passage_text, text_hash
from oncall_tui.embedding.protocol import Embedder, Matrix
from oncall_tui.models import Chunk


class ChunkEmbedder:
    """Embeds chunks, as the index needs it."""

    def __init__(self, embedder: Embedder, centres: Centring) -> None:
        self._embedder = embedder
        self._centres = centres

    @property
    def model(self) -> str:
        """Name and version of the model."""
        return self._embedder.model

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self._embedder.dimension

    @property
    def centring(self) -> str:
        """Id of the means that :meth:`centre` starts from."""
        return self._centres.id

    def key(self, chunk: Chunk) -> str:
        """Return the hash of the text that stands for a chunk."""
        return text_hash(passage_text(chunk))

    def embed(self, chunks: Sequence[Chunk]) -> Matrix:
        """Return one unit vector a chunk, shape ``(len(chunks), dimension)``."""
        return self._embedder.embed_passages([passage_text(chunk) for chunk in chunks])

    def centre(self, vectors: Matrix, languages: Sequence[str], present: npt.NDArray[np.bool_]) -> Matrix:
        """Return the vectors without their language."""
        return self._centres.centre_passages(vectors, languages, present)


class LayeredCache:
    """The cache on disk over the vectors that are shipped; the file is opened when it is needed."""

    def __init__(self, file: Path, shipped: Mapping[str, Matrix], shipped_model: str) -> None:
        self._file = file
        self._shipped = shipped
        self._shipped_model = shipped_model

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, Matrix]:
        """Return the vectors that are known, by text hash."""
        found: dict[str, Matrix] = {}
        if model == self._shipped_model:
            found = {key: self._shipped[key] for key in hashes if key in self._shipped}
        unknown = [key for key in hashes if key not in found]
        if unknown and self._file.is_file():
            with VectorCache(self._file) as cache:
                found |= cache.get(model, unknown)
        return found

    def put(self, model: str, vectors: Mapping[str, Matrix]) -> None:
        """Keep vectors for later."""
        with VectorCache(self._file) as cache:
            cache.put(model, vectors)
