"""Short ways to make the values that tests start from."""

import hashlib
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

import numpy as np

from oncall_tui.corpus.chunker import ChunkSize
from oncall_tui.corpus.load import SourceRoot, parse_file, read_root, split_document
from oncall_tui.corpus.metadata import FrontMatterError, split_front_matter
from oncall_tui.embedding.protocol import Matrix
from oncall_tui.models import Chunk, Document, Evidence, LineSpan, Metadata, Passage, SkippedFile
from oncall_tui.retrieval.tokens import tokenize
from oncall_tui.text import strip_controls


def write_tree(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by relative path, folders included, and return the folder."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def make_metadata(title: str = "Redis timeouts", **fields: Any) -> Metadata:
    """Return metadata with the given fields."""
    return Metadata(title=title, **fields)


def make_document(text: str, path: str = "redis.md", **fields: Any) -> Document:
    """Return a document with its front matter skipped, as the loader would leave it."""
    text = strip_controls(text)
    try:
        _, body_start = split_front_matter(text)
    except FrontMatterError:
        body_start = 0
    return Document(
        id=str(PurePosixPath(path).with_suffix("")),
        root="root",
        path=path,
        text=text,
        body_start=body_start,
        metadata=make_metadata(**fields),
        fingerprint="fingerprint",
    )


def make_chunk(
    text: str = "Raise maxclients.",
    *,
    path: str = "redis.md",
    index: int = 0,
    heading_path: Sequence[str] = (),
    span: LineSpan | None = None,
    **fields: Any,
) -> Chunk:
    """Return a chunk; without a span it starts at the top of its file."""
    document_id = str(PurePosixPath(path).with_suffix(""))
    return Chunk(
        id=f"{document_id}:{index}",
        document_id=document_id,
        path=path,
        heading_path=tuple(heading_path),
        span=span or LineSpan(0, text.count("\n") + 1),
        text=text,
        metadata=make_metadata(**fields),
    )


def make_passage(label: int = 1, chunk: Chunk | None = None, **fields: Any) -> Passage:
    """Return a passage under a label."""
    values: dict[str, Any] = {"score": 1.0, "ranks": {"keyword": label}, **fields}
    return Passage(label=label, chunk=chunk or make_chunk(index=label - 1), **values)


def make_evidence(question: str = "redis timeout", passages: Sequence[Passage] = (), **fields: Any) -> Evidence:
    """Return evidence with the given passages."""
    return Evidence(question=question, passages=tuple(passages), **fields)


def load(folder: Path, size: ChunkSize | None = None) -> tuple[dict[str, Document], dict[str, SkippedFile]]:
    """Return the documents and what was skipped below a folder, each by path, as an index reads them."""
    documents: dict[str, Document] = {}
    skipped: dict[str, SkippedFile] = {}
    for found in read_root(SourceRoot(folder), size or ChunkSize()):
        if isinstance(found, SkippedFile):
            skipped[found.path] = found
            continue
        document, notice = parse_file(found)
        documents[document.path] = document
        if notice:
            skipped[notice.path] = notice
    return documents, skipped


def chunks_of(text: str, path: str = "redis.md", size: ChunkSize | None = None) -> tuple[Chunk, ...]:
    """Return the chunks of a document with the given text."""
    return split_document(make_document(text, path), size or ChunkSize())


class FakeEmbedder:
    """Embeds fast and always the same: every token is a direction, and a text the sum of its tokens."""

    embedded: ClassVar[list[str]] = []
    """Every passage that was embedded, in order, by any instance."""
    seconds_a_text: ClassVar[float] = 0.0

    model = "fake-1"
    dimension = 64

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        self.embedded.extend(texts)
        time.sleep(self.seconds_a_text * len(texts))
        return np.stack([self._vector(text) for text in texts])

    def embed_question(self, text: str) -> Matrix:
        return self._vector(text)

    def warm_up(self) -> None:
        """Nothing has to be loaded."""

    def _vector(self, text: str) -> Matrix:
        total = np.zeros(self.dimension, dtype=np.float32)
        for token in tokenize(text):
            seed = int.from_bytes(hashlib.blake2b(token.encode(), digest_size=8).digest())
            total += np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
        unit: Matrix = total / max(float(np.linalg.norm(total)), 1e-9)
        return unit


def copy_data(data: Path, target: Path) -> Path:
    """Copy a data folder, so that a test may change it; its sources stay where they are."""
    shutil.copytree(data, target)
    return target
