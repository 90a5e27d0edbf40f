"""One source root to documents and what was skipped."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Final

from oncall_tui.corpus.blocks import BlockKind
from oncall_tui.corpus.chunker import CHUNKER_VERSION, ChunkSize, split
from oncall_tui.corpus.loaders import FIELD_READERS, PARSERS, BlockParser
from oncall_tui.corpus.metadata import (
    MANIFEST_NAME,
    Fields,
    FrontMatterError,
    derive,
    id_from,
    known_fields,
    parse_manifest,
    split_front_matter,
)
from oncall_tui.corpus.reader import decode, read_bytes
from oncall_tui.corpus.scan import Candidate, leads_inside, walk
from oncall_tui.errors import DocumentError, SourceError
from oncall_tui.models import Chunk, Document, SkippedFile

DEFAULT_MAX_MEGABYTES: Final = 10.0


@dataclass(frozen=True, slots=True)
class RawFile:
    """A readable file, not yet parsed."""

    root: str
    path: str
    data: bytes = field(repr=False)
    fields: Fields = field(default_factory=dict)
    """What the manifest says of it."""
    fingerprint: str = ""
    """Hash of everything its chunks depend on."""


@dataclass(frozen=True, slots=True)
class SourceRoot:
    """A folder that documents come from, with its stable id."""

    folder: Path

    @property
    def id(self) -> str:
        """A short id that stays the same as long as the folder's absolute path does."""
        return hashlib.sha256(os.fsencode(os.path.realpath(self.folder))).hexdigest()[:8]


def read_root(
    root: SourceRoot, size: ChunkSize, max_megabytes: float = DEFAULT_MAX_MEGABYTES
) -> Iterator[RawFile | SkippedFile]:
    """Yield every readable file below the root, and what is skipped with the reason.

    Raises:
        SourceError: If the root is not a folder that can be listed.
        ConfigError: If its ``manifest.json`` is wrong.
    """
    check_root(root.folder)
    manifest = dict(_manifest(root.folder, max_megabytes))
    by_name: dict[str, str] = {}
    for found in walk(root.folder):
        by_name.setdefault(PurePosixPath(found.path).name, found.path)
        if isinstance(found, SkippedFile):
            manifest.pop(found.path, None)
            yield found
            continue
        yield _read(root.id, found, manifest.pop(found.path, {}), size, max_megabytes)
    for path in manifest:
        reason = f"is named in {MANIFEST_NAME} but does not exist"
        near = by_name.get(PurePosixPath(path).name)
        yield SkippedFile(path=path, reason=reason, hint=f"Did you mean {near}?" if near else "")


def check_root(folder: Path) -> None:
    """Make sure that a folder can be a source.

    Raises:
        SourceError: If it is missing, no folder, or cannot be listed.
    """
    try:
        os.scandir(f"{folder}/.").close()  # the dot asks for the right to enter; pathlib would drop it
    except FileNotFoundError as error:
        msg = f"The folder {folder} does not exist."
        raise SourceError(msg, hint="Check the path, or mount the drive it is on.") from error
    except NotADirectoryError as error:
        raise SourceError(f"{folder} is not a folder.", hint="Name the folder that the runbooks are in.") from error
    except OSError as error:
        raise SourceError(f"The folder {folder} cannot be listed.", hint="Check its permissions.") from error


def _manifest(folder: Path, max_megabytes: float) -> Mapping[str, Fields]:
    file = folder / MANIFEST_NAME
    if not os.path.lexists(file):
        return {}
    if not leads_inside(file, os.path.realpath(folder)):
        raise SourceError(f"{file} is a link that leaves the source folder.", hint="Put the file itself there.")
    try:
        return parse_manifest(read_bytes(file, max_megabytes), str(file))
    except DocumentError as error:
        raise SourceError(f"{file} {error.message}.", hint=error.hint) from error


def _read(root: str, found: Candidate, fields: Fields, size: ChunkSize, max_megabytes: float) -> RawFile | SkippedFile:
    try:
        data = read_bytes(found.file, max_megabytes)
    except DocumentError as error:
        return SkippedFile(path=found.path, reason=error.message, hint=error.hint)
    settings = f"{CHUNKER_VERSION} {size.size} {size.overlap} {sorted(fields.items())!r}"
    fingerprint = hashlib.sha256(settings.encode() + b"\0" + data).hexdigest()
    return RawFile(root, found.path, data, fields, fingerprint)


