"""What the screens that show passages have in common: citing, explaining, copying and editing."""

from abc import abstractmethod

from textual import on
from textual.reactive import reactive

from oncall_tui.models import Evidence, Passage
from oncall_tui.ui.clipboard import copy
from oncall_tui.ui.messages import PageFailed
from oncall_tui.ui.screens.engine import EngineScreen
from oncall_tui.ui.screens.error import ErrorScreen
from oncall_tui.ui.screens.explain import ExplainScreen
from oncall_tui.ui.widgets.evidence_list import NOTHING_ASKED


class PassageScreen(EngineScreen):
    """A screen with evidence, one passage of which is the current one."""

    evidence: reactive[Evidence] = reactive(NOTHING_ASKED)
    """What the last search found; the digits mean its labels."""

    @property
    @abstractmethod
    def current(self) -> Passage | None:
        """The passage that the keys act on."""

    @abstractmethod
    def open_passage(self, passage: Passage) -> None:
        """Show a passage at its lines."""

    @property
    def edit_line(self) -> int:
        """The line that an editor is opened at, counted from one."""
        return self.current.chunk.span.first if self.current else 1

    def passage(self, label: int) -> Passage | None:
        """Return the passage, or the nearest miss, with a label."""
        evidence = self.evidence
        passages = evidence.passages or evidence.nearest
        return next((passage for passage in passages if passage.label == label), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is a passage for."""
        if action == "cite":
            return isinstance(parameters[0], int) and self.passage(parameters[0]) is not None
        if action in {"explain", "edit", "copy_citation", "copy_location"}:
            return self.current is not None
        return True

    def action_cite(self, label: int) -> None:
        """Open the passage with a label."""
        passage = self.passage(label)
        if passage is not None:
            self.open_passage(passage)

    def action_explain(self) -> None:
        """Explain the place of the current passage."""
        if self.current is not None:
            self.app.push_screen(ExplainScreen(self.current, self.evidence.question))

    def action_copy_citation(self) -> None:
        """Copy the citation of the current passage."""
        if self.current is not None:
            copy(self.app, self.current.chunk.citation)

    def action_copy_location(self) -> None:
        """Copy the path and line of the current passage."""
        if self.current is not None:
            copy(self.app, f"{self.current.chunk.path}:{self.edit_line}")

    def action_edit(self) -> None:
        """Open the file of the current passage in an editor."""
        if self.current is not None:
            self.find_file(self.current.chunk.document_id, self.edit_line)

    @on(PageFailed)
    def show_page_error(self, message: PageFailed) -> None:
        """Say why a page could not be shown."""
        message.stop()
        self.leave_unreadable()
        self.app.push_screen(ErrorScreen(message.error))

    def leave_unreadable(self) -> None:
        """Leave a screen that has nothing to show; by default it has."""
