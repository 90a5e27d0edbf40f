"""Puts a new snapshot together: what did not change is copied, what is new is encoded."""

from collections.abc import Mapping
from dataclasses import dataclass

from oncall_tui.index import snapshot as snapshots
from oncall_tui.index.manifest import Manifest
from oncall_tui.index.plan import Plan
from oncall_tui.index.postings import Bag, Bags
from oncall_tui.index.snapshot import Columns, DocumentRecord, PassageRecord, Snapshot, SnapshotParts
from oncall_tui.models import Chunk, Document
from oncall_tui.text import language_of


@dataclass(frozen=True, slots=True)
class Previous:
    """The index as it is before a run."""

    manifest: Manifest
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document that is new or changed, ready to be stored."""

    key: str
    document: Document
    chunks: tuple[Chunk, ...]
    bags: tuple[Bag, ...]


def snapshot_parts(
    previous: Previous | None, plan: Plan, new: Mapping[str, NewDocument], hashes: Mapping[str, str]
) -> SnapshotParts:
    """Return the snapshot's parts: kept documents copied, new ones encoded, all in order of key."""
    assembly = _Assembly(previous.snapshot if previous else None)
    numbers = {record.key: number for number, record in enumerate(previous.snapshot.documents)} if previous else {}
    for key in sorted((*plan.unchanged, *new)):
        if key in new:
            assembly.add(new[key], hashes)
        else:
            assembly.keep(numbers[key])
    return assembly.parts()


class _Assembly:
    """Puts a snapshot together document by document."""

    def __init__(self, previous: Snapshot | None) -> None:
        self._previous = previous
        self._documents: list[DocumentRecord] = []
        self._passages: list[bytes] = []
        self._sizes: list[int] = []
        self._columns: list[tuple[int, int, int, str]] = []
        self._bags: list[Bag] = []
        self._rows: list[int] = []
        """Row of each chunk's bag: in the previous snapshot, or after its end among the new ones."""

    def keep(self, number: int) -> None:
        """Copy a document of the previous snapshot."""
        assert self._previous is not None  # noqa: S101 - only documents of a snapshot are kept
        rows = self._previous.rows_of(number)
        columns = self._previous.columns
        self._columns.extend(
            (len(self._documents), int(columns.start[row]), int(columns.stop[row]), self._previous.language(row))
            for row in rows
        )
        self._documents.append(self._previous.documents[number])
        self._passages.append(self._previous.encoded_passages(rows))
        self._sizes.extend(self._previous.passage_sizes(rows))
        self._rows.extend(rows)

    def add(self, new: NewDocument, hashes: Mapping[str, str]) -> None:
        """Encode a new document."""
        document = new.document
        first = len(self._previous or ()) + len(self._bags)
        for chunk in new.chunks:
            encoded = snapshots.encode_passage(PassageRecord(chunk.heading_path, chunk.text, hashes[chunk.id]))
            self._passages.append(encoded)
            self._sizes.append(len(encoded))
            self._columns.append((len(self._documents), chunk.span.start, chunk.span.stop, language_of(chunk.text)))
        self._bags.extend(new.bags)
        self._rows.extend(range(first, first + len(new.chunks)))
        self._documents.append(
            DocumentRecord(
                new.key,
                document.id,
                document.root,
                document.path,
                document.fingerprint,
                document.metadata,
                len(new.chunks),
            )
        )

    def parts(self) -> SnapshotParts:
        """Return what was put together."""
        bags = Bags.from_bags(self._bags)
        if self._previous is not None:
            bags = self._previous.bags.joined(bags)
        return SnapshotParts(
            documents=self._documents,
            passages=b"".join(self._passages),
            passage_sizes=self._sizes,
            columns=Columns.from_rows(self._columns),
            bags=bags.take(self._rows),
        )
