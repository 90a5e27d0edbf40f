"""Where configuration, index and shipped files live. Pure: nothing is created here."""

import os
from importlib.resources import files
from pathlib import Path

import platformdirs

APP_NAME = "oncall"


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
