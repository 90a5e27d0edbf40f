"""BM25 over the postings."""

from collections.abc import Mapping

import numpy as np
import pytest

from oncall_tui.index.postings import Bag, Bags, Postings
from oncall_tui.retrieval.keyword import KeywordRetriever
from oncall_tui.retrieval.protocols import top_rows
from oncall_tui.retrieval.question import Question

BAGS: tuple[Bag, ...] = (
    {"redis": 3.0, "timeout": 1.0},
    {"redis": 1.0, "memory": 1.0},
    {"mysql": 3.0, "timeout": 1.0},
    {"kafka": 2.0},
    {"nginx": 2.0},
)


def retriever(bags: tuple[Bag, ...] = BAGS, documents: tuple[int, ...] = (0, 0, 1, 2, 3)) -> KeywordRetriever:
    return KeywordRetriever(Postings.build(Bags.from_bags(bags)), np.array(documents, dtype=np.int32))


def question(**tokens: float) -> Question:
    return Question(" ".join(tokens), tokens)


def test_the_row_with_most_of_the_question_comes_first() -> None:
    assert retriever().retrieve(question(redis=1, timeout=1), 5, None).rows[0] == 0


def test_a_row_that_shares_no_word_is_not_found() -> None:
    assert retriever().retrieve(question(redis=1, timeout=1), 5, None).rows.tolist() == [0, 1, 2]


def test_a_list_is_no_longer_than_was_asked() -> None:
    assert len(retriever().retrieve(question(redis=1, timeout=1), 2, None).rows) == 2


def test_rows_that_are_not_allowed_make_room_for_others() -> None:
    allowed = np.array([False, True, True, True, True])
    assert retriever().retrieve(question(redis=1, timeout=1), 2, allowed).rows.tolist() == [1, 2]


def test_a_filter_changes_no_score() -> None:
    free = retriever().retrieve(question(redis=1, timeout=1), 5, None)
    held = retriever().retrieve(question(redis=1, timeout=1), 5, np.array([False, True, True, True, True]))
    scores = dict(zip(free.rows.tolist(), free.scores.tolist(), strict=True))
    assert [scores[row] for row in held.rows.tolist()] == held.scores.tolist()


def test_a_question_of_unknown_words_finds_nothing() -> None:
    assert retriever().retrieve(question(quantum=1), 5, None).rows.tolist() == []


def test_an_index_without_passages_finds_nothing() -> None:
    assert retriever((), ()).retrieve(question(redis=1), 5, None).rows.tolist() == []


def keyword_signals(tokens: Mapping[str, float]) -> list[float]:
    found = retriever().retrieve(question(**tokens), 5, None)
    return [float(share) for share in found.signals(np.arange(5))["keyword"]]


def test_the_share_of_a_question_lies_between_nothing_and_all() -> None:
    shares = keyword_signals({"redis": 1, "timeout": 1})
    assert all(0 <= share <= 1 for share in shares)
    assert shares[3:] == [0, 0]


def test_words_that_no_passage_holds_count_as_missed() -> None:
    assert keyword_signals({"redis": 1, "quantum": 1})[0] < keyword_signals({"redis": 1})[0]


def test_a_page_reaches_at_least_what_its_best_passage_reaches() -> None:
    found = retriever().retrieve(question(redis=1, memory=1), 5, None)
    signals = found.signals(np.arange(5))
    assert (signals["page"] >= signals["keyword"] - 1e-12).all()
    assert signals["page"][0] == signals["page"][1]


def test_matched_words_are_those_that_stand_in_the_row() -> None:
    assert retriever().matched(question(redis=1, kafka=1, quantum=1), 0) == ("redis",)


def test_coverage_is_all_if_all_is_matched_and_nothing_if_nothing_is() -> None:
    asked = question(redis=1, timeout=1)
    assert retriever().coverage(asked, ("redis", "timeout")) == pytest.approx(1)
    assert retriever().coverage(asked, ()) == 0


def test_a_rare_word_covers_more_than_a_common_one() -> None:
    asked = question(redis=1, memory=1)
    assert retriever().coverage(asked, ("memory",)) > retriever().coverage(asked, ("redis",))


def test_rows_with_all_words_hold_every_one_of_them() -> None:
    assert retriever().rows_with_all(["redis", "timeout"]) == {0}
    assert retriever().rows_with_all([]) == frozenset()


def test_a_word_is_as_frequent_as_the_passages_that_hold_it() -> None:
    assert [retriever().frequency(word) for word in ("redis", "kafka", "quantum")] == [2, 1, 0]


def test_top_rows_come_best_first_and_ties_by_row() -> None:
    assert top_rows(np.array([1.0, 3.0, 3.0, 2.0]), 3, None).tolist() == [1, 2, 3]


def test_ties_at_the_cut_are_decided_by_row() -> None:
    assert top_rows(np.array([1.0, 1.0, 1.0, 1.0]), 2, None).tolist() == [0, 1]


def test_what_was_not_found_is_never_among_the_top_rows() -> None:
    assert top_rows(np.array([-np.inf, 0.5, -np.inf]), 3, None).tolist() == [1]
    assert top_rows(np.array([0.7, 0.5]), 3, np.array([False, True])).tolist() == [1]
