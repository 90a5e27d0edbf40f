"""Bytes to safe text."""

from pathlib import Path

import pytest

from oncall_tui.corpus.reader import decode, read_bytes
from oncall_tui.errors import DocumentError


def test_the_bytes_of_a_file_are_read_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "redis.md"
    file.write_bytes(b"# Redis\r\n")
    assert read_bytes(file, 1) == b"# Redis\r\n"


def test_a_file_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    file = tmp_path / "redis.md"
    file.write_bytes(b"x" * 1000)
    assert len(read_bytes(file, 0.001)) == 1000


def test_a_file_above_the_limit_is_refused_with_the_setting_that_moves_it(tmp_path: Path) -> None:
    file = tmp_path / "redis.md"
    file.write_bytes(b"x" * 1001)
    with pytest.raises(DocumentError, match=r"more than max_file_megabytes = 0\.001") as caught:
        read_bytes(file, 0.001)
    assert "Raise max_file_megabytes" in caught.value.hint


def test_a_missing_file_is_refused_in_plain_words(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="cannot be read: no such file"):
        read_bytes(tmp_path / "gone.md", 1)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="not a regular file"):
        read_bytes(tmp_path, 1)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_with_and_without_its_mark(encoding: str) -> None:
    assert decode("磁盘 full é".encode(encoding)) == "磁盘 full é"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_latin_1_is_refused_with_the_line_and_what_converts_it(mark: bytes) -> None:
    with pytest.raises(DocumentError, match=r"is not UTF-8 \(byte 0xe9 in line 2\)") as caught:
        decode(mark + b"one\ncaf\xe9 serveur")
    assert "iconv" in caught.value.hint


def test_half_a_utf_16_character_is_refused() -> None:
    with pytest.raises(DocumentError, match="is not UTF-16-LE"):
        decode("disk".encode("utf-16")[:-1])


def test_a_zero_byte_means_binary() -> None:
    with pytest.raises(DocumentError, match="is binary"):
        decode(b"\x7fELF\0\0\0")


@pytest.mark.parametrize("data", [b"", b"  \n\t\n", b"\xef\xbb\xbf", b"\x1b[0m", "\u200b\u200b".encode()])
def test_a_file_without_visible_text_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match="holds no text"):
        decode(data)


def test_windows_line_ends_do_not_move_line_numbers() -> None:
    assert decode(b"one\r\ntwo\r\nthree").split("\n") == ["one", "two", "three"]
