"""Front matter, the manifest, and the rules for the rest."""

import json
from datetime import date
from typing import Any

import pytest

from oncall_tui.corpus.metadata import (
    FrontMatterError,
    derive,
    id_from,
    parse_manifest,
    split_front_matter,
)
from oncall_tui.errors import ConfigError
from oncall_tui.models import DocumentType, Metadata


def fields(*lines: str) -> dict[str, object]:
    return dict(split_front_matter("\n".join(("---", *lines, "---", "body")))[0])


def manifest(entry: dict[str, Any], path: str = "redis.md") -> dict[str, object]:
    return dict(parse_manifest(json.dumps({path: entry}).encode())[path])


def metadata_of(path: str, heading: str = "") -> Metadata:
    return derive(path, heading, {})[1]


def test_front_matter_sets_fields_and_the_body_starts_below_it() -> None:
    assert split_front_matter("---\ntitle: Redis\nowner: infra\n---\n# Body") == (
        {"title": "Redis", "owner": "infra"},
        4,
    )


def test_front_matter_may_end_in_three_dots() -> None:
    assert split_front_matter("---\ntitle: Redis\n...\nbody") == ({"title": "Redis"}, 3)


def test_front_matter_that_sets_nothing_is_skipped() -> None:
    assert split_front_matter("---\n---\nbody") == ({}, 2)


@pytest.mark.parametrize(
    "text", ["", "# Redis", "text\n---\ntitle: x\n---", " ---\ntitle: x\n---", "----\ntitle: x\n---"]
)
def test_a_page_that_does_not_open_with_three_dashes_has_no_front_matter(text: str) -> None:
    assert split_front_matter(text) == ({}, 0)


def test_three_dashes_that_are_never_closed_are_a_line_of_the_page() -> None:
    assert split_front_matter("---\n" + "text\n" * 500) == ({}, 0)


def test_keys_of_other_tools_are_left_alone() -> None:
    assert fields("layout: post", "title: Redis") == {"title": "Redis"}


@pytest.mark.parametrize(
    "line", ["trust: 9", "trust: 0", "trust: high", "trust: true", "trust: 2.5", "type: poem", "owner: {a: b}"]
)
def test_a_value_that_makes_no_sense_in_front_matter_is_left_alone(line: str) -> None:
    assert fields(line) == {}


@pytest.mark.parametrize("value", ["", "~", "null"])
def test_an_empty_value_in_front_matter_counts_as_not_written(value: str) -> None:
    assert fields(f"owner: {value}", f"tags: {value}") == {}


@pytest.mark.parametrize("version", ["3.10", "1.0", "010", "1_000", "0x1F", "12:30", "2026-11-30", "no", "1e3"])
def test_a_version_stays_as_it_is_written(version: str) -> None:
    assert fields(f"version: {version}") == {"version": version}


@pytest.mark.parametrize("line", ["trust: 4", "trust: '4'"])
def test_trust_is_a_number_from_one_to_five(line: str) -> None:
    assert fields(line) == {"trust": 4}


@pytest.mark.parametrize("written", ["case study", "case_study", "Case-Study"])
def test_a_type_is_known_by_its_words(written: str) -> None:
    assert fields(f"type: {written}") == {"type": DocumentType.CASE_STUDY}


@pytest.mark.parametrize("line", ["tags: [redis, cache]", "tags: redis, cache", "tags:\n  - redis\n  - cache"])
def test_tags_are_a_list_or_a_line_with_commas(line: str) -> None:
    assert fields(line) == {"tags": ("redis", "cache")}


@pytest.mark.parametrize("written", ["2026-11-30", "'2026-11-30'", "2026-11-30T08:00:00Z", "2026-11-30 08:00"])
def test_a_date_may_carry_a_time(written: str) -> None:
    assert fields(f"last_updated: {written}") == {"last_updated": date(2026, 11, 30)}


def test_a_day_that_does_not_exist_is_left_alone_and_the_rest_is_read() -> None:
    assert fields("valid_from: 2026-02-31", "owner: infra") == {"owner": "infra"}


@pytest.mark.parametrize("line", ["- a list", "just words", "title: Redis: timeouts", "title: [", "'"])
def test_front_matter_that_is_no_mapping_is_an_error_that_says_where_it_ends(line: str) -> None:
    with pytest.raises(FrontMatterError) as caught:
        fields(line)
    assert caught.value.stop == 3


def test_a_manifest_sets_fields_by_path() -> None:
    assert manifest({"doc_id": "redis", "trust": 5, "tags": ["a", "b"], "valid_from": "2026-01-02"}) == {
        "doc_id": "redis",
        "trust": 5,
        "tags": ("a", "b"),
        "valid_from": date(2026, 1, 2),
    }


