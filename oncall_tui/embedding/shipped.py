"""What of the bundled model's work travels with the program.

``vectors.npz`` holds the vectors of the shipped runbooks by text hash, so that the demo is
hybrid at its first start, and the mean vectors by language that centring starts from.
``data/README.md`` says how it is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np

from oncall_tui.embedding.centring import Centres
from oncall_tui.embedding.protocol import Matrix

FILE_NAME: Final = "vectors.npz"
_HASH_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class ShippedVectors:
    """Vectors by text hash and mean vectors by language, of one model."""

    model: str
    vectors: dict[str, Matrix]
    centres: Centres

    @classmethod
    def load(cls, file: Path, model: str) -> Self:
        """Return what is shipped for a model; nothing if the file is for another or not there."""
        if not file.is_file():
            return cls(model, {}, Centres())
        with np.load(file, allow_pickle=False) as data:
            if str(data["model"]) != model:
                return cls(model, {}, Centres())
            hashes = [bytes(row).hex() for row in data["hashes"]]
            vectors = data["vectors"].astype(np.float32)
            return cls(
                model,
                dict(zip(hashes, vectors, strict=True)),
                Centres(
                    dict(zip(data["passage_languages"].tolist(), data["passage_means"], strict=True)),
                    dict(zip(data["question_languages"].tolist(), data["question_means"], strict=True)),
                ),
            )

    def save(self, file: Path) -> None:
        """Write what is shipped."""
        hashes = np.array([list(bytes.fromhex(key)) for key in self.vectors], dtype=np.uint8)
        np.savez_compressed(
            file,
            model=np.array(self.model),
            hashes=hashes.reshape(-1, _HASH_BYTES),
            vectors=np.stack(list(self.vectors.values())).astype(np.float16),
            passage_languages=np.array(list(self.centres.passages)),
            passage_means=np.stack(list(self.centres.passages.values())),
            question_languages=np.array(list(self.centres.questions)),
            question_means=np.stack(list(self.centres.questions.values())),
        )


def means_by_language(vectors: Matrix, languages: Sequence[str], least: int = 20) -> dict[str, Matrix]:
    """Return the mean vector of each language that has at least ``least`` texts."""
    names = np.asarray(languages)
    return {
        str(language): vectors[names == language].mean(axis=0).astype(np.float32)
        for language in np.unique(names)
        if (names == language).sum() >= least
    }
