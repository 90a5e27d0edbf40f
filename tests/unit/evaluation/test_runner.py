"""Labelled questions through an engine, summed up by kind."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from oncall_tui.engine import Engine
from oncall_tui.errors import ConfigError
from oncall_tui.evaluation.runner import LabelledQuestion, Outcome, read_questions, run, summarise
from oncall_tui.models import Chunk, Evidence, Hit, Mode, Ranking
from tests.builders import make_chunk, make_passage


class FakeEngine:
    """Finds the chunks of the given pages in the given order, and says whether they answer."""

    def __init__(self, *pages: str, is_answered: bool = True) -> None:
        self._chunks = {f"{place}": make_chunk(path=path, heading_path=("Fix",)) for place, path in enumerate(pages)}
        self._is_answered = is_answered

    def search(self, question: str, *, limit: int = 8, mode: Mode = Mode.HYBRID) -> Evidence:
        hits = tuple(Hit(place, 1.0) for place in self._chunks)
        passages = (make_passage(),) if self._is_answered else ()
        return Evidence(question=question, passages=passages, rankings=(Ranking("fused", hits),), took_ms=4.0)

    def chunk(self, chunk_id: str) -> Chunk:
        return self._chunks[chunk_id]


def asked(*relevant: str, **fields: Any) -> LabelledQuestion:
    return LabelledQuestion("redis timeout", relevant, **fields)


def outcome(engine: FakeEngine, question: LabelledQuestion) -> Outcome:
    (found,) = run(engine, [question], Mode.HYBRID)
    return found


def summary(*outcomes: Outcome, cutoffs: Sequence[int] = (1, 3, 5)) -> dict[str, Any]:
    return summarise(outcomes, cutoffs)


def test_a_page_ranks_by_its_best_chunk() -> None:
    found = outcome(FakeEngine("a.md", "a.md", "b.md"), asked("b.md"))
    assert found.rank == 2
    assert found.found == (False, True)


def test_any_of_the_right_pages_counts() -> None:
    assert outcome(FakeEngine("a.md", "b.md"), asked("c.md", "b.md")).rank == 2


def test_a_page_that_was_not_found_has_no_rank() -> None:
    assert outcome(FakeEngine("a.md"), asked("b.md")).rank is None


@pytest.mark.parametrize(("heading", "is_under"), [("Fix", True), ("Verify", False), (None, None)])
def test_a_labelled_heading_is_looked_for(heading: str | None, is_under: bool | None) -> None:  # noqa: FBT001
    assert outcome(FakeEngine("a.md"), asked("a.md", heading=heading)).is_under_heading is is_under


def test_a_page_that_was_not_found_is_not_under_its_heading() -> None:
    assert outcome(FakeEngine("a.md"), asked("b.md", heading="Fix")).is_under_heading is False


def test_figures_are_kept_by_kind_and_overall() -> None:
    engine = FakeEngine("a.md", "b.md")
    figures = summary(outcome(engine, asked("a.md", kind="name")), outcome(engine, asked("b.md", kind="text")))["kinds"]
    assert {kind: (entry["n"], entry["recall@1"]) for kind, entry in figures.items()} == {
        "name": (1, 1.0),
        "text": (1, 0.0),
        "overall": (2, 0.5),
    }


def test_a_single_kind_needs_no_overall_figures() -> None:
    assert list(summary(outcome(FakeEngine("a.md"), asked("a.md")))["kinds"]) == ["all"]


def test_the_figures_of_a_kind_have_the_documented_names() -> None:
    (figures,) = summary(outcome(FakeEngine("a.md"), asked("a.md")))["kinds"].values()
    assert list(figures) == ["n", "recall@1", "recall@3", "recall@5", "mrr", "ndcg@10"]


def test_other_cutoffs_can_be_asked_for() -> None:
    (figures,) = summary(outcome(FakeEngine("a.md"), asked("a.md")), cutoffs=(2,))["kinds"].values()
    assert "recall@2" in figures
    assert "recall@1" not in figures


def test_the_share_under_headings_is_told_where_headings_are_labelled() -> None:
    engine = FakeEngine("a.md")
    found = [outcome(engine, asked("a.md", heading=heading)) for heading in ("Fix", "Verify")]
    assert summary(*found)["kinds"]["all"]["heading"] == 0.5


def test_abstention_counts_both_ways_of_being_wrong() -> None:
    silent, talkative = FakeEngine("a.md", is_answered=False), FakeEngine("a.md")
    found = [
        outcome(silent, asked()),
        outcome(talkative, asked()),
        outcome(silent, asked("a.md")),
        outcome(talkative, asked("a.md")),
    ]
    assert summary(*found)["abstention"] == {
        "answerable": 2,
        "wrongly_refused": 0.5,
        "unanswerable": 2,
        "wrongly_answered": 0.5,
        "precision": 0.5,
        "recall": 0.5,
    }


def test_unanswerable_questions_spoil_no_recall() -> None:
    engine = FakeEngine("a.md")
    assert summary(outcome(engine, asked("a.md")), outcome(engine, asked()))["kinds"]["all"]["n"] == 1


def test_only_unanswerable_questions_have_no_kinds_and_no_error() -> None:
    assert summary(outcome(FakeEngine(is_answered=False), asked()))["kinds"] == {}


def test_latency_is_told_in_percentiles() -> None:
    assert summary(outcome(FakeEngine("a.md"), asked("a.md")))["latency_ms"] == {"p50": 4.0, "p95": 4.0}


@pytest.mark.parametrize("mode", list(Mode))
def test_a_real_engine_can_be_measured_in_every_mode(small_engine: Engine, mode: Mode) -> None:
    questions = [
        LabelledQuestion("redis timeouts", ("redis.md",)),
        LabelledQuestion("Lock wait timeout exceeded", ("mysql.md",)),
        LabelledQuestion("kafka consumer lag", ("queues/kafka.md",)),
    ]
    figures = summary(*run(small_engine, questions, mode))["kinds"]["all"]
    assert figures["recall@1"] == 1


def write(folder: Path, text: str) -> Path:
    file = folder / "questions.jsonl"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_questions_file_is_read_line_by_line(tmp_path: Path) -> None:
    first = '{"qid": "1", "query": "磁盘", "relevant": ["zh/disk.md"], "kind": "zh", "note": "more"}'
    assert read_questions(write(tmp_path, f'{first}\n\n{{"query": "x", "relevant": []}}')) == [
        LabelledQuestion("磁盘", ("zh/disk.md",), "zh", "1"),
        LabelledQuestion("x", ()),
    ]


@pytest.mark.parametrize("line", ["{", "[]", '{"query": "x"}', '{"query": 1, "relevant": []}'])
def test_a_line_that_is_no_question_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError, match="line 2") as caught:
        read_questions(write(tmp_path, f'{{"query": "x", "relevant": []}}\n{line}'))
    assert '"relevant"' in caught.value.hint


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_questions_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="holds no question"):
        read_questions(write(tmp_path, text))


def test_a_questions_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl")


def test_a_questions_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_questions(tmp_path / "questions.jsonl")
