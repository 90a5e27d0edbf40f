"""``oncall search`` and ``oncall ask`` over pages that changed since they were indexed."""

import sys
from pathlib import Path

import pytest

from tests.builders import write_tree
from tests.cli.conftest import Result, Run

PAGE = "# Redis timeouts\n\nRaise maxclients on the server.\n\n## Verify\n\nPing the sentinel.\n"
NOTE = "changed since they were indexed, or cannot be read; run: oncall index"


class Place:
    """An index of two pages whose files may change."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.folder = folder
        self._run = run
        write_tree(folder / "runbooks", {"redis.md": PAGE, "mysql.md": "# MySQL locks\n\nKill the holder.\n"})
        assert self.run("index", folder / "runbooks").status == 0

    def run(self, *arguments: str | Path) -> Result:
        return self._run("--data-dir", self.folder / "data", *arguments)

    def edit(self, text: str) -> None:
        write_tree(self.folder / "runbooks", {"redis.md": text})


@pytest.fixture
def place(tmp_path: Path, run: Run) -> Place:
    return Place(tmp_path, run)


@pytest.mark.parametrize("command", ["search", "ask"])
def test_pages_as_they_were_indexed_are_shown_without_a_note(place: Place, command: str) -> None:
    assert place.run(command, "raise maxclients").err == ""
    evidence = place.run(command, "raise maxclients", "--json").json["evidence"]
    assert not any(found["stale"] for found in evidence)


@pytest.mark.parametrize("command", ["search", "ask"])
def test_cited_lines_that_changed_on_disk_are_noted(place: Place, command: str) -> None:
    place.edit(PAGE.replace("Raise maxclients", "Never raise maxclients"))
    result = place.run(command, "raise maxclients")
    assert result.status == 0
    assert f"note: the lines of [1] {NOTE}" in result.err
    evidence = place.run(command, "raise maxclients", "--json").json["evidence"]
    assert [found["citation"] for found in evidence if found["stale"]] == ["redis#redis:0"]


def test_lines_that_moved_are_noted(place: Place) -> None:
    place.edit(f"One line more.\n{PAGE}")
    assert NOTE in place.run("search", "raise maxclients").err


def test_other_lines_of_the_page_may_change(place: Place) -> None:
    place.edit(PAGE.replace("Ping the sentinel", "Ping them all"))
    assert place.run("search", "raise maxclients", "--limit", "1").err == ""


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_page_that_is_gone_is_noted_without_opening_the_tables(place: Place, command: str) -> None:
    (place.folder / "runbooks" / "redis.md").unlink()
    sys.modules.pop("oncall_tui.index.store", None)
    assert NOTE in place.run(command, "raise maxclients").err
    assert "oncall_tui.index.store" not in sys.modules


def test_a_page_that_grew_beyond_the_limit_is_not_read(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCALL_MAX_FILE_MEGABYTES", "0.00001")
    assert NOTE in place.run("search", "raise maxclients").err


def test_a_nearest_miss_says_too_whether_it_changed(place: Place) -> None:
    place.edit(PAGE.replace("Raise maxclients", "Never raise maxclients"))
    missed = place.run("search", "raise quantum telescope launch pads", "--json")
    assert missed.status == 4
    assert [found["stale"] for found in missed.json["nearest"] if found["citation"] == "redis#redis:0"] == [True]


def test_an_answers_own_lines_are_looked_at_too(place: Place) -> None:
    """An answer quotes its best page also where the search found nothing."""
    place.edit(PAGE.replace("Ping the sentinel", "Ping them all"))
    answer = place.run("ask", "raise maxclients")
    assert ("Ping the sentinel" in answer.out) is (NOTE in answer.err)
