"""What every command shares: the settings in force and one way to print."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from oncall_tui import config

if TYPE_CHECKING:
    from oncall_tui.engine import Engine


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


def print_json(value: Mapping[str, object]) -> None:
    """Print a value as indented JSON on stdout."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def say(text: str) -> None:
    """Print something that is not the answer: on stderr."""
    click.echo(text, err=True)
