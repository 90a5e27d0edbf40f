"""Filters on what a document is; they apply before any list is cut."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from typing import Final, Protocol

from oncall_tui.errors import ConfigError
from oncall_tui.models import DocumentType, Filters, Metadata

NAMES: Final = ("service", "type", "owner", "tag", "path", "trust", "valid")
"""What ``--filter name=value`` and ``name:value`` in a question can name."""

_TRUST_LEVELS: Final = ("1", "2", "3", "4", "5")
_YES: Final = ("today", "true", "yes", "1")


class HasMetadata(Protocol):
    """A document's record."""

    @property
    def path(self) -> str:
        """Relative path."""
        ...

    @property
    def metadata(self) -> Metadata:
        """What is known of it."""
        ...


@dataclass(frozen=True, slots=True)
class FilterValues:
    """The values that occur in an index, lower-case."""

    services: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()
    """As they are written."""

    @classmethod
    def of(cls, documents: Iterable[HasMetadata]) -> "FilterValues":
        """Return the values that occur in some documents."""
        listed = tuple(documents)
        known = [document.metadata for document in listed]
        return cls(
            frozenset(metadata.service.lower() for metadata in known if metadata.service),
            frozenset(metadata.owner.lower() for metadata in known if metadata.owner),
            frozenset(tag.lower() for metadata in known for tag in metadata.tags),
            frozenset(document.path for document in listed),
        )

    def choices(self, name: str) -> frozenset[str] | None:
        """Return the values a filter can take; ``None`` if any text will do."""
        return {
            "service": self.services,
            "owner": self.owners,
            "tag": self.tags,
            "type": frozenset(kind.value for kind in DocumentType),
            "trust": frozenset(_TRUST_LEVELS),
            "valid": frozenset(_YES),
        }.get(name)

    def knows(self, name: str, value: str) -> bool:
        """Return whether a filter with this value could match anything."""
        if name == "path":
            return any(_is_path(path, value) for path in self.paths)
        choices = self.choices(name)
        return choices is None or _normal(name, value) in choices


def parse_pairs(pairs: Iterable[tuple[str, str]], values: FilterValues) -> Filters:
    """Return the filters that names and values make.

    Raises:
        ConfigError: If a name or value does not exist; the hint names the nearest.
    """
    given: dict[str, list[str]] = {name: [] for name in NAMES}
    for name, value in pairs:
        if name not in NAMES:
            raise ConfigError(f"There is no filter {name!r}.", hint=_nearest(name, NAMES))
        choices = values.choices(name)
        normal = _normal(name, value)
        if choices is not None and normal not in choices:
            raise ConfigError(f"No document has {name} {value!r}.", hint=_nearest(normal, sorted(choices)))
        given[name].append(normal)
    return Filters(
        service=tuple(given["service"]),
        type=tuple(given["type"]),
        owner=tuple(given["owner"]),
        tag=tuple(given["tag"]),
        path=tuple(given["path"]),
        min_trust=max(map(int, given["trust"]), default=1),
        is_valid=bool(given["valid"]),
    )


def merge(first: Filters, second: Filters) -> Filters:
    """Return the filters of both: of one kind any value will do, the kinds must all hold."""
    return Filters(
        service=first.service + second.service,
        type=first.type + second.type,
        owner=first.owner + second.owner,
        tag=first.tag + second.tag,
        path=first.path + second.path,
        min_trust=max(first.min_trust, second.min_trust),
        is_valid=first.is_valid or second.is_valid,
    )


def matches(document: HasMetadata, filters: Filters, today: date) -> bool:
    """Return whether a document passes."""
    metadata = document.metadata
    return (
        _any_of(metadata.service, filters.service)
        and _any_of(metadata.owner, filters.owner)
        and _any_of(metadata.type, filters.type)
        and (not filters.tag or bool({tag.lower() for tag in metadata.tags} & set(filters.tag)))
        and (not filters.path or any(_is_path(document.path, pattern) for pattern in filters.path))
        and metadata.trust >= filters.min_trust
        and (not filters.is_valid or metadata.is_valid_on(today))
    )


def _any_of(value: str, wanted: Sequence[str]) -> bool:
    return not wanted or value.lower() in wanted


def _is_path(path: str, pattern: str) -> bool:
    return path.startswith(pattern) or fnmatchcase(path, pattern)


def _normal(name: str, value: str) -> str:
    if name == "path":
        return value
    return value.lower().replace("_", " ").replace("-", " ") if name == "type" else value.lower()


def _nearest(wrong: str, choices: Sequence[str]) -> str:
    close = difflib.get_close_matches(wrong, choices, n=1, cutoff=0.5)
    return f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(choices) or 'none'}."
