"""Bytes of one file to safe text, or a reason in plain words why not."""

import re
from pathlib import Path
from typing import Final

from oncall_tui.errors import DocumentError
from oncall_tui.text import strip_controls

_BYTE_ORDER_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_SNIFFED: Final = 8192
"""A zero byte among the first 8 KiB means binary, as git and ripgrep decide it."""

MEGABYTE: Final = 1_000_000


def read_bytes(path: Path, max_megabytes: float) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        DocumentError: If the file is too large, special, or cannot be read.
    """
    try:
        size = path.stat().st_size
        if not path.is_file():
            msg = "is not a regular file"
            raise DocumentError(msg, hint="Only files with text in them can be documents.")
        if size > max_megabytes * MEGABYTE:
            msg = f"is {size / MEGABYTE:.1f} MB, more than max_file_megabytes = {max_megabytes:g}"
            raise DocumentError(msg, hint="Raise max_file_megabytes in the settings, or split the file.")
        return path.read_bytes()
    except OSError as error:
        msg = f"cannot be read: {(error.strerror or str(error)).lower()}"
        raise DocumentError(msg, hint="Check the file's permissions.") from error


def decode(data: bytes) -> str:
    """Return the bytes as text with controls stripped and line numbers unmoved.

    Raises:
        DocumentError: If the bytes are binary, not Unicode, or hold no text.
    """
    text = strip_controls(_decoded(data))
    if not text.strip():
        msg = "holds no text"
        raise DocumentError(msg, hint="Write something in it, or remove it.")
    return text


def _decoded(data: bytes) -> str:
    mark, encoding = next((pair for pair in _BYTE_ORDER_MARKS if data.startswith(pair[0])), (b"", "utf-8"))
    data = data.removeprefix(mark)
    if encoding == "utf-8" and b"\0" in data[:_SNIFFED]:
        msg = "is binary, not text"
        raise DocumentError(msg, hint="Give it the file ending of what it is, or remove it.")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        msg = f"is not {encoding.upper()} (byte 0x{data[error.start]:02x} in line {line})"
        hint = f"Convert it, for example: iconv -f {_likely_encoding(data)} -t UTF-8"
        raise DocumentError(msg, hint=hint) from error


def _likely_encoding(data: bytes) -> str:
    """Return what text that is no UTF-8 is most probably written in: Chinese, or a Latin script.

    Almost any bytes are GB18030, but of what is no Chinese only few make the characters in
    everyday use, which are those of GB 2312.
    """
    try:
        letters = re.sub(r"[\x00-\x7f]", "", data[:_SNIFFED].decode("gb18030", errors="ignore"))
        data.decode("gb18030")
    except UnicodeDecodeError:
        return "LATIN1"
    common = letters.encode("gb2312", errors="ignore")
    return "GB18030" if len(common) > len(letters) else "LATIN1"  # two bytes a character: more than half
