"""Runs labelled questions through an engine and sums up by kind."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import msgspec

from oncall_tui.errors import ConfigError
from oncall_tui.evaluation import metrics
from oncall_tui.models import Chunk, Evidence, Mode, Ranking

CUTOFFS: Final = (1, 3, 5)
_FUSED: Final = "fused"


class LabelledQuestion(msgspec.Struct, frozen=True):
    """A line of a questions file."""

    query: str
    relevant: tuple[str, ...]
    """Paths below the source root, any of which is right; empty means that nothing answers."""
    kind: str = "all"
    qid: str = ""
    heading: str | None = None
    """The heading under which the answer stands."""


class Searches(Protocol):
    """What is measured."""

    def search(self, question: str, *, limit: int = ..., mode: Mode = ...) -> Evidence:
        """Return the evidence for a question."""
        ...

    def chunk(self, chunk_id: str) -> Chunk:
        """Return a chunk by its id."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one question."""

    question: LabelledQuestion
    rank: int | None
    """Rank of the first right page; a page ranks by its best chunk."""
    found: tuple[bool, ...]
    """Whether the page at each place is right."""
    is_under_heading: bool | None
    """Whether the best chunk of the first right page stands under the labelled heading."""
    is_answered: bool
    took_ms: float


def read_questions(file: Path) -> list[LabelledQuestion]:
    """Return the questions of a JSON Lines file.

    Raises:
        ConfigError: If the file cannot be read, is empty, or a line is wrong; the message names the line.
    """
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The questions {file} cannot be read.", hint=str(error)) from error
    questions = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                questions.append(msgspec.json.decode(line, type=LabelledQuestion))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                hint = 'A line looks like {"query": "…", "relevant": ["redis.md"], "kind": "alert"}.'
                raise ConfigError(f"{file}, line {number} is no labelled question: {error}.", hint=hint) from error
    if not questions:
        raise ConfigError(f"{file} holds no question.", hint="One JSON object a line.")
    return questions


def run(engine: Searches, questions: Sequence[LabelledQuestion], mode: Mode) -> Iterator[Outcome]:
    """Yield the outcome of each question in order."""
    for question in questions:
        evidence = engine.search(question.query, mode=mode)
        yield _outcome(question, evidence, engine.chunk)


def _outcome(question: LabelledQuestion, evidence: Evidence, chunk: Callable[[str], Chunk]) -> Outcome:
    fused = next((ranking for ranking in evidence.rankings if ranking.source == _FUSED), Ranking(_FUSED))
    best: dict[str, Chunk] = {}
    for hit in fused.hits:
        candidate = chunk(hit.chunk_id)
        best.setdefault(candidate.path, candidate)
    found = tuple(path in question.relevant for path in best)
    rank = found.index(True) + 1 if any(found) else None
    is_under_heading = None
    if question.heading and question.relevant:
        first = next((page for path, page in best.items() if path in question.relevant), None)
        is_under_heading = first is not None and question.heading in first.heading_path
    return Outcome(question, rank, found, is_under_heading, bool(evidence.passages), evidence.took_ms)


def summarise(outcomes: Sequence[Outcome], cutoffs: Sequence[int] = CUTOFFS) -> dict[str, object]:
    """Return the figures by kind, of the decision to abstain, and the latency."""
    answerable = [outcome for outcome in outcomes if outcome.question.relevant]
    kinds: dict[str, list[Outcome]] = {}
    for outcome in answerable:
        kinds.setdefault(outcome.question.kind, []).append(outcome)
    if len(kinds) > 1:
        kinds["overall"] = answerable
    times = [outcome.took_ms for outcome in outcomes]
    return {
        "kinds": {kind: _figures(members, cutoffs) for kind, members in kinds.items()},
        "abstention": _abstention(outcomes),
        "latency_ms": {
            "p50": round(metrics.percentile(times, 0.5), 2),
            "p95": round(metrics.percentile(times, 0.95), 2),
        },
    }


def _figures(outcomes: Sequence[Outcome], cutoffs: Sequence[int]) -> dict[str, float]:
    ranks = [outcome.rank for outcome in outcomes]
    gains = [metrics.ndcg(outcome.found, len(outcome.question.relevant)) for outcome in outcomes]
    figures: dict[str, float] = {"n": len(outcomes)}
    figures |= {f"recall@{cutoff}": round(metrics.recall(ranks, cutoff), 4) for cutoff in cutoffs}
    figures["mrr"] = round(metrics.mean_reciprocal_rank(ranks), 4)
    figures["ndcg@10"] = round(metrics.mean(gains), 4)
    headings = [outcome.is_under_heading for outcome in outcomes if outcome.is_under_heading is not None]
    if headings:
        figures["heading"] = round(metrics.mean(headings), 4)
    return figures


def _abstention(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return how often the decision "nothing answers this" was wrong, either way."""
    unanswerable = [outcome for outcome in outcomes if not outcome.question.relevant]
    answerable = [outcome for outcome in outcomes if outcome.question.relevant]
    refused_rightly = sum(not outcome.is_answered for outcome in unanswerable)
    refused_wrongly = sum(not outcome.is_answered for outcome in answerable)
    refused = refused_rightly + refused_wrongly
    return {
        "answerable": len(answerable),
        "wrongly_refused": round(refused_wrongly / len(answerable), 4) if answerable else 0.0,
        "unanswerable": len(unanswerable),
        "wrongly_answered": round(1 - refused_rightly / len(unanswerable), 4) if unanswerable else 0.0,
        "precision": round(refused_rightly / refused, 4) if refused else 0.0,
        "recall": round(refused_rightly / len(unanswerable), 4) if unanswerable else 0.0,
    }
