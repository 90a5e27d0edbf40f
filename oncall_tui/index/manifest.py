"""What made the index, and which generation of it is current: ``current.json``.

The file is replaced in one step (rename), so a crash leaves either the old or the new index.
"""

import os
from pathlib import Path
from typing import Final

import msgspec

from oncall_tui.errors import IndexMismatchError, IndexMissingError

LAYOUT_VERSION: Final = 2
"""Raise it when the files of the index change shape."""

_CURRENT: Final = "current.json"
REBUILD_HINT: Final = "Run: oncall index"
AFRESH_HINT: Final = "Run: oncall index --rebuild (vectors are kept)"
"""For damage that only reading everything would find."""


class Root(msgspec.Struct, frozen=True):
    """A source folder of the index."""

    id: str
    folder: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What made an index, and where its current files are."""

    layout: int
    tokenizer: int
    generation: str
    """Name of the folder of the current snapshot."""
    roots: tuple[Root, ...]
    documents: int
    chunks: int
    vectors: int
    model: str
    dimension: int
    centring: str
    """Id of the mean vectors that the snapshot's vectors were centred with."""
    built_at: str
    documents_version: int
    """Version of the LanceDB table of documents that this snapshot was made from."""
    chunks_version: int


def read(folder: Path) -> Manifest:
    """Return the manifest of the index in ``folder``.

    Raises:
        IndexMissingError: If there is none, or it cannot be understood.
    """
    content = _content(folder)
    if content is None:
        raise IndexMissingError(f"There is no index in {folder}.", hint=REBUILD_HINT)
    try:
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        read_roots(folder)  # if even the folders are lost, that is the error to tell
        raise IndexMissingError(f"The index in {folder} is damaged: {error}.", hint=REBUILD_HINT) from error


class _Roots(msgspec.Struct, frozen=True):
    """The part of a manifest that every version has."""

    roots: tuple[Root, ...]


def read_roots(folder: Path) -> tuple[Root, ...]:
    """Return the source folders of an index, whatever version made it; none if there is no index.

    Raises:
        IndexMissingError: If there was an index but it no longer says what it was made from.
    """
    content = _content(folder)
    if content is None:
        return ()
    try:
        return msgspec.json.decode(content, type=_Roots).roots
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        msg = f"The index in {folder} is damaged and no longer says which folders it was made from."
        raise IndexMissingError(msg, hint="Name them: oncall index DIR") from error


def _content(folder: Path) -> bytes | None:
    try:
        return (folder / _CURRENT).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        msg = f"The index in {folder} cannot be read: {error.strerror}."
        raise IndexMissingError(msg, hint="Check its permissions, or name another folder: --data-dir DIR.") from error


def check(manifest: Manifest, tokenizer: int) -> None:
    """Make sure that this program can read the index.

    Raises:
        IndexMismatchError: If another layout or tokenizer made it.
    """
    for name, made_by, ours in (
        ("layout", manifest.layout, LAYOUT_VERSION),
        ("tokenizer", manifest.tokenizer, tokenizer),
    ):
        if made_by != ours:
            msg = f"The index was made with {name} {made_by}, this program reads {name} {ours}."
            raise IndexMismatchError(msg, hint=f"{REBUILD_HINT} (vectors are kept)")


def write(folder: Path, manifest: Manifest) -> None:
    """Make ``manifest`` the current one, in one step."""
    temporary = folder / f"{_CURRENT}.{os.getpid()}"
    with temporary.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest)))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / _CURRENT)
