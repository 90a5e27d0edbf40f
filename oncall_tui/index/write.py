"""Writes what a build decided: the tables first, then a snapshot, then the manifest that names both."""

import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from oncall_tui.errors import IndexMissingError
from oncall_tui.index import manifest as manifests
from oncall_tui.index import snapshot as snapshots
from oncall_tui.index.assembly import NewDocument, Previous, snapshot_parts
from oncall_tui.index.manifest import AFRESH_HINT, Manifest, Root
from oncall_tui.index.plan import Plan
from oncall_tui.index.protocols import PassageEmbedder, VectorCache, Vectors
from oncall_tui.index.snapshot import Snapshot
from oncall_tui.models import Chunk, Progress, Stage

if TYPE_CHECKING:
    from oncall_tui.index.store import Store

EMBEDDING_BATCH: Final = 16
"""Chunks a batch: about a second on a slow machine, which is how long a cancel may take."""

DATABASE: Final = "lance"


def snapshot_folder(folder: Path, manifest: Manifest) -> Path:
    """Return the folder of an index's current snapshot."""
    return folder / manifests.GENERATIONS / manifest.generation


def has_tables(folder: Path, manifest: Manifest) -> bool:
    """Return whether an index still has its tables, as far as can be seen without opening them."""
    return manifest.documents_version > 0 and all(
        (folder / DATABASE / f"{name}.lance").is_dir() for name in ("documents", "chunks")
    )


def disown_tables(folder: Path) -> None:
    """Say in the manifest, if there is one, that its tables are lost; the snapshot serves on.

    Where the tables' folder is gone, new ones count their versions anew. A run that is killed
    while it makes them must not leave a manifest that takes them for the old ones.
    """
    with suppress(IndexMissingError):
        manifest = manifests.read(folder)
        manifests.write(folder, msgspec.structs.replace(manifest, documents_version=0, chunks_version=0))


def vectors_made_by(embedder: PassageEmbedder | None) -> tuple[str, int, str]:
    """Return model, dimension and centring: an index made by others is made anew."""
    return (embedder.model, embedder.dimension, embedder.centring) if embedder else ("", 0, "")


