"""The LanceDB tables: documents, and chunks with their vectors. The only importer of lancedb.

Lance keeps versions, so whatever a killed run wrote after the last manifest is undone by
restoring the versions that the manifest names.
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from oncall_tui.errors import IndexMissingError, OncallError
from oncall_tui.index import schema
from oncall_tui.index.manifest import AFRESH_HINT
from oncall_tui.models import Document
from oncall_tui.text import ellipsize

os.environ.setdefault("LANCEDB_LOG", "error")  # lance logs to fd 2, which is the screen

_DOCUMENTS: Final = "documents"
_CHUNKS: Final = "chunks"
_TROUBLE: Final = (ValueError, RuntimeError, OSError)
"""What LanceDB and Arrow raise for what is not there, is damaged, or cannot be written."""

_PANICS: Final = frozenset({"PanicException", "RustPanic"})
"""What its Rust raises for damage that it does not expect: no subclass of the above, and without a home to import."""

_REFUSALS: Final = re.compile(
    r"no space|too large|quota|permission|read-only|input/output error|too many open|not permitted", re.IGNORECASE
)
"""What a system says that does not let write; all else that a writer meets is damage."""

_SOURCE_PLACES: Final = re.compile(r", (?:/|[a-z_./-]+\.rs:)")
_LONGEST_MESSAGE: Final = 300

_KEYS_PER_DELETE: Final = 500
_VERSIONS_BEFORE_COMPACTION: Final = 20
_KEPT_HISTORY: Final = timedelta(days=365)
"""Versions younger than this are never cleaned up: a manifest may still name them."""


@contextmanager
def _trouble_named() -> Iterator[None]:
    """Tell damaged tables, which are made anew, from a system that does not let write."""
    try:
        yield
    except OncallError:
        raise
    except BaseException as error:
        if not isinstance(error, _TROUBLE) and type(error).__name__ not in _PANICS:
            raise
        if _REFUSALS.search(str(error)):
            msg = f"The index cannot be written: {_first_sentence(error)}."
            raise OncallError(msg, hint="Make room there, or name another folder: --data-dir DIR.") from error
        raise _damaged(error) from error


def _damaged(error: BaseException) -> IndexMissingError:
    return IndexMissingError(f"The tables of the index are damaged: {_first_sentence(error)}.", hint=AFRESH_HINT)


def _first_sentence(error: BaseException) -> str:
    """Return what LanceDB says, without where in its source it says so."""
    return ellipsize(_SOURCE_PLACES.split(str(error), maxsplit=1)[0], _LONGEST_MESSAGE).rstrip(".")


class Store:
    """The two tables in one embedded database, opened for writing.

    What reads raises an IndexMissingError if the files of the tables turn out to be damaged; what
    writes raises an OncallError if it cannot.

    Args:
        folder: The database's folder; made if it is missing.
        dimension: Length of the vectors.
    """

    def __init__(self, folder: Path, dimension: int) -> None:
        import lancedb  # noqa: PLC0415 - takes one to three seconds: only what writes pays for it

        self._folder = folder
        self._dimension = dimension
        self._database = lancedb.connect(folder)

    @_trouble_named()
    def reset(self) -> None:
        """Make both tables anew and empty; what a manifest names of the old ones can still be restored."""
        try:
            self._create_both()
        except IndexMissingError:  # so damaged that nothing can be added to them
            shutil.rmtree(self._folder, ignore_errors=True)
            self._create_both()
        self._opened_at = max(self.versions)

    @_trouble_named()
    def _create_both(self) -> None:
        self._documents = self._create(_DOCUMENTS, schema.DOCUMENTS)
        self._chunks = self._create(_CHUNKS, schema.chunks(self._dimension))

    @_trouble_named()
    def restore(self, documents_version: int, chunks_version: int) -> None:
        """Open the tables at the given versions, undoing what came after.

        Raises:
            IndexMissingError: If a table or version is not there any more.
        """
        self._documents = self._open(_DOCUMENTS, documents_version)
        self._chunks = self._open(_CHUNKS, chunks_version)
        self._opened_at = max(self.versions)

    @property
    def versions(self) -> tuple[int, int]:
        """The versions of the tables of documents and chunks."""
        return self._documents.version, self._chunks.version

    @_trouble_named()
    def remove(self, keys: Sequence[str]) -> None:
        """Remove documents and their chunks by document key."""
        for condition in _conditions("key", keys):
            self._documents.delete(condition)
        for condition in _conditions("document_key", keys):
            self._chunks.delete(condition)

    @_trouble_named()
    def add(self, documents: Sequence[tuple[str, Document]], chunks: Sequence[schema.ChunkRow]) -> None:
        """Add documents under their keys, and their chunks."""
        if documents:
            self._documents.add(schema.document_table(documents))
        if chunks:
            self._chunks.add(schema.chunk_table(chunks, self._dimension))

    @_trouble_named()
    def vectors_by_hash(self, keys: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors of some documents' chunks by the hash of the text they stand for."""
        found: dict[str, npt.NDArray[np.float32]] = {}
        for condition in _conditions("document_key", keys):
            table = self._chunks.search().where(condition).select(["embedding_hash", "vector"]).limit(None).to_arrow()
            matrix, present = schema.vectors_of(table, self._dimension)
            hashes = table["embedding_hash"].to_pylist()
            found.update({hashes[row]: matrix[row] for row in np.flatnonzero(present)})
        return found

    @_trouble_named()
    def read_vectors(self) -> tuple[list[str], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Return all chunk ids, their vectors (zeros where there is none), and which have one."""
        table = self._chunks.search().select(["id", "vector"]).limit(None).to_arrow()
        matrix, present = schema.vectors_of(table, self._dimension)
        return table["id"].to_pylist(), matrix, present

    @_trouble_named()
    def missing(self) -> list[tuple[str, str]]:
        """Return id and embedding hash of the chunks that have no vector."""
        query = self._chunks.search().where("vector IS NULL").select(["id", "embedding_hash"]).limit(None)
        table = query.to_arrow()
        return list(zip(table["id"].to_pylist(), table["embedding_hash"].to_pylist(), strict=True))

    @_trouble_named()
    def put_vectors(self, ids: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """Fill in the vectors of chunks, shape ``(len(ids), dimension)``."""
        self._chunks.merge_insert("id").when_matched_update_all().execute(schema.vector_table(ids, vectors))

    @_trouble_named()
    def compact(self) -> None:
        """Merge the small files that many small changes leave."""
        if max(self.versions) // _VERSIONS_BEFORE_COMPACTION > self._opened_at // _VERSIONS_BEFORE_COMPACTION:
            self._documents.optimize(cleanup_older_than=_KEPT_HISTORY)
            self._chunks.optimize(cleanup_older_than=_KEPT_HISTORY)
            self._opened_at = max(self.versions)

    def _create(self, name: str, table_schema: Any) -> Any:
        return self._database.create_table(name, schema=table_schema, mode="overwrite")

    def _open(self, name: str, version: int) -> Any:
        table = self._database.open_table(name)
        if table.version != version:
            table.restore(version)
        return table


@_trouble_named()
def read_document_text(folder: Path, key: str, version: int) -> str | None:
    """Return a document's text as it was indexed, or ``None`` if the table has no such document.

    Raises:
        IndexMissingError: If the table or version is not there any more.
    """
    import lancedb  # noqa: PLC0415 - see Store

    (condition,) = _conditions("key", [key])
    table = lancedb.connect(folder).open_table(_DOCUMENTS)
    table.checkout(version)
    rows = table.search().where(condition).select(["text"]).limit(1).to_arrow()
    return str(rows["text"][0]) if len(rows) else None


@_trouble_named()
def count_rows(folder: Path, documents_version: int, chunks_version: int) -> tuple[int, int, int]:
    """Return how many documents, chunks and vectors the tables hold at the given versions; all of it is read.

    Raises:
        IndexMissingError: If a table or version is not there any more, or cannot be read.
    """
    import lancedb  # noqa: PLC0415 - see Store

    database = lancedb.connect(folder)
    documents, chunks = database.open_table(_DOCUMENTS), database.open_table(_CHUNKS)
    documents.checkout(documents_version)
    chunks.checkout(chunks_version)
    everything = chunks.to_arrow()
    for table in (everything, documents.to_arrow()):
        table.validate(full=True)
    return documents.count_rows(), len(everything), len(everything) - everything["vector"].null_count


def _conditions(column: str, values: Sequence[str]) -> Iterator[str]:
    """Yield SQL conditions that together select the rows with one of the values."""
    for start in range(0, len(values), _KEYS_PER_DELETE):
        quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values[start : start + _KEYS_PER_DELETE])
        yield f"{column} IN ({quoted})"
