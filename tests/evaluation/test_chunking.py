"""``oncall eval --chunking``: passage sizes compared."""

from collections.abc import Sequence

from oncall_tui.evaluation.chunking import OVERLAP_SHARES, SIZES, compare
from oncall_tui.evaluation.runner import LabelledQuestion
from oncall_tui.models import Chunk
from oncall_tui.retrieval.fields import bag_of
from oncall_tui.retrieval.tokens import tokenize
from tests.builders import make_chunk

QUESTIONS = [
    LabelledQuestion(query="pool exhausted", relevant=("redis.md",)),
    LabelledQuestion(query="nothing like it", relevant=()),
]
PAGES = [make_chunk("the pool is exhausted", path="redis.md"), make_chunk("the disk is full", path="disk.md")]


def pages(size: int, overlap: int) -> Sequence[Chunk]:
    return PAGES


def only_the_wrong_page(size: int, overlap: int) -> Sequence[Chunk]:
    return PAGES[1:]


def test_every_size_and_overlap_is_measured_for_every_splitter() -> None:
    results = list(compare({"a": pages, "b": pages}, bag_of, tokenize, QUESTIONS))
    assert len(results) == 2 * len(SIZES) * len(OVERLAP_SHARES)
    assert {(result.size, result.overlap) for result in results if result.splitter == "a"} >= {(500, 0), (500, 100)}


def test_a_page_that_is_found_first_counts_in_full() -> None:
    result = next(compare({"a": pages}, bag_of, tokenize, QUESTIONS))
    assert (result.recall[1], result.mrr, result.chunks) == (1.0, 1.0, 2)


def test_a_page_that_is_not_there_counts_nothing() -> None:
    result = next(compare({"a": only_the_wrong_page}, bag_of, tokenize, QUESTIONS))
    assert (result.recall[5], result.mrr) == (0.0, 0.0)
