"""The values that cross the layers."""

from dataclasses import FrozenInstanceError
from datetime import date

import pytest

from oncall_tui.models import (
    Answer,
    Citation,
    Filters,
    Grounding,
    Hit,
    IndexStatus,
    LineSpan,
    Ranking,
    Section,
    Statement,
)
from tests.builders import make_chunk, make_document, make_evidence, make_metadata, make_passage


@pytest.mark.parametrize(("start", "stop"), [(3, 3), (4, 3), (-1, 2)])
def test_a_span_without_lines_is_refused(start: int, stop: int) -> None:
    with pytest.raises(ValueError, match="not a line span"):
        LineSpan(start, stop)


def test_a_span_is_shown_counted_from_one_with_its_last_line() -> None:
    assert str(LineSpan(9, 18)) == "L10-L18"


def test_a_span_of_one_line_is_shown_as_one_number() -> None:
    assert str(LineSpan(9, 10)) == "L10"


def test_spans_are_ordered_by_where_they_start() -> None:
    assert sorted([LineSpan(4, 5), LineSpan(0, 9), LineSpan(0, 2)]) == [LineSpan(0, 2), LineSpan(0, 9), LineSpan(4, 5)]


def test_a_value_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        LineSpan(0, 1).start = 5  # type: ignore[misc]


def test_a_document_has_the_lines_that_an_editor_shows() -> None:
    assert make_document("one\n\nthree").lines == ["one", "", "three"]


def test_a_citation_names_the_document_and_the_chunk() -> None:
    assert make_chunk(path="db/redis.md", index=2).citation == "db/redis#db/redis:2"


def test_a_location_names_the_file_and_the_lines() -> None:
    assert make_chunk(path="db/redis.md", span=LineSpan(9, 18)).location == "db/redis.md:L10-L18"


def test_a_page_without_dates_is_valid_on_any_day() -> None:
    assert make_metadata().is_valid_on(date(2026, 11, 30))


@pytest.mark.parametrize(("day", "is_valid"), [(1, False), (2, True), (3, True), (4, True), (5, False)])
def test_a_page_is_valid_from_its_first_day_to_its_last(day: int, *, is_valid: bool) -> None:
    metadata = make_metadata(valid_from=date(2026, 11, 2), valid_to=date(2026, 11, 4))
    assert metadata.is_valid_on(date(2026, 11, day)) is is_valid


def test_ranks_are_counted_from_one() -> None:
    ranking = Ranking("keyword", (Hit("a:0", 2.5), Hit("b:0", 1.5)))
    assert ranking.ranks() == {"a:0": 1, "b:0": 2}


def test_scores_are_found_by_chunk() -> None:
    assert Ranking("keyword", (Hit("a:0", 2.5),)).scores() == {"a:0": 2.5}


def test_filters_are_empty_until_one_is_set() -> None:
    assert Filters().is_empty
    assert not Filters(min_trust=3).is_empty


def test_a_passage_is_found_by_its_label() -> None:
    first, second = make_passage(1), make_passage(2)
    assert make_evidence(passages=(first, second)).find(2) is second


def test_a_label_that_nothing_has_finds_nothing() -> None:
    assert make_evidence(passages=(make_passage(1),)).find(9) is None


def test_an_answer_lists_each_citation_once_in_order_of_use() -> None:
    one = Citation(1, "redis#redis:0", "redis.md", LineSpan(0, 2))
    two = Citation(2, "kafka#kafka:0", "kafka.md", LineSpan(4, 5))
    answer = Answer(
        question="timeouts",
        headline="",
        statements=(Statement(Section.STEPS, "Drain.", (two,)), Statement(Section.VERIFY, "Look.", (one, two))),
        grounding=Grounding.FULL,
        provider="extractive",
        evidence=make_evidence(),
    )
    assert answer.citations == (two, one)


def test_an_index_that_was_never_built_does_not_exist() -> None:
    assert not IndexStatus().exists
    assert IndexStatus(built_at="2026-11-30T08:00:00Z").exists
