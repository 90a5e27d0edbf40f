"""Retrieval metrics, against values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncall_tui.evaluation.metrics import mean, mean_reciprocal_rank, ndcg, percentile, recall

RANKS = [1, 3, None, 2, 12]


@pytest.mark.parametrize(("cutoff", "share"), [(1, 0.2), (2, 0.4), (3, 0.6), (10, 0.6), (12, 0.8)])
def test_recall_is_the_share_of_questions_with_a_right_page_among_the_first(cutoff: int, share: float) -> None:
    assert recall(RANKS, cutoff) == pytest.approx(share)


def test_reciprocal_rank_is_nothing_where_nothing_was_found() -> None:
    assert mean_reciprocal_rank(RANKS) == pytest.approx((1 + 1 / 3 + 0 + 1 / 2 + 1 / 12) / 5)


def test_a_perfect_ranking_has_all_of_the_gain() -> None:
    assert ndcg([True, True, False], relevant=2) == 1


def test_a_right_page_in_second_place_has_less_gain() -> None:
    assert ndcg([False, True], relevant=1) == pytest.approx(1 / math.log2(3))


def test_right_pages_that_were_not_found_count() -> None:
    assert ndcg([True], relevant=2) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_what_stands_behind_the_cutoff_gains_nothing() -> None:
    assert ndcg([False] * 10 + [True], relevant=1) == 0
    assert ndcg([False, True], relevant=1, cutoff=1) == 0


def test_without_a_right_page_there_is_no_gain() -> None:
    assert ndcg([False], relevant=0) == 0


@pytest.mark.parametrize(("share", "value"), [(0.0, 1.0), (0.5, 2.0), (0.95, 4.0), (1.0, 4.0), (0.25, 1.0)])
def test_a_percentile_is_the_nearest_rank(share: float, value: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == value


def test_of_nothing_every_figure_is_zero() -> None:
    assert (recall([], 1), mean_reciprocal_rank([]), percentile([], 0.5), mean([])) == (0, 0, 0, 0)


_ranks = st.lists(st.none() | st.integers(1, 30), min_size=1)


@given(_ranks)
def test_no_figure_leaves_its_range(ranks: list[int | None]) -> None:
    assert 0 <= recall(ranks, 1) <= mean_reciprocal_rank(ranks) + 1e-9 <= 1 + 1e-9
    assert recall(ranks, 1) <= recall(ranks, 5) <= recall(ranks, 30)


@given(st.lists(st.booleans(), max_size=20))
def test_moving_a_right_page_up_never_lowers_the_gain(found: list[bool]) -> None:
    relevant = sum(found)
    assert ndcg(sorted(found, reverse=True), relevant) >= ndcg(found, relevant)
    assert 0 <= ndcg(found, relevant) <= 1 + 1e-9
