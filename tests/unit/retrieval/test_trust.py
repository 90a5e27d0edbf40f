"""How far a page can be trusted today."""

from datetime import date, timedelta
from typing import Any

import pytest

from oncall_tui.models import DocumentType
from oncall_tui.retrieval.trust import EXPIRED_PENALTY, Standing, penalty, standing
from tests.builders import make_chunk, make_metadata

TODAY = date(2026, 12, 1)


def today(**fields: Any) -> Standing:
    return standing(make_metadata(**fields), TODAY)


@pytest.mark.parametrize(
    ("fields", "freshness"),
    [
        ({}, "undated"),
        ({"last_updated": TODAY}, "current"),
        ({"last_updated": TODAY - timedelta(days=180)}, "current"),
        ({"last_updated": TODAY - timedelta(days=181)}, "ageing"),
        ({"last_updated": TODAY - timedelta(days=541)}, "old"),
        ({"last_updated": TODAY, "valid_to": TODAY - timedelta(days=1)}, "expired"),
        ({"last_updated": TODAY, "valid_to": TODAY}, "current"),
        ({"valid_from": TODAY + timedelta(days=1)}, "not yet valid"),
        ({"last_updated": TODAY, "category": "archive"}, "archived"),
        ({"tags": ("archived",), "valid_to": TODAY - timedelta(days=1)}, "archived"),
    ],
)
def test_a_page_is_as_fresh_as_its_dates_say(fields: dict[str, Any], freshness: str) -> None:
    assert today(**fields).freshness == freshness


@pytest.mark.parametrize(
    ("freshness", "is_out"), [("current", False), ("old", False), ("expired", True), ("archived", True)]
)
def test_a_page_that_should_not_be_followed_is_out(freshness: str, is_out: bool) -> None:  # noqa: FBT001
    assert Standing(1.0, freshness).is_out is is_out


def test_a_reviewed_and_current_page_is_trusted_wholly() -> None:
    assert today(trust=5, last_updated=TODAY).trust == 1


def test_trust_falls_with_the_level_and_with_age_and_most_with_expiry() -> None:
    current, old = today(trust=4, last_updated=TODAY), today(trust=4, last_updated=date(2020, 1, 1))
    expired = today(trust=4, valid_to=date(2020, 1, 1))
    assert 1 > current.trust > old.trust > expired.trust > 0


def test_an_expired_page_loses_a_part_of_its_score() -> None:
    assert penalty(make_chunk(valid_to=date(2020, 1, 1)), TODAY) == ("expired", EXPIRED_PENALTY)


def test_a_passage_that_only_points_elsewhere_loses_a_part_of_its_score() -> None:
    assert penalty(make_chunk("This page has been moved to the wiki."), TODAY)[0] == "points elsewhere"
    assert penalty(make_chunk("本页已迁移到新手册。"), TODAY)[0] == "points elsewhere"


def test_a_long_passage_that_mentions_a_move_is_no_pointer() -> None:
    assert penalty(make_chunk("The replica has been moved. " * 20), TODAY)[1] == 0


def test_a_page_of_instructions_loses_nothing() -> None:
    assert penalty(make_chunk(type=DocumentType.INSTRUCTION, last_updated=TODAY), TODAY)[1] == 0


def test_a_page_that_tells_what_happened_comes_after_one_that_tells_what_to_do() -> None:
    assert penalty(make_chunk(type=DocumentType.CASE_STUDY), TODAY)[1] > 0
