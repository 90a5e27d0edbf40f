"""What is known about a document: front matter, ``manifest.json``, and rules for the rest.

The manifest wins over front matter, and both over rules. What a rule filled in is marked as
derived, so that nobody takes a guess for a fact.
"""

import difflib
import re
from collections.abc import Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Any, Final

import msgspec
import yaml

from oncall_tui.errors import ConfigError
from oncall_tui.models import DocumentType, Metadata
from oncall_tui.text import ellipsize, single_line, strip_controls

MANIFEST_NAME: Final = "manifest.json"

FIELDS: Final = (
    "doc_id",
    "title",
    "service",
    "owner",
    "version",
    "type",
    "trust",
    "category",
    "tags",
    "valid_from",
    "valid_to",
    "last_updated",
)
"""The keys that front matter and manifest entries may set."""

_FENCE: Final = re.compile(r"---[ \t]*")
_FIRST_KEY: Final = re.compile(r"[a-z][\w-]*:(?: |$)")
_MAX_FRONT_MATTER_LINES: Final = 200
_MAX_FRONT_MATTER_CHARACTERS: Final = 20_000
"""YAML is read slowly; what is longer is no metadata of a page."""

_YAML_NULLS: Final = ("", "~", "null", "Null", "NULL")
_DEFAULT_TRUST: Final = 2
_TRUST_LEVELS: Final = {str(level): level for level in range(1, 6)}
_SHOWN_VALUE: Final = 80
"""Characters of a wrong value that an error message repeats."""

_TYPE_RULES: Final = (
    (re.compile(r"post-?mortems?|case[- ]stud|incident report|复盘|故障报告", re.IGNORECASE), DocumentType.CASE_STUDY),
    (re.compile(r"\bpolic(?:y|ies)\b|制度|规范|政策", re.IGNORECASE), DocumentType.POLICY),
    (re.compile(r"\bchange-?log\b|release notes|更新日志|变更记录", re.IGNORECASE), DocumentType.CHANGELOG),
    (re.compile(r"\bapi (?:spec|reference)\b|openapi|swagger|接口文档", re.IGNORECASE), DocumentType.API_SPEC),
)
"""Words in a page's path or title that tell its type; the first that matches decides."""

_GENERIC_FOLDERS: Final = frozenset(
    (
        "alert",
        "alerts",
        "doc",
        "docs",
        "documentation",
        "en",
        "faq",
        "faqs",
        "guide",
        "guides",
        "how-to",
        "howto",
        "ops",
        "operations",
        "page",
        "pages",
        "playbook",
        "playbooks",
        "runbook",
        "runbooks",
        "sop",
        "troubleshoot",
        "troubleshooting",
        "wiki",
        "zh",
        "zh-cn",
    )
)
"""Folder names that say nothing about a service."""

Fields = Mapping[str, object]
"""Normalised values of :data:`FIELDS`; a key that is absent was not written down."""


class FrontMatterError(ValueError):
    """Front matter that is not the YAML mapping it should be.

    Args:
        message: What is wrong with it.
        stop: Zero-based line at which it ends.
    """

    def __init__(self, message: str, stop: int) -> None:
        super().__init__(message)
        self.stop = stop


def split_front_matter(text: str) -> tuple[Fields, int]:
    """Return the fields a page's front matter sets and the line at which the body starts.

    Keys of other tools are left alone, and so are values that make no sense for their key,
    since pages are written for other tools too.

    Raises:
        FrontMatterError: If there is front matter but it is no YAML mapping.
    """
    if not _FENCE.fullmatch(text.split("\n", 1)[0]):
        return {}, 0
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines[1:], 1) if _is_end(line)), 0)
    if 0 < end < _MAX_FRONT_MATTER_LINES:
        try:
            return known_fields(_load_yaml("\n".join(lines[1:end]))), end + 1
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise FrontMatterError(single_line(str(error)), end + 1) from error
    if len(lines) > 1 and _FIRST_KEY.match(lines[1]):
        problem = f"it is longer than {_MAX_FRONT_MATTER_LINES} lines" if end else "it has no end"
        raise FrontMatterError(problem, end + 1 if end else 0)
    return {}, 0  # a line across the page, and no front matter


def _is_end(line: str) -> bool:
    return bool(_FENCE.fullmatch(line)) or line.rstrip() == "..."


