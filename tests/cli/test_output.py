"""What reaches the terminal, whatever names hold, and wherever stdout and stderr lead."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.builders import write_tree
from tests.cli.conftest import TIMEOUT, Run, assert_clear

ESC: Final = "\x1b"
HOSTILE: Final = f"books{ESC}]0;owned\x07{ESC}[2J\x9b31m\u202e"
TRICKS: Final = (ESC, "\x07", "\x9b", "\u202e")
SEARCH: Final = ("search", "raise maxclients 磁盘", "--mode", "keyword")


def shell(line: str, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which ``oncall`` is the program with the arguments."""
    line = line.replace("oncall", f"'{sys.executable}' -m oncall_tui \"$@\"")
    command = ["/bin/bash", "-c", line, "bash", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, timeout=TIMEOUT, env={**os.environ, **environment})


# Text that a terminal would obey


def assert_tame(*texts: str) -> None:
    for text in texts:
        assert not [trick for trick in TRICKS if trick in text], text


@pytest.fixture
def hostile(run: Run, tmp_path: Path) -> tuple[str | Path, ...]:
    """Return the options of an index whose source has a hostile name."""
    source = write_tree(tmp_path / HOSTILE, {"redis.md": "# Redis\n\nRaise maxclients.\n", f"{ESC}[31m.md": "x"})
    options = ("--data-dir", tmp_path / "data")
    result = run(*options, "index", source)
    assert result.status == 0
    assert_tame(result.out, result.err)
    return options


@pytest.mark.parametrize(
    "arguments",
    [("doctor",), ("doctor", "--json"), ("index",), ("index", "--json"), ("search", "maxclients"), ("ask", "redis")],
    ids=" ".join,
)
def test_a_hostile_folder_name_is_printed_without_what_a_terminal_obeys(
    run: Run, hostile: tuple[str | Path, ...], arguments: tuple[str, ...]
) -> None:
    result = run(*hostile, *arguments)
    assert_tame(result.out, result.err)
    if arguments == ("doctor",):
        assert "books" in result.out


def test_json_says_a_hostile_name_as_it_is(run: Run, hostile: tuple[str | Path, ...], tmp_path: Path) -> None:
    names = [check["name"] for check in run(*hostile, "doctor", "--json").json["checks"]]
    assert f"source {tmp_path / HOSTILE}" in names


@pytest.mark.parametrize(
    "arguments",
    [
        ("--config", HOSTILE, "search", "redis"),
        ("--data-dir", HOSTILE, "search", "redis"),
        ("index", HOSTILE),
        ("show", HOSTILE),
        ("search", "redis", "--mode", HOSTILE),
        ("search", "redis", "--filter", HOSTILE),
        ("search", "redis", "--filter", f"service={HOSTILE}"),
        (HOSTILE,),
        ("eval", HOSTILE),
    ],
    ids=lambda arguments: " ".join(arguments).replace(HOSTILE, "…"),
)
def test_an_error_about_a_hostile_argument_repeats_nothing_that_a_terminal_obeys(
    run: Run, small_data: Path, arguments: tuple[str, ...]
) -> None:
    data = () if "--data-dir" in arguments else ("--data-dir", small_data)
    result = run(*data, *arguments)
    assert result.status in {2, 3, 4}
    assert_tame(result.out, result.err)


# Encodings


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gb18030"])
@pytest.mark.parametrize(
    "command", [SEARCH, ("ask", "磁盘满了怎么办"), ("show", "zh/disk:0"), ("doctor",)], ids=" ".join
)
def test_text_that_an_encoding_does_not_have_is_written_all_the_same(
    small_data: Path, command: tuple[str, ...], encoding: str
) -> None:
    done = shell("oncall", "--data-dir", small_data, *command, PYTHONIOENCODING=encoding)
    assert b"Traceback" not in done.stderr
    assert done.returncode in {0, 4}, done.stderr
    assert done.stdout.decode(encoding) or done.returncode


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_is_json_in_every_encoding(small_data: Path, encoding: str) -> None:
    done = shell("oncall", "--data-dir", small_data, *SEARCH, "--json", PYTHONIOENCODING=encoding)
    assert json.loads(done.stdout.decode(encoding))["question"] == "raise maxclients 磁盘"


def test_a_data_folder_whose_name_cannot_be_written_down_is_told(run: Run, tmp_path: Path) -> None:
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    for name in (folder, f"{tmp_path}/a\x1bb"):
        for command in (("index",), ("search", "redis"), ("show", "redis:0")):
            assert_clear(run("--data-dir", name, *command), 2, "is not UTF-8", "--data-dir")
    settings = run("--data-dir", folder, "doctor", "--json").json["checks"][1]
    assert (settings["name"], settings["status"]) == ("settings", "failed")


def test_a_question_that_is_no_utf_8_is_no_crash(over_pages: Run) -> None:
    assert over_pages("search", os.fsdecode(b"redis timeout \xff"), "--json").json["evidence"]


# Streams that lead nowhere


@pytest.mark.parametrize(
    "command",
    [SEARCH, (*SEARCH, "--json"), ("ask", "redis timeout"), ("doctor",), ("--help",), ("search", "--help")],
    ids=" ".join,
)
def test_an_answer_that_cannot_be_written_is_told_in_one_line(small_data: Path, command: tuple[str, ...]) -> None:
    done = shell("oncall > /dev/full", "--data-dir", small_data, *command)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[-1] == "oncall: The answer cannot be written: No space left on device."
    assert "Traceback" not in done.stderr.decode()


@pytest.mark.parametrize("redirections", ["2>&-", ">&-", "<&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_a_stream_that_is_closed_or_full_stops_no_work(small_data: Path, tmp_path: Path, redirections: str) -> None:
    source = write_tree(tmp_path / "runbooks", {"redis.md": "# Redis\n\nRaise maxclients.\n"})
    done = shell(f"oncall {redirections}", "--data-dir", tmp_path / "data", "index", source)
    assert (done.returncode, done.stderr) == (0, b"")
    found = shell("oncall", "--data-dir", tmp_path / "data", "search", "raise maxclients", "--json")
    assert json.loads(found.stdout)["evidence"][0]["source"] == "redis.md"


def test_an_error_that_nobody_reads_keeps_its_exit_status(tmp_path: Path) -> None:
    for redirection in ("2>&-", "2>/dev/full", "2> >(exec true)"):
        done = shell(f"sleep 0; oncall {redirection}", "--data-dir", tmp_path, "search", "redis")
        assert (done.returncode, done.stderr) == (3, b"")
