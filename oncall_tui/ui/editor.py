"""Opening a file at a line in the person's own editor."""

import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Final

from oncall_tui.errors import ConfigError

_FALLBACKS: Final = ("nvim", "vim", "vi", "nano")
"""Tried in this order if neither ``VISUAL`` nor ``EDITOR`` is set."""


def _plus_line(file: str, line: int) -> list[str]:
    return [f"+{line}", file]


def _goto(file: str, line: int) -> list[str]:
    # Without --wait a graphical editor returns at once, and the page would be read before it is edited.
    return ["--wait", "--goto", f"{file}:{line}"]


def _suffix(file: str, line: int) -> list[str]:
    return [f"{file}:{line}"]


def _suffix_and_wait(file: str, line: int) -> list[str]:
    return ["--wait", f"{file}:{line}"]


_ARGUMENTS: Final[Mapping[str, Callable[[str, int], list[str]]]] = {
    **dict.fromkeys(
        ("vi", "vim", "nvim", "gvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne"), _plus_line
    ),
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor"), _goto),
    **dict.fromkeys(("hx", "helix"), _suffix),
    **dict.fromkeys(("subl", "zed"), _suffix_and_wait),
}
"""How each editor is told a line; of an unknown one nothing is assumed but that it opens files."""


def editor_command(file: str, line: int, environment: Mapping[str, str]) -> list[str]:
    """Return the command that opens ``file`` at a line, counted from one.

    Raises:
        ConfigError: If there is no editor, or its setting cannot be read.
    """
    command = _editor(environment)
    arguments = _ARGUMENTS.get(PurePath(command[0]).name.removesuffix(".exe"))
    if arguments is None:
        return [*command, file]
    added = arguments(file, line)
    return [*command, *(argument for argument in added if argument not in command)]


def _editor(environment: Mapping[str, str]) -> list[str]:
    name = next((name for name in ("VISUAL", "EDITOR") if environment.get(name, "").strip()), "")
    if not name:
        found = next(filter(shutil.which, _FALLBACKS), None)
        if found is None:
            raise ConfigError("There is no editor to open.", hint="Set VISUAL or EDITOR, for example EDITOR=vim.")
        return [found]
    try:
        return shlex.split(environment[name])
    except ValueError as error:
        msg = f"{name} cannot be read: {environment[name]!r}."
        raise ConfigError(msg, hint="Quotes must come in pairs.") from error


def run_editor(command: list[str]) -> None:
    """Run an editor and wait for it.

    Raises:
        ConfigError: If it cannot be started.
    """
    try:
        subprocess.run(command, check=False)  # noqa: S603 - the person's own editor, no shell
    except OSError as error:
        msg = f"{command[0]} cannot be started."
        raise ConfigError(msg, hint="Set VISUAL or EDITOR to an editor that is installed.") from error
