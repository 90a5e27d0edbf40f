"""What has to change in the index: a pure comparison."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The keys of documents by what has to happen to them, each in order."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing has to happen."""
        return not (self.added or self.changed or self.removed)


def compare(known: Mapping[str, str], found: Mapping[str, str], kept: Collection[str] = ()) -> Plan:
    """Return the plan that turns the known documents into the found ones.

    Args:
        known: Fingerprint by key of the documents in the index.
        found: Fingerprint by key of the files that are there now.
        kept: Keys that stay although they were not found, because their source is away.
    """
    both = known.keys() & found.keys()
    return Plan(
        added=tuple(sorted(found.keys() - known.keys())),
        changed=tuple(sorted(key for key in both if known[key] != found[key])),
        removed=tuple(sorted(known.keys() - found.keys() - set(kept))),
        unchanged=tuple(sorted({key for key in both if known[key] == found[key]} | (known.keys() & set(kept)))),
    )
