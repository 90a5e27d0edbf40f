"""How good the ranking of the shipped runbooks is, with the bundled model: no worse than was measured."""

from pathlib import Path
from typing import Any

import pytest

from oncall_tui import locations
from oncall_tui.cli.main import main
from oncall_tui.config import Settings
from oncall_tui.engine import Engine
from oncall_tui.evaluation.runner import read_questions, run, summarise
from oncall_tui.models import Mode, Rung
from oncall_tui.wiring import build_engine

EVAL = locations.shipped("data") / "eval"


@pytest.fixture(scope="module")
def engine(demo_data: Path) -> Engine:
    return build_engine(Settings(data_dir=str(demo_data)))


@pytest.fixture(scope="module")
def five_services(engine: Engine) -> dict[str, Any]:
    """Return the figures of the twenty questions over the Redis, MySQL, Kafka, NGINX and release pages."""
    kinds: Any = summarise(list(run(engine, read_questions(EVAL / "five_services.jsonl"), Mode.HYBRID)))["kinds"]
    return dict(kinds.get("overall") or next(iter(kinds.values())))


def test_the_right_page_of_five_services_is_found_as_often_as_was_measured(five_services: dict[str, Any]) -> None:
    assert five_services["n"] == 20
    # The aim is .90, 1.00 and .942; these are the figures to improve on, never to fit the questions to.
    assert five_services["recall@1"] >= 0.75
    assert five_services["recall@3"] >= 0.95
    assert five_services["mrr"] >= 0.84


def test_keyword_search_alone_finds_most_pages(engine: Engine) -> None:
    summary: Any = summarise(list(run(engine, read_questions(EVAL / "questions.jsonl"), Mode.KEYWORD)))
    assert summary["kinds"]["exact"]["recall@1"] >= 0.9
    assert summary["kinds"]["overall"]["recall@5"] >= 0.75


def test_redis_timeout_shows_the_redis_page_first(engine: Engine) -> None:
    evidence = engine.search("redis timeout")
    assert evidence.rung is Rung.HYBRID
    assert evidence.passages[0].chunk.path == "redis.md"


def test_a_chinese_question_finds_an_english_page(engine: Engine) -> None:
    evidence = engine.search("证书到期了怎么续期 kubernetes 控制面")
    assert "kubernetes/certificates.md" in {passage.chunk.path for passage in evidence.passages}


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "vector"])
@pytest.mark.parametrize("command", ["search", "ask"])
def test_quantum_telescope_launch_finds_nothing(
    demo_data: Path, capsys: pytest.CaptureFixture[str], command: str, mode: str
) -> None:
    assert main(["--data-dir", str(demo_data), command, "quantum telescope launch", "--mode", mode]) == 4
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "No runbook covers this." in printed.err


def test_a_filter_keeps_scores_and_drops_the_rest(engine: Engine) -> None:
    filters = engine.filters(["service=mysql"])
    free = engine.search("connection timeout", limit=100)
    held = engine.search("connection timeout", limit=100, filters=filters)
    scores = {passage.chunk.id: passage.score for passage in free.passages}
    assert {passage.chunk.metadata.service for passage in held.passages} == {"mysql"}
    shared = [passage for passage in held.passages if passage.chunk.id in scores]
    assert shared
    assert all(passage.score == pytest.approx(scores[passage.chunk.id], abs=1e-6) for passage in shared)
