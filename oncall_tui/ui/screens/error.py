"""An error that stopped what a person asked for."""

from textual.content import Content

from oncall_tui.errors import OncallError
from oncall_tui.ui.screens.dialog import Dialog
from oncall_tui.ui.widgets.error_panel import error_text


class ErrorScreen(Dialog):
    """Shows an error's message and hint until it is closed."""

    def __init__(self, error: OncallError) -> None:
        super().__init__("That did not work")
        self._error = error

    def text(self, width: int) -> Content:
        """Return the error."""
        del width
        return error_text(self._error)
