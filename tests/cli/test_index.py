"""``oncall index``: what it reports, and what it says to bad input."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import write_tree
from tests.cli.conftest import Result, Run, assert_clear
from tests.privileges import open_folder, unprivileged

KEYS = ["documents", "chunks", "added", "changed", "removed", "unchanged", "skipped", "embedded", "took_s"]
PAGE = "# Redis timeouts\n\nRaise maxclients on the server.\n"


class Place:
    """A folder of runbooks with an index of its own."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.folder = folder
        self.source = write_tree(folder / "runbooks", {"redis.md": PAGE})
        self._run = run

    def index(self, *arguments: str | Path) -> Result:
        return self._run("--data-dir", self.folder / "data", "index", *arguments)

    def search(self) -> Result:
        return self._run("--data-dir", self.folder / "data", "search", "raise maxclients", "--json")

    def skipped(self, files: dict[str, str | bytes]) -> dict[str, dict[str, str]]:
        """Index some more files and return what was skipped, by path."""
        write_tree(self.source, files)
        result = self.index(self.source, "--json")
        assert result.status == 0
        assert self.search().json["evidence"]
        return {item["path"]: item for item in result.json["skipped"]}


@pytest.fixture
def place(tmp_path: Path, run: Run) -> Place:
    return Place(tmp_path, run)


@pytest.fixture
def indexed(place: Place) -> Place:
    assert place.index(place.source).status == 0
    return place


def test_the_json_has_the_documented_keys(place: Place) -> None:
    result = place.index(place.source, "--json")
    assert result.status == 0
    assert list(result.json) == KEYS
    assert (result.json["documents"], result.json["added"], result.json["embedded"]) == (1, 1, 1)


def test_without_json_one_line_says_what_was_done(place: Place) -> None:
    result = place.index(place.source)
    assert len(result.out.splitlines()) == 1
    assert result.out.startswith(
        "1 documents, 1 passages: 1 added, 0 changed, 0 removed, 0 unchanged; 1 passages embed"
    )
    assert result.err == ""


def test_on_a_terminal_progress_is_shown_beside_the_answer(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    result = place.index(place.source, "--json")
    assert (result.status, result.json["added"]) == (0, 1)


def test_the_folder_has_to_be_named_only_once(indexed: Place) -> None:
    assert indexed.index("--json").json["unchanged"] == 1


def test_a_source_flag_names_the_folder_too(place: Place, run: Run) -> None:
    result = run("--data-dir", place.folder / "data", "--source", place.source, "index", "--json")
    assert result.json["added"] == 1


def test_the_environment_names_folder_and_data_too(place: Place, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCALL_SOURCES", str(place.source))
    monkeypatch.setenv("ONCALL_DATA_DIR", str(place.folder / "data"))
    assert run("index", "--json").json["added"] == 1
    assert (place.folder / "data" / "index" / "current.json").exists()


def test_a_missing_source_exits_with_one_and_still_prints_its_report(indexed: Place) -> None:
    indexed.source.rename(indexed.folder / "unmounted")
    result = indexed.index("--json")
    assert result.status == 1
    assert (result.json["removed"], result.json["unchanged"]) == (0, 1)
    assert "is not there" in result.json["skipped"][0]["reason"]
    assert indexed.search().json["evidence"]


def test_a_missing_source_is_noted_on_stderr(indexed: Place) -> None:
    indexed.source.rename(indexed.folder / "unmounted")
    result = indexed.index()
    assert result.status == 1
    assert "is not there; its 1 documents stay in the index" in result.err
    assert "oncall index --prune" in result.err


@pytest.mark.parametrize("gone", [True, False], ids=["gone", "empty"])
def test_prune_forgets_what_a_source_held(indexed: Place, gone: bool) -> None:  # noqa: FBT001
    shutil.rmtree(indexed.source)
    if not gone:
        indexed.source.mkdir()
    result = indexed.index("--prune", "--json")
    assert (result.status, result.json["removed"], result.json["documents"]) == (0, 1, 0)
    assert indexed.search().status == 4


def test_rebuild_makes_everything_anew(indexed: Place) -> None:
    assert indexed.index("--rebuild", "--json").json["added"] == 1


# Folders


def test_a_folder_that_does_not_exist_is_told(place: Place) -> None:
    assert_clear(place.index(place.folder / "none"), 2, "does not exist", "Check the path")


def test_a_file_is_no_folder(place: Place) -> None:
    assert_clear(place.index(place.source / "redis.md"), 2, "is not a folder")


def test_an_empty_folder_is_told(place: Place) -> None:
    (place.folder / "empty").mkdir()
    assert_clear(place.index(place.folder / "empty"), 2, "No document was found", "Markdown")


def test_a_folder_with_nothing_readable_names_what_was_left_out(place: Place) -> None:
    folder = write_tree(place.folder / "pictures", {"a.png": b"png", "b.md": b"\0"})
    assert_clear(place.index(folder), 2, "No document was found", "a.png is not a format", "b.md is binary")


def test_a_folder_that_cannot_be_indexed_leaves_the_index_as_it_was(indexed: Place) -> None:
    assert indexed.index(indexed.folder / "none").status == 2
    assert indexed.search().json["evidence"]


def test_a_folder_whose_name_is_no_utf_8_is_told(place: Place) -> None:
    folder = os.fsencode(place.folder) + b"/caf\xe9"
    os.mkdir(folder)  # noqa: PTH102 - a name that pathlib cannot write down
    write_tree(Path(os.fsdecode(folder)), {"a.md": PAGE})
    assert_clear(place.index(os.fsdecode(folder)), 2, "is not UTF-8")


# Settings


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--chunk-size", "500", "--chunk-overlap", "500"), "chunk_overlap (500) must be below chunk_size (500)"),
        (("--chunk-overlap", "1600"), "must be below"),
        (("--chunk-overlap", "-1"), "'chunk_overlap'"),
        (("--chunk-size", "5"), "'chunk_size'"),
    ],
)
def test_a_senseless_size_is_told(place: Place, options: tuple[str, ...], words: str) -> None:
    assert_clear(place.index(place.source, *options), 2, words)


