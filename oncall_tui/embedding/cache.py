"""Vectors by model and text, so that no text is embedded twice; survives a kill at any moment."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np

from oncall_tui.embedding.protocol import Matrix
from oncall_tui.errors import OncallError

_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS vectors (model TEXT, hash TEXT, vector BLOB, PRIMARY KEY (model, hash)) WITHOUT ROWID"
)
_QUERY_SIZE: Final = 500
"""Keys a query; below SQLite's default limit of 999 variables."""


@contextmanager
def _refusal_named(file: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        hint = "Make room there, end what holds it, or name another folder: --data-dir DIR."
        raise OncallError(f"The vector cache {file} cannot be used: {error}.", hint=hint) from error


class VectorCache:
    """Float16 vectors in an SQLite file; each batch is durable once stored."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with _refusal_named(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._connection = _opened(file)
            except sqlite3.OperationalError:
                raise  # locked or not writable: what it holds is sound
            except sqlite3.DatabaseError:
                self._start_afresh()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._connection.close()

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, Matrix]:
        """Return the vectors that are known, by text hash, each of shape ``(dimension,)``."""
        with _refusal_named(self._file):
            try:
                return self._read(model, hashes)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                self._connection.close()
                self._start_afresh()
                return {}

    def _read(self, model: str, hashes: Sequence[str]) -> dict[str, Matrix]:
        found: dict[str, Matrix] = {}
        for start in range(0, len(hashes), _QUERY_SIZE):
            part = hashes[start : start + _QUERY_SIZE]
            marks = ",".join("?" * len(part))
            query = f"SELECT hash, vector FROM vectors WHERE model = ? AND hash IN ({marks})"  # noqa: S608 - marks only
            for key, blob in self._connection.execute(query, (model, *part)):
                found[key] = np.frombuffer(blob, dtype=np.float16).astype(np.float32)
        return found

    def put(self, model: str, vectors: Mapping[str, Matrix]) -> None:
        """Store vectors by text hash."""
        rows = [(model, key, vector.astype(np.float16).tobytes()) for key, vector in vectors.items()]
        with _refusal_named(self._file), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def _start_afresh(self) -> None:
        """Throw the file away: it is damaged, and only a cache."""
        for ending in ("", "-wal", "-shm"):
            self._file.with_name(self._file.name + ending).unlink(missing_ok=True)
        self._connection = _opened(self._file)


def _opened(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
