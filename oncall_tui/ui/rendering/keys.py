"""The keys in force as a table."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from textual.binding import Binding
from textual.content import Content

from oncall_tui.ui.bindings import KeyInForce

Display = Callable[[Binding], str]


def key_table(keys: Sequence[KeyInForce], display: Display) -> Content:
    """Return the keys by group, each with what it does; keys of one purpose share a line."""
    rows = [(group, list(_rows(list(members), display))) for group, members in groupby(keys, key=lambda key: key.group)]
    width = max((len(names) for _, lines in rows for names, _ in lines), default=0)
    lines: list[Content] = []
    for group, members in rows:
        lines += [Content(""), Content.styled(group or "Everywhere", "$accent bold")]
        lines += [Content.assemble((f"  {names:<{width}}  ", "$primary bold"), what) for names, what in members]
    return Content("\n").join(lines[1:])


def _rows(keys: Sequence[KeyInForce], display: Display) -> Iterator[tuple[str, str]]:
    for purpose, members in groupby(keys, key=lambda key: key.binding.group or key.binding.tooltip):
        together = list(members)
        names = " ".join(display(key.binding.with_key(name)) for key in together for name in key.keys)
        yield names, purpose if isinstance(purpose, str) else purpose.description