def test_an_empty_value_in_the_manifest_sets_nothing() -> None:
    assert manifest({"owner": "", "version": None}) == {}


def test_an_unknown_key_in_the_manifest_is_an_error_with_the_nearest_key() -> None:
    with pytest.raises(ConfigError, match=r"unknown key 'sevice' for redis\.md") as caught:
        manifest({"sevice": "redis"})
    assert caught.value.hint == "Did you mean 'service'?"


def test_a_key_like_no_other_is_an_error_with_all_keys() -> None:
    with pytest.raises(ConfigError) as caught:
        manifest({"zzz": 1})
    assert caught.value.hint.startswith("Known keys: doc_id, title")


@pytest.mark.parametrize(
    ("entry", "hint"),
    [
        ({"trust": 7}, "Trust is a whole number from 1 to 5."),
        ({"trust": True}, "Trust is a whole number from 1 to 5."),
        ({"type": "poem"}, "Types are: instruction"),
        ({"valid_to": "tomorrow"}, "Dates are written 2026-11-30."),
        ({"owner": {"name": "infra"}}, "A line of text is expected."),
    ],
)
def test_a_senseless_value_in_the_manifest_is_an_error_that_says_what_is_expected(
    entry: dict[str, Any], hint: str
) -> None:
    with pytest.raises(ConfigError, match="makes no sense") as caught:
        manifest(entry)
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"redis.md": []}', b"{", b"\xff", b"null"])
def test_a_manifest_that_is_no_mapping_is_an_error_with_an_example(data: bytes) -> None:
    with pytest.raises(ConfigError, match=r"manifest\.json cannot be used") as caught:
        parse_manifest(data)
    assert '{"redis.md"' in caught.value.hint


@pytest.mark.parametrize("written", ["db/redis.md", "./db/redis.md", "db//redis.md", "db\\redis.md"])
def test_a_path_in_the_manifest_may_be_written_in_several_ways(written: str) -> None:
    assert list(parse_manifest(json.dumps({written: {}}).encode())) == ["db/redis.md"]


def test_the_title_is_the_first_heading() -> None:
    assert metadata_of("redis.md", "Redis timeouts").title == "Redis timeouts"


def test_without_a_heading_the_title_is_the_file_name_in_words() -> None:
    assert metadata_of("db/redis-slow_log.md").title == "redis slow log"


def test_the_service_is_the_nearest_folder_that_says_something() -> None:
    assert metadata_of("Kafka/runbooks/en/lag.md").service == "kafka"


def test_without_a_telling_folder_the_service_is_the_file_name_if_the_title_says_it() -> None:
    assert metadata_of("redis.md", "Redis timeouts").service == "redis"
    assert metadata_of("how-to-wake-people.md", "Escalation").service == ""


@pytest.mark.parametrize(
    ("path", "heading", "kind"),
    [
        ("postmortems/2026-03.md", "", DocumentType.CASE_STUDY),
        ("a.md", "支付故障报告", DocumentType.CASE_STUDY),
        ("a.md", "Password policy", DocumentType.POLICY),
        ("changelog.md", "", DocumentType.CHANGELOG),
        ("a.md", "API reference of the gateway", DocumentType.API_SPEC),
        ("redis.md", "Redis timeouts", DocumentType.INSTRUCTION),
    ],
)
def test_the_type_is_told_by_words_in_path_or_title(path: str, heading: str, kind: DocumentType) -> None:
    assert metadata_of(path, heading).type is kind


def test_what_a_rule_filled_in_is_marked_as_derived() -> None:
    _, metadata = derive("db/redis.md", "Redis", {"service": "cache", "owner": "infra"})
    assert metadata.derived == ("doc_id", "title", "type", "trust")


def test_what_was_written_down_is_not_marked_as_derived() -> None:
    written = {"doc_id": "r", "title": "Redis", "service": "redis", "type": DocumentType.POLICY, "trust": 5}
    assert derive("redis.md", "", written)[1].derived == ()


def test_a_guess_that_found_nothing_is_not_marked_as_derived() -> None:
    assert "service" not in metadata_of("notes.md", "Escalation").derived


def test_a_document_id_that_is_written_down_is_used() -> None:
    assert derive("db/redis.md", "", {"doc_id": "cache"})[0] == "cache"


@pytest.mark.parametrize(
    ("path", "document_id"),
    [
        ("redis.md", "redis"),
        ("db/redis.v2.md", "db/redis.v2"),
        ("on call/a#b:c.md", "on_call/a_b_c"),
        ("手册.md", "手册"),
    ],
)
def test_a_document_id_is_the_path_without_its_ending(path: str, document_id: str) -> None:
    assert id_from(path) == document_id
