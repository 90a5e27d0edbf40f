"""Where the question is typed."""

from dataclasses import dataclass
from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from oncall_tui.text import single_line, strip_controls

TYPING_PAUSE: Final = 0.12
"""Seconds without a key after which a search starts: shorter than a pause for thought, longer than between two keys."""


class QuestionBar(Input):
    """An input that says when the question has changed, after a short pause, and when it is asked.

    Args:
        question: What it holds at first.
        typing_pause: Seconds to wait for another key; 0 means not to wait.
    """

    BINDING_GROUP_TITLE = "Question"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Results", id="question.ask", tooltip="Search at once and go to the results"),
        Binding("down,escape", "leave", "To the results", id="question.leave", show=False, tooltip="Go to the results"),
    ]

    @dataclass
    class Typed(Message):
        """The question changed and typing paused."""

        question: str

    @dataclass
    class Asked(Message):
        """The question is complete."""

        question: str

    @dataclass
    class Left(Message):
        """The person wants to leave the bar for the results."""

    def __init__(self, question: str = "", *, typing_pause: float = TYPING_PAUSE) -> None:
        super().__init__(
            question, placeholder="Type what you see: an alert, an error, a symptom", select_on_focus=False
        )
        self._typing_pause = typing_pause
        self._pause: Timer | None = None

    @property
    def question(self) -> str:
        """The question without white space around it."""
        return single_line(self.value)

    def validate_value(self, value: str) -> str:
        """Drop what a terminal would act on, since pasted text is foreign text."""
        return strip_controls(value)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Wait for a pause in typing."""
        event.stop()
        self._stop_waiting()
        if self._typing_pause:
            self._pause = self.set_timer(self._typing_pause, self._report_change)
        else:
            self._report_change()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask at once."""
        event.stop()
        self._stop_waiting()
        self.post_message(self.Asked(self.question))

    def action_leave(self) -> None:
        """Go to the results."""
        self.post_message(self.Left())

    def _report_change(self) -> None:
        self.post_message(self.Typed(self.question))

    def _stop_waiting(self) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
