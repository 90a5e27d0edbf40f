"""rank_bm25 as the oracle of our keyword scores."""

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from oncall_tui.engine import Engine
from oncall_tui.index.postings import Bag, Bags, Postings
from oncall_tui.retrieval.reference import TOLERANCE, largest_difference, reference_scores
from oncall_tui.retrieval.tokens import tokenize

DOCUMENTS = (["redis", "redis", "timeout"], ["redis", "memory"], ["kafka", "lag", "timeout"], ["nginx"], ["mysql"])


def as_bags(documents: tuple[list[str], ...]) -> Bags:
    return Bags.from_bags([{word: float(words.count(word)) for word in words} for words in documents])


def test_the_reference_is_rank_bm25_as_it_is_installed() -> None:
    question = ["redis", "timeout", "redis", "quantum"]
    np.testing.assert_allclose(
        reference_scores(as_bags(DOCUMENTS), question), BM25Okapi(DOCUMENTS).get_scores(question)
    )


def test_a_word_in_more_than_half_of_the_passages_scores_as_rank_bm25_has_it() -> None:
    documents = (["redis", "a"], ["redis", "b"], ["redis", "c"], ["d"])
    np.testing.assert_allclose(
        reference_scores(as_bags(documents), ["redis"]), BM25Okapi(documents).get_scores(["redis"])
    )
    assert largest_difference(Postings.build(as_bags(documents)), as_bags(documents), ["redis"]) <= TOLERANCE


def test_weighted_counts_score_the_same_in_both() -> None:
    weighted: tuple[Bag, ...] = ({"redis": 5.5, "a": 0.8}, {"redis": 1.0, "b": 2.0}, {"c": 3.0}, {"d": 1.0}, {"a": 1.0})
    bags = Bags.from_bags(weighted)
    assert largest_difference(Postings.build(bags), bags, ["redis", "a", "a", "z"]) <= TOLERANCE


def test_a_difference_is_seen() -> None:
    bags = as_bags(DOCUMENTS)
    assert largest_difference(Postings.build(bags, k1=2.0), bags, ["redis"]) > 0.01


def test_a_real_index_scores_as_rank_bm25_does(small_engine: Engine) -> None:
    snapshot = small_engine._open().snapshot
    for question in ("redis timeout", "磁盘 写满", "ERROR 1205 (HY000)", "the the the"):
        scores = reference_scores(snapshot.bags, tokenize(question))
        assert np.abs(scores).max() > 0
        assert largest_difference(snapshot.postings, snapshot.bags, tokenize(question)) <= TOLERANCE


@pytest.mark.parametrize("words", [[], ["quantum"]])
def test_a_question_that_matches_nothing_scores_nothing(words: list[str]) -> None:
    assert reference_scores(as_bags(DOCUMENTS), words).tolist() == [0] * 5
