"""The score is that of rank_bm25, which is its definition."""

import math
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from oncall_tui.index.postings import Bag, Bags, Postings

TOKENS = st.sampled_from([*"abcdefgh", "redis", "磁盘"])
UNKNOWN = st.sampled_from(["unknown", "kafka"])
COUNTED_BAGS = st.lists(st.dictionaries(TOKENS, st.integers(1, 9), max_size=8), max_size=12)
WEIGHTED_BAGS = st.lists(st.dictionaries(TOKENS, st.floats(0.1, 50), max_size=8), max_size=12)
QUESTIONS = st.lists(st.one_of(TOKENS, UNKNOWN), max_size=8)


def okapi(bags: Sequence[Bag]) -> Any:
    """Return rank_bm25's own index of weighted bags; for whole counts it is that of the token lists."""
    oracle = BM25Okapi([list(bag) for bag in bags])  # document frequencies, and so idf, need each token once
    oracle.doc_freqs = [dict(bag) for bag in bags]
    oracle.doc_len = [sum(bag.values()) for bag in bags]
    oracle.avgdl = sum(oracle.doc_len) / len(bags)
    return oracle


def expanded(bag: Bag) -> list[str]:
    """Return the tokens of a bag of whole counts, each as often as it counts."""
    return [token for token, count in bag.items() for _ in range(int(count))]


def postings_of(bags: Sequence[Bag]) -> Postings:
    return Postings.build(Bags.from_bags(bags))


def counted(question: Sequence[str]) -> dict[str, float]:
    return {token: question.count(token) for token in question}


def as_lists(bags: Bags) -> list[list[Any]]:
    return [bags.starts.tolist(), bags.terms.tolist(), bags.weights.tolist()]


@given(COUNTED_BAGS, QUESTIONS)
def test_counted_tokens_score_as_rank_bm25_scores_their_texts(bags: list[Bag], question: list[str]) -> None:
    assume(any(bags))  # rank_bm25 divides by zero where no text has a word
    oracle = BM25Okapi([expanded(bag) for bag in bags])
    np.testing.assert_allclose(
        postings_of(bags).score(counted(question)), oracle.get_scores(question), rtol=0, atol=1e-6
    )


@given(WEIGHTED_BAGS, QUESTIONS)
def test_weighted_tokens_score_as_rank_bm25_scores_their_weights(bags: list[Bag], question: list[str]) -> None:
    assume(any(bags))
    expected = okapi(bags).get_scores(question)
    np.testing.assert_allclose(postings_of(bags).score(counted(question)), expected, rtol=0, atol=1e-6)


@given(COUNTED_BAGS)
def test_every_idf_is_that_of_rank_bm25_even_where_it_would_be_negative(bags: list[Bag]) -> None:
    assume(any(bags))
    postings, oracle = postings_of(bags), okapi(bags)
    assert all(math.isclose(postings.idf_of(token) or 0, idf, abs_tol=1e-9) for token, idf in oracle.idf.items())


def test_a_token_of_most_chunks_gets_the_share_of_the_mean_idf_that_rank_bm25_gives() -> None:
    bags: list[Bag] = [{"redis": 1, "a": 1}, {"redis": 1, "b": 1}, {"redis": 1, "c": 1}, {"d": 1}]
    scores = postings_of(bags).score({"redis": 1.0})
    np.testing.assert_allclose(scores, BM25Okapi([list(bag) for bag in bags]).get_scores(["redis"]), atol=1e-9)
    assert scores[0] > 0


def test_the_only_token_of_the_only_chunk_scores_below_zero_as_in_rank_bm25() -> None:
    scores = postings_of([{"redis": 1}]).score({"redis": 1.0})
    np.testing.assert_allclose(scores, BM25Okapi([["redis"]]).get_scores(["redis"]), atol=1e-9)
    assert (scores < 0).all()


@given(QUESTIONS)
def test_an_empty_corpus_scores_nothing(question: list[str]) -> None:
    assert postings_of([]).score(counted(question)).tolist() == []


@given(COUNTED_BAGS, QUESTIONS)
def test_a_repeated_token_of_the_question_counts_each_time(bags: list[Bag], question: list[str]) -> None:
    postings = postings_of(bags)
    np.testing.assert_allclose(postings.score(counted(question * 2)), 2 * postings.score(counted(question)), atol=1e-9)


@given(COUNTED_BAGS, QUESTIONS)
def test_a_chunk_is_touched_exactly_if_it_shares_a_token(bags: list[Bag], question: list[str]) -> None:
    shared = [any(token in bag for token in question) for bag in bags]
    assert postings_of(bags).touched(question).tolist() == shared


@given(WEIGHTED_BAGS, QUESTIONS)
def test_the_shares_of_the_tokens_add_up_to_the_score(bags: list[Bag], question: list[str]) -> None:
    postings, rows = postings_of(bags), np.arange(len(bags))
    total = sum(
        (postings.saturation(token, rows) * (postings.idf_of(token) or 0) for token in question), np.zeros(len(bags))
    )
    np.testing.assert_allclose(total, postings.score(counted(question)), atol=1e-9)


@given(WEIGHTED_BAGS, st.data())
def test_taken_bags_are_what_a_rebuild_from_them_would_be(bags: list[Bag], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(bags) - 1), max_size=15) if bags else st.just([]))
    assert as_lists(Bags.from_bags(bags).take(rows)) == as_lists(Bags.from_bags([bags[row] for row in rows]))


@given(WEIGHTED_BAGS, WEIGHTED_BAGS)
def test_joined_bags_are_what_a_rebuild_of_both_would_be(first: list[Bag], second: list[Bag]) -> None:
    joined = Bags.from_bags(first).joined(Bags.from_bags(second))
    assert as_lists(joined) == as_lists(Bags.from_bags([*first, *second]))


@given(WEIGHTED_BAGS, QUESTIONS)
def test_postings_score_the_same_after_they_were_saved(bags: list[Bag], question: list[str]) -> None:
    postings = postings_of(bags)
    with TemporaryDirectory() as folder:
        postings.save(Path(folder))
        opened = Postings.open(Path(folder), len(bags))
        np.testing.assert_array_equal(opened.score(counted(question)), postings.score(counted(question)))


@given(COUNTED_BAGS, st.permutations(range(6)))
def test_the_order_of_the_chunks_does_not_change_their_scores(bags: list[Bag], order: list[int]) -> None:
    order = [row for row in order if row < len(bags)] + list(range(6, len(bags)))
    question = dict.fromkeys("abc", 1.0)
    shuffled = postings_of([bags[row] for row in order])
    np.testing.assert_allclose(shuffled.score(question), postings_of(bags).score(question)[order], atol=1e-9)
