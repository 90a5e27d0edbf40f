"""Whatever the moment at which an indexer is killed, the next one completes what it began."""

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders import write_tree
from tests.integration.killing import PAGES, page

SEED: Final = 20261201
KILLS: Final = 20
DEADLINE: Final = 60.0

Record = dict[str, Any]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """Return what happened to twenty runs that were killed at random moments."""
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-W", "ignore", "-m", "tests.integration.killing", str(folder), str(SEED), str(KILLS)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_twenty_runs_were_begun_and_most_of_them_killed(killed: list[Record]) -> None:
    assert len(killed) == KILLS
    assert sum(record["killed"] for record in killed) >= KILLS // 2


def test_after_a_kill_the_index_opens_or_there_is_none(killed: list[Record]) -> None:
    for record in killed:
        after = record["after_kill"]
        assert after["exists"] or "There is no index" in after["message"], record


def test_an_index_that_was_there_before_the_kill_is_still_there(killed: list[Record]) -> None:
    assert all(record["after_kill"]["exists"] for record in killed if record["number"] % 2)


def test_what_opens_after_a_kill_is_whole(killed: list[Record]) -> None:
    for record in killed:
        if record["after_kill"]["exists"]:
            pages = {PAGES} if record["number"] % 2 == 0 else {PAGES, PAGES - 1}
            assert record["after_kill"]["documents"] in pages, record
            assert record["after_kill"]["found"] == record["after_kill"]["documents"], record


def test_a_further_run_completes_every_one(killed: list[Record]) -> None:
    for record in killed:
        assert record["end"] is not None, record
        assert (record["end"]["agree"], record["end"]["complete"]) == (True, True), record


def test_in_the_end_each_passage_is_there_once_and_as_it_is_on_disk(killed: list[Record]) -> None:
    for record in killed:
        changed = record["number"] % 2
        numbers = [number for number in range(PAGES) if not (changed and number == 1)]
        words = {number: "second" if changed and number % 2 == 0 else "first" for number in numbers}
        expected = [
            line
            for number in numbers
            for line in (f"Text {number}.", f"Run {words[number]} {number}.", f"Look {number}.")
        ]
        assert record["end"]["texts"] == sorted(expected), record


@pytest.fixture
def indexer(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the real command over a dozen pages; it is killed at the latest when the test ends."""
    write_tree(tmp_path / "runbooks", {f"{number}.md": page(number, "first") for number in range(PAGES)})
    process = subprocess.Popen(command(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield process
    process.kill()
    process.wait()


def command(folder: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "oncall_tui",
        "--data-dir",
        str(folder / "data"),
        "index",
        str(folder / "runbooks"),
        "--json",
    ]


def cached(file: Path) -> int:
    """Return how many vectors a cache holds."""
    if not file.exists():
        return 0
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet, or just being written
        return 0
    finally:
        connection.close()


def test_what_the_model_embedded_before_a_kill_is_not_embedded_again(
    indexer: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    cache = tmp_path / "data" / "cache" / "vectors.sqlite"
    started = time.monotonic()
    while not cached(cache):
        assert time.monotonic() - started < DEADLINE
        with suppress(subprocess.TimeoutExpired):
            indexer.wait(0.02)
            pytest.fail("the run ended before it could be killed")
    indexer.send_signal(signal.SIGKILL)
    indexer.wait(DEADLINE)
    kept = cached(cache)
    done = subprocess.run(command(tmp_path), capture_output=True, text=True, check=True, timeout=DEADLINE)
    report = json.loads(done.stdout)
    assert 0 < kept < report["chunks"] == 3 * PAGES
    assert report["embedded"] == report["chunks"] - kept
