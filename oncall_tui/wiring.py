"""Puts an engine together: the only place that names concrete classes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from oncall_tui import locations
from oncall_tui.answer.extractive import ExtractiveAnswerer
from oncall_tui.config import Settings, embedder_key, expanded
from oncall_tui.corpus import chunker
from oncall_tui.corpus.chunker import ChunkSize
from oncall_tui.corpus.load import FolderCorpus, RawFile, parser_for
from oncall_tui.corpus.reader import decode, read_bytes
from oncall_tui.corpus.units import quotable_units
from oncall_tui.embedding.bundled import BundledEmbedder
from oncall_tui.embedding.centring import Centring
from oncall_tui.embedding.chunks import ChunkEmbedder, LayeredCache
from oncall_tui.embedding.passages import passage_text
from oncall_tui.embedding.protocol import Embedder
from oncall_tui.embedding.shipped import FILE_NAME, ShippedVectors
from oncall_tui.engine import Engine, Indexer, IsCancelled, OnProgress, Parts, QuestionEmbedding
from oncall_tui.errors import EmbeddingError, IndexMissingError
from oncall_tui.evaluation.chunking import ChunkingResult, Split, compare
from oncall_tui.evaluation.runner import LabelledQuestion, read_questions
from oncall_tui.index.build import Builder
from oncall_tui.index.reader import IndexReader
from oncall_tui.models import IndexReport
from oncall_tui.retrieval.expand import Glossary
from oncall_tui.retrieval.fields import bag_of
from oncall_tui.retrieval.fusion import FUSIONS
from oncall_tui.retrieval.tokens import TOKENIZER_VERSION, tokenize

_INDEX: Final = "index"
_CACHE: Final = Path("cache") / "vectors.sqlite"

_OLLAMA: Final = "http://127.0.0.1:11434"
"""Where Ollama listens if nobody says otherwise."""

_SAMPLED: Final = 64
"""Shipped passages of each language that a served model's means are estimated from."""


def build_engine(settings: Settings) -> Engine:
    """Return an engine for the settings; the index and the model are opened with the first question."""
    folder = settings.data_folder
    shipped = locations.shipped("data") / FILE_NAME
    bundled = ShippedVectors.load(shipped, BundledEmbedder().model if settings.embedder == "bundled" else "")
    cache = LayeredCache(folder / _CACHE, bundled.vectors, bundled.model)
    model = _model(settings, bundled, cache)
    reader = IndexReader(folder / _INDEX, TOKENIZER_VERSION)
    return Engine(
        Parts(
            reader=reader,
            indexer=_indexer(settings, model, cache, reader),
            answerer=ExtractiveAnswerer(quotable_units, _today),
            fuse=FUSIONS[settings.fusion],
            embedding=_question_embedding(model) if model else None,
            read_file=lambda file: decode(read_bytes(file, settings.max_file_megabytes)),
            load_glossary=lambda: Glossary.load(*_glossary_files(settings)),
            sources=tuple(map(expanded, settings.sources)),
            demo=locations.shipped("runbooks"),
            limit=settings.limit,
            offline=settings.offline or not settings.is_served,
            today=_today,
        )
    )


def _today() -> date:
    return date.today()  # noqa: DTZ011 - a page is valid by the calendar of the reader


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """Where vectors come from."""

    embedder: Embedder
    centres: Centring
    warm_up: Callable[[], None]
    prepare: Callable[[], None] = lambda: None
    """Makes sure that the model's dimension and means are known, or raises an EmbeddingError."""
    server: str = ""


def _model(settings: Settings, bundled: ShippedVectors, cache: LayeredCache) -> _Model | None:
    if settings.embedder == "none":
        return None
    if settings.is_served:
        return _served_model(settings, cache)
    embedder = BundledEmbedder()
    return _Model(embedder=embedder, centres=bundled.centres, warm_up=embedder.warm_up)


def _served_model(settings: Settings, cache: LayeredCache) -> _Model:
    from oncall_tui.embedding.formats import Format  # noqa: PLC0415 - httpx is for those who use it
    from oncall_tui.embedding.http import HttpEmbeddings, Service  # noqa: PLC0415
    from oncall_tui.embedding.served import EstimatedCentres, Prefixes, SampleTexts, ServedEmbedder  # noqa: PLC0415

    service = Service(
        style=Format(settings.embedder),
        url=settings.embedder_url or _OLLAMA,
        model=settings.embedder_model,
        key=embedder_key(),
        is_offline=settings.offline,
    )
    prefixes = Prefixes(settings.embedder_question_prefix, settings.embedder_passage_prefix)
    sample = SampleTexts(_sample_questions, _sample_passages)
    embedder = ServedEmbedder(HttpEmbeddings(service), prefixes, cache, sample, settings.embedder_timeout)
    return _Model(
        embedder=embedder,
        centres=EstimatedCentres(embedder),
        warm_up=embedder.warm_up,
        prepare=embedder.prepare,
        server=service.url,
    )


