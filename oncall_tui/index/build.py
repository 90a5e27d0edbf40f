"""Brings the index up to date with its sources, under the writer's lock.

In two phases. The text phase reads what changed, updates the tables and publishes a snapshot
that keyword search (and the vectors known so far) can use at once. The vector phase embeds
what has no vector yet; each batch goes to the cache, so a killed run goes on where it was.
"""

import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Generic

from filelock import FileLock, Timeout

from oncall_tui.errors import DocumentError, IndexBusyError, IndexMissingError, OncallError, SourceError
from oncall_tui.index import manifest as manifests
from oncall_tui.index.assembly import NewDocument, Previous
from oncall_tui.index.manifest import Root
from oncall_tui.index.plan import compare
from oncall_tui.index.postings import Bag
from oncall_tui.index.protocols import Corpus, File, PassageEmbedder, VectorCache
from oncall_tui.index.snapshot import Snapshot
from oncall_tui.index.sources import Scan, scan_sources
from oncall_tui.index.write import Writer, disown_tables, has_tables, snapshot_folder, vectors_made_by
from oncall_tui.locations import real
from oncall_tui.models import Chunk, Document, IndexReport, Progress, SkippedFile, Stage

_LOCK: Final = "writer.lock"

_IN_THE_WAY: Final = (FileExistsError, IsADirectoryError, NotADirectoryError)

