"""Brings the index up to date with its sources, under the writer's lock.

In two phases. The text phase reads what changed, updates the tables and publishes a snapshot
that keyword search (and the vectors known so far) can use at once. The vector phase embeds
what has no vector yet; each batch goes to the cache, so a killed run goes on where it was.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Generic

from filelock import FileLock, Timeout

from oncall_tui.errors import DocumentError, IndexBusyError, IndexMissingError, SourceError
from oncall_tui.index import manifest as manifests
from oncall_tui.index.manifest import Root
from oncall_tui.index.plan import compare
from oncall_tui.index.postings import Bag
from oncall_tui.index.protocols import Corpus, File, PassageEmbedder, VectorCache
from oncall_tui.index.snapshot import Snapshot
from oncall_tui.index.write import NewDocument, Previous, Writer, snapshot_folder
from oncall_tui.models import Chunk, Document, IndexReport, Progress, SkippedFile, Stage

_LOCK: Final = "writer.lock"

OnProgress = Callable[[Progress], None]
IsCancelled = Callable[[], bool]


@dataclass(slots=True)
class _Scan(Generic[File]):
    """What the sources hold now."""

    files: dict[str, File] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    """Keys of indexed documents that could not be read now and stay as they were."""
    skipped: list[SkippedFile] = field(default_factory=list)
    is_complete: bool = True



class Builder(Generic[File]):
    """Builds and refreshes one index.

    Args:
        folder: The index's folder; made if it is missing.
        corpus: Where documents come from.
        embedder: Makes vectors; ``None`` means keyword search only.
        cache: Opens the cache of vectors; ``None`` if there is no embedder.
        bag: Returns the weighted token counts of a chunk.
        tokenizer: Version of the tokenizer behind ``bag``.
    """

    def __init__(
        self,
        folder: Path,
        corpus: Corpus[File],
        *,
        embedder: PassageEmbedder | None,
        cache: VectorCache,
        bag: Callable[[Chunk], Bag],
        tokenizer: int,
    ) -> None:
        self._folder = folder
        self._corpus = corpus
        self._embedder = embedder
        self._cache = cache
        self._bag = bag
        self._tokenizer = tokenizer

    def run(
        self,
        sources: Sequence[Path],
        on_progress: OnProgress = lambda _: None,
        is_cancelled: IsCancelled = lambda: False,
        *,
        prune: bool = False,
    ) -> IndexReport:
        """Make the index hold what the sources hold, and say what was done.

        A source that is missing, or empty although it was not, keeps its documents unless
        ``prune`` says that it is meant so.

        Raises:
            SourceError: If no source has a document, or an unknown one is missing.
            ConfigError: If a source's manifest.json is wrong.
            IndexBusyError: If another process is writing.
            EmbeddingError: If the model fails; what was done until then is kept.
        """
        started = time.perf_counter()
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self._folder / _LOCK, timeout=0):
                report = self._run(sources, on_progress, is_cancelled, prune=prune)
        except Timeout as error:
            msg = "Another oncall is writing this index."
            raise IndexBusyError(msg, hint="Wait for it; the index as it is can be searched meanwhile.") from error
        return replace(report, took_s=round(time.perf_counter() - started, 3))

    def _run(
        self, sources: Sequence[Path], on_progress: OnProgress, is_cancelled: IsCancelled, *, prune: bool
    ) -> IndexReport:
        previous = self._previous()
        scan = self._scan(sources, previous, on_progress, prune=prune)
        new = self._parse(scan, previous, on_progress)
        found = {key: file.fingerprint for key, file in scan.files.items()}
        known = {record.key: record.fingerprint for record in previous.snapshot.documents} if previous else {}
        plan = compare(known, found, scan.kept)
        if not (plan.added or plan.changed or plan.unchanged):
            raise _nothing_in(sources, scan)
        roots = tuple(Root(self._corpus.root_id(folder), str(folder.resolve())) for folder in sources)
        manifest = previous.manifest if previous else None
        writer = Writer(self._folder, self._embedder, self._cache)
        if manifest is None or previous is None or not plan.is_empty or manifest.roots != roots:
            manifest = writer.write_text(previous, plan, new, roots, self._tokenizer)
        embedded = writer.write_vectors(manifest, on_progress, is_cancelled) if self._embedder else 0
        return IndexReport(
            documents=manifest.documents,
            chunks=manifest.chunks,
            added=len(plan.added),
            changed=len(plan.changed),
            removed=len(plan.removed),
            unchanged=len(plan.unchanged),
            skipped=tuple(scan.skipped),
            embedded=embedded,
            is_complete=scan.is_complete,
        )

    def _previous(self) -> Previous | None:
        """Return the index as it is, or ``None`` if there is none that can be continued."""
        try:
            manifest = manifests.read(self._folder)
            manifests.check(manifest, self._tokenizer)
            if self._embedder and (manifest.model, manifest.dimension) != (
                self._embedder.model,
                self._embedder.dimension,
            ):
                return None
            return Previous(manifest, Snapshot(snapshot_folder(self._folder, manifest)))
        except IndexMissingError:
            return None

    def _scan(
        self, sources: Sequence[Path], previous: Previous | None, on_progress: OnProgress, *, prune: bool
    ) -> _Scan[File]:
        scan: _Scan[File] = _Scan()
        for folder in sources:
            root = self._corpus.root_id(folder)
            known = {record.key for record in previous.snapshot.documents if record.root == root} if previous else set()
            if known and not prune and not folder.exists():
                _keep(scan, folder, known, "is not there")
                continue
            self._corpus.check(folder)
            before = len(scan.files)
            for found in self._corpus.files(folder):
                self._take(scan, root, found, known)
                if len(scan.files) % 100 == 0:
                    on_progress(Progress(Stage.READING, len(scan.files), 0))
            if known and not prune and len(scan.files) == before and not scan.kept & known:
                _keep(scan, folder, known, "holds no document any more")
        return scan

    def _take(self, scan: _Scan[File], root: str, found: File | SkippedFile, known: set[str]) -> None:
        if not isinstance(found, SkippedFile):
            scan.files[f"{root}/{found.path}"] = found
            return
        _skip(scan, f"{root}/{found.path}", found, known)

    def _parse(self, scan: _Scan[File], previous: Previous | None, on_progress: OnProgress) -> dict[str, NewDocument]:
        """Parse what is new or changed; a file that cannot be parsed leaves the scan."""
        known = {record.key: record for record in previous.snapshot.documents} if previous else {}
        changed = [
            key
            for key, file in sorted(scan.files.items())
            if key not in known or known[key].fingerprint != file.fingerprint
        ]
        taken = {known[key].id for key in known.keys() & (scan.files.keys() | scan.kept) if key not in changed}
        new: dict[str, NewDocument] = {}
        for done, key in enumerate(changed, 1):
            file = scan.files[key]
            try:
                document, notice = self._corpus.parse(file)
            except DocumentError as error:
                del scan.files[key]
                _skip(scan, key, SkippedFile(path=file.path, reason=error.message, hint=error.hint), set(known))
                continue
            if notice:
                scan.skipped.append(notice)
            new[key] = self._prepared(key, document, taken, scan)
            on_progress(Progress(Stage.INDEXING, done, len(changed)))
        return new

    def _prepared(self, key: str, document: Document, taken: set[str], scan: _Scan[File]) -> NewDocument:
        if document.id in taken:
            renamed = self._corpus.with_free_id(document, taken)
            reason = f"is indexed, but its doc_id {document.id!r} is taken; it is cited as {renamed.id!r}"
            scan.skipped.append(SkippedFile(path=document.path, reason=reason, hint="Give each page its own doc_id."))
            document = renamed
        taken.add(document.id)
        chunks = self._corpus.split(document)
        return NewDocument(key, document, chunks, tuple(map(self._bag, chunks)))


def _keep(scan: _Scan[File], folder: Path, known: set[str], what: str) -> None:
    scan.kept |= known
    scan.is_complete = False
    reason = f"{what}; its {len(known)} documents stay in the index"
    hint = "If they are gone for good: oncall index --prune"
    scan.skipped.append(SkippedFile(path=str(folder), reason=reason, hint=hint))


def _skip(scan: _Scan[File], key: str, skipped: SkippedFile, known: set[str]) -> None:
    """Note a skipped file; if the index holds an earlier version of it, that one stays."""
    if key in known:
        scan.kept.add(key)
        reason = f"{skipped.reason}; its last readable version stays in the index"
        skipped = SkippedFile(path=skipped.path, reason=reason, hint=skipped.hint)
    scan.skipped.append(skipped)


def _nothing_in(sources: Sequence[Path], scan: _Scan[File]) -> SourceError:
    names = ", ".join(str(folder) for folder in sources)
    reasons = "; ".join(f"{skipped.path} {skipped.reason}" for skipped in scan.skipped[:3])
    hint = f"Left out: {reasons}." if reasons else "Name a folder with Markdown or text files in it."
    return SourceError(f"No document was found in {names}.", hint=hint)