def parse_file(raw: RawFile) -> tuple[Document, SkippedFile | None]:
    """Return the file as a document, and a notice if its front matter had to be ignored.

    Raises:
        DocumentError: If the bytes are not text.
    """
    text = decode(raw.data)
    notice = None
    try:
        fields, body_start = _split_fields(raw.path, text)
        heading_start = body_start
    except FrontMatterError as error:
        fields, body_start, heading_start = {}, 0, error.stop
        reason = f"is indexed, but its front matter cannot be read ({error}); rules filled in the metadata"
        notice = SkippedFile(path=raw.path, reason=reason)
    heading = _first_heading(text, heading_start, parser_for(raw.path))
    doc_id, metadata = derive(raw.path, heading, {**fields, **raw.fields})
    document = Document(
        id=doc_id.replace("#", "_").replace(":", "_"),
        root=raw.root,
        path=raw.path,
        text=text,
        body_start=body_start,
        metadata=metadata,
        fingerprint=raw.fingerprint,
    )
    return document, notice


def _split_fields(path: str, text: str) -> tuple[Fields, int]:
    """Return the fields that the top of a page sets, in its format's own way too, and the line its body starts at."""
    fields, body_start = split_front_matter(text)
    read = FIELD_READERS.get(PurePosixPath(path).suffix.lower())
    if body_start or read is None:
        return fields, body_start
    values, body_start = read(text)
    return known_fields(values), body_start


def parser_for(path: str) -> BlockParser:
    """Return the block parser for a file's format."""
    return PARSERS[PurePosixPath(path).suffix.lower()]


def split_document(document: Document, size: ChunkSize) -> tuple[Chunk, ...]:
    """Return the chunks of a document by its format's own joints."""
    return split(document, parser_for(document.path), size)


def fallback_id(document: Document, taken: set[str]) -> str:
    """Return an id that is not taken: the path's, then the path with its ending, then with the root."""
    for candidate in (id_from(document.path), document.path, f"{document.root}/{document.path}"):
        cleaned = candidate.replace("#", "_").replace(":", "_")
        if cleaned not in taken:
            return cleaned
    msg = f"two files are both {document.path} of {document.root}"
    raise DocumentError(msg)


def _first_heading(text: str, start: int, parse: BlockParser) -> str:
    head = "\n".join(text.split("\n", start + 200)[: start + 200])
    return next((block.title for block in parse(head, start) if block.kind is BlockKind.HEADING and block.title), "")


@dataclass(frozen=True, slots=True)
class FolderCorpus:
    """Documents in folders: what the index is built from."""

    size: ChunkSize = field(default_factory=ChunkSize)
    max_megabytes: float = DEFAULT_MAX_MEGABYTES

    def root_id(self, folder: Path) -> str:
        """Return the stable id of a source folder."""
        return SourceRoot(folder).id

    def check(self, folder: Path) -> None:
        """Make sure that the folder can be a source, or raise a SourceError."""
        check_root(folder)

    def files(self, folder: Path) -> Iterator[RawFile | SkippedFile]:
        """Yield every readable file, and what is skipped with the reason."""
        return read_root(SourceRoot(folder), self.size, self.max_megabytes)

    def parse(self, file: RawFile) -> tuple[Document, SkippedFile | None]:
        """Return a file as a document, with a notice if its front matter was ignored."""
        return parse_file(file)

    def documents(self, folder: Path) -> Iterator[Document]:
        """Yield every document that can be read, leaving out the rest."""
        for file in self.files(folder):
            if not isinstance(file, SkippedFile):
                with suppress(DocumentError):
                    yield self.parse(file)[0]

    def split(self, document: Document) -> tuple[Chunk, ...]:
        """Return a document's chunks."""
        return split_document(document, self.size)

    def with_free_id(self, document: Document, taken: set[str]) -> Document:
        """Return the document under an id that no other has."""
        return replace(document, id=fallback_id(document, taken))
