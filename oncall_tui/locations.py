"""Where configuration, index and shipped files live. Pure: nothing is created here."""

import os
import stat
from importlib.resources import files
from pathlib import Path

import platformdirs

from oncall_tui.errors import ConfigError

APP_NAME = "oncall"

_GIVEN = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/", "/dev/null")
"""What the shell hands to a command: ``oncall --config <(generate)``."""


def real(path: Path) -> Path:
    """Return a path with links followed; unlike ``Path.resolve`` it never raises, not even for a loop of links."""
    return Path(os.path.realpath(path))


def config_file() -> Path:
    """Return the path of the settings file of this user."""
    return Path(platformdirs.user_config_dir(APP_NAME)) / "config.toml"


def data_dir() -> Path:
    """Return the default folder of the index and the state."""
    return Path(platformdirs.user_data_dir(APP_NAME))


def shipped(name: str) -> Path:
    """Return the folder ``runbooks`` or ``data`` that travels with the program.

    In a wheel both lie inside the package; in a source tree they lie beside it.
    """
    package = Path(str(files("oncall_tui")))
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def refuse_endless(file: Path) -> None:
    """Make sure that reading a file cannot wait for ever, as it would for a pipe that nobody writes to.

    Raises:
        ConfigError: If it is a device, a socket or a pipe, and none that the shell made for the program.
    """
    try:
        mode = file.stat().st_mode
    except (OSError, ValueError):
        return  # whoever opens it says what is wrong
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or str(file).startswith(_GIVEN)):
        raise ConfigError(f"{file} is not a regular file.", hint="Name a file, or /dev/stdin for what is piped in.")
