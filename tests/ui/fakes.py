"""An engine over a few pages in memory, whose every call can be made to wait or to fail."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from oncall_tui.errors import IndexMissingError, NotFoundError, OncallError
from oncall_tui.models import (
    Answer,
    Chunk,
    Citation,
    Contribution,
    Evidence,
    Grounding,
    IndexReport,
    IndexStatus,
    LineSpan,
    Page,
    Passage,
    Progress,
    Rung,
    Section,
    Statement,
)
from tests.builders import make_chunk

PAGES: Mapping[str, str] = {
    "redis.md": "\n".join(
        [
            "# Redis timeouts",
            "",
            "Use this page when services time out against redis.",
            "",
            "## Too many connections",
            "",
            "The log says `ERR max number of clients reached` [/not markup] [bold]really[/bold].",
            "",
            "```bash",
            "redis-cli CONFIG SET maxclients 20000",
            "```",
            "",
            *(f"Filler line {number} about nothing." for number in range(60)),
            "",
            "## Roll back",
            "",
            "Set maxclients of redis to 10000 again.",
        ]
    ),
    "zh/磁盘.md": "\n".join(
        [
            "# 磁盘写满",
            "",
            "## 处理步骤",
            "",
            "磁盘写满时先找大文件：" + "很长的一行中文文字，" * 12 + "到此为止。",
            "",
            "```bash",
            "du -xh / | sort -h | tail",
            "```",
        ]
    ),
    "kafka.md": "# Kafka lag\n\n## Consumer lag\n\nA consumer that lags behind redis is slow.\n",
}

_TIMEOUT = 10.0
"""Seconds after which a test that waits for ever fails instead."""


@dataclass
class FakeEngine:
    """Answers like the real engine, from :data:`PAGES`."""

    pages: Mapping[str, str] = field(default_factory=lambda: dict(PAGES))
    exists: bool = True
    is_outdated: bool = False
    is_demo: bool = False
    progress: Sequence[Progress] = ()
    """What a refresh reports; it waits for ``go_on`` after each."""
    go_on: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(1_000_000))
    gates: dict[str, threading.Event] = field(default_factory=dict)
    """Questions whose search waits for an event."""
    errors: dict[str, OncallError] = field(default_factory=dict)
    """Errors by method, or by question."""
    questions: list[str] = field(default_factory=list)
    """What was searched for, in order."""
    refreshes: int = 0
    added: str = ""
    """Id of a chunk that answers cite although it was not found."""

    def status(self) -> IndexStatus:
        """Return what there is."""
        if not self.exists:
            return IndexStatus(is_demo=self.is_demo)
        chunks = len(list(self._chunks()))
        built_at = "2026-01-01T00:00:00Z"
        return IndexStatus(
            documents=len(self.pages), chunks=chunks, vectors=chunks, built_at=built_at, is_demo=self.is_demo
        )

    def needs_refresh(self) -> bool:
        """Return what the test says."""
        return self.is_outdated

    def refresh(self, on_progress: Callable[[Progress], None], is_cancelled: Callable[[], bool]) -> IndexReport:
        """Report the progress the test says, waiting for the test between the steps."""
        self._fail("refresh")
        self.refreshes += 1
        for step in self.progress:
            on_progress(step)
            while not self.go_on.acquire(timeout=0.05):
                if is_cancelled():
                    break
        self.exists = True
        return IndexReport(documents=len(self.pages), chunks=3, added=1)

    def warm_up(self) -> None:
        """Do nothing, unless the test says so."""
        self._fail("warm_up")

    def search(self, question: str) -> Evidence:
        """Return the passages that hold a word of the question."""
        self.questions.append(question)
        if question in self.gates:
            self.gates[question].wait(_TIMEOUT)
        self._fail("search")
        self._fail(question)
        if not self.exists:
            raise IndexMissingError("There is no index.", hint="Run: oncall index")
        words = question.casefold().split()
        found = [chunk for chunk in self._chunks() if any(word in chunk.text.casefold() for word in words)]
        passages = tuple(_passage(label, chunk, words) for label, chunk in enumerate(found, start=1))
        if passages:
            return Evidence(question=question, passages=passages, took_ms=12.4)
        nearest = tuple(_passage(label, chunk, words) for label, chunk in enumerate(list(self._chunks())[:2], start=1))
        return Evidence(question=question, rung=Rung.NOT_COVERED, nearest=nearest, took_ms=3.0)

    def answer(self, evidence: Evidence) -> Answer:
        """Return a statement for every passage: its last line."""
        self._fail("answer")
        if self.added and evidence.passages:
            chunk = next(chunk for chunk in self._chunks() if chunk.id == self.added)
            added = Passage(label=len(evidence.passages) + 1, chunk=chunk, score=0.0, ranks={})
            evidence = replace(evidence, passages=(*evidence.passages, added))
        statements = tuple(_statement(passage) for passage in evidence.passages)
        return Answer(
            question=evidence.question,
            headline=f"{len(statements)} statements" if statements else "No runbook covers this.",
            statements=statements,
            grounding=Grounding.FULL if statements else Grounding.NONE,
            provider="fake",
            evidence=evidence,
        )

    def page(self, document_id: str) -> Page:
        """Return a page."""
        self._fail("page")
        for path, text in self.pages.items():
            if path.removesuffix(".md") == document_id:
                file = f"/runbooks/{path}"
                return Page(document_id=document_id, path=path, title=path, text=text, is_stale=False, file=file)
        raise NotFoundError(f"There is no document {document_id!r}.")

    def _fail(self, what: str) -> None:
        if what in self.errors:
            raise self.errors[what]

    def _chunks(self) -> Iterator[Chunk]:
        for path, text in self.pages.items():
            yield from _chunks_of(path, text)


def _chunks_of(path: str, text: str) -> Iterator[Chunk]:
    """Yield a chunk for every section."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("## ")]
    for index, (start, stop) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True)):
        yield make_chunk(
            "\n".join(lines[start:stop]).rstrip(),
            path=path,
            index=index,
            heading_path=(lines[start].removeprefix("## "),),
            span=LineSpan(start, stop),
            title=lines[0].removeprefix("# "),
            service=path.removesuffix(".md"),
            trust=4,
        )


def _passage(label: int, chunk: Chunk, words: Sequence[str]) -> Passage:
    matched = tuple(word for word in words if word in chunk.text.casefold())
    return Passage(
        label=label,
        chunk=chunk,
        score=0.75 - label / 100,
        ranks={"keyword": label, "vector": label + 2},
        contributions=(
            Contribution("keyword", "0.80 × 0.700", 0.56 - label / 100),
            Contribution("vector", "0.20 × 0.950", 0.19),
        ),
        matched=matched,
        missed=tuple(word for word in words if word not in matched),
        coverage=0.5,
        freshness="archived" if "kafka" in chunk.path else "current",
    )


def _statement(passage: Passage) -> Statement:
    last = passage.chunk.span.stop - 1
    text = passage.chunk.text.split("\n")[-1]
    citation = Citation(passage.label, passage.chunk.citation, passage.chunk.path, LineSpan(last, last + 1))
    return Statement(Section.STEPS, text, (citation,))
