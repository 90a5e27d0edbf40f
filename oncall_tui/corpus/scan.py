"""A folder to the files in it that could be documents; nothing is left out in silence."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from oncall_tui.corpus.loaders import PARSERS
from oncall_tui.corpus.metadata import MANIFEST_NAME
from oncall_tui.models import SkippedFile
from oncall_tui.text import single_line, strip_controls

_TOOL_FOLDERS: Final = frozenset({"node_modules", "__pycache__", "venv"})
"""Folders of tools, not of people; like hidden folders they are not searched (README says so)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that looks like a document."""

    path: str
    """Relative POSIX path."""
    file: Path


def walk(root: Path) -> Iterator[Candidate | SkippedFile]:
    """Yield every file below ``root`` folder by folder, as a candidate or with the reason why not.

    Links are followed to files inside the root only, so a page can never lead outside.
    """
    real_root = os.path.realpath(root)
    failed: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=failed.append):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _TOOL_FOLDERS)
        for name in folders:
            if (Path(folder) / name).is_symlink():
                yield _skipped(Path(folder) / name, root, "is a link to a folder; such links are not followed")
        if not os.access(folder, os.X_OK):
            yield _skipped(Path(folder), root, "cannot be opened: permission denied")
            folders.clear()
            continue
        for name in sorted(names):
            if not name.startswith(".") and name != MANIFEST_NAME:
                yield _judge(Path(folder) / name, root, real_root)
    for error in failed:
        yield _skipped(Path(error.filename), root, f"cannot be opened: {(error.strerror or str(error)).lower()}")


def _judge(file: Path, root: Path, real_root: str) -> Candidate | SkippedFile:
    path = _relative(file, root)
    if "\n" in path or strip_controls(path) != path:
        return _skipped(file, root, "has a name with characters that cannot be shown", "Rename it.")
    if file.is_symlink() and not leads_inside(file, real_root):
        return _skipped(file, root, "is a link that leaves the source folder")
    if file.is_symlink() and not os.access(file, os.F_OK):
        return _skipped(file, root, "is a link to nothing, or to what may not be read")
    if file.suffix.lower() not in PARSERS:
        known = ", ".join(PARSERS)
        return _skipped(file, root, f"is not a format that is read ({known})")
    return Candidate(path, file)


def leads_inside(file: Path, real_root: str) -> bool:
    """Return whether a file, its links followed, lies below a folder whose links are followed."""
    return Path(os.path.realpath(file)).is_relative_to(real_root)


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _skipped(path: Path, root: Path, reason: str, hint: str = "") -> SkippedFile:
    return SkippedFile(path=single_line(strip_controls(_relative(path, root))), reason=reason, hint=hint)
