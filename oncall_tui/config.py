"""Settings: defaults < settings file < environment < command line.

The file is TOML. A key that does not exist is an error that names the nearest one, since a
mistyped setting that is silently ignored is found at the worst moment.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import msgspec

from oncall_tui import locations
from oncall_tui.errors import ConfigError

_ENVIRONMENT_PREFIX: Final = "ONCALL_"
_UNWRITABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NEAR: Final = 0.7
"""How like a setting's variable another must be to be taken for it: variables of other programs are not ours."""

KEY_VARIABLE: Final = "ONCALL_EMBEDDER_KEY"
"""Holds the key for the embedding server: no setting, since settings files are shared and shown."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything a person may want to change, with its default."""

    sources: tuple[str, ...] = ()
    """Folders of runbooks; empty means the index's own, and at first the shipped demo."""
    data_dir: str = ""
    """Folder of the index and the state; empty means the platform's folder for user data."""
    offline: bool = False
    """Refuse every use of the network, also where one is configured."""
    chunk_size: Annotated[int, msgspec.Meta(ge=100, le=20_000)] = 1500
    """Largest passage in characters of Latin text; an ideograph counts 2.3."""
    chunk_overlap: Annotated[int, msgspec.Meta(ge=0)] = 0
    """How much of a passage's end the next one repeats; below ``chunk_size``."""
    max_file_megabytes: Annotated[float, msgspec.Meta(gt=0)] = 10.0
    """Larger files are left out, with a notice."""
    embedder: Literal["bundled", "openai", "ollama", "none"] = "bundled"
    """Where vectors come from: the model that is shipped, or a server; ``none`` means keyword search only."""
    embedder_url: str = ""
    """Address of an OpenAI-compatible server up to ``/v1``, or of Ollama; empty means Ollama on this machine."""
    embedder_model: str = ""
    """Name of the server's model."""
    embedder_question_prefix: str = ""
    """What the server's model wants before a question, such as ``"query: "`` for the e5 family."""
    embedder_passage_prefix: str = ""
    """What it wants before a passage, such as ``"passage: "``."""
    embedder_timeout: Annotated[float, msgspec.Meta(gt=0, le=600)] = 10.0
    """Seconds that a question may take on the server; a batch of passages may take 12 times that."""
    glossary: str = ""
    """A file of one's own terms, read beside the shipped glossary."""
    fusion: Literal["share", "rrf", "normalised"] = "share"
    """How rankings become one; README has the measured difference."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 8
    """Most passages to show for a question."""
    theme: str = "oncall-dark"
    """Name of the screen's theme."""
    keys: dict[str, str] = {}
    """Keys by binding id, such as ``{"search.ask" = "ctrl+k"}``."""

    @property
    def is_served(self) -> bool:
        """Whether vectors come from a server."""
        return self.embedder in {"openai", "ollama"}

    @property
    def data_folder(self) -> Path:
        """The folder of the index and the state."""
        return expanded(self.data_dir) if self.data_dir else locations.data_dir()


def expanded(path: str) -> Path:
    """Return a path with ``~`` as the home folder; that of an unknown user stays as it is written."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - pathlib raises for an unknown user


def load(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    overrides: Mapping[str, object] | None = None,
) -> Settings:
    """Return the settings in force.

    Args:
        file: The settings file; ``None`` means this user's, which may be absent.
        environment: Variables such as ``ONCALL_DATA_DIR``.
        overrides: What the command line says; ``None`` values say nothing.

    Raises:
        ConfigError: If a file named explicitly is missing, or a key or value is wrong.
    """
    path = file or locations.config_file()
    values = _read(path) if file or os.path.isfile(path) else {}  # noqa: PTH113 - a home may be out of reach
    origin = {key: str(path) for key in values}
    for source, layer in (("the environment", _from(environment)), ("the command line", overrides or {})):
        given = {key: value for key, value in layer.items() if value is not None}
        values |= given
        origin |= dict.fromkeys(given, source)
    settings = _convert(values, origin)
    if settings.chunk_overlap >= settings.chunk_size:
        msg = f"chunk_overlap ({settings.chunk_overlap}) must be below chunk_size ({settings.chunk_size})."
        raise ConfigError(msg, hint="Set chunk_overlap = 0 to have passages that do not overlap.")
    _check_name(settings.data_folder)
    _check_embedder(settings)
    return settings


def mistyped(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each variable that is no setting but nearly named like one, and the one it is like."""
    known = [field.name.upper() for field in msgspec.structs.fields(Settings)]
    for name in sorted(environment):
        key = name.removeprefix(_ENVIRONMENT_PREFIX)
        if key != name and key not in known:
            for meant in difflib.get_close_matches(key, known, n=1, cutoff=_NEAR):
                yield name, _ENVIRONMENT_PREFIX + meant


