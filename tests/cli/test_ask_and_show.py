"""``oncall ask`` and ``oncall show``."""

from pathlib import Path

import pytest

from tests.builders import copy_data, write_tree
from tests.cli.conftest import Run, assert_clear
from tests.cli.test_search import PASSAGE_KEYS
from tests.pages import PAGES

QUESTION = "raise maxclients blocked_clients"


def test_the_json_of_an_answer_has_the_documented_keys(over_pages: Run) -> None:
    answer = over_pages("ask", QUESTION, "--json").json
    assert list(answer) == [
        *("question", "headline", "grounding", "statements", "citations", "completeness", "provider"),
        *("evidence", "nearest"),
    ]
    assert list(answer["statements"][0]) == ["section", "text", "citations", "verdict"]
    assert list(answer["citations"][0]) == ["label", "citation", "source", "lines"]
    assert list(answer["evidence"][0]) == PASSAGE_KEYS


def test_each_statement_stands_at_the_lines_it_cites(over_pages: Run) -> None:
    for statement in over_pages("ask", QUESTION, "--json").json["statements"]:
        (citation,) = statement["citations"]
        first, last = citation["lines"]
        lines = PAGES[citation["source"]].split("\n")[first - 1 : last]
        assert "\n".join(lines).rstrip() == statement["text"]


def test_an_answer_is_printed_with_its_sections_and_labels_and_the_places_they_stand_for(over_pages: Run) -> None:
    result = over_pages("ask", QUESTION)
    assert result.status == 0
    assert "Redis timeouts: " in result.out.splitlines()[0]
    assert "\nSteps\n" in result.out
    assert "[1]" in result.out
    assert result.out.splitlines()[-1].startswith("[")
    assert "redis#redis:" in result.out.splitlines()[-1]
    assert result.err == ""


def test_what_no_runbook_covers_has_no_answer(over_pages: Run) -> None:
    result = over_pages("ask", "quantum telescope launch pager")
    assert (result.status, result.out) == (4, "")
    assert "No runbook covers this." in result.err


def test_what_no_runbook_covers_is_json_with_no_statement(over_pages: Run) -> None:
    result = over_pages("ask", "quantum telescope launch pager", "--json")
    assert result.status == 4
    assert (result.json["statements"], result.json["grounding"]) == ([], "none")


def test_a_filter_holds_for_an_answer_too(over_pages: Run) -> None:
    answer = over_pages("ask", "connection", "--filter", "service=mysql", "--json").json
    assert {citation["source"] for citation in answer["citations"]} == {"mysql.md"}


def test_the_json_of_a_citation_has_the_documented_keys(over_pages: Run) -> None:
    shown = over_pages("show", "redis#redis:0", "--json").json
    assert list(shown) == ["citation", "source", "lines", "text", "stale"]
    assert (shown["citation"], shown["source"], shown["stale"]) == ("redis#redis:0", "redis.md", False)


@pytest.mark.parametrize("citation", ["redis#redis:2", "redis:2"])
def test_a_citation_opens_its_lines_with_some_around_them(over_pages: Run, citation: str) -> None:
    result = over_pages("show", citation)
    lines = PAGES["redis.md"].split("\n")
    marked = [line for line in result.out.splitlines() if line.startswith("> ")]
    assert result.out.splitlines()[0].startswith("redis.md:L")
    assert all(lines[int(line[2:].split("│")[0]) - 1] == line.split("│ ", 1)[1] for line in marked)
    assert len(result.out.splitlines()) > len(marked) + 1


@pytest.mark.parametrize("citation", ["redis#redis:99", "nobody#nobody:0", "nonsense", "", "mysql#redis:0", "#redis:0"])
def test_an_unknown_citation_is_told(over_pages: Run, citation: str) -> None:
    assert_clear(over_pages("show", citation), 4, "There is no citation")


@pytest.mark.parametrize(
    ("citation", "near"),
    [("redis#redsi:0", "redis#redis:0"), ("redis#redis:99", "redis#redis:4"), ("redis", "redis#redis:0")],
)
def test_a_citation_that_does_not_exist_names_the_nearest_one(over_pages: Run, citation: str, near: str) -> None:
    assert_clear(over_pages("show", citation), 4, f"There is no citation '{citation}'", f"Did you mean {near}?")


@pytest.fixture
def own_pages(run: Run, tmp_path: Path) -> Path:
    folder = write_tree(tmp_path / "runbooks", {"redis.md": PAGES["redis.md"]})
    assert run("--data-dir", tmp_path / "data", "index", folder).status == 0
    return folder


def test_a_citation_whose_lines_changed_says_so(run: Run, own_pages: Path, tmp_path: Path) -> None:
    (own_pages / "redis.md").write_text(PAGES["redis.md"].replace("ERR max", "ERROR max"))
    show = ("--data-dir", tmp_path / "data", "show", "redis#redis:0")
    assert run(*show, "--json").json["stale"] is True
    assert "note: these lines changed" in run(*show).err


def test_a_citation_in_a_page_that_changed_elsewhere_still_holds(run: Run, own_pages: Path, tmp_path: Path) -> None:
    (own_pages / "redis.md").write_text(PAGES["redis.md"] + "\nMore.\n")
    assert run("--data-dir", tmp_path / "data", "show", "redis#redis:0", "--json").json["stale"] is False


def test_a_citation_of_a_page_that_is_gone_shows_what_was_indexed(run: Run, own_pages: Path, tmp_path: Path) -> None:
    (own_pages / "redis.md").unlink()
    result = run("--data-dir", tmp_path / "data", "show", "redis#redis:0")
    assert result.status == 0
    assert "max number of clients" in result.out


def test_a_copied_index_still_opens_its_pages(run: Run, small_data: Path, tmp_path: Path) -> None:
    assert run("--data-dir", copy_data(small_data, tmp_path / "data"), "show", "redis#redis:0").status == 0


def test_show_without_an_index_names_the_command_that_makes_one(run: Run, tmp_path: Path) -> None:
    assert_clear(run("--data-dir", tmp_path / "none", "show", "redis#redis:0"), 3, "oncall index")
