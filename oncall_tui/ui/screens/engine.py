"""The calls that block: each in a worker of its own group, which posts what came of it and touches nothing."""

from collections.abc import Callable

from textual import work
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from oncall_tui.errors import OncallError
from oncall_tui.models import Evidence, Page
from oncall_tui.ui.messages import (
    AnswerCompleted,
    EditorWanted,
    PageFailed,
    PageLoaded,
    SearchCompleted,
    SearchFailed,
)
from oncall_tui.ui.protocols import Engine
from oncall_tui.ui.rendering.page_text import PageText

Prepare = Callable[[Page], PageText]


class EngineScreen(Screen[None]):
    """A screen that asks the engine.

    Args:
        engine: Does the work.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine

    @work(thread=True, exclusive=True, group="search")
    def search(self, question: str) -> None:
        """Search; a newer question replaces an older one."""
        self._report(lambda: SearchCompleted(self._engine.search(question)), SearchFailed)

    @work(thread=True, exclusive=True, group="answer")
    def answer_from(self, evidence: Evidence) -> None:
        """Make the answer that some evidence gives."""
        self._report(lambda: AnswerCompleted(self._engine.answer(evidence)), SearchFailed)

    @work(thread=True, exclusive=True, group="page")
    def load_page(self, document_id: str, prepare: Prepare) -> None:
        """Read a page and prepare its text here as well, since it may be large."""

        def load() -> PageLoaded:
            page = self._engine.page(document_id)
            return PageLoaded(page, prepare(page))

        self._report(load, PageFailed)

    @work(thread=True, exclusive=True, group="edit")
    def find_file(self, document_id: str, line: int) -> None:
        """Look up the file that an editor is to open."""

        def find() -> EditorWanted:
            page = self._engine.page(document_id)
            return EditorWanted(page.file, page.path, line)

        self._report(find, PageFailed)

    def _report(self, call: Callable[[], Message], failure: Callable[[OncallError], Message]) -> None:
        """Post what a call returns or why it failed, unless nobody waits for it any more."""
        worker = get_current_worker()
        try:
            message = call()
        except OncallError as error:
            message = failure(error)
        if not worker.is_cancelled:  # a running thread is not interrupted by its cancellation
            self.post_message(message)
