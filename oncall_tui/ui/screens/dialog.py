"""A box over the screen that any key of leaving closes."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widgets import Static


class Dialog(ModalScreen[None]):
    """Shows a text that can be scrolled.

    Args:
        title: Stands in the border.
    """

    BINDING_GROUP_TITLE = "Box"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "close", "Close", id="dialog.close", tooltip="Go back to where you were"),
        Binding("j,down", "scroll(1)", "Down", id="dialog.down", show=False, tooltip="Scroll the box down"),
        Binding("k,up", "scroll(-1)", "Up", id="dialog.up", show=False, tooltip="Scroll the box up"),
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        """Lay out the box and its text."""
        with VerticalScroll(id="box") as box:
            box.border_title = Content(self._title)
            yield Static(id="text", markup=False)

    def on_mount(self) -> None:
        """Name the key that closes the box, which may be a person's own."""
        bindings = (active.binding for active in self.active_bindings.values())
        keys = [self.app.get_key_display(binding) for binding in bindings if binding.action == "close"]
        self.query_one("#box", VerticalScroll).border_subtitle = Content(f"{keys[0]} closes" if keys else "")

    def on_resize(self, event: Resize) -> None:
        """Lay the text out for the new width."""
        del event
        self.call_after_refresh(self._show)

    def text(self, width: int) -> Content:
        """Return what is shown at a width."""
        raise NotImplementedError

    def action_close(self) -> None:
        """Close the box."""
        self.dismiss()

    def action_scroll(self, lines: int) -> None:
        """Scroll the text."""
        self.query_one("#box", VerticalScroll).scroll_relative(y=lines, animate=False)

    def _show(self) -> None:
        width = self.query_one("#box", VerticalScroll).scrollable_content_region.width
        self.query_one("#text", Static).update(self.text(max(width, 1)))
