"""What every command shares: the settings in force and one way to print.

Whatever is printed passes :func:`put`, :func:`say` or :func:`print_json`, since names of folders
and arguments never pass a loader, and could hold what a terminal obeys.
"""

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click

from oncall_tui import config
from oncall_tui.text import strip_controls

if TYPE_CHECKING:
    from oncall_tui.engine import Engine

_UNPRINTABLE: Final = re.compile(r"[^\n -~]")
"""What may be unprintable; all of ASCII that is not has been escaped."""


@dataclass(slots=True)
class Context:
    """The global options of one run."""

    config_file: Path | None = None
    overrides: dict[str, object] = field(default_factory=dict)

    def settings(self, **overrides: object) -> config.Settings:
        """Return the settings in force, the command's own options on top."""
        return config.load(self.config_file, overrides={**self.overrides, **overrides})

    def engine(self, **overrides: object) -> "Engine":
        """Return an engine for the settings in force."""
        from oncall_tui.wiring import build_engine  # noqa: PLC0415 - `oncall --help` needs no numpy

        return build_engine(self.settings(**overrides))


pass_context = click.make_pass_decorator(Context, ensure=True)


@dataclass(frozen=True, slots=True)
class Styled:
    """Text that stands out on a terminal."""

    text: str
    bold: bool = False
    underline: bool = False


def put(*parts: str | Styled) -> None:
    """Print a part of the answer on stdout, as one line or as many as it has."""
    click.echo("".join(map(_safe, parts)), file=sys.stdout)


def say(text: str) -> None:
    """Print something that is not the answer: on stderr, if anybody still reads it."""
    try:
        click.echo(strip_controls(text), file=sys.stderr)
    except OSError:
        silence(sys.stderr)


def print_json(value: Mapping[str, object]) -> None:
    """Print a value as indented JSON on stdout; what cannot be shown is escaped."""
    text = _UNPRINTABLE.sub(_escape, json.dumps(value, ensure_ascii=False, indent=2))
    if not _can_carry(sys.stdout, text):
        text = json.dumps(value, indent=2)
    click.echo(text, file=sys.stdout)


def silence(stream: TextIO) -> None:
    """Let a stream that takes nothing more lead nowhere, or Python would try again when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _safe(part: str | Styled) -> str:
    if isinstance(part, str):
        return strip_controls(part)
    return click.style(strip_controls(part.text), bold=part.bold or None, underline=part.underline or None)


def _escape(match: re.Match[str]) -> str:
    return match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1]


def _can_carry(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
