"""Makes ``data/vectors.npz``: run it when a runbook, a question or the embedded text changes.

``python -m tests.bench.ship_vectors``; vectors that the file has already are kept.
"""

from pathlib import Path

import numpy as np

from oncall_tui import locations
from oncall_tui.corpus.chunker import ChunkSize
from oncall_tui.corpus.load import FolderCorpus
from oncall_tui.embedding.bundled import BundledEmbedder
from oncall_tui.embedding.centring import Centres
from oncall_tui.embedding.passages import passage_text, text_hash
from oncall_tui.embedding.protocol import Matrix
from oncall_tui.embedding.shipped import FILE_NAME, ShippedVectors, means_by_language
from oncall_tui.evaluation.runner import read_questions
from oncall_tui.models import Chunk, SkippedFile
from oncall_tui.text import language_of


def shipped_chunks(folder: Path) -> list[Chunk]:
    """Return the chunks of the shipped runbooks at the default size."""
    corpus = FolderCorpus(ChunkSize())
    files = [found for found in corpus.files(folder) if not isinstance(found, SkippedFile)]
    return [chunk for file in files for chunk in corpus.split(corpus.parse(file)[0])]


def passage_vectors(embedder: BundledEmbedder, chunks: list[Chunk], known: dict[str, Matrix]) -> dict[str, Matrix]:
    """Return the vector of each chunk's text by hash, embedding what is not known."""
    texts = {text_hash(text): text for text in map(passage_text, chunks)}
    missing = [key for key in texts if key not in known]
    fresh = dict(zip(missing, embedder.embed_passages([texts[key] for key in missing]), strict=True))
    return {key: fresh.get(key, known.get(key, np.zeros(0, np.float32))) for key in texts}


def main() -> None:
    """Write the file."""
    file = locations.shipped("data") / FILE_NAME
    embedder = BundledEmbedder()
    chunks = shipped_chunks(locations.shipped("runbooks"))
    vectors = passage_vectors(embedder, chunks, ShippedVectors.load(file, embedder.model).vectors)
    queries = [
        question.query
        for path in sorted((locations.shipped("data") / "eval").glob("*.jsonl"))
        for question in read_questions(path)
    ]
    questions = np.stack([embedder.embed_question(query) for query in queries])
    passages = np.stack([vectors[text_hash(passage_text(chunk))] for chunk in chunks])
    centres = Centres(
        means_by_language(passages, [language_of(chunk.text) for chunk in chunks]),
        means_by_language(questions, [language_of(query) for query in queries]),
    )
    ShippedVectors(embedder.model, vectors, centres).save(file)
    print(f"{file}: {len(vectors)} vectors, questions {len(queries)}, {file.stat().st_size / 1e6:.1f} MB")  # noqa: T201


if __name__ == "__main__":
    main()
