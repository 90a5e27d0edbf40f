"""What the sources hold now, and what of the index stays although it cannot be read now."""

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Generic

from oncall_tui.errors import SourceError
from oncall_tui.index.protocols import Corpus, File
from oncall_tui.locations import real
from oncall_tui.models import Progress, SkippedFile, Stage

_FILES_A_REPORT: Final = 100


@dataclass(slots=True)
class Scan(Generic[File]):
    """What the sources hold now."""

    files: dict[str, File] = field(default_factory=dict)
    """Readable files by key."""
    kept: set[str] = field(default_factory=set)
    """Keys of indexed documents that could not be read now and stay as they were."""
    skipped: list[SkippedFile] = field(default_factory=list)
    forgotten: set[Path] = field(default_factory=set)
    """Folders that are gone for good, as somebody said."""
    is_complete: bool = True

    def skip(self, skipped: SkippedFile, held: Collection[str]) -> None:
        """Note what is skipped; the earlier versions of it that the index holds stay."""
        if held:
            self.kept |= set(held)
            reason = f"{skipped.reason}; its last readable version stays in the index"
            skipped = SkippedFile(path=skipped.path, reason=reason, hint=skipped.hint)
        self.skipped.append(skipped)

    def keep(self, folder: Path, known: Collection[str], what: str) -> None:
        """Note that a whole source cannot be read; its documents stay."""
        self.kept |= set(known)
        self.is_complete = False
        reason = f"{what}; its {len(known)} documents stay in the index"
        hint = "If they are gone for good: oncall index --prune"
        self.skipped.append(SkippedFile(path=str(folder), reason=reason, hint=hint))

    def forget(self, folder: Path, known: Collection[str]) -> None:
        """Note that a whole source is gone, and its documents with it."""
        self.forgotten.add(folder)
        reason = f"is not there; its {len(known)} documents were removed from the index"
        self.skipped.append(SkippedFile(path=str(folder), reason=reason))


def scan_sources(
    corpus: Corpus[File],
    sources: Sequence[Path],
    indexed: Collection[str],
    on_progress: Callable[[Progress], None],
    *,
    prune: bool,
) -> Scan[File]:
    """Return what the sources hold.

    Args:
        corpus: Reads the folders.
        sources: The folders, each once.
        indexed: Keys of the documents in the index.
        on_progress: Told now and then how many files were read.
        prune: Whether a source that is missing or empty loses its documents.

    Raises:
        SourceError: If a folder that the index does not know cannot be read.
        ConfigError: If a folder's manifest.json is wrong.
    """
    scan: Scan[File] = Scan()
    for folder in sources:
        _check_name(folder)
        root = corpus.root_id(folder)
        known = {key for key in indexed if key.startswith(f"{root}/")}
        if known and not _is_readable(corpus, scan, folder, known, prune=prune):
            continue
        before = len(scan.files)
        _read(corpus, scan, folder, known, on_progress)
        if known and not prune and len(scan.files) == before and not scan.kept & known:
            scan.keep(folder, known, "holds no document any more")
        if not known and not prune and len(scan.files) == before and len(sources) > 1:
            # Also when an index is made afresh: what was in the folder is not known then.
            hint = "If it is empty for good: oncall index --prune"
            raise SourceError(f"No document was found in {folder}.", hint=hint)
    return scan


def _check_name(folder: Path) -> None:
    """Make sure that the name can be written down: the index is kept in UTF-8."""
    try:
        str(real(folder)).encode()
    except UnicodeEncodeError as error:
        raise SourceError(
            f"The name {str(folder)!r} is not UTF-8.", hint="Rename the folder, or link to it."
        ) from error


def _is_readable(corpus: Corpus[File], scan: Scan[File], folder: Path, known: set[str], *, prune: bool) -> bool:
    """Return whether a folder that the index knows can be read now; note it if not."""
    try:
        corpus.check(folder)
    except SourceError:
        is_there = os.path.exists(folder)  # noqa: PTH110 - pathlib raises for a mount that hangs or may not be read
        if prune and not is_there:
            scan.forget(folder, known)
        else:
            scan.keep(folder, known, "cannot be read now" if is_there else "is not there")
        return False
    return True


def _read(
    corpus: Corpus[File], scan: Scan[File], folder: Path, known: set[str], on_progress: Callable[[Progress], None]
) -> None:
    corpus.check(folder)
    root = corpus.root_id(folder)
    for found in corpus.files(folder):
        if isinstance(found, SkippedFile):
            scan.skip(found, _held_back(known, root, folder, found))
            continue
        scan.files[f"{root}/{found.path}"] = found
        if len(scan.files) % _FILES_A_REPORT == 0:
            on_progress(Progress(Stage.READING, len(scan.files), 0))


def _held_back(known: set[str], root: str, folder: Path, skipped: SkippedFile) -> set[str]:
    """Return the keys of the indexed documents that a skipped file or folder stands for.

    None if it is not there, since manifest.json may name what was deleted; and none if a folder
    became a link, since such links are not followed.
    """
    path = os.path.join(folder, skipped.path)  # noqa: PTH118 - the functions of os.path never raise
    key = f"{root}/{skipped.path}"
    if os.path.isdir(path):  # noqa: PTH112
        return set() if os.path.islink(path) else {held for held in known if held.startswith(f"{key}/")}  # noqa: PTH114
    return known & {key} if os.path.lexists(path) else set()
