"""``oncall search``."""

import pytest

from tests.cli.conftest import Run, assert_clear
from tests.pages import PAGES

PASSAGE_KEYS = [
    *("label", "citation", "document_id", "chunk_id", "source", "lines", "heading_path", "text", "score", "ranks"),
    *("metadata", "trust", "fresh", "stale", "coverage", "conflicts", "more_in_document", "also_in"),
]
METADATA_KEYS = [
    *("doc_id", "title", "service", "owner", "version", "source", "type", "trust", "category", "tags"),
    *("valid_from", "valid_to", "last_updated", "derived"),
]
QUESTION = "raise maxclients blocked_clients"


def test_the_json_has_the_documented_keys(over_pages: Run) -> None:
    found = over_pages("search", QUESTION, "--json").json
    assert list(found) == ["question", "mode", "degraded", "took_ms", "evidence", "nearest"]
    passage = found["evidence"][0]
    assert list(passage) == PASSAGE_KEYS
    assert list(passage["metadata"]) == METADATA_KEYS
    assert list(passage["ranks"]) == ["keyword", "vector"]


def test_the_json_says_where_the_passage_stands_and_what_it_says(over_pages: Run) -> None:
    passage = over_pages("search", QUESTION, "--json").json["evidence"][0]
    first, last = passage["lines"]
    lines = PAGES[passage["source"]].split("\n")[first - 1 : last]
    assert passage["text"] == "\n".join(lines)
    assert passage["citation"] == f"{passage['document_id']}#{passage['chunk_id']}"
    assert passage["metadata"]["source"] == passage["source"] == "redis.md"
    assert passage["label"] == 1


def test_explain_adds_the_arithmetic_of_each_score(over_pages: Run) -> None:
    passage = over_pages("search", QUESTION, "--json", "--explain").json["evidence"][0]
    assert list(passage) == [*PASSAGE_KEYS, "explanation"]
    assert list(passage["explanation"]) == ["contributions", "matched", "missed", "exact"]
    total = sum(part["value"] for part in passage["explanation"]["contributions"])
    assert total == pytest.approx(passage["score"], abs=1e-5)


def test_on_a_terminal_a_passage_has_label_title_place_and_citation(over_pages: Run) -> None:
    result = over_pages("search", QUESTION)
    assert result.status == 0
    assert result.out.startswith("[1] Redis timeouts › Fix\n    redis.md:L")
    assert "redis#redis:" in result.out
    assert result.err == ""


def test_explain_on_a_terminal_shows_summands_and_words(over_pages: Run) -> None:
    out = over_pages("search", QUESTION, "--explain").out
    assert "matched: raise" in out
    assert "missed: " in out
    assert " keyword: " in out


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "vector"])
def test_every_mode_finds_the_page_and_says_which_mode_it_was(over_pages: Run, mode: str) -> None:
    found = over_pages("search", QUESTION, "--mode", mode, "--json").json
    assert found["mode"] == mode
    assert found["evidence"][0]["source"] == "redis.md"
    assert (found["evidence"][0]["ranks"]["vector"] is None) is (mode == "keyword")


def test_words_of_a_question_need_no_quotes(over_pages: Run) -> None:
    assert over_pages("search", "raise", "maxclients", "--json").json["question"] == "raise maxclients"


def test_limit_cuts_the_list(over_pages: Run) -> None:
    assert len(over_pages("search", "redis", "--limit", "2", "--json").json["evidence"]) == 2


def test_a_chinese_question_finds_the_chinese_page(over_pages: Run) -> None:
    assert over_pages("search", "磁盘空间不足 怎么处理", "--json").json["evidence"][0]["source"] == "zh/disk.md"


def test_a_filter_keeps_the_scores_and_drops_the_rest(over_pages: Run) -> None:
    question = ("search", "the connection waits for a lock", "--limit", "50", "--json")
    free, held = over_pages(*question).json, over_pages(*question, "--filter", "service=mysql").json
    scores = {passage["chunk_id"]: passage["score"] for passage in free["evidence"]}
    assert {passage["metadata"]["service"] for passage in free["evidence"]} > {"mysql"}
    assert {passage["metadata"]["service"] for passage in held["evidence"]} == {"mysql"}
    assert all(scores[passage["chunk_id"]] == passage["score"] for passage in held["evidence"])


