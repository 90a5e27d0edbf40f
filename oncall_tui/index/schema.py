"""Arrow schemas of the two tables, and rows to and from values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from oncall_tui.models import Chunk, Document, Metadata

_STRINGS: Final = pa.list_(pa.string())

DOCUMENTS: Final = pa.schema(
    [
        pa.field("key", pa.string(), nullable=False),
        pa.field("id", pa.string(), nullable=False),
        pa.field("root", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        pa.field("fingerprint", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("service", pa.string()),
        pa.field("owner", pa.string()),
        pa.field("version", pa.string()),
        pa.field("type", pa.string()),
        pa.field("trust", pa.int8()),
        pa.field("category", pa.string()),
        pa.field("tags", _STRINGS),
        pa.field("valid_from", pa.date32()),
        pa.field("valid_to", pa.date32()),
        pa.field("last_updated", pa.date32()),
        pa.field("derived", _STRINGS),
    ]
)


def chunks(dimension: int) -> pa.Schema:
    """Return the schema of the chunks; a vector that is not there yet is null."""
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("document_key", pa.string(), nullable=False),
            pa.field("path", pa.string(), nullable=False),
            pa.field("heading_path", _STRINGS),
            pa.field("start", pa.int32(), nullable=False),
            pa.field("stop", pa.int32(), nullable=False),
            pa.field("text", pa.string(), nullable=False),
            pa.field("embedding_hash", pa.string(), nullable=False),
            pa.field("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk as it is stored."""

    document_key: str
    chunk: Chunk
    embedding_hash: str
    vector: npt.NDArray[np.float32] | None


def document_table(rows: Sequence[tuple[str, Document]]) -> pa.Table:
    """Return documents with their keys as a table."""
    return pa.Table.from_pylist([_document_row(key, document) for key, document in rows], schema=DOCUMENTS)


def _document_row(key: str, document: Document) -> dict[str, Any]:
    metadata = document.metadata
    names = [name for name in Metadata.__dataclass_fields__ if name in DOCUMENTS.names]
    return {
        "key": key,
        "id": document.id,
        "root": document.root,
        "path": document.path,
        "fingerprint": document.fingerprint,
        "text": document.text,
        **{name: getattr(metadata, name) for name in names},
        "type": metadata.type.value,
    }


def chunk_table(rows: Sequence[ChunkRow], dimension: int) -> pa.Table:
    """Return chunks as a table."""
    return pa.Table.from_pylist([_chunk_row(row) for row in rows], schema=chunks(dimension))


def _chunk_row(row: ChunkRow) -> dict[str, Any]:
    chunk = row.chunk
    return {
        "id": chunk.id,
        "document_key": row.document_key,
        "path": chunk.path,
        "heading_path": list(chunk.heading_path),
        "start": chunk.span.start,
        "stop": chunk.span.stop,
        "text": chunk.text,
        "embedding_hash": row.embedding_hash,
        "vector": row.vector,
    }


def vector_table(ids: Sequence[str], vectors: npt.NDArray[np.float32]) -> pa.Table:
    """Return vectors by chunk id as a table to merge."""
    flat = pa.array(vectors.reshape(-1), type=pa.float32())
    return pa.table({"id": ids, "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])})


def vectors_of(table: pa.Table, dimension: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return the vectors of a table, zeros where there is none, and which rows have one."""
    column = table["vector"].combine_chunks()
    column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    present = np.asarray(column.is_valid())
    matrix = np.zeros((len(column), dimension), dtype=np.float32)
    if present.any():
        matrix[present] = column.drop_null().flatten().to_numpy(zero_copy_only=False).reshape(-1, dimension)
    return matrix, present
