"""BM25 postings."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from oncall_tui.index.postings import Bag, Bags, Postings, term_hash

THREE: Sequence[Bag] = ({"redis": 2.0, "timeout": 1.0}, {}, {"redis": 1.0, "disk": 3.0})


def built(*bags: Bag) -> Postings:
    return Postings.build(Bags.from_bags(bags))


def reopened(postings: Postings, folder: Path) -> Postings:
    postings.save(folder)
    return Postings.open(folder, postings.size)


def test_a_term_has_the_same_key_in_every_process() -> None:
    assert term_hash("redis") == 0xD955011A021FDBF5


def test_rows_are_found_by_token_in_ascending_order() -> None:
    assert built(*THREE).rows_with("redis").tolist() == [0, 2]


def test_a_token_that_is_in_no_chunk_has_no_rows_and_no_idf() -> None:
    postings = built(*THREE)
    assert postings.find("kafka") is None
    assert postings.idf_of("kafka") is None
    assert postings.rows_with("kafka").tolist() == []


def test_a_rarer_token_has_a_higher_idf() -> None:
    postings = built({"redis": 1}, {"redis": 1, "disk": 1}, {}, {})
    assert (postings.idf_of("disk") or 0) > (postings.idf_of("redis") or 0)


def test_a_rarer_token_tells_more_and_an_unknown_one_most() -> None:
    postings = built({"redis": 1}, {"redis": 1, "disk": 1})
    assert 0 < postings.information("redis") < postings.information("disk") < postings.information("kafka")


def test_only_chunks_that_hold_a_token_score() -> None:
    assert np.flatnonzero(built(*THREE).score({"timeout": 1.0})).tolist() == [0]


def test_a_heavier_token_of_the_question_counts_in_proportion() -> None:
    postings = built(*THREE)
    np.testing.assert_allclose(postings.score({"disk": 2.5}), 2.5 * postings.score({"disk": 1.0}))


def test_an_unknown_token_scores_nothing() -> None:
    assert built(*THREE).score({"kafka": 1.0}).tolist() == [0, 0, 0]


def test_a_chunk_is_touched_by_a_shared_token_even_if_it_scores_nothing() -> None:
    postings = built({"redis": 1}, {"redis": 1}, {"disk": 1})
    assert postings.touched(["redis", "kafka"]).tolist() == [True, True, False]


def test_the_share_of_a_token_in_a_score_is_its_idf_times_its_saturation() -> None:
    postings = built(*THREE)
    rows = np.arange(3)
    np.testing.assert_allclose(
        postings.saturation("redis", rows) * (postings.idf_of("redis") or 0), postings.score({"redis": 1.0})
    )


def test_a_token_that_a_chunk_does_not_hold_has_no_saturation_there() -> None:
    postings = built(*THREE)
    assert postings.saturation("disk", np.array([2, 0])).tolist()[1] == 0
    assert postings.saturation("kafka", np.array([0, 1])).tolist() == [0, 0]


@pytest.mark.parametrize("bags", [[], [{}, {}]])
def test_a_corpus_without_words_scores_nothing(bags: list[Bag]) -> None:
    postings = built(*bags)
    assert postings.score({"redis": 1.0}).tolist() == [0.0] * len(bags)
    assert postings.touched(["redis"]).tolist() == [False] * len(bags)


def test_saved_postings_score_as_before(tmp_path: Path) -> None:
    postings = built(*THREE)
    question = {"redis": 1.0, "disk": 0.5}
    np.testing.assert_array_equal(reopened(postings, tmp_path).score(question), postings.score(question))


def test_postings_are_mapped_not_read(tmp_path: Path) -> None:
    assert isinstance(reopened(built(*THREE), tmp_path).saturations.base, np.memmap)


def test_an_empty_corpus_can_be_saved_and_opened(tmp_path: Path) -> None:
    postings = reopened(built(), tmp_path)
    assert postings.find("redis") is None
    assert len(postings.score({"redis": 1.0})) == 0


def test_saved_bags_are_the_same_bags(tmp_path: Path) -> None:
    bags = Bags.from_bags(THREE)
    bags.save(tmp_path)
    opened = Bags.open(tmp_path)
    assert [getattr(opened, name).tolist() for name in ("starts", "terms", "weights")] == [
        getattr(bags, name).tolist() for name in ("starts", "terms", "weights")
    ]


def test_bags_know_how_many_chunks_they_hold() -> None:
    assert len(Bags.from_bags(THREE)) == 3
    assert len(Bags.from_bags([])) == 0