OnProgress = Callable[[Progress], None]
IsCancelled = Callable[[], bool]


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
        rebuild: bool = False,
    ) -> IndexReport:
        """Make the index hold what the sources hold, and say what was done.

        A source that is missing, or empty although it was not, keeps its documents unless
        ``prune`` says that it is meant so. With ``rebuild`` nothing of the old index is used
        but the vectors in the cache.

        Raises:
            SourceError: If no source has a document, or an unknown one is missing.
            ConfigError: If a source's manifest.json is wrong.
            IndexBusyError: If another process is writing.
            EmbeddingError: If the model fails; what was done until then is kept.
            OncallError: If the index cannot be written.
        """
        started = time.perf_counter()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self._folder / _LOCK, timeout=0):
                report = self._run(self._unique(sources), on_progress, is_cancelled, prune=prune, rebuild=rebuild)
        except Timeout as error:
            msg = "Another oncall is writing this index."
            raise IndexBusyError(msg, hint="Wait for it; the index as it is can be searched meanwhile.") from error
        except OSError as error:
            raise _refused(self._folder, error) from error
        return replace(report, took_s=round(time.perf_counter() - started, 3))

    def is_current(self, sources: Sequence[Path]) -> bool:
        """Return whether a run would find nothing to do; reads every file, writes nothing."""
        previous = self._previous()
        if previous is None or not has_tables(self._folder, previous.manifest):
            return False
        if self._embedder and previous.manifest.vectors < previous.manifest.chunks:
            return False
        known = {record.key: record.fingerprint for record in previous.snapshot.documents}
        scan = scan_sources(self._corpus, self._unique(sources), list(known), lambda _: None, prune=False)
        plan = compare(known, {key: file.fingerprint for key, file in scan.files.items()}, scan.kept)
        return not plan.removed and not any(self._is_document(scan.files[key]) for key in plan.added + plan.changed)

    def _is_document(self, file: File) -> bool:
        try:
            self._corpus.parse(file)
        except DocumentError:
            return False  # a run would leave it out
        return True

    def _unique(self, sources: Sequence[Path]) -> tuple[Path, ...]:
        return tuple({self._corpus.root_id(folder): folder for folder in sources}.values())

    def _run(
        self, sources: Sequence[Path], on_progress: OnProgress, is_cancelled: IsCancelled, *, prune: bool, rebuild: bool
    ) -> IndexReport:
        previous = self._previous()
        if previous and not rebuild and has_tables(self._folder, previous.manifest):
            with suppress(IndexMissingError):  # the tables turn out to be damaged: make them anew
                return self._build(previous, sources, on_progress, is_cancelled, prune=prune)
        return self._build(None, sources, on_progress, is_cancelled, prune=prune)

    def _build(
        self,
        previous: Previous | None,
        sources: Sequence[Path],
        on_progress: OnProgress,
        is_cancelled: IsCancelled,
        *,
        prune: bool,
    ) -> IndexReport:
        indexed = [record.key for record in previous.snapshot.documents] if previous else []
        scan = scan_sources(self._corpus, sources, indexed, on_progress, prune=prune)
        new = self._parse(scan, previous, on_progress)
        found = {key: file.fingerprint for key, file in scan.files.items()}
        known = {record.key: record.fingerprint for record in previous.snapshot.documents} if previous else {}
        plan = compare(known, found, scan.kept)
        if not (plan.added or plan.changed or plan.unchanged or (prune and plan.removed)):
            raise _nothing_in(sources, scan)
        scan.skipped[:0] = self._left_out(sources)
        left = [folder for folder in sources if folder not in scan.forgotten] or sources
        roots = tuple(Root(self._corpus.root_id(folder), str(real(folder))) for folder in left)
        manifest = previous.manifest if previous else None
        writer = Writer(self._folder, self._embedder, self._cache)
        if manifest is None or previous is None or not plan.is_empty or manifest.roots != roots:
            if previous is None:
                disown_tables(self._folder)
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

    def _left_out(self, sources: Sequence[Path]) -> list[SkippedFile]:
        """Say which folders were sources until now."""
        try:
            roots = manifests.read_roots(self._folder)
        except IndexMissingError:
            return []
        named = {self._corpus.root_id(folder) for folder in sources}
        everything = shlex.join(dict.fromkeys((*(root.folder for root in roots), *map(str, sources))))
        hint = f"To have all: oncall index {everything}"
        return [
            SkippedFile(path=root.folder, reason="is no longer indexed", hint=hint)
            for root in roots
            if root.id not in named
        ]

    def _previous(self) -> Previous | None:
        """Return the index as it is, or ``None`` if there is none that can be continued."""
        try:
            manifest = manifests.read(self._folder)
            manifests.check(manifest, self._tokenizer)
            if (manifest.model, manifest.dimension, manifest.centring) != vectors_made_by(self._embedder):
                return None
            snapshot = Snapshot(snapshot_folder(self._folder, manifest))
            snapshot.check_all(has_vectors=manifest.vectors > 0)
            return Previous(manifest, snapshot)
        except IndexMissingError:
            return None

    def _parse(self, scan: Scan[File], previous: Previous | None, on_progress: OnProgress) -> dict[str, NewDocument]:
        """Parse what is new or changed; a file that cannot be parsed leaves the scan."""
        known = {record.key: record for record in previous.snapshot.documents} if previous else {}
        changed = [
            key
            for key, file in sorted(scan.files.items())
            if key not in known or known[key].fingerprint != file.fingerprint
        ]
        parsed: dict[str, Document] = {}
        for done, key in enumerate(changed, 1):
            file = scan.files[key]
            try:
                parsed[key], notice = self._corpus.parse(file)
            except DocumentError as error:
                del scan.files[key]
                scan.skip(SkippedFile(path=file.path, reason=error.message, hint=error.hint), known.keys() & {key})
                continue
            if notice:
                scan.skipped.append(notice)
            on_progress(Progress(Stage.INDEXING, done, len(changed)))
        # Ids are given when all is read: a file that cannot be read keeps the id of its earlier version.
        there = (scan.files.keys() | scan.kept) - parsed.keys()
        taken = {record.id for key, record in known.items() if key in there}
        return {key: self._prepared(key, document, taken, scan) for key, document in parsed.items()}

    def _prepared(self, key: str, document: Document, taken: set[str], scan: Scan[File]) -> NewDocument:
        if document.id in taken:
            renamed = self._corpus.with_free_id(document, taken)
            reason = f"is indexed, but its doc_id {document.id!r} is taken; it is cited as {renamed.id!r}"
            scan.skipped.append(SkippedFile(path=document.path, reason=reason, hint="Give each page its own doc_id."))
            document = renamed
        taken.add(document.id)
        chunks = self._corpus.split(document)
        return NewDocument(key, document, chunks, tuple(map(self._bag, chunks)))


def _refused(folder: Path, error: OSError) -> OncallError:
    """Return the error that says what keeps the index from being written; sources have errors of their own."""
    where = f"{error.filename}: " if error.filename else ""
    mend = f"Remove {error.filename}" if isinstance(error, _IN_THE_WAY) else "Make room there, check its permissions"
    msg = f"The index in {folder} cannot be written: {where}{error.strerror or error}."
    return OncallError(msg, hint=f"{mend}, or name another folder: --data-dir DIR.")


def _nothing_in(sources: Sequence[Path], scan: Scan[File]) -> SourceError:
    names = ", ".join(str(folder) for folder in sources)
    reasons = "; ".join(f"{skipped.path} {skipped.reason}" for skipped in scan.skipped[:3])
    hint = f"Left out: {reasons}." if reasons else "Name a folder with Markdown or text files in it."
    return SourceError(f"No document was found in {names}.", hint=hint)