def test_a_data_folder_that_is_a_file_is_told(place: Place) -> None:
    (place.folder / "data").write_text("")
    assert_clear(place.index(place.source), 1, "cannot be written", "--data-dir")


# Files


def test_a_binary_file_named_like_a_page_is_named(place: Place) -> None:
    assert place.skipped({"core.md": b"\x7fELF\0\0"})["core.md"]["reason"] == "is binary, not text"


def test_latin_1_is_named_with_the_line_and_the_command_that_converts_it(place: Place) -> None:
    skipped = place.skipped({"alt.md": "# Alt\n\nZurücksetzen.\n".encode("latin-1")})["alt.md"]
    assert "is not UTF-8 (byte 0xfc in line 3)" in skipped["reason"]
    assert "iconv" in skipped["hint"]


@pytest.mark.parametrize(
    ("text", "written_in", "named"),
    [
        ("# 磁盘满了\n\n清理日志，重启服务。\n", "gbk", "GB18030"),
        ("# Disk\n\nRun the cleaner, 然后重启。\n", "gb18030", "GB18030"),
        ("# Alt\n\nZurücksetzen für Größe.\n", "latin-1", "LATIN1"),
        ("# Panne\n\nRedémarrer à côté, où l'évènement a été noté.\n", "latin-1", "LATIN1"),
    ],
)
def test_the_command_that_converts_names_what_the_file_is_probably_written_in(
    place: Place, text: str, written_in: str, named: str
) -> None:
    assert f"iconv -f {named} -t UTF-8" in place.skipped({"alt.md": text.encode(written_in)})["alt.md"]["hint"]


def test_a_huge_file_is_left_out_without_being_read(place: Place) -> None:
    with (place.source / "huge.md").open("wb") as file:
        file.truncate(50_000_000)
    skipped = place.skipped({})["huge.md"]
    assert skipped["reason"] == "is 50.0 MB, more than max_file_megabytes = 10"
    assert "max_file_megabytes" in skipped["hint"]


def test_an_empty_page_is_named(place: Place) -> None:
    assert place.skipped({"empty.md": " \n"})["empty.md"]["reason"] == "holds no text"


def test_front_matter_that_is_no_yaml_is_named_and_the_page_is_indexed(place: Place) -> None:
    skipped = place.skipped({"a.md": "---\ntitle: [\n---\n# Alpha\n\nText.\n"})["a.md"]
    assert "is indexed, but its front matter cannot be read" in skipped["reason"]


@pytest.mark.parametrize(
    ("lines", "end", "problem"),
    [(250, "---\n", "it is longer than 200 lines"), (250, "", "it has no end"), (3, "", "it has no end")],
)
def test_front_matter_that_is_too_long_or_never_ends_is_named(place: Place, lines: int, end: str, problem: str) -> None:
    page = "---\n" + "".join(f"key{number}: x\n" for number in range(lines)) + end + "# Alpha\n\nText.\n"
    skipped = place.skipped({"a.md": page})["a.md"]
    assert skipped["reason"].startswith(f"is indexed, but its front matter cannot be read ({problem})")


def test_a_line_across_the_top_of_a_page_is_no_front_matter(place: Place) -> None:
    assert place.skipped({"a.md": "---\n\n# Alpha\n\nText.\n", "b.md": "---\nNote: text.\n"}) == {}


