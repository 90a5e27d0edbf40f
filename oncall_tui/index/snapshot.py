"""A read-only copy of the index that opens in milliseconds, without LanceDB.

A snapshot is a folder: documents and their metadata, passages in one file with offsets, the
BM25 postings and the token counts they were made from, and the matrix of vectors. Everything
large is memory-mapped. It is derived from the LanceDB tables and never changed, only replaced.

Each file is sealed with a checksum. What every question depends on and is small is verified
whenever a snapshot is opened; all else when the index is refreshed or looked over.
"""

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tokenize import TokenError
from typing import Final, Self
from zipfile import BadZipFile

import msgspec
import numpy as np
import numpy.typing as npt

from oncall_tui.errors import IndexMissingError
from oncall_tui.index import sealed
from oncall_tui.index.manifest import REBUILD_HINT
from oncall_tui.index.postings import ENTRY_FILES, TERM_FILES, Bags, Postings
from oncall_tui.models import Chunk, LineSpan, Metadata

_DOCUMENTS: Final = "documents.msgpack"
_PASSAGES: Final = "passages.bin"
_OFFSETS: Final = "offsets.npy"
_COLUMNS: Final = "columns.npy"
_VECTORS: Final = "vectors.npy"
_SMALL_FILES: Final = (_DOCUMENTS, _OFFSETS, _COLUMNS, *TERM_FILES)
"""Verified whenever a snapshot is opened: about 120 bytes a chunk, a millisecond for ten thousand."""

_LARGE_FILES: Final = (_PASSAGES, *ENTRY_FILES)
_LANGUAGES: Final = ("en", "zh", "ja", "ko")

_DAMAGE: Final = (
    *(OSError, ValueError, TypeError, EOFError, IndexError, SyntaxError),
    *(TokenError, BadZipFile, msgspec.DecodeError),
)
"""What NumPy and msgspec raise when a file is missing, cut off or not theirs."""

_LONGEST_NUMBER: Final = 9
"""Digits of the largest chunk index; more cannot be one."""


class DocumentRecord(msgspec.Struct, frozen=True, array_like=True):
    """A document without its text."""

    key: str
    """``root id/path``: unique over all sources."""
    id: str
    root: str
    path: str
    fingerprint: str
    metadata: Metadata
    chunks: int
    """Number of its chunks."""


class PassageRecord(msgspec.Struct, frozen=True, array_like=True):
    """What of a chunk is kept as text."""

    heading_path: tuple[str, ...]
    text: str
    embedding_hash: str
    """Hash of the text that its vector stands for."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Numbers of each chunk, one array a column."""

    document: npt.NDArray[np.int32]
    start: npt.NDArray[np.int32]
    stop: npt.NDArray[np.int32]
    language: npt.NDArray[np.int32]

    @classmethod
    def from_rows(cls, rows: Sequence[tuple[int, int, int, str]]) -> Self:
        """Return the columns for rows of document, start, stop and language."""
        numbers = [(document, start, stop, _LANGUAGES.index(language)) for document, start, stop, language in rows]
        array = np.array(numbers, dtype=np.int32).reshape(-1, 4)
        return cls(*array.T)


