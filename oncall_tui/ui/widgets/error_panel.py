"""An error shown in place: what went wrong and what mends it."""

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from oncall_tui.errors import OncallError


def error_text(error: OncallError) -> Content:
    """Return an error's message and its hint on a line of its own."""
    message = Content.assemble(("Error: ", "$text-error bold"), error.message)
    return message + Content.assemble("\n", ("Hint: ", "bold"), error.hint) if error.hint else message


class ErrorPanel(Static):
    """Shows the last error until it is over; takes no room without one."""

    error: reactive[OncallError | None] = reactive(None)
    """What is shown."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.display = False

    def watch_error(self, error: OncallError | None) -> None:
        """Show or hide the error."""
        self.display = error is not None
        self.update(error_text(error) if error else "")
