"""Why a passage stands where it stands."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from oncall_tui.models import Passage
from oncall_tui.ui.rendering.explanation import explanation
from oncall_tui.ui.screens.dialog import Dialog


class ExplainScreen(Dialog):
    """Shows the figures behind a passage's place."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "close", "Close", id="explain.close", show=False, tooltip="Close the explanation"),
    ]

    def __init__(self, passage: Passage, question: str) -> None:
        super().__init__("Why it stands here")
        self._passage = passage
        self._question = question

    def text(self, width: int) -> Content:
        """Return the explanation."""
        return explanation(self._passage, self._question, width)