class Snapshot:
    """One generation of the index, opened for reading.

    Raises:
        IndexMissingError: If a file is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with _damage_named(folder):
            for name in _SMALL_FILES:
                sealed.verify(folder / name)
            encoded = sealed.map_bytes(folder / _DOCUMENTS)
            self.documents = tuple(msgspec.msgpack.decode(encoded, type=list[DocumentRecord]))
            self._offsets = sealed.map_array(folder / _OFFSETS, np.int64)
            self.columns = Columns(*sealed.map_array(folder / _COLUMNS, np.int32, 2))
            self._passages = sealed.map_bytes(folder / _PASSAGES)
            self.postings = Postings.open(folder, len(self))
            self._check_sizes()

    def _check_sizes(self) -> None:
        """Make sure that the files belong together, as far as their sizes tell."""
        rows = np.repeat(np.arange(len(self.documents)), [record.chunks for record in self.documents])
        if not (np.array_equal(self.columns.document, rows) and len(rows) == len(self)):
            raise ValueError("documents and passages do not agree")
        if self._offsets[-1] != len(self._passages):
            raise ValueError(f"{_PASSAGES} has {len(self._passages)} bytes of {self._offsets[-1]}")

    def check_all(self, *, has_vectors: bool) -> None:
        """Read everything and make sure that it is as it was written, the vectors too if there are any.

        Raises:
            IndexMissingError: If a file is missing or damaged.
        """
        with _damage_named(self.folder):
            if len(self.bags) != len(self):
                raise ValueError("token counts and passages do not agree")
            if has_vectors and (self.vectors is None or len(self.vectors) != len(self)):
                raise ValueError("vectors and passages do not agree")
            for name in (*_SMALL_FILES, *_LARGE_FILES, *([_VECTORS] if has_vectors else [])):
                sealed.verify(self.folder / name)

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self._offsets) - 1

    @cached_property
    def first_rows(self) -> npt.NDArray[np.int64]:
        """Row of each document's first chunk; one more than there are documents."""
        return np.cumsum([0, *(record.chunks for record in self.documents)])

    @cached_property
    def _documents_by_id(self) -> dict[str, int]:
        return {record.id: number for number, record in enumerate(self.documents)}

    @cached_property
    def vectors(self) -> npt.NDArray[np.float32] | None:
        """Centred unit vectors, shape ``(chunks, dimension)``; ``None`` while there are none."""
        file = self.folder / _VECTORS
        with _damage_named(self.folder):
            return sealed.map_array(file, np.float32, 2) if file.is_file() else None

    @cached_property
    def bags(self) -> Bags:
        """The token counts the postings were made from."""
        with _damage_named(self.folder):
            return Bags.open(self.folder)

    def document(self, document_id: str) -> DocumentRecord | None:
        """Return a document's record by its id."""
        number = self._documents_by_id.get(document_id)
        return None if number is None else self.documents[number]

    def rows_of(self, number: int) -> range:
        """Return the rows of the chunks of the document with that number."""
        return range(int(self.first_rows[number]), int(self.first_rows[number + 1]))

    def id_of(self, row: int) -> str:
        """Return the id of the chunk in a row."""
        number = int(self.columns.document[row])
        return f"{self.documents[number].id}:{row - int(self.first_rows[number])}"

    def row_of(self, chunk_id: str) -> int | None:
        """Return the row of a chunk, or ``None`` if there is no such chunk."""
        document_id, _, index = chunk_id.rpartition(":")
        number = self._documents_by_id.get(document_id)
        if number is None or not index.isdecimal() or len(index) > _LONGEST_NUMBER:
            return None
        if int(index) >= self.documents[number].chunks:
            return None
        return int(self.first_rows[number]) + int(index)

    def nearest(self, citation: str) -> str:
        """Return the citation that is most like one that does not exist; empty if it does, or none is like it."""
        wanted = citation.rpartition("#")[2]
        if self.row_of(wanted) is not None:
            return ""
        document_id, _, index = wanted.rpartition(":")
        names = (document_id, wanted, citation.partition("#")[0])
        known = [record.id for record in self.documents if record.chunks]
        near = (name for name in names if name in known)
        close = (match for name in names for match in difflib.get_close_matches(name, known, n=1))
        found = self.document(next(near, "") or next(close, ""))
        if found is None:
            return ""
        last = found.chunks - 1
        number = min(int(index), last) if index.isdecimal() and len(index) <= _LONGEST_NUMBER else 0
        return f"{found.id}#{found.id}:{number}"

    def passage(self, row: int) -> PassageRecord:
        """Return the text of a chunk."""
        with _damage_named(self.folder):
            encoded = self._passages[self._offsets[row] : self._offsets[row + 1]]
            return msgspec.msgpack.decode(encoded, type=PassageRecord)

    def encoded_passages(self, rows: range) -> bytes:
        """Return the passages of neighbouring rows as they are stored, to be copied."""
        return bytes(self._passages[self._offsets[rows.start] : self._offsets[rows.stop]])

    def passage_sizes(self, rows: range) -> list[int]:
        """Return how many bytes each passage of neighbouring rows takes."""
        return [int(size) for size in np.diff(self._offsets[rows.start : rows.stop + 1])]

    def language(self, row: int) -> str:
        """Return the language of a chunk."""
        return _LANGUAGES[self.columns.language[row]]

    def languages(self) -> npt.NDArray[np.str_]:
        """Return the language of each chunk, shape ``(chunks,)``."""
        return np.array(_LANGUAGES)[self.columns.language]

    def chunk(self, row: int) -> Chunk:
        """Return the chunk in a row."""
        record = self.documents[self.columns.document[row]]
        passage = self.passage(row)
        return Chunk(
            id=self.id_of(row),
            document_id=record.id,
            path=record.path,
            heading_path=passage.heading_path,
            span=LineSpan(int(self.columns.start[row]), int(self.columns.stop[row])),
            text=passage.text,
            metadata=record.metadata,
        )


@dataclass(frozen=True, slots=True)
class SnapshotParts:
    """What a new snapshot is written from, chunks in row order."""

    documents: Sequence[DocumentRecord]
    passages: bytes
    passage_sizes: Sequence[int]
    columns: Columns
    bags: Bags


def write(folder: Path, parts: SnapshotParts) -> None:
    """Write a snapshot without vectors into a new folder."""
    folder.mkdir(parents=True)
    with sealed.sealing(folder / _DOCUMENTS) as writer:
        writer.write(msgspec.msgpack.encode(list(parts.documents)))
    with sealed.sealing(folder / _PASSAGES) as writer:
        writer.write(parts.passages)
    sealed.write_array(folder / _OFFSETS, np.cumsum([0, *parts.passage_sizes], dtype=np.int64))
    columns = parts.columns
    numbers = np.stack((columns.document, columns.start, columns.stop, columns.language))
    sealed.write_array(folder / _COLUMNS, numbers)
    parts.bags.save(folder)
    Postings.build(parts.bags).save(folder)


def write_vectors(folder: Path, vectors: npt.NDArray[np.float32]) -> None:
    """Add the matrix of centred vectors to a snapshot, in one step."""
    temporary = folder / f"new-{_VECTORS}"
    sealed.write_array(temporary, vectors)
    temporary.replace(folder / _VECTORS)


def encode_passage(record: PassageRecord) -> bytes:
    """Return a passage as it is stored."""
    return msgspec.msgpack.encode(record)


@contextmanager
def _damage_named(folder: Path) -> Iterator[None]:
    """Turn what goes wrong while files are opened into the error that names the mend."""
    try:
        yield
    except _DAMAGE as error:
        raise IndexMissingError(f"The index in {folder} is damaged: {error}.", hint=REBUILD_HINT) from error