def test_skipped_files_are_noted_on_stderr(place: Place) -> None:
    write_tree(place.source, {f"{number}.png": b"" for number in range(15)})
    result = place.index(place.source)
    assert result.status == 0
    assert "note: 0.png is not a format that is read" in result.err
    assert "note: and 5 more; --json names them all" in result.err


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ('{"redis.md": {"sevice": "redis"}}', ("sevice", "service")),
        ('{"redis.md": {"trust": 9}}', ("trust", "1 to 5")),
        ('{"redis.md": {"owner": "infra"}', ("manifest.json",)),
        ('["redis.md"]', ("manifest.json",)),
    ],
)
def test_a_manifest_with_a_mistake_is_told_and_loses_nothing(
    indexed: Place, manifest: str, words: tuple[str, ...]
) -> None:
    write_tree(indexed.source, {"manifest.json": manifest})
    assert_clear(indexed.index(), 2, *words)
    assert indexed.search().json["evidence"]


def test_a_manifest_that_names_a_page_that_is_not_there_suggests_the_one_meant(place: Place) -> None:
    skipped = place.skipped({"manifest.json": '{"db/redis.md": {"owner": "infra"}}'})["db/redis.md"]
    assert skipped == {
        "path": "db/redis.md",
        "reason": "is named in manifest.json but does not exist",
        "hint": "Did you mean redis.md?",
    }


@pytest.fixture
def shared() -> Iterator[Path]:
    """Return a folder that everybody can write in."""
    with open_folder() as folder:
        folder.chmod(0o777)
        yield folder


def test_a_file_without_permission_is_named_and_the_rest_is_indexed(run: Run, shared: Path) -> None:
    source = write_tree(shared / "runbooks", {"redis.md": PAGE, "secret.md": PAGE})
    (source / "secret.md").chmod(0)
    with unprivileged():
        result = run("--data-dir", shared / "data", "index", source, "--json")
    assert (result.status, result.err) == (0, "")
    (skipped,) = result.json["skipped"]
    assert skipped["path"] == "secret.md"
    assert skipped["reason"] == "cannot be read: permission denied"
    assert "permissions" in skipped["hint"]


def test_a_folder_without_permission_is_told(run: Run, shared: Path) -> None:
    source = write_tree(shared / "runbooks", {"redis.md": PAGE})
    source.chmod(0)
    with unprivileged():
        result = run("--data-dir", shared / "data", "index", source)
    source.chmod(0o755)
    assert_clear(result, 2, "cannot be listed", "permissions")


def test_a_data_folder_without_permission_is_told(run: Run, shared: Path) -> None:
    source = write_tree(shared / "runbooks", {"redis.md": PAGE})
    (shared / "locked").mkdir()
    (shared / "locked").chmod(0o555)
    with unprivileged():
        result = run("--data-dir", shared / "locked" / "data", "index", source)
    assert_clear(result, 1, "cannot be written", "--data-dir")


def test_an_index_without_permission_is_told(run: Run, shared: Path) -> None:
    source = write_tree(shared / "runbooks", {"redis.md": PAGE})
    assert run("--data-dir", shared / "data", "index", source).status == 0
    (shared / "data" / "index" / "current.json").chmod(0)
    with unprivileged():
        result = run("--data-dir", shared / "data", "search", "redis")
    assert_clear(result, 3, "ermission denied")


def test_another_folder_takes_the_place_of_the_first_and_that_is_said(indexed: Place) -> None:
    other = write_tree(indexed.folder / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    result = indexed.index(other)
    assert result.status == 0
    assert f"note: {indexed.source} is no longer indexed (To have all: oncall index {indexed.source} {other})" in (
        result.err
    )


def test_without_its_manifest_an_index_is_made_of_the_same_folders_and_not_of_the_demo(indexed: Place) -> None:
    (indexed.folder / "data" / "index" / "current.json").unlink()
    assert indexed.index("--json").json["documents"] == 1
    assert indexed.search().json["evidence"][0]["source"] == "redis.md"


@pytest.mark.parametrize("option", ["--chunk-size", "--chunk-overlap"])
def test_a_size_for_one_run_is_said_to_be_undone_by_the_next(indexed: Place, option: str) -> None:
    setting = option.removeprefix("--").replace("-", "_")
    assert f"note: the next oncall index undoes this, unless the settings say: {setting} = 700" in (
        indexed.index(option, "700").err
    )


def test_a_size_that_the_settings_say_too_needs_no_note(indexed: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCALL_CHUNK_SIZE", "700")
    assert indexed.index("--chunk-size", "700").err == ""
