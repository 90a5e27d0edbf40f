"""Key bindings: what several screens share, and which keys are in force."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from textual.actions import parse
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen

_PACKAGE: Final = __name__.split(".", maxsplit=1)[0] + "."

CITATIONS: Final = Binding.Group("Open the citation with this number", compact=True)
PASSAGES: Final = Binding.Group("Passage", compact=True)

CITATION_BINDINGS: Final[list[BindingType]] = [
    Binding(
        str(label),
        f"cite({label})",
        "Citation",
        id=f"citation.{label}",
        key_display="1-9",
        show=label == 1,
        tooltip=f"Open citation {label} at its lines",
        group=CITATIONS,
    )
    for label in range(1, 10)
]
"""A digit opens the passage with that label."""

EXPLAIN: Final = Binding(
    "x", "explain", "Why", id="passage.explain", tooltip="Explain the passage's place by its figures"
)

FILE_BINDINGS: Final[list[BindingType]] = [
    Binding("e", "edit", "Edit", id="passage.edit", tooltip="Open the file at the line in your editor"),
    Binding("f4", "edit", "Edit", id="passage.edit-anywhere", show=False, tooltip="Edit the file, even while typing"),
    Binding("y", "copy_citation", "Copy", id="passage.copy", tooltip="Copy the passage's citation"),
    Binding(
        "Y",
        "copy_location",
        "Copy path",
        id="passage.copy-path",
        show=False,
        tooltip="Copy the passage's path and line",
    ),
]
"""What can be done with the file of the current passage."""


@dataclass(frozen=True, slots=True)
class KeyInForce:
    """A binding of ours on a screen, with the keys that trigger it now."""

    node: DOMNode
    """Where its action is run."""
    group: str
    binding: Binding
    keys: tuple[str, ...]

    @property
    def is_possible(self) -> bool:
        """Whether its action can be run at present."""
        namespace, name, parameters = parse(self.binding.action)
        if namespace:
            return True
        return bool(self.node.check_action(name, parameters))


def keys_in_force(screen: Screen[Any], overrides: Mapping[str, str]) -> Iterator[KeyInForce]:
    """Yield every binding of ours: of the pane in focus, the screen and the app, then of the other panes."""
    seen: set[str] = set()
    focused = [screen.focused] if screen.focused else []
    for node in (*focused, screen, screen.app, *screen.walk_children()):
        for binding in declared_by(type(node)):
            if binding.id is None or binding.id in seen:
                continue
            seen.add(binding.id)
            keys = tuple(key.strip() for key in overrides.get(binding.id, binding.key).split(","))
            yield KeyInForce(node, node.BINDING_GROUP_TITLE or "", binding, keys)


def declared_by(owner: type[DOMNode]) -> Sequence[Binding]:
    """Return the bindings that our classes declare for ``owner``; a subclass replaces those it repeats."""
    bindings: dict[str, Binding] = {}
    for base in reversed(owner.__mro__):
        if base.__module__.startswith(_PACKAGE):
            for binding in base.__dict__.get("BINDINGS", ()):
                bindings[binding.id or binding.key] = binding
    return tuple(bindings.values())
