"""The one object that every front end calls. It knows nothing of terminals."""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol

from oncall_tui.errors import ConfigError, IndexMissingError, NotFoundError
from oncall_tui.index.manifest import Manifest
from oncall_tui.index.pages import Pages
from oncall_tui.index.reader import IndexReader, OpenIndex
from oncall_tui.locations import real
from oncall_tui.models import (
    Answer,
    Check,
    Chunk,
    Evidence,
    Filters,
    IndexReport,
    IndexStatus,
    Mode,
    Page,
    Progress,
)
from oncall_tui.retrieval.expand import Glossary
from oncall_tui.retrieval.filters import FilterValues, parse_pairs
from oncall_tui.retrieval.protocols import Fusion
from oncall_tui.retrieval.search import Searcher, VectorSide
from oncall_tui.retrieval.vector import EmbedQuestion

OnProgress = Callable[[Progress], None]
IsCancelled = Callable[[], bool]


class Indexer(Protocol):
    """Brings the index up to date."""

    def run(
        self,
        sources: Sequence[Path],
        on_progress: OnProgress = ...,
        is_cancelled: IsCancelled = ...,
        *,
        prune: bool = ...,
        rebuild: bool = ...,
    ) -> IndexReport:
        """Make the index hold what the sources hold."""
        ...

    def is_current(self, sources: Sequence[Path]) -> bool:
        """Return whether a run would find nothing to do."""
        ...


class Answerer(Protocol):
    """Makes an answer of evidence."""

    def answer(self, evidence: Evidence, page: Sequence[Chunk]) -> Answer:
        """Return the answer, given all passages of the best page."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionEmbedding:
    """The model that embeds questions."""

    model: str
    centring: str
    embed: EmbedQuestion
    warm_up: Callable[[], None]
    server: str = ""
    """Address of the server that the model is on; empty if it runs in this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What an engine is put together from."""

    reader: IndexReader
    indexer: Indexer
    answerer: Answerer
    fuse: Fusion
    embedding: QuestionEmbedding | None
    read_file: Callable[[Path], str]
    """Returns a file's text, controls stripped; raises a DocumentError."""
    load_glossary: Callable[[], Glossary]
    sources: tuple[Path, ...]
    """The folders the settings name; empty means whatever the index holds."""
    demo: Path
    """The shipped runbooks."""
    limit: int
    """Passages to return where nobody says how many."""
    offline: bool
    today: Callable[[], date]
    """Returns the day it is; a session may be open over midnight."""


