"""What holds for every fusion, whatever was found."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oncall_tui.models import Contribution
from oncall_tui.retrieval.fusion import FUSIONS, reciprocal_rank
from oncall_tui.retrieval.protocols import Candidate

_signals = st.dictionaries(st.sampled_from(["keyword", "vector"]), st.floats(0, 1), min_size=1)


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    """Rows that one or two lists found, with the rank that each has there."""
    rows = draw(st.lists(st.integers(0, 30), unique=True, min_size=1, max_size=12))
    lists = {name: draw(st.permutations(rows)) for name in ("keyword", "vector")}
    cut = {name: draw(st.integers(0, len(rows))) for name in lists}
    found = []
    for row in rows:
        ranks = {name: order.index(row) + 1 for name, order in lists.items() if order.index(row) < cut[name]}
        found.append(Candidate(row, ranks, draw(_signals), draw(st.booleans())))
    return found


def totals(fused: Sequence[tuple[Contribution, ...]]) -> list[float]:
    return [sum(part.value for part in parts) for parts in fused]


@pytest.mark.parametrize("name", FUSIONS)
@given(found=candidates())
def test_each_candidate_has_its_contributions_in_its_place(name: str, found: list[Candidate]) -> None:
    assert len(FUSIONS[name](found)) == len(found)


@pytest.mark.parametrize("name", FUSIONS)
@given(found=candidates(), data=st.data())
def test_the_order_in_which_candidates_come_changes_no_score(
    name: str, found: list[Candidate], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(found))
    scores = dict(zip([c.row for c in found], totals(FUSIONS[name](found)), strict=True))
    assert totals(FUSIONS[name](shuffled)) == pytest.approx([scores[c.row] for c in shuffled])


@given(found=candidates())
def test_the_order_in_which_lists_are_named_changes_no_reciprocal_rank(found: list[Candidate]) -> None:
    turned = [Candidate(c.row, dict(reversed(list(c.ranks.items()))), c.signals) for c in found]
    assert reciprocal_rank(turned) == reciprocal_rank(found)


@given(found=candidates())
def test_reciprocal_rank_is_the_sum_over_the_lists_that_found_a_row(found: list[Candidate]) -> None:
    expected = [sum(1 / (60 + rank) for rank in candidate.ranks.values()) for candidate in found]
    assert totals(reciprocal_rank(found)) == pytest.approx(expected)


@given(found=candidates())
def test_a_list_that_did_not_find_a_row_gives_it_nothing(found: list[Candidate]) -> None:
    for candidate, parts in zip(found, reciprocal_rank(found), strict=True):
        assert {part.source for part in parts} == candidate.ranks.keys()


@given(found=candidates(), name=st.sampled_from(["keyword", "vector"]))
def test_a_list_of_weight_zero_might_as_well_not_be_there(found: list[Candidate], name: str) -> None:
    without = [Candidate(c.row, {key: rank for key, rank in c.ranks.items() if key != name}, c.signals) for c in found]
    assert totals(reciprocal_rank(found, weights={name: 0})) == totals(reciprocal_rank(without))


@given(found=candidates())
def test_a_row_that_every_list_ranks_higher_scores_higher(found: list[Candidate]) -> None:
    scores = totals(reciprocal_rank(found))
    for first, score in zip(found, scores, strict=True):
        for second, other in zip(found, scores, strict=True):
            if first.ranks.keys() == second.ranks.keys() and all(
                first.ranks[name] < second.ranks[name] for name in first.ranks
            ):
                assert score >= other


@pytest.mark.parametrize("name", ["share", "normalised"])
@given(found=candidates(), step=st.floats(0.01, 0.2))
def test_more_of_the_question_never_scores_less(name: str, found: list[Candidate], step: float) -> None:
    first = found[0]
    assume("keyword" in first.signals)
    better = Candidate(
        first.row,
        first.ranks,
        {**first.signals, "keyword": min(first.signals["keyword"] + step, 1)},
        first.is_same_language,
    )
    before, after = totals(FUSIONS[name](found)), totals(FUSIONS[name]([better, *found[1:]]))
    assert after[0] >= before[0] - 1e-9
