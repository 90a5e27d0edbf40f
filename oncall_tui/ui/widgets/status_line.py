"""The line above the keys that says what there is and what is under way."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from oncall_tui.models import Evidence
from oncall_tui.ui.rendering.status import status_line
from oncall_tui.ui.state import IndexState
from oncall_tui.ui.widgets.evidence_list import NOTHING_ASKED


class StatusLine(Widget):
    """Shows the state of the index and of the last search."""

    index: reactive[IndexState] = reactive(IndexState())
    """How the index stands."""

    evidence: reactive[Evidence] = reactive(NOTHING_ASKED)
    """What the last search found."""

    def render(self) -> Content:
        """Return the line for the present width."""
        return status_line(self.index, self.evidence, self.content_size.width)
