"""Filters on what a document is."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from oncall_tui.errors import ConfigError
from oncall_tui.models import DocumentType, Filters, Metadata
from oncall_tui.retrieval.filters import FilterValues, matches, merge, parse_pairs
from tests.builders import make_metadata

TODAY = date(2026, 12, 1)
VALUES = FilterValues(frozenset({"redis", "mysql"}), frozenset({"infra"}), frozenset({"cache"}))


@dataclass
class Page:
    path: str = "db/redis.md"
    metadata: Metadata = field(default_factory=lambda: page().metadata)


def page(path: str = "db/redis.md", **fields: Any) -> Page:
    values: dict[str, Any] = {"service": "Redis", "owner": "Infra", "trust": 3, "tags": ("Cache",), **fields}
    return Page(path, make_metadata(**values))


def passes(filters: Filters, **fields: Any) -> bool:
    return matches(page(**fields), filters, TODAY)


def test_without_filters_everything_passes() -> None:
    assert passes(Filters())


@pytest.mark.parametrize(
    "filters",
    [
        Filters(service=("redis",)),
        Filters(service=("mysql", "redis")),
        Filters(owner=("infra",)),
        Filters(tag=("cache",)),
        Filters(type=("instruction",)),
        Filters(path=("db/",)),
        Filters(path=("*.md",)),
        Filters(path=("mysql", "db/redis.md")),
        Filters(min_trust=3),
        Filters(service=("redis",), tag=("cache",), min_trust=2),
    ],
)
def test_a_page_that_is_what_was_asked_for_passes(filters: Filters) -> None:
    assert passes(filters)


@pytest.mark.parametrize(
    "filters",
    [
        Filters(service=("mysql",)),
        Filters(service=("red",)),
        Filters(owner=("dba",)),
        Filters(tag=("disk",)),
        Filters(type=("policy",)),
        Filters(path=("zh/",)),
        Filters(path=("*.txt",)),
        Filters(min_trust=4),
        Filters(service=("redis",), tag=("disk",)),
    ],
)
def test_a_page_that_is_something_else_does_not_pass(filters: Filters) -> None:
    assert not passes(filters)


@pytest.mark.parametrize(
    ("fields", "is_valid"),
    [
        ({}, True),
        ({"valid_to": TODAY}, True),
        ({"valid_to": date(2026, 11, 30)}, False),
        ({"valid_from": TODAY}, True),
        ({"valid_from": date(2026, 12, 2)}, False),
    ],
)
def test_only_pages_that_hold_today_pass_when_that_is_asked(fields: dict[str, date], is_valid: bool) -> None:  # noqa: FBT001
    assert passes(Filters(is_valid=True), **fields) is is_valid
    assert passes(Filters(), **fields)


def test_pairs_become_filters() -> None:
    pairs = [("service", "Redis"), ("service", "mysql"), ("type", "case-study"), ("trust", "4"), ("valid", "today")]
    assert parse_pairs(pairs, VALUES) == Filters(
        service=("redis", "mysql"), type=("case study",), min_trust=4, is_valid=True
    )


def test_of_two_trust_levels_the_higher_counts() -> None:
    assert parse_pairs([("trust", "2"), ("trust", "4")], VALUES).min_trust == 4


def test_a_path_is_taken_as_it_is_written() -> None:
    assert parse_pairs([("path", "DB/Redis.md")], VALUES).path == ("DB/Redis.md",)


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("servce", "redis", "Did you mean 'service'?"),
        ("zzz", "redis", "There are: service, type, owner, tag, path, trust, valid."),
        ("service", "redsi", "Did you mean 'redis'?"),
        ("service", "qqqqq", "There are: mysql, redis."),
        ("owner", "infr", "Did you mean 'infra'?"),
        ("tag", "cahce", "Did you mean 'cache'?"),
        ("type", "polcy", "Did you mean 'policy'?"),
        ("trust", "9", "There are: 1, 2, 3, 4, 5."),
        ("valid", "never", "There are: 1, today, true, yes."),
    ],
)
def test_an_unknown_filter_or_value_names_the_nearest(name: str, value: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_pairs([(name, value)], VALUES)
    assert caught.value.hint == hint
    assert caught.value.exit_code == 2


def test_where_no_page_has_a_tag_the_hint_says_so() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_pairs([("tag", "cache")], FilterValues())
    assert caught.value.hint == "There are: none."


def test_the_values_of_an_index_are_those_of_its_pages() -> None:
    values = FilterValues.of([page(), page(service="", owner="", tags=())])
    expected = FilterValues(frozenset({"redis"}), frozenset({"infra"}), frozenset({"cache"}), frozenset({page().path}))
    assert values == expected


def test_every_type_of_page_can_be_asked_for() -> None:
    assert all(VALUES.knows("type", kind.value.replace(" ", "_").upper()) for kind in DocumentType)


def test_merged_filters_must_both_hold_and_of_one_kind_any_will_do() -> None:
    merged = merge(Filters(service=("redis",), min_trust=2), Filters(service=("mysql",), tag=("cache",), min_trust=4))
    assert merged == Filters(service=("redis", "mysql"), tag=("cache",), min_trust=4)
