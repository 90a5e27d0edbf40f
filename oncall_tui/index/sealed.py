"""Files that can tell whether they are whole: each ends in a checksum of all that stands before it."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

_SEAL: Final = struct.Struct("<4sI")
"""A mark and the CRC-32 of the content; at the end, so that a file is written and mapped in one go."""

_MARK: Final = b"seal"


class SealedWriter:
    """Writes the content of a file and knows its checksum."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._checksum = 0

    def write(self, data: bytes) -> int:
        """Write some of the content."""
        self._checksum = zlib.crc32(data, self._checksum)
        return self._file.write(data)

    @property
    def seal(self) -> bytes:
        """The end of the file, given what was written."""
        return _SEAL.pack(_MARK, self._checksum)


@contextmanager
def sealing(file: Path) -> Iterator[SealedWriter]:
    """Write a file anew; it is sealed if nothing is raised."""
    with file.open("wb") as opened:
        writer = SealedWriter(opened)
        yield writer
        opened.write(writer.seal)


def write_array(file: Path, array: npt.NDArray[Any]) -> None:
    """Write an array in NumPy's format."""
    with sealing(file) as writer:
        # To no file of the system's: NumPy would hide from errors what went wrong, such as a full disk.
        np.save(writer, array, allow_pickle=False)


def map_bytes(file: Path) -> memoryview:
    """Map a file's content into memory.

    Raises:
        ValueError: If the file does not end as it should.
        OSError: If it cannot be read.
    """
    return _opened(file)[0]


def map_array(file: Path, kind: npt.DTypeLike, dimensions: int = 1) -> npt.NDArray[Any]:
    """Map an array as a plain view: indexing ``np.memmap`` itself costs several times as much.

    Raises:
        ValueError: If it is not of the kind, the shape or the length that it should be.
        OSError: If it cannot be read.
    """
    mapped = np.load(file, mmap_mode="r", allow_pickle=False)
    if mapped.dtype != np.dtype(kind) or mapped.ndim != dimensions:
        raise ValueError(f"{file.name} holds something else")
    if mapped.offset + mapped.nbytes + _SEAL.size != file.stat().st_size:
        raise ValueError(f"{file.name} has not its length")
    return np.asarray(mapped)


def verify(file: Path) -> None:
    """Read a whole file and make sure that it is as it was written.

    Raises:
        ValueError: If it is not.
        OSError: If it cannot be read.
    """
    content, checksum = _opened(file)
    if zlib.crc32(content) != checksum:
        raise ValueError(f"{file.name} is not as it was written")


def _opened(file: Path) -> tuple[memoryview, int]:
    """Return a file's content, mapped, and the checksum that it has to have."""
    if file.stat().st_size < _SEAL.size:
        raise ValueError(f"{file.name} is cut off")
    mapped = memoryview(np.memmap(file, dtype=np.uint8, mode="r").data)
    mark, checksum = _SEAL.unpack(mapped[-_SEAL.size :])
    if mark != _MARK:
        raise ValueError(f"{file.name} is cut off")
    return mapped[: -_SEAL.size], checksum
