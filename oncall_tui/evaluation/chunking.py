"""How size and overlap of passages change what keyword search finds: ``oncall eval --chunking``.

Each setting is indexed in memory and asked all questions. Keyword search alone is measured,
since embedding the corpus anew for each setting would take hours on a slow machine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from oncall_tui.evaluation import metrics
from oncall_tui.evaluation.runner import CUTOFFS, LabelledQuestion
from oncall_tui.index.postings import Bag, Bags, Postings
from oncall_tui.models import Chunk
from oncall_tui.retrieval.protocols import top_rows

SIZES: Final = (500, 1000, 1500, 2500)
OVERLAP_SHARES: Final = (0.0, 0.2)

Split = Callable[[int, int], Sequence[Chunk]]
"""Takes a size and an overlap; returns the passages of the whole corpus."""


@dataclass(frozen=True, slots=True)
class ChunkingResult:
    """What one setting found."""

    splitter: str
    size: int
    overlap: int
    chunks: int
    recall: Mapping[int, float]
    """Recall by cut-off, over all answerable questions."""
    mrr: float


def compare(
    splitters: Mapping[str, Split],
    bag: Callable[[Chunk], Bag],
    tokenize: Callable[[str], Sequence[str]],
    questions: Sequence[LabelledQuestion],
) -> Iterator[ChunkingResult]:
    """Yield the result of each splitter at each size and overlap."""
    answerable = [question for question in questions if question.relevant]
    for name, split in splitters.items():
        for size in SIZES:
            for share in OVERLAP_SHARES:
                overlap = int(size * share)
                chunks = split(size, overlap)
                ranks = list(_ranks(chunks, bag, tokenize, answerable))
                recall = {cutoff: metrics.recall(ranks, cutoff) for cutoff in CUTOFFS}
                mrr = metrics.mean_reciprocal_rank(ranks)
                yield ChunkingResult(name, size, overlap, len(chunks), recall, mrr)


def _ranks(
    chunks: Sequence[Chunk],
    bag: Callable[[Chunk], Bag],
    tokenize: Callable[[str], Sequence[str]],
    questions: Sequence[LabelledQuestion],
) -> Iterator[int | None]:
    """Yield the rank of the first right page for each question; a page ranks by its best chunk."""
    postings = Postings.build(Bags.from_bags(map(bag, chunks)))
    for question in questions:
        weights: dict[str, float] = {}
        for token in tokenize(question.query):
            weights[token] = weights.get(token, 0.0) + 1.0
        scores = np.where(postings.touched(weights), postings.score(weights), -np.inf)
        pages = dict.fromkeys(chunks[row].path for row in top_rows(scores, 50, None))
        places = (place for place, path in enumerate(pages, 1) if path in question.relevant)
        yield next(places, None)
