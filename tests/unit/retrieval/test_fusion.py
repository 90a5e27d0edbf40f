"""Several rankings to one score."""

import pytest

from oncall_tui.retrieval.fusion import FUSIONS, normalised, reciprocal_rank, share
from oncall_tui.retrieval.protocols import Candidate


def total(candidate: Candidate) -> float:
    return sum(part.value for part in share([candidate])[0])


def test_reciprocal_rank_adds_one_over_sixty_and_the_rank() -> None:
    (parts,) = reciprocal_rank([Candidate(0, {"keyword": 1, "vector": 3})])
    assert [(part.source, part.value) for part in parts] == [("keyword", 1 / 61), ("vector", 1 / 63)]
    assert parts[0].detail == "1 / (60 + 1)"


def test_reciprocal_rank_weighs_lists() -> None:
    (parts,) = reciprocal_rank([Candidate(0, {"keyword": 1, "vector": 1})], weights={"keyword": 2})
    assert [part.value for part in parts] == [2 / 61, 1 / 61]


def test_reciprocal_rank_takes_another_constant() -> None:
    assert reciprocal_rank([Candidate(0, {"keyword": 1})], k=0)[0][0].value == 1


def test_normalised_scales_each_signal_over_the_candidates() -> None:
    best, worst = normalised([Candidate(0, {}, {"keyword": 0.9}), Candidate(1, {}, {"keyword": 0.1})])
    assert [best[0].value, worst[0].value] == pytest.approx([0.7, 0])


def test_normalised_does_not_fail_where_all_signals_are_equal() -> None:
    fused = normalised([Candidate(row, {}, {"keyword": 0.5, "vector": 0.5}) for row in range(2)])
    assert fused[0] == fused[1]


def test_a_share_with_more_of_the_question_scores_higher() -> None:
    assert total(Candidate(0, {}, {"keyword": 0.6})) > total(Candidate(0, {}, {"keyword": 0.5}))


def test_a_share_with_a_nearer_vector_scores_higher() -> None:
    assert total(Candidate(0, {}, {"keyword": 0.5, "vector": 0.6})) > total(
        Candidate(0, {}, {"keyword": 0.5, "vector": 0.5})
    )


def test_words_count_more_than_vectors() -> None:
    assert total(Candidate(0, {}, {"keyword": 0.5, "vector": 0.1})) > total(
        Candidate(0, {}, {"keyword": 0.1, "vector": 0.5})
    )


def test_a_passage_in_another_language_is_credited_for_what_its_words_cannot_match() -> None:
    signals = {"keyword": 0.0, "vector": 0.6}
    assert total(Candidate(0, {}, signals, is_same_language=False)) > total(Candidate(0, {}, signals))


def test_a_share_does_not_depend_on_the_other_candidates() -> None:
    one, other = Candidate(0, {}, {"keyword": 0.5, "vector": 0.3}), Candidate(1, {}, {"keyword": 0.9})
    assert share([one])[0] == share([other, one])[1]


@pytest.mark.parametrize("name", FUSIONS)
def test_nothing_found_is_nothing_fused(name: str) -> None:
    assert FUSIONS[name]([]) == []