def _sample_questions() -> list[str]:
    files = sorted((locations.shipped("data") / "eval").glob("*.jsonl"))
    return [question.query for file in files for question in read_questions(file)]


def _sample_passages() -> list[str]:
    from oncall_tui.embedding.served import spread  # noqa: PLC0415

    corpus = FolderCorpus()
    documents = corpus.documents(locations.shipped("runbooks"))
    return spread([passage_text(chunk) for document in documents for chunk in corpus.split(document)], _SAMPLED)


def _indexer(settings: Settings, model: _Model | None, cache: LayeredCache, reader: IndexReader) -> Indexer:
    def builder(embedder: ChunkEmbedder | None) -> Builder[RawFile]:
        return Builder(
            settings.data_folder / _INDEX,
            FolderCorpus(ChunkSize(settings.chunk_size, settings.chunk_overlap), settings.max_file_megabytes),
            embedder=embedder,
            cache=cache,
            bag=bag_of,
            tokenizer=TOKENIZER_VERSION,
        )

    if model is None:
        return builder(None)
    hybrid = builder(ChunkEmbedder(model.embedder, model.centres))
    if not model.server:
        return hybrid
    return _ServedIndexer(hybrid, builder(None), model, reader)


@dataclass(frozen=True, slots=True)
class _ServedIndexer:
    """Indexes the text alone as long as nothing is known of the server's model, so that words are found."""

    hybrid: Builder[RawFile]
    keyword: Builder[RawFile]
    model: _Model
    reader: IndexReader

    def run(
        self,
        sources: Sequence[Path],
        on_progress: OnProgress = lambda _: None,
        is_cancelled: IsCancelled = lambda: False,
        *,
        prune: bool = False,
        rebuild: bool = False,
    ) -> IndexReport:
        """Make the index hold what the sources hold."""
        try:
            self.model.prepare()
        except EmbeddingError:
            if not self._has_vectors():
                self.keyword.run(sources, on_progress, is_cancelled, prune=prune, rebuild=rebuild)
            raise
        return self.hybrid.run(sources, on_progress, is_cancelled, prune=prune, rebuild=rebuild)

    def is_current(self, sources: Sequence[Path]) -> bool:
        """Return whether a run would find nothing to do."""
        try:
            self.model.prepare()
        except EmbeddingError:
            return self._has_vectors() or self.keyword.is_current(sources)
        return self.hybrid.is_current(sources)

    def _has_vectors(self) -> bool:
        """Return whether the index has vectors of this very model, which are not given up."""
        with suppress(IndexMissingError):
            return self.reader.manifest().model == self.model.embedder.model
        return False


def _glossary_files(settings: Settings) -> list[Path]:
    own = [expanded(settings.glossary)] if settings.glossary else []
    for file in own:
        locations.refuse_endless(file)
    return [locations.shipped("data") / "glossary.txt", *own]


def _question_embedding(model: _Model) -> QuestionEmbedding:
    return QuestionEmbedding(
        model=model.embedder.model,
        centring=model.centres.id,
        embed=lambda text, language: model.centres.centre_question(model.embedder.embed_question(text), language),
        warm_up=model.warm_up,
        server=model.server,
    )


def compare_chunking(
    settings: Settings, sources: Sequence[Path], questions: Sequence[LabelledQuestion]
) -> Iterator[ChunkingResult]:
    """Yield what keyword search finds at several passage sizes, by structure and at fixed sizes."""
    corpus = FolderCorpus(max_megabytes=settings.max_file_megabytes)
    documents = [document for folder in sources for document in corpus.documents(folder)]
    splitters: dict[str, Split] = {
        name: lambda size, overlap, split=split: [  # type: ignore[misc]
            chunk
            for document in documents
            for chunk in split(document, parser_for(document.path), ChunkSize(size, overlap))
        ]
        for name, split in (("structural", chunker.split), ("fixed", chunker.split_fixed))
    }
    return compare(splitters, bag_of, tokenize, questions)
