"""The decision that nothing answers a question."""

from collections.abc import Mapping

import pytest

from oncall_tui.retrieval import abstention
from oncall_tui.retrieval.abstention import is_answered
from oncall_tui.retrieval.protocols import Candidate


def answered(*signals: Mapping[str, float], is_same_language: bool = True) -> bool:
    return is_answered([Candidate(row, {}, found, is_same_language) for row, found in enumerate(signals)])


def test_where_nothing_was_found_nothing_is_answered() -> None:
    assert not answered()


@pytest.mark.parametrize(
    ("signals", "limit"),
    [("keyword", abstention.KEYWORD_ONLY_SHARE), ("vector", abstention.VECTOR_ONLY_COSINE)],
)
def test_a_single_list_answers_from_its_limit_on(signals: str, limit: float) -> None:
    assert answered({signals: limit})
    assert not answered({signals: limit - 0.01})


def test_words_and_nearness_together_answer() -> None:
    assert answered({"keyword": 0.6, "vector": 0.5})


def test_little_of_both_does_not_answer() -> None:
    assert not answered({"keyword": 0.02, "vector": 0.1})


def test_one_passage_that_fits_is_enough() -> None:
    assert answered({"keyword": 0.0, "vector": 0.0}, {"keyword": 0.6, "vector": 0.5})


def test_a_near_passage_in_another_language_answers_where_words_cannot() -> None:
    far, near = {"keyword": 0.0, "vector": 0.2}, {"keyword": 0.0, "vector": 0.7}
    assert answered(near, is_same_language=False)
    assert not answered(far, is_same_language=False)


def test_more_evidence_never_turns_an_answer_into_none() -> None:
    steps = [step / 20 for step in range(21)]
    for vector in steps:
        decisions = [answered({"keyword": keyword, "vector": vector}) for keyword in steps]
        assert decisions == sorted(decisions)
