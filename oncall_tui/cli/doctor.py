"""``oncall doctor``: what works, what is degraded, and how to mend it."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oncall_tui import __version__, config
from oncall_tui.cli.context import Context, pass_context, print_json, put
from oncall_tui.errors import ConfigError, OncallError
from oncall_tui.locations import real
from oncall_tui.models import Check, CheckStatus
from oncall_tui.text import single_line

if TYPE_CHECKING:
    from oncall_tui.engine import Engine


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def doctor(context: Context, *, as_json: bool) -> int:
    """Say what works, what is degraded, and how to mend it."""
    checks = list(_checks(context))
    if as_json:
        print_json({"checks": [_as_json(check) for check in checks]})
    else:
        for check in checks:
            put(f"{check.status.value:<8}  ", single_line(f"{check.name}: {check.detail}"))
            if check.fix:
                put(f"{'':8}  mend it: {check.fix}")
    return 1 if any(check.status is CheckStatus.FAILED for check in checks) else 0


def _checks(context: Context) -> Iterator[Check]:
    version = f"oncall {__version__} on Python {sys.version.split()[0]}"
    yield Check("program", CheckStatus.OK, version)
    try:
        settings = context.settings()
    except OncallError as error:
        yield Check("settings", CheckStatus.FAILED, error.message, error.hint)
        return
    yield Check("settings", CheckStatus.OK, "are valid")
    yield from _check_environment()
    yield _check_folder(settings.data_folder)
    engine = context.engine()
    yield from engine.checks()
    yield _check_screen(engine, settings)
    yield _check_terminal()


def _check_environment() -> Iterator[Check]:
    for name, meant in config.mistyped(os.environ):
        yield Check("environment", CheckStatus.DEGRADED, f"{name} says nothing", f"Did you mean {meant}?")


def _check_folder(folder: Path) -> Check:
    """Check that the data folder, or what it would be made in, can be written."""
    existing = next(path for path in (folder, *real(folder).parents) if os.path.exists(path))  # noqa: PTH110
    if os.access(existing, os.W_OK):
        return Check("data folder", CheckStatus.OK, str(folder))
    fix = "Name another one: --data-dir DIR or ONCALL_DATA_DIR"
    return Check("data folder", CheckStatus.FAILED, f"{folder} cannot be written", fix)


def _check_screen(engine: "Engine", settings: config.Settings) -> Check:
    """Check that the screen would open: it alone knows which themes and keys there are."""
    from oncall_tui.ui.app import OncallApp  # noqa: PLC0415 - other commands need no textual

    try:
        OncallApp(engine, keys=settings.keys, theme=settings.theme)
    except ConfigError as error:
        return Check("screen", CheckStatus.FAILED, f"cannot be opened: {error.message}", error.hint)
    return Check("screen", CheckStatus.OK, f"knows the theme {settings.theme} and the keys of the settings")


def _check_terminal() -> Check:
    size = shutil.get_terminal_size()
    facts = [f"{name}={os.environ[name]}" for name in ("TERM", "COLORTERM", "NO_COLOR") if os.environ.get(name)]
    facts.extend(name.lower() for name in ("TMUX", "SSH_CONNECTION") if os.environ.get(name))
    detail = f"{size.columns}×{size.lines} {' '.join(facts)}"
    if size.columns < 60 or size.lines < 20:  # noqa: PLR2004 - the smallest layout
        return Check("terminal", CheckStatus.DEGRADED, detail, "Make it at least 60 columns by 20 lines.")
    return Check("terminal", CheckStatus.OK, detail)


def _as_json(check: Check) -> dict[str, str]:
    return {"name": check.name, "status": check.status.value, "detail": check.detail, "fix": check.fix}
