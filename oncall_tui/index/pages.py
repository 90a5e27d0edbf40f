"""Pages and passages of an open index, and whether they still stand in the files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from oncall_tui.errors import DocumentError, NotFoundError
from oncall_tui.index.reader import OpenIndex
from oncall_tui.index.snapshot import DocumentRecord
from oncall_tui.locations import real
from oncall_tui.models import Chunk, Page


@dataclass(frozen=True, slots=True)
class Pages:
    """Opens pages and citations.

    Args:
        index: The index as it is open.
        read_file: Returns a file's text, controls stripped; raises a DocumentError.
        indexed_text: Returns a document's text as it was indexed, by key.
    """

    index: OpenIndex
    read_file: Callable[[Path], str]
    indexed_text: Callable[[str], str | None]

    def page(self, document_id: str) -> Page:
        """Return a document as it is on disk now, or as it was indexed if the file is gone.

        Raises:
            NotFoundError: If the index has no such document.
        """
        record = self._record(document_id)
        file = self._file(record)
        try:
            text, is_readable = self.read_file(file), True
        except DocumentError:
            text, is_readable = self.indexed_text(record.key) or "", False
        is_stale = not is_readable or any(not _stands_in(chunk, text) for chunk in self.chunks_of(document_id))
        return Page(
            document_id=record.id,
            path=record.path,
            title=record.metadata.title,
            text=text,
            is_stale=is_stale,
            file=str(file) if is_readable else "",
        )

    def chunk(self, chunk_id: str) -> Chunk:
        """Return a chunk by its id.

        Raises:
            NotFoundError: If there is no such chunk.
        """
        row = self.index.snapshot.row_of(chunk_id)
        if row is None:
            msg = f"There is no citation {chunk_id!r} in the index."
            raise NotFoundError(msg, hint="Citations look like redis#redis:0; oncall search prints them.")
        return self.index.snapshot.chunk(row)

    def chunks_of(self, document_id: str) -> list[Chunk]:
        """Return the chunks of a document in order.

        Raises:
            NotFoundError: If the index has no such document.
        """
        record = self._record(document_id)
        first = self.index.snapshot.row_of(f"{record.id}:0") or 0
        return [self.index.snapshot.chunk(row) for row in range(first, first + record.chunks)]

    def cited(self, citation: str) -> tuple[Chunk, Page, bool]:
        """Return the chunk that a citation names, its page, and whether its lines changed since.

        Raises:
            NotFoundError: If there is no such chunk.
        """
        chunk = self.chunk(citation.rpartition("#")[2])
        if "#" in citation and citation != chunk.citation:
            raise NotFoundError(f"There is no citation {citation!r}.", hint=f"Did you mean {chunk.citation}?")
        page = self.page(chunk.document_id)
        is_gone = not page.file  # what was indexed is shown then, and stands in itself
        return chunk, page, is_gone or not _stands_in(chunk, page.text)

    def _record(self, document_id: str) -> DocumentRecord:
        record = self.index.snapshot.document(document_id)
        if record is None:
            raise NotFoundError(f"There is no document {document_id!r} in the index.", hint="oncall search prints ids.")
        return record

    def _file(self, record: DocumentRecord) -> Path:
        root = next(Path(root.folder) for root in self.index.manifest.roots if root.id == record.root)
        file = real(root / record.path)
        if not file.is_relative_to(real(root)):
            raise NotFoundError(f"{record.path} leads out of its source folder.", hint="Index the folder again.")
        return file


def _stands_in(chunk: Chunk, text: str) -> bool:
    """Return whether a chunk's text still stands at its lines."""
    lines = text.split("\n")[chunk.span.start : chunk.span.stop]
    return "".join(chunk.text.split()) in "".join("".join(lines).split())