class Writer:
    """Writes one generation of the index; the caller holds the writer's lock."""

    def __init__(self, folder: Path, embedder: PassageEmbedder | None, cache: VectorCache) -> None:
        self._folder = folder
        self._embedder = embedder
        self._cache = cache
        self._store = _LazyStore(folder / DATABASE, embedder.dimension if embedder else 1)

    def write_text(
        self,
        previous: Previous | None,
        plan: Plan,
        new: Mapping[str, NewDocument],
        roots: tuple[Root, ...],
        tokenizer: int,
    ) -> Manifest:
        """Publish the documents of the plan, with the vectors that are already known."""
        hashes = {chunk.id: self._key(chunk) for document in new.values() for chunk in document.chunks}
        self._write_tables(previous, plan, new, hashes)
        generation = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{uuid.uuid4().hex[:6]}"
        folder = self._folder / manifests.GENERATIONS / generation
        parts = snapshot_parts(previous, plan, new, hashes)
        with _removed_unless_whole(folder):
            snapshots.write(folder, parts)
            vectors = self._write_matrix(Snapshot(folder))
        documents_version, chunks_version = self._store.open(previous).versions
        model, dimension, centring = vectors_made_by(self._embedder)
        manifest = Manifest(
            layout=manifests.LAYOUT_VERSION,
            tokenizer=tokenizer,
            generation=generation,
            roots=roots,
            documents=len(parts.documents),
            chunks=len(parts.passage_sizes),
            vectors=vectors,
            model=model,
            dimension=dimension,
            centring=centring,
            built_at=datetime.now(UTC).isoformat(timespec="seconds"),
            documents_version=documents_version,
            chunks_version=chunks_version,
        )
        manifests.write(self._folder, manifest)
        self._remove_generations_but(generation, previous.manifest.generation if previous else "")
        return manifest

    def write_vectors(
        self, manifest: Manifest, on_progress: Callable[[Progress], None], is_cancelled: Callable[[], bool]
    ) -> int:
        """Embed the chunks that have no vector; return how many the model embedded."""
        if self._embedder is None or manifest.vectors == manifest.chunks:
            return 0
        snapshot = Snapshot(snapshot_folder(self._folder, manifest))
        store = self._store.open(Previous(manifest, snapshot))
        missing = store.missing()
        found = self._cache.get(self._embedder.model, [key for _, key in missing])
        embedded = self._embed(snapshot, missing, found, on_progress, is_cancelled)
        ready = [(chunk_id, found[key]) for chunk_id, key in missing if key in found]
        if ready:
            store.put_vectors([chunk_id for chunk_id, _ in ready], np.stack([vector for _, vector in ready]))
            store.compact()
            documents_version, chunks_version = store.versions
            vectors = self._write_matrix(snapshot)
            changes = {"vectors": vectors, "documents_version": documents_version, "chunks_version": chunks_version}
            manifests.write(self._folder, msgspec.structs.replace(manifest, **changes))
        return embedded

    def _embed(
        self,
        snapshot: Snapshot,
        missing: Sequence[tuple[str, str]],
        found: dict[str, Vectors],
        on_progress: Callable[[Progress], None],
        is_cancelled: Callable[[], bool],
    ) -> int:
        """Embed each text that is not found yet, once, and add it to ``found``."""
        assert self._embedder is not None  # noqa: S101 - the caller checked; for the type checker
        chunk_ids = {key: chunk_id for chunk_id, key in missing if key not in found}
        todo = sorted(chunk_ids, key=lambda key: snapshot.row_of(chunk_ids[key]) or 0)
        done = 0
        while done < len(todo) and not is_cancelled():
            on_progress(Progress(Stage.EMBEDDING, len(missing) - len(todo) + done, len(missing)))
            batch = todo[done : done + EMBEDDING_BATCH]
            rows = [snapshot.row_of(chunk_ids[key]) or 0 for key in batch]
            vectors = self._embedder.embed([snapshot.chunk(row) for row in rows])
            fresh = dict(zip(batch, vectors, strict=True))
            self._cache.put(self._embedder.model, fresh)
            found.update(fresh)
            done += len(batch)
        return done

    def _key(self, chunk: Chunk) -> str:
        return self._embedder.key(chunk) if self._embedder else ""

    def _write_tables(
        self,
        previous: Previous | None,
        plan: Plan,
        new: Mapping[str, NewDocument],
        hashes: Mapping[str, str],
    ) -> None:
        from oncall_tui.index.schema import ChunkRow  # noqa: PLC0415 - imports pyarrow

        store = self._store.open(previous)
        vectors: dict[str, Vectors] = {}
        if self._embedder:
            vectors |= self._cache.get(self._embedder.model, list(hashes.values()))
            vectors |= store.vectors_by_hash(plan.changed)
        store.remove([*plan.changed, *plan.removed])
        rows = [
            ChunkRow(key, chunk, hashes[chunk.id], vectors.get(hashes[chunk.id]))
            for key, document in new.items()
            for chunk in document.chunks
        ]
        store.add([(key, document.document) for key, document in new.items()], rows)
        store.compact()

    def _write_matrix(self, snapshot: Snapshot) -> int:
        """Add the centred vectors to a snapshot; return how many chunks have one."""
        if self._embedder is None:
            return 0
        ids, vectors, present = self._store.opened.read_vectors()
        if not present.any():
            return 0
        places = {chunk_id: place for place, chunk_id in enumerate(ids)}
        wanted = [snapshot.id_of(row) for row in range(len(snapshot))]
        if places.keys() != set(wanted):
            raise IndexMissingError("The tables of the index hold other passages than they should.", hint=AFRESH_HINT)
        order = np.array([places[chunk_id] for chunk_id in wanted])
        languages = snapshot.languages().tolist()
        snapshots.write_vectors(snapshot.folder, self._embedder.centre(vectors[order], languages, present[order]))
        return int(present.sum())

    def _remove_generations_but(self, current: str, previous: str) -> None:
        """Remove old snapshots; the one before the current may still be opened by a reader."""
        for folder in (self._folder / manifests.GENERATIONS).iterdir():
            if folder.name not in {current, previous}:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _removed_unless_whole(folder: Path) -> Iterator[None]:
    """Write a snapshot; where the disk is full, half of one must not take the room that is left."""
    try:
        yield
    except Exception:
        shutil.rmtree(folder, ignore_errors=True)
        raise


class _LazyStore:
    """Opens the tables when they are first needed, and once."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self._folder = folder
        self._dimension = dimension
        self._store: Store | None = None

    def open(self, previous: Previous | None) -> "Store":
        """Return the tables as the previous manifest left them, or new ones."""
        if self._store is None:
            from oncall_tui.index.store import Store  # noqa: PLC0415 - imports pyarrow

            store = Store(self._folder, self._dimension)
            if previous is None:
                store.reset()
            else:
                store.restore(previous.manifest.documents_version, previous.manifest.chunks_version)
            self._store = store
        return self._store

    @property
    def opened(self) -> "Store":
        """The tables, which were opened before."""
        assert self._store is not None  # noqa: S101 - a matrix is written after the tables
        return self._store
