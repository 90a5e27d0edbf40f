"""Puts an engine together: the only place that names concrete classes."""

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from oncall_tui import locations
from oncall_tui.answer.extractive import ExtractiveAnswerer
from oncall_tui.config import Settings, expanded
from oncall_tui.corpus import chunker
from oncall_tui.corpus.chunker import ChunkSize
from oncall_tui.corpus.load import FolderCorpus, parser_for
from oncall_tui.corpus.reader import decode, read_bytes
from oncall_tui.corpus.units import quotable_units
from oncall_tui.embedding.bundled import BundledEmbedder
from oncall_tui.embedding.chunks import ChunkEmbedder, LayeredCache
from oncall_tui.embedding.shipped import FILE_NAME, ShippedVectors
from oncall_tui.engine import Engine, Parts, QuestionEmbedding
from oncall_tui.evaluation.chunking import ChunkingResult, Split, compare
from oncall_tui.evaluation.runner import LabelledQuestion
from oncall_tui.index.build import Builder
from oncall_tui.index.reader import IndexReader
from oncall_tui.retrieval.expand import Glossary
from oncall_tui.retrieval.fields import bag_of
from oncall_tui.retrieval.fusion import FUSIONS
from oncall_tui.retrieval.tokens import TOKENIZER_VERSION, tokenize

_INDEX: Final = "index"
_CACHE: Final = Path("cache") / "vectors.sqlite"


def build_engine(settings: Settings) -> Engine:
    """Return an engine for the settings; the index and the model are opened with the first question."""
    folder = settings.data_folder
    embedder = BundledEmbedder() if settings.embedder == "bundled" else None
    shipped = ShippedVectors.load(locations.shipped("data") / FILE_NAME, embedder.model if embedder else "")
    builder = Builder(
        folder / _INDEX,
        FolderCorpus(ChunkSize(settings.chunk_size, settings.chunk_overlap), settings.max_file_megabytes),
        embedder=ChunkEmbedder(embedder, shipped.centres) if embedder else None,
        cache=LayeredCache(folder / _CACHE, shipped.vectors, shipped.model),
        bag=bag_of,
        tokenizer=TOKENIZER_VERSION,
    )
    return Engine(
        Parts(
            reader=IndexReader(folder / _INDEX, TOKENIZER_VERSION),
            indexer=builder,
            answerer=ExtractiveAnswerer(quotable_units, _today),
            fuse=FUSIONS[settings.fusion],
            embedding=_question_embedding(embedder, shipped) if embedder else None,
            read_file=lambda file: decode(read_bytes(file, settings.max_file_megabytes)),
            load_glossary=lambda: Glossary.load(*_glossary_files(settings)),
            sources=tuple(map(expanded, settings.sources)),
            demo=locations.shipped("runbooks"),
            limit=settings.limit,
            offline=True,
            today=_today,
        )
    )


def _today() -> date:
    return date.today()  # noqa: DTZ011 - a page is valid by the calendar of the reader


def _glossary_files(settings: Settings) -> list[Path]:
    own = [expanded(settings.glossary)] if settings.glossary else []
    for file in own:
        locations.refuse_endless(file)
    return [locations.shipped("data") / "glossary.txt", *own]


def _question_embedding(embedder: BundledEmbedder, shipped: ShippedVectors) -> QuestionEmbedding:
    return QuestionEmbedding(
        model=embedder.model,
        centring=shipped.centres.id,
        embed=lambda text, language: shipped.centres.centre_question(embedder.embed_question(text), language),
        warm_up=embedder.warm_up,
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
