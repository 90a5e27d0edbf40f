"""The command palette: every key binding of the present screen, so that nothing needs to be known by heart."""

from collections.abc import Coroutine, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual import command

from oncall_tui.ui.bindings import KeyInForce, keys_in_force

if TYPE_CHECKING:
    from oncall_tui.ui.app import OncallApp


class KeyCommands(command.Provider):
    """Offers what the keys do, with the keys."""

    async def discover(self) -> command.Hits:
        """Yield everything that is possible at present."""
        for key in self._possible():
            yield command.DiscoveryHit(key.binding.tooltip, self._run(key), help=self._help(key))

    async def search(self, query: str) -> command.Hits:
        """Yield what matches the typed text."""
        matcher = self.matcher(query)
        for key in self._possible():
            score = matcher.match(key.binding.tooltip)
            if score > 0:
                display = matcher.highlight(key.binding.tooltip)
                yield command.Hit(score, display, self._run(key), help=self._help(key))

    @property
    def _app(self) -> "OncallApp":
        return cast("OncallApp", self.app)

    def _possible(self) -> Iterator[KeyInForce]:
        return (key for key in keys_in_force(self.screen, self._app.keys) if key.is_possible)

    def _run(self, key: KeyInForce) -> partial[Coroutine[Any, Any, bool]]:
        return partial(self.app.run_action, key.binding.action, key.node)

    def _help(self, key: KeyInForce) -> str:
        keys = ", ".join(self.app.get_key_display(key.binding.with_key(name)) for name in key.keys)
        return f"{keys}  ({key.binding.id})"
