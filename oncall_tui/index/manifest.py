"""What made the index, and which generation of it is current: ``current.json``.

The file is replaced in one step (rename), so a crash leaves either the old or the new index. Each
generation's folder holds a copy, so that a lost file does not lose what the index is made from.
"""

import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from oncall_tui.errors import IndexMismatchError, IndexMissingError

LAYOUT_VERSION: Final = 2
"""Raise it when the files of the index change shape."""

GENERATIONS: Final = "generations"
_CURRENT: Final = "current.json"
_COPY: Final = "manifest.json"
REBUILD_HINT: Final = "Run: oncall index"
AFRESH_HINT: Final = "Run: oncall index --rebuild (vectors are kept)"
"""For damage that only reading everything would find."""


_UNREADABLE: Final = (msgspec.DecodeError, ValueError)
"""What a manifest raises that is cut off or was changed."""


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
    checksum: int = 0
    """CRC-32 of all the above; in the file only."""


def read(folder: Path) -> Manifest:
    """Return the manifest of the index in ``folder``.

    Raises:
        IndexMissingError: If there is none, or it cannot be understood.
    """
    content = _content(folder)
    if content is None:
        raise IndexMissingError(f"There is no index in {folder}.", hint=REBUILD_HINT)
    try:
        return _decoded(content)
    except _UNREADABLE as error:
        read_roots(folder)  # if even the folders are lost, that is the error to tell
        raise IndexMissingError(f"The index in {folder} is damaged: {error}.", hint=REBUILD_HINT) from error


class _Roots(msgspec.Struct, frozen=True):
    """The part of a manifest that every version has."""

    roots: tuple[Root, ...]
    layout: int = 0


def read_roots(folder: Path) -> tuple[Root, ...]:
    """Return the source folders of an index, whatever version made it; none if there is no index.

    Raises:
        IndexMissingError: If there was an index but it no longer says what it was made from.
    """
    content = _content(folder)
    for candidate in (content, *_copies(folder)):
        with suppress(*_UNREADABLE):
            return _roots_in(candidate or b"")
    if content is None:
        return ()
    msg = f"The index in {folder} is damaged and no longer says which folders it was made from."
    raise IndexMissingError(msg, hint="Name them: oncall index DIR")


def _copies(folder: Path) -> Iterator[bytes]:
    """Yield the copies of the manifests that the generations hold, the newest first."""
    for copy in sorted((folder / GENERATIONS).glob(f"*/{_COPY}"), reverse=True):
        with suppress(OSError):
            yield copy.read_bytes()


def _roots_in(content: bytes) -> tuple[Root, ...]:
    found = msgspec.json.decode(content, type=_Roots)
    return _decoded(content).roots if found.layout == LAYOUT_VERSION else found.roots


def _decoded(content: bytes) -> Manifest:
    written = msgspec.json.decode(content, type=Manifest)
    manifest = msgspec.structs.replace(written, checksum=0)
    if manifest.layout == LAYOUT_VERSION and written.checksum != _checksum(manifest):
        raise ValueError(f"{_CURRENT} is not as it was written")
    return manifest


def _checksum(manifest: Manifest) -> int:
    return zlib.crc32(msgspec.json.encode(manifest))


def _content(folder: Path) -> bytes | None:
    try:
        return (folder / _CURRENT).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        msg = f"The index in {folder} cannot be read: {_CURRENT}: {error.strerror}."
        hint = "Check its permissions or remove it, or name another folder: --data-dir DIR."
        raise IndexMissingError(msg, hint=hint) from error


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
    sealed = msgspec.structs.replace(manifest, checksum=_checksum(manifest))
    encoded = msgspec.json.format(msgspec.json.encode(sealed))
    generation = folder / GENERATIONS / manifest.generation
    if generation.is_dir():
        _replace(generation / _COPY, encoded)
    _replace(folder / _CURRENT, encoded)


def _replace(file: Path, content: bytes) -> None:
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        temporary.replace(file)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