class Engine:
    """Searches, answers, opens pages and refreshes the index.

    Every method blocks; a front end with an event loop calls them in a thread.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._searching: tuple[OpenIndex, date, Searcher] | None = None

    def status(self) -> IndexStatus:
        """Return what there is; an index that cannot be used counts as none."""
        try:
            sources = self.sources()
            manifest = self._manifest()
        except IndexMissingError:
            folders = self._parts.sources or (self._parts.demo,)
            return IndexStatus(sources=_names(folders), is_demo=self._is_demo(folders), offline=self._parts.offline)
        return IndexStatus(
            documents=manifest.documents,
            chunks=manifest.chunks,
            vectors=manifest.vectors,
            model=manifest.model,
            built_at=manifest.built_at,
            sources=_names(sources),
            is_demo=self._is_demo(sources),
            offline=self._parts.offline,
        )

    def sources(self) -> tuple[Path, ...]:
        """Return the folders in force: the settings', else the index's own, else the shipped demo.

        Raises:
            IndexMissingError: If there was an index but it no longer says what it was made from.
        """
        return self._parts.sources or self._parts.reader.roots() or (self._parts.demo,)

    def needs_refresh(self) -> bool:
        """Return whether the sources differ from the index, or vectors are missing."""
        return not self._parts.indexer.is_current(self.sources())

    def warm_up(self) -> None:
        """Open the index and load the model, so that the first question does not wait for them.

        Raises:
            IndexMissingError: If there is no index.
            EmbeddingError: If the model cannot be loaded.
        """
        self._open()
        if self._parts.embedding:
            self._parts.embedding.warm_up()

    def search(
        self, question: str, *, limit: int = 0, mode: Mode = Mode.HYBRID, filters: Filters | None = None
    ) -> Evidence:
        """Return the passages that answer a question, numbered from one.

        Args:
            question: What was typed; it may hold filters such as ``service:redis``.
            limit: Most passages to return; 0 means what the settings say.
            mode: Which rankings take part.
            filters: What a page must be, beside the question's own filters.

        Raises:
            QuestionError: If the question is empty or too long.
            IndexMissingError: If there is no index that can be searched.
            EmbeddingError: If only vectors were asked for and there are none.
        """
        index = self._open()
        with index.in_use():
            return self._searcher(index).search(
                question, limit=limit or self._parts.limit, mode=mode, filters=filters or Filters()
            )

    def filters(self, pairs: Sequence[str]) -> Filters:
        """Return the filters that ``name=value`` pairs make.

        Raises:
            ConfigError: If a pair is malformed, or its name or value does not exist.
        """
        for pair in pairs:
            if "=" not in pair:
                raise ConfigError(f"A filter is written name=value, not {pair!r}.", hint="For example: service=redis")
        values = FilterValues.of(self._open().snapshot.documents) if pairs else FilterValues()
        return parse_pairs([(pair.split("=", 1)[0], pair.split("=", 1)[1]) for pair in pairs], values)

    def answer(self, evidence: Evidence) -> Answer:
        """Return the answer that some evidence gives."""
        page: Sequence[Chunk] = ()
        if evidence.passages:
            with suppress(NotFoundError):  # the page may have left the index since the search
                page = self._pages().chunks_of(evidence.passages[0].chunk.document_id)
        return self._parts.answerer.answer(evidence, page)

    def page(self, document_id: str) -> Page:
        """Return a document as it is on disk now, or as it was indexed if the file is gone.

        Raises:
            NotFoundError: If the index has no such document.
        """
        return self._pages().page(document_id)

    def chunk(self, chunk_id: str) -> Chunk:
        """Return a chunk by its id.

        Raises:
            NotFoundError: If there is no such chunk.
        """
        return self._pages().chunk(chunk_id)

    def cited(self, citation: str) -> tuple[Chunk, Page, bool]:
        """Return the chunk that a citation names, its page, and whether its lines changed since.

        Args:
            citation: ``document_id#document_id:index``, or just ``document_id:index``.

        Raises:
            NotFoundError: If there is no such chunk.
        """
        try:
            return self._pages().cited(citation)
        except NotFoundError as error:
            near = self._open().snapshot.nearest(citation)
            if not near:
                raise
            msg = f"There is no citation {citation!r} in the index."
            raise NotFoundError(msg, hint=f"Did you mean {near}?") from error

    def changed(self, citations: Iterable[str]) -> frozenset[str]:
        """Return the citations whose lines changed since they were indexed, or cannot be read now.

        Each file is read once, and none that is larger than the settings allow.
        """
        pages = Pages(self._open(), cache(self._parts.read_file), lambda _: "")
        return frozenset(citation for citation in citations if _is_stale(pages, citation))

    def refresh(
        self,
        on_progress: OnProgress = lambda _: None,
        is_cancelled: IsCancelled = lambda: False,
        *,
        sources: Sequence[Path] = (),
        prune: bool = False,
        rebuild: bool = False,
    ) -> IndexReport:
        """Bring the index up to date with its sources, or with the given ones from now on.

        Raises:
            SourceError: If no source has a document, or one is missing.
            IndexBusyError: If another process is writing.
            EmbeddingError: If the model fails; keyword search works all the same.
        """
        folders = tuple(sources) or self.sources()
        return self._parts.indexer.run(folders, on_progress, is_cancelled, prune=prune, rebuild=rebuild)

    def checks(self) -> tuple[Check, ...]:
        """Look at everything a search depends on; nothing here raises for what it finds."""
        from oncall_tui.health import check_engine  # noqa: PLC0415 - brings in rank_bm25

        status = self.status()
        return check_engine(self._parts, [Path(source) for source in status.sources], status)

    def _manifest(self) -> Manifest:
        manifest = self._parts.reader.manifest()
        indexed = {root.folder for root in manifest.roots}
        wanted = {str(real(folder)) for folder in self._parts.sources}
        # The index cannot have a folder that is not there; oncall index says so.
        missing = {folder for folder in wanted - indexed if not os.path.isdir(folder)}  # noqa: PTH112
        if wanted and wanted - missing != indexed:
            names = " ".join(f"--source {folder}" for folder in self._parts.sources)
            raise IndexMissingError("The index was made from other folders.", hint=f"Run: oncall {names} index")
        return manifest

    def _open(self) -> OpenIndex:
        self._manifest()
        return self._parts.reader.open()

    def _pages(self) -> Pages:
        return Pages(self._open(), self._parts.read_file, self._parts.reader.document_text)

    def _searcher(self, index: OpenIndex) -> Searcher:
        today = self._parts.today()
        searching = self._searching  # one look: several threads may search
        if searching is None or searching[0] is not index or searching[1] != today:
            searching = index, today, self._make_searcher(index, today)
            self._searching = searching
        return searching[2]

    def _make_searcher(self, index: OpenIndex, today: date) -> Searcher:
        vectors = self._vector_side(index.manifest)
        return Searcher(index.snapshot, self._parts.fuse, vectors, self._glossary, today)

    @cached_property
    def _glossary(self) -> Glossary:
        return self._parts.load_glossary()

    def _vector_side(self, manifest: Manifest) -> VectorSide:
        embedding = self._parts.embedding
        if embedding is None:
            return VectorSide(reason="vectors: switched off in the settings")
        if manifest.model and manifest.model != embedding.model:
            reason = f"vectors: the index has those of {manifest.model}, this program has {embedding.model}"
            return VectorSide(reason=f"{reason}; mend it with: oncall index")
        if manifest.model and manifest.centring != embedding.centring:
            return VectorSide(reason="vectors: the index was centred otherwise; mend it with: oncall index")
        return VectorSide(embed=embedding.embed)

    def _is_demo(self, sources: Sequence[Path]) -> bool:
        return [real(folder) for folder in sources] == [real(self._parts.demo)]


def _is_stale(pages: Pages, citation: str) -> bool:
    try:
        return pages.cited(citation)[2]
    except NotFoundError:
        return True  # it left the index since the search


def _names(folders: Sequence[Path]) -> tuple[str, ...]:
    return tuple(str(folder) for folder in folders)
