"""What building an index needs from the rest of the program."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from oncall_tui.models import Chunk, Document, SkippedFile

Vectors = npt.NDArray[np.float32]


class SourceFile(Protocol):
    """A readable file, not yet parsed."""

    @property
    def root(self) -> str:
        """Id of the source root."""
        ...

    @property
    def path(self) -> str:
        """Relative POSIX path."""
        ...

    @property
    def fingerprint(self) -> str:
        """Hash of everything its chunks depend on."""
        ...


File = TypeVar("File", bound=SourceFile)


class Corpus(Protocol[File]):
    """Turns folders into files, files into documents, documents into chunks."""

    def root_id(self, folder: Path) -> str:
        """Return the stable id of a source folder."""
        ...

    def check(self, folder: Path) -> None:
        """Raise a SourceError unless the folder can be read."""
        ...

    def files(self, folder: Path) -> Iterator[File | SkippedFile]:
        """Yield what is in the folder."""
        ...

    def parse(self, file: File) -> tuple[Document, SkippedFile | None]:
        """Return a file as a document, with a notice if something in it was ignored."""
        ...

    def split(self, document: Document) -> tuple[Chunk, ...]:
        """Return a document's chunks."""
        ...

    def with_free_id(self, document: Document, taken: set[str]) -> Document:
        """Return the document under an id that no other has."""
        ...


class VectorCache(Protocol):
    """Vectors that were computed before, by model and text hash."""

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors that are known."""
        ...

    def put(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep vectors for later."""
        ...


class PassageEmbedder(Protocol):
    """Turns chunks into vectors, and takes the language out of them."""

    @property
    def model(self) -> str:
        """Name and version of the model."""
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        ...

    @property
    def centring(self) -> str:
        """Id of the means that :meth:`centre` starts from."""
        ...

    def key(self, chunk: Chunk) -> str:
        """Return the hash of the text that stands for a chunk."""
        ...

    def embed(self, chunks: Sequence[Chunk]) -> Vectors:
        """Return one vector a chunk."""
        ...

    def centre(self, vectors: Vectors, languages: Sequence[str], present: npt.NDArray[np.bool_]) -> Vectors:
        """Return the vectors as they are searched."""
        ...
