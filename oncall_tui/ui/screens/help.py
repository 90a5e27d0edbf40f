"""The keys in force on the screen below."""

from collections.abc import Sequence

from textual.content import Content

from oncall_tui.ui.bindings import KeyInForce
from oncall_tui.ui.rendering.keys import key_table
from oncall_tui.ui.screens.dialog import Dialog


class HelpScreen(Dialog):
    """Lists the keys, with the person's own changes."""

    def __init__(self, keys: Sequence[KeyInForce]) -> None:
        super().__init__("Keys")
        self._keys = keys

    def text(self, width: int) -> Content:
        """Return the table of keys."""
        del width
        return key_table(self._keys, self.app.get_key_display)