class _Loader(yaml.BaseLoader):
    """YAML whose values stay as they are written, so that version 3.10 is not the number 3.1.

    Tags do nothing, and there are no aliases, which a hostile page could nest without end.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("aliases are not read in front matter")
        return super().compose_node(parent, index)


def _load_yaml(source: str) -> Mapping[Any, Any]:
    if len(source) > _MAX_FRONT_MATTER_CHARACTERS:
        msg = f"it is longer than {_MAX_FRONT_MATTER_CHARACTERS:,} characters"
        raise ValueError(msg)
    loaded = yaml.load(source, Loader=_Loader)  # noqa: S506 - it builds nothing but text, lists and mappings
    if loaded is None:
        return {}
    if not isinstance(loaded, Mapping):
        msg = "it is not a list of key: value lines"
        raise ValueError(msg)  # noqa: TRY004 - the page is wrong, not the program
    return {key: value for key, value in loaded.items() if value not in _YAML_NULLS}


def known_fields(values: Mapping[Any, Any]) -> Fields:
    """Return the values of :data:`FIELDS` in their types; other keys, and values that make no sense, are left out."""
    fields = {name: _normalised(name, values[name]) for name in FIELDS if name in values}
    return {name: value for name, value in fields.items() if value is not None}


def _normalised(name: str, value: object) -> object | None:
    """Return the value in its field's type, or ``None`` if it makes no sense for it."""
    match name:
        case "tags":
            items = value if isinstance(value, list) else _as_text(value).split(",")
            return tuple(tag for item in items if (tag := _as_text(item)))
        case "trust":
            return _TRUST_LEVELS.get(_as_text(value))
        case "type":
            kind = _as_text(value).lower().replace("_", " ").replace("-", " ")
            return DocumentType(kind) if kind in set(DocumentType) else None
        case "valid_from" | "valid_to" | "last_updated":
            return _as_date(value)
        case _:
            return _as_text(value) or None


def _as_text(value: object) -> str:
    if isinstance(value, (Mapping, list)) or value is None:
        return ""
    return single_line(strip_controls(str(value)))


def _as_date(value: object) -> date | None:
    try:
        return date.fromisoformat(_as_text(value)[:10])
    except ValueError:
        return None


def parse_manifest(data: bytes, name: str = MANIFEST_NAME) -> dict[str, Fields]:
    """Return the fields by relative path that a ``manifest.json`` sets.

    Unlike front matter, the manifest is written for this program alone, so whatever is wrong
    in it is an error.

    Raises:
        ConfigError: If it is no JSON, or names an unknown key or a senseless value.
    """
    try:
        loaded = msgspec.json.decode(data, type=dict[str, dict[str, Any]])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        msg = f"{name} cannot be used: {single_line(str(error))}."
        hint = 'It maps a relative path to its metadata: {"redis.md": {"service": "redis"}}.'
        raise ConfigError(msg, hint=hint) from error
    cleaned = ((_manifest_path(path), entry) for path, entry in loaded.items())
    return {path: _entry(name, path, entry) for path, entry in cleaned}


def _manifest_path(path: str) -> str:
    return PurePosixPath(strip_controls(path).replace("\n", " ").replace("\\", "/")).as_posix()


def _entry(name: str, path: str, entry: Mapping[str, Any]) -> Fields:
    for key in entry:
        if key not in FIELDS:
            close = difflib.get_close_matches(key, FIELDS, n=1)
            hint = f"Did you mean {close[0]!r}?" if close else f"Known keys: {', '.join(FIELDS)}."
            raise ConfigError(f"{name} sets an unknown key {key!r} for {path}.", hint=hint)
    fields = known_fields(entry)
    for key, value in entry.items():
        if key not in fields and value not in ("", None, []):
            shown = ellipsize(repr(value), _SHOWN_VALUE)
            raise ConfigError(f"{name} gives {path} a {key} that makes no sense: {shown}.", hint=_expected(key))
    return fields


def _expected(key: str) -> str:
    match key:
        case "trust":
            return "Trust is a whole number from 1 to 5."
        case "type":
            return f"Types are: {', '.join(DocumentType)}."
        case "valid_from" | "valid_to" | "last_updated":
            return "Dates are written 2026-11-30."
        case _:
            return "A line of text is expected."


def derive(path: str, heading: str, fields: Fields) -> tuple[str, Metadata]:
    """Return the document id and the metadata of a page, rules filling in what is missing.

    Args:
        path: Relative POSIX path of the file.
        heading: The page's first heading; empty if there is none.
        fields: What manifest and front matter set.
    """
    title = str(fields.get("title") or heading or _title_from(path))
    rules: dict[str, object] = {
        "title": title,
        "service": _service_from(path, title),
        "type": _type_from(path, title),
        "trust": _DEFAULT_TRUST,
    }
    given = {name: value for name, value in fields.items() if name != "doc_id"}
    missing = [name for name in rules if name not in given]
    derived = tuple(name for name in missing if rules[name])
    doc_id = fields.get("doc_id")
    if not doc_id:
        derived = ("doc_id", *derived)
    values: dict[str, Any] = {**rules, **given}
    return str(doc_id or id_from(path)), Metadata(**values, derived=derived)


def id_from(path: str) -> str:
    """Return the document id that a path stands for: the path without its ending."""
    return str(PurePosixPath(path).with_suffix("")).replace(" ", "_").replace("#", "_").replace(":", "_")


def _title_from(path: str) -> str:
    return PurePosixPath(path).stem.replace("_", " ").replace("-", " ")


def _type_from(path: str, title: str) -> DocumentType:
    for pattern, kind in _TYPE_RULES:
        if pattern.search(path) or pattern.search(title):
            return kind
    return DocumentType.INSTRUCTION


def _service_from(path: str, title: str) -> str:
    """Return the nearest folder that says something, or the file's name if the title says it too."""
    pure = PurePosixPath(path)
    for folder in reversed(pure.parts[:-1]):
        if folder.lower() not in _GENERIC_FOLDERS:
            return folder.lower()
    stem = pure.stem.lower()
    return stem if stem in title.lower() else ""