def test_several_values_of_a_filter_mean_any_of_them(over_pages: Run) -> None:
    filters = ("--filter", "service=mysql", "--filter", "service=redis")
    found = over_pages("search", "connection lock pool", "--mode", "keyword", *filters, "--json").json
    assert {passage["metadata"]["service"] for passage in found["evidence"]} == {"mysql", "redis"}


def test_a_filter_in_the_question_works_as_the_flag_does(over_pages: Run) -> None:
    typed = over_pages("search", "connection service:mysql", "--json").json
    flagged = over_pages("search", "connection", "--filter", "service=mysql", "--json").json
    assert typed["evidence"] == flagged["evidence"]
    assert typed["question"] == "connection"


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("servce=redis", ("no filter 'servce'", "Did you mean 'service'?")),
        ("service=redsi", ("No document has service 'redsi'", "Did you mean 'redis'?")),
        ("type=polcy", ("Did you mean 'policy'?",)),
        ("owner=zzz", ("There are: dba, infra, security.",)),
        ("service", ("name=value", "service=redis")),
        ("=redis", ("no filter ''",)),
    ],
)
def test_an_unknown_filter_or_value_is_told_with_the_nearest(
    over_pages: Run, pair: str, words: tuple[str, ...]
) -> None:
    assert_clear(over_pages("search", "redis", "--filter", pair), 2, *words)


@pytest.mark.parametrize("question", ["", "   ", "?", "service:redis"])
def test_an_empty_question_is_told_how_to_ask(over_pages: Run, question: str) -> None:
    assert_clear(over_pages("search", question), 2, "question is empty", "oncall search")


def test_a_search_without_a_question_is_a_usage_error(over_pages: Run) -> None:
    result = over_pages("search")
    assert (result.status, result.out) == (2, "")
    assert "Missing argument" in result.err


@pytest.mark.parametrize("option", [("--limit", "0"), ("--limit", "x"), ("--mode", "best"), ("--nonsense",)])
def test_a_wrong_option_is_a_usage_error(over_pages: Run, option: tuple[str, ...]) -> None:
    result = over_pages("search", "redis", *option)
    assert (result.status, result.out) == (2, "")
    assert "Error: " in result.err


def test_without_an_index_the_command_that_makes_one_is_named(run: Run, tmp_path: object) -> None:
    assert_clear(run("--data-dir", f"{tmp_path}/none", "search", "redis"), 3, "no index", "oncall index")


def test_what_no_runbook_covers_is_said_on_stderr_with_the_nearest_misses(over_pages: Run) -> None:
    result = over_pages("search", "quantum telescope launch pager")
    assert result.status == 4
    assert result.out == ""
    assert "No runbook covers this." in result.err
    assert "nearest miss: notes.txt:L" in result.err


def test_what_no_runbook_covers_is_json_too(over_pages: Run) -> None:
    result = over_pages("search", "quantum telescope launch pager", "--json")
    assert result.status == 4
    assert result.json["evidence"] == []
    assert result.json["nearest"]


def test_without_the_model_a_search_goes_on_by_words_and_says_so(
    over_pages: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.builders.FakeEmbedder.model", "other-2")
    result = over_pages("search", QUESTION, "--json")
    assert result.status == 0
    assert result.json["degraded"]
    assert "note: vectors: the index has those of fake-1" in result.err


def test_vectors_alone_cannot_be_asked_where_there_are_none(over_pages: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.builders.FakeEmbedder.model", "other-2")
    assert_clear(over_pages("search", QUESTION, "--mode", "vector"), 1, "Vector search is not possible")


def test_escape_codes_in_a_question_do_not_come_back(over_pages: Run) -> None:
    assert over_pages("search", "\x1b[31mraise maxclients", "--json").json["question"] == "raise maxclients"
