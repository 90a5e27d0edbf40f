"""What workers report. A worker posts facts; the handler on the event loop changes what is shown."""

from dataclasses import dataclass

from textual.message import Message

from oncall_tui.errors import OncallError
from oncall_tui.models import Answer, Evidence, IndexReport, IndexStatus, Page, Progress
from oncall_tui.ui.rendering.page_text import PageText


@dataclass
class SearchCompleted(Message):
    """A search found something, or nothing."""

    evidence: Evidence


@dataclass
class SearchFailed(Message):
    """A search could not be made."""

    error: OncallError


@dataclass
class AnswerCompleted(Message):
    """An answer is ready."""

    answer: Answer


@dataclass
class PageLoaded(Message):
    """A document was read for the document view."""

    page: Page
    text: PageText


@dataclass
class PageFailed(Message):
    """A document could not be read."""

    error: OncallError


@dataclass
class EditorWanted(Message):
    """A file should be opened in the person's editor."""

    file: str
    path: str
    """What the file is called where it is shown."""
    line: int
    """Counted from one."""


@dataclass
class StatusRead(Message):
    """The state of the index was read."""

    status: IndexStatus


@dataclass
class RefreshStarted(Message):
    """The index is being brought up to date."""


@dataclass
class RefreshProgressed(Message):
    """The refresh of the index went on."""

    progress: Progress

    def can_replace(self, message: Message) -> bool:
        """Let a newer report replace an older one of the same stage, so that a fast stage floods nothing."""
        return isinstance(message, RefreshProgressed) and message.progress.stage is self.progress.stage


@dataclass
class RefreshFinished(Message):
    """The index is up to date."""

    report: IndexReport
    status: IndexStatus
    is_wanted: bool
    """Whether a person asked for it, and so wants to hear of it."""


@dataclass
class RefreshFailed(Message):
    """The index could not be brought up to date."""

    error: OncallError