def _check_name(folder: Path) -> None:
    """Make sure that LanceDB can write the name down: in UTF-8, and without control characters."""
    if _UNWRITABLE.search(str(folder)):
        msg = f"The name of the data folder, {str(folder)!r}, has characters that cannot be shown, or is not UTF-8."
        raise ConfigError(msg, hint="Name another folder: --data-dir DIR")


def embedder_key(environment: Mapping[str, str] = os.environ) -> str:
    """Return the key for the embedding server, which stands in the environment only; empty if there is none.

    Raises:
        ConfigError: If it cannot be sent; the message does not repeat it.
    """
    key = environment.get(KEY_VARIABLE, "").strip()
    if not key.isascii() or not key.isprintable():
        raise ConfigError(f"{KEY_VARIABLE} holds characters that no key has.", hint="Set it anew, on one line.")
    return key


def _check_embedder(settings: Settings) -> None:
    """Make sure that a server is named completely, and in a way that may be shown in messages."""
    if not settings.is_served:
        return
    if not settings.embedder_model:
        hint = 'Set embedder_model, for example embedder_model = "bge-m3".'
        raise ConfigError(f"embedder = {settings.embedder!r} needs the name of a model.", hint=hint)
    if not settings.embedder_url and settings.embedder == "ollama":
        return
    example = 'For example: embedder_url = "http://127.0.0.1:8080/v1".'
    try:
        url = urlsplit(settings.embedder_url)
        _ = url.port  # raises for what is no port
        is_complete = url.scheme in {"http", "https"} and bool(url.hostname) and settings.embedder_url.isprintable()
    except ValueError:
        is_complete = False
    if not is_complete:
        raise ConfigError("embedder_url is not an address that starts with http:// or https://.", hint=example)
    if url.username or url.password or url.query or url.fragment:
        hint = f"A key stands in the environment, in {KEY_VARIABLE}. {example}"
        raise ConfigError("embedder_url holds more than a host, a port and a path.", hint=hint)


def _read(path: Path) -> dict[str, Any]:
    locations.refuse_endless(path)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The settings file {path} cannot be read.", hint=str(error)) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"The settings file {path} is not valid TOML: {error}.", hint="See https://toml.io."
        ) from error


def _from(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings that environment variables make; unknown variables are not ours."""
    values: dict[str, Any] = {}
    for name in msgspec.structs.fields(Settings):
        raw = environment.get(_ENVIRONMENT_PREFIX + name.name.upper())
        if raw:
            values[name.name] = _parsed(name.name, raw)
    return values


def _parsed(name: str, raw: str) -> object:
    if name == "sources":
        return tuple(part for part in raw.split(os.pathsep) if part)
    if name == "keys":
        return _pairs(raw)
    return (
        {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}.get(raw.lower(), raw)
        if (name == "offline")
        else raw
    )


def _pairs(raw: str) -> dict[str, str]:
    for pair in raw.split(","):
        if "=" not in pair:
            hint = "Write ONCALL_KEYS=search.ask=ctrl+k,help=f1."
            raise ConfigError(f"the environment has a wrong value for 'keys': {pair!r}.", hint=hint)
    return dict(pair.strip().split("=", 1) for pair in raw.split(","))


def _convert(values: Mapping[str, Any], origin: Mapping[str, str]) -> Settings:
    names = [field.name for field in msgspec.structs.fields(Settings)]
    for key in values:
        if key not in names:
            close = difflib.get_close_matches(key, names, n=1)
            hint = f"Did you mean {close[0]!r}?" if close else f"Known settings: {', '.join(names)}."
            if key == KEY_VARIABLE.removeprefix(_ENVIRONMENT_PREFIX).lower():
                hint = f"A key stands in the environment only, in {KEY_VARIABLE}."
            raise ConfigError(f"{origin[key]} has an unknown setting {key!r}.", hint=hint)
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        found = re.search(r"\$\.(\w+)", str(error))
        key = found[1] if found else ""
        where = origin.get(key, "the settings")
        msg = f"{where} has a wrong value for {key!r}: {str(error).split(' - ')[0]}."
        raise ConfigError(msg, hint=f"{key} = {getattr(Settings(), key, '')!r} is the default.") from error
