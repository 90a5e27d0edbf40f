"""``oncall eval``."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, assert_clear

QUESTIONS = (
    {"qid": "1", "query": "raise maxclients", "relevant": ["redis.md"], "heading": "Fix", "kind": "exact"},
    {"qid": "2", "query": "kafka consumer lag", "relevant": ["queues/kafka.md"], "kind": "name"},
    {"qid": "3", "query": "quantum telescope launch", "relevant": [], "kind": "none"},
)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, QUESTIONS)))
    return file


def test_the_json_has_the_documented_keys(over_pages: Run, questions: Path) -> None:
    result = over_pages("eval", questions, "--json")
    assert result.status == 0
    assert list(result.json) == ["kinds", "abstention", "latency_ms"]
    assert list(result.json["kinds"]) == ["exact", "name", "overall"]
    assert list(result.json["kinds"]["name"]) == ["n", "recall@1", "recall@3", "recall@5", "mrr", "ndcg@10"]
    assert list(result.json["latency_ms"]) == ["p50", "p95"]


def test_the_figures_are_those_of_the_search(over_pages: Run, questions: Path) -> None:
    kinds = over_pages("eval", questions, "--json").json["kinds"]
    assert (kinds["overall"]["n"], kinds["overall"]["recall@1"], kinds["exact"]["heading"]) == (2, 1.0, 1.0)


def test_other_places_can_be_asked_for(over_pages: Run, questions: Path) -> None:
    kinds = over_pages("eval", questions, "--limit", "10,2", "--json").json["kinds"]
    assert [name for name in kinds["name"] if name.startswith("recall")] == ["recall@2", "recall@10"]


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_every_mode_can_be_measured(over_pages: Run, questions: Path, mode: str) -> None:
    assert over_pages("eval", questions, "--mode", mode, "--json").json["kinds"]["overall"]["n"] == 2


def test_on_a_terminal_the_figures_are_a_table(over_pages: Run, questions: Path) -> None:
    result = over_pages("eval", questions)
    lines = result.out.splitlines()
    assert lines[0].split()[:3] == ["kind", "n", "recall@1"]
    assert "abstention: " in result.out
    assert "latency: p50 " in result.out


@pytest.mark.parametrize("cutoffs", ["0", "x", "1,,3", ""])
def test_senseless_places_are_a_usage_error(over_pages: Run, questions: Path, cutoffs: str) -> None:
    result = over_pages("eval", questions, "--limit", cutoffs)
    assert result.status == 2
    assert "such as 1,3,5" in result.err


def test_a_file_that_is_missing_is_told(over_pages: Run, tmp_path: Path) -> None:
    assert_clear(over_pages("eval", tmp_path / "none.jsonl"), 2, "cannot be read")


def test_a_line_that_is_no_question_is_told(over_pages: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.jsonl").write_text('{"question": "redis"}')
    assert_clear(over_pages("eval", tmp_path / "wrong.jsonl"), 2, "line 1")


def test_without_an_index_the_command_that_makes_one_is_named(run: Run, questions: Path, tmp_path: Path) -> None:
    assert_clear(run("--data-dir", tmp_path / "none", "eval", questions), 3, "oncall index")
