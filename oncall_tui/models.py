"""Frozen values that cross the layers of the program."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class LineSpan:
    """A half-open range of zero-based source lines.

    Raises:
        ValueError: If the range is empty or negative.
    """

    start: int
    stop: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            msg = f"not a line span: [{self.start}, {self.stop})"
            raise ValueError(msg)

    @property
    def first(self) -> int:
        """The first line, counted from one."""
        return self.start + 1

    @property
    def last(self) -> int:
        """The last line, counted from one."""
        return self.stop

    def __str__(self) -> str:
        """Return the span as people write it: ``L10-L18`` or ``L10``."""
        return f"L{self.first}" if self.first == self.last else f"L{self.first}-L{self.last}"


class DocumentType(StrEnum):
    """What kind of page a document is."""

    INSTRUCTION = "instruction"
    CASE_STUDY = "case study"
    POLICY = "policy"
    API_SPEC = "api spec"
    CHANGELOG = "changelog"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What is known about a document besides its text."""

    title: str
    service: str = ""
    owner: str = ""
    version: str = ""
    type: DocumentType = DocumentType.INSTRUCTION
    trust: int = 2
    """1 (an issue thread) to 5 (a reviewed procedure); 2 is an edited page."""
    category: str = ""
    tags: tuple[str, ...] = ()
    valid_from: date | None = None
    valid_to: date | None = None
    last_updated: date | None = None
    derived: tuple[str, ...] = ()
    """Names of the fields above that nobody wrote down and a rule filled in."""

    def is_valid_on(self, day: date) -> bool:
        """Return whether the page claims to hold on ``day``."""
        if self.valid_from and day < self.valid_from:
            return False
        return not (self.valid_to and day > self.valid_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One source file."""

    id: str
    root: str
    """Id of the source root the file was found under."""
    path: str
    """Relative POSIX path below the root; never absolute."""
    text: str
    """The whole text, controls stripped, lines as in the file."""
    body_start: int = 0
    """Zero-based line at which the text after the front matter starts."""
    metadata: Metadata
    fingerprint: str
    """Hash of everything the chunks depend on: bytes, metadata, splitting."""

    @property
    def lines(self) -> list[str]:
        """The lines of the text without their line feeds."""
        return self.text.split("\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of a document."""

    id: str
    """``document_id:index``."""
    document_id: str
    path: str
    heading_path: tuple[str, ...]
    """The headings above the passage, outermost first; the page's title is not among them."""
    span: LineSpan
    text: str
    metadata: Metadata

    @property
    def citation(self) -> str:
        """The citation id: ``document_id#document_id:index``."""
        return f"{self.document_id}#{self.id}"

    @property
    def location(self) -> str:
        """Where the passage stands: ``path:L10-L18``."""
        return f"{self.path}:{self.span}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk's place in one ranking."""

    chunk_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ordered hits from one source, best first."""

    source: str
    hits: tuple[Hit, ...] = ()

    def ranks(self) -> dict[str, int]:
        """Return each chunk's rank, counted from one."""
        return {hit.chunk_id: rank for rank, hit in enumerate(self.hits, start=1)}

    def scores(self) -> dict[str, float]:
        """Return each chunk's score."""
        return {hit.chunk_id: hit.score for hit in self.hits}


class Mode(StrEnum):
    """Which rankings a search uses."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    VECTOR = "vector"


class Rung(StrEnum):
    """A rung of the ladder of degradation, best first; the screen says on which one it stands."""

    HYBRID = "hybrid"
    KEYWORD_ONLY = "keyword only"
    NOT_COVERED = "not covered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a passage must be to be ranked at all. Empty means anything; several values mean any of them."""

    service: tuple[str, ...] = ()
    type: tuple[str, ...] = ()
    owner: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    """Glob patterns, or the beginning of a path."""
    min_trust: int = 1
    is_valid: bool = False
    """Only pages that hold today."""

    @property
    def is_empty(self) -> bool:
        """Whether every passage passes."""
        return self == Filters()


@dataclass(frozen=True, slots=True)
class Contribution:
    """One summand of a fused score; a passage's contributions add up to its score."""

    source: str
    """Name of the ranking, such as ``keyword``."""
    detail: str
    """The arithmetic in words, such as ``0.79 × 0.412``."""
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk shown under a label as evidence for a question."""

    label: int
    """The number in ``[n]``, from 1."""
    chunk: Chunk
    score: float
    ranks: Mapping[str, int]
    """Rank in each list it was found by, from 1; a list that did not find it is absent."""
    contributions: tuple[Contribution, ...] = ()
    matched: tuple[str, ...] = ()
    """Tokens of the question that stand in the passage."""
    missed: tuple[str, ...] = ()
    coverage: float = 0.0
    """Share of the question's information (idf) that stands in the passage, 0 to 1."""
    is_exact: bool = False
    """Whether it holds every rare identifier of the question."""
    trust: float = 0.0
    """Trust × freshness × validity, 0 to 1."""
    freshness: str = ""
    """``current``, ``ageing``, ``old``, ``undated``, ``expired``, ``not yet valid`` or ``archived``."""
    more_in_document: tuple[str, ...] = ()
    """Chunk ids of further hits in the same page."""
    also_in: tuple[str, ...] = ()
    """Citations of near-duplicates that were folded into this passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The numbered passages for one question, and the rankings behind them."""

    question: str
    mode: Mode = Mode.HYBRID
    rung: Rung = Rung.HYBRID
    filters: Filters = field(default_factory=Filters)
    passages: tuple[Passage, ...] = ()
    """What answers the question, best first; empty if nothing does."""
    nearest: tuple[Passage, ...] = ()
    """If nothing answers: the nearest misses, to be shown as such."""
    degraded: tuple[str, ...] = ()
    """What did not take part and why, in plain words."""
    took_ms: float = 0.0
    rankings: tuple[Ranking, ...] = ()

    def find(self, label: int) -> Passage | None:
        """Return the passage under a label."""
        return next((passage for passage in self.passages if passage.label == label), None)


class Section(StrEnum):
    """Where a statement belongs in an answer, in the order in which work is done."""

    BEFORE = "Before you start"
    STEPS = "Steps"
    VERIFY = "Verify"
    RISKS = "Risks and what not to do"
    LIMITS = "Version limits"
    ROLLBACK = "Roll back"
    ESCALATE = "Escalate"
    CONTEXT = "What the runbooks say"


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a statement stands."""

    label: int
    citation: str
    """``document_id#document_id:index``."""
    source: str
    """Relative path of the file."""
    span: LineSpan


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence or step of an answer."""

    section: Section
    text: str
    citations: tuple[Citation, ...]
    verdict: str = "supported"


class Grounding(StrEnum):
    """How far the statements of an answer are carried by their citations."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the runbooks say to a question."""

    question: str
    headline: str
    statements: tuple[Statement, ...]
    grounding: Grounding
    provider: str
    evidence: Evidence

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations in order of first use, each once."""
        return tuple(dict.fromkeys(citation for statement in self.statements for citation in statement.citations))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A document as it is shown: the text on disk now, or the indexed text if the file is gone."""

    document_id: str
    path: str
    title: str
    text: str
    is_stale: bool
    """Whether the file went, or a passage no longer stands at its lines."""
    file: str = ""
    """Absolute path for an editor; never shown as a citation. Empty if the file is gone."""


class Stage(StrEnum):
    """What a refresh of the index is doing."""

    READING = "reading"
    INDEXING = "indexing"
    EMBEDDING = "embedding"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a refresh of the index is."""

    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFile:
    """A file or folder that is not (or not wholly) in the index, and why."""

    path: str
    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What a refresh of the index did. Documents are counted except where it says chunks."""

    documents: int
    chunks: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: tuple[SkippedFile, ...] = ()
    embedded: int = 0
    """Chunks that the model embedded in this run."""
    took_s: float = 0.0
    is_complete: bool = True
    """Whether every source could be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """What the status line and ``doctor`` say of the index."""

    documents: int = 0
    chunks: int = 0
    vectors: int = 0
    """Chunks that have a vector."""
    model: str = ""
    built_at: str = ""
    """ISO 8601 time in UTC; empty if there is no index."""
    sources: tuple[str, ...] = ()
    is_demo: bool = False
    """Whether the shipped demo runbooks are the source."""
    offline: bool = True
    """Whether the network is never used."""

    @property
    def exists(self) -> bool:
        """Whether there is an index."""
        return bool(self.built_at)


class CheckStatus(StrEnum):
    """How a check of the installation went."""

    OK = "ok"
    DEGRADED = "degraded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, and what mends it if it is not well."""

    name: str
    status: CheckStatus
    detail: str
    fix: str = ""
