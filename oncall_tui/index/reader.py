"""Opens the current index for reading, and again when a writer has published a newer one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from oncall_tui.errors import IndexMissingError, OncallError
from oncall_tui.index import manifest as manifests
from oncall_tui.index.manifest import REBUILD_HINT, Manifest
from oncall_tui.index.snapshot import Snapshot
from oncall_tui.index.write import DATABASE, snapshot_folder

_TRIES: Final = 3
"""A writer may remove a snapshot between reading the manifest and opening it."""


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """A manifest and the snapshot it names."""

    manifest: Manifest
    snapshot: Snapshot

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Tell damage from a mistake of ours: what goes wrong over files that are not whole is their fault.

        Raises:
            IndexMissingError: If something goes wrong, and a file of the snapshot is damaged.
        """
        try:
            yield
        except OncallError:
            raise
        except Exception:
            self.snapshot.check_all(has_vectors=self.manifest.vectors > 0)
            raise


class IndexReader:
    """Gives the index as it is now; never waits for a writer.

    Args:
        folder: The index's folder.
        tokenizer: Version of the tokenizer that questions are taken apart with.
    """

    def __init__(self, folder: Path, tokenizer: int) -> None:
        self._folder = folder
        self._tokenizer = tokenizer
        self._opened: OpenIndex | None = None

    def manifest(self) -> Manifest:
        """Return the current manifest.

        Raises:
            IndexMissingError: If there is no index, or it was made by something else.
        """
        manifest = manifests.read(self._folder)
        manifests.check(manifest, self._tokenizer)
        return manifest

    def roots(self) -> tuple[Path, ...]:
        """Return the folders the index was made from, also if this program cannot search it.

        Raises:
            IndexMissingError: If there was an index but it is damaged beyond telling.
        """
        return tuple(Path(root.folder) for root in manifests.read_roots(self._folder))

    def open(self) -> OpenIndex:
        """Return the current index, opened again only if it changed.

        Raises:
            IndexMissingError: If there is no index, or it is damaged or made by something else.
        """
        for _ in range(_TRIES):
            manifest = self.manifest()
            if self._opened and self._opened.manifest == manifest:
                return self._opened
            folder = snapshot_folder(self._folder, manifest)
            try:
                self._opened = OpenIndex(manifest, Snapshot(folder))
            except IndexMissingError:
                if folder.is_dir():
                    raise  # it is there, but damaged
            else:
                return self._opened
        raise IndexMissingError(f"The index in {self._folder} is damaged: {folder.name} is gone.", hint=REBUILD_HINT)

    def document_text(self, key: str) -> str | None:
        """Return a document's text as it was indexed, from the table."""
        from oncall_tui.index.store import read_document_text  # noqa: PLC0415 - imports lancedb

        return read_document_text(self._folder / DATABASE, key, self.manifest().documents_version)

    def count_rows(self) -> tuple[int, int, int]:
        """Return how many documents, chunks and vectors the tables behind the current snapshot hold."""
        from oncall_tui.index.store import count_rows  # noqa: PLC0415 - imports lancedb

        manifest = self.manifest()
        return count_rows(self._folder / DATABASE, manifest.documents_version, manifest.chunks_version)
