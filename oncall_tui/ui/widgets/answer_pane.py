"""The answer, every statement with the number of its source."""

from dataclasses import dataclass
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from oncall_tui.models import Answer, Citation
from oncall_tui.ui.rendering.answer import answer_lines
from oncall_tui.ui.rendering.styles import MUTED
from oncall_tui.ui.rendering.wrapping import wrapped_text

_INVITATION: Final = "What the runbooks say appears here, every line with the number of its source."


class AnswerText(Static):
    """The lines of an answer."""

    def action_open_citation(self, statement: int, number: int) -> None:
        """Open the citation whose marker was clicked."""
        if isinstance(self.parent, AnswerPane):
            self.parent.open_citation(statement, number)


class AnswerPane(VerticalScroll, inherit_bindings=False):
    """Shows an answer and says which of its citations is chosen."""

    BINDING_GROUP_TITLE = "Answer"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Down", id="answer.down", show=False, tooltip="Scroll the answer down"),
        Binding("k,up", "scroll_up", "Up", id="answer.up", show=False, tooltip="Scroll the answer up"),
        Binding("g,home", "scroll_home", "Top", id="answer.top", show=False, tooltip="Go to the top of the answer"),
        Binding("G,end", "scroll_end", "End", id="answer.end", show=False, tooltip="Go to the end of the answer"),
        Binding(
            "ctrl+d,pagedown,space",
            "page_down",
            "Page down",
            id="answer.page-down",
            show=False,
            tooltip="Scroll the answer down a page",
        ),
        Binding(
            "ctrl+u,pageup",
            "page_up",
            "Page up",
            id="answer.page-up",
            show=False,
            tooltip="Scroll the answer up a page",
        ),
    ]

    answer: reactive[Answer | None] = reactive(None)
    """What is shown."""

    @dataclass
    class CitationChosen(Message):
        """A citation of the answer should be opened."""

        citation: Citation

    def __init__(self) -> None:
        super().__init__()
        self.border_title = "Answer"

    def compose(self) -> ComposeResult:
        """Lay out the one text."""
        yield AnswerText(markup=False)

    def watch_answer(self, before: Answer | None, answer: Answer | None) -> None:
        """Show a new answer from its top; the same question's answer stays where it was scrolled to."""
        self._show()
        if before is None or answer is None or before.question != answer.question:
            self.scroll_home(animate=False)

    def on_resize(self, event: Resize) -> None:
        """Lay the answer out for the new width."""
        del event
        self._show()

    def open_citation(self, statement: int, number: int) -> None:
        """Say that a citation was chosen."""
        if self.answer is not None:
            self.post_message(self.CitationChosen(self.answer.statements[statement].citations[number]))

    def _show(self) -> None:
        width = self.scrollable_content_region.width
        if not self.is_mounted or width <= 0:
            return
        text = self.query_one(AnswerText)
        if self.answer is None:
            self.border_subtitle = ""
            text.update(Content.styled(wrapped_text(_INVITATION, width), MUTED))
            return
        grounding = self.answer.grounding.value
        self.border_subtitle = f"grounding: {grounding}" if self.answer.statements else ""
        text.update(Content("\n").join(answer_lines(self.answer, width)))
