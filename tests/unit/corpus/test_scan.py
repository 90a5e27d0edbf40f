"""A folder to the files in it."""

from pathlib import Path

import pytest

from oncall_tui.corpus.scan import Candidate, walk
from oncall_tui.models import SkippedFile
from tests.builders import write_tree
from tests.privileges import open_folder, unprivileged


def candidates(root: Path) -> list[str]:
    return [found.path for found in walk(root) if isinstance(found, Candidate)]


def reasons(root: Path) -> dict[str, str]:
    return {found.path: found.reason for found in walk(root) if isinstance(found, SkippedFile)}


def test_pages_are_found_in_folders_of_any_depth(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.md": "a", "db/redis/b.md": "b"})
    assert candidates(tmp_path) == ["a.md", "db/redis/b.md"]


@pytest.mark.parametrize("name", ["a.md", "a.MD", "a.markdown", "a.txt", "a.log", "a.b.md", "手册.md"])
def test_a_page_is_known_by_its_ending_in_any_case(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path, {name: "a"})
    assert candidates(tmp_path) == [name]


def test_a_file_of_another_format_is_named_with_the_formats_that_are_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"diagram.png": b"png"})
    assert ".md" in reasons(tmp_path)["diagram.png"]


@pytest.mark.parametrize("path", [".hidden.md", ".git/a.md", "node_modules/a.md", "venv/a.md"])
def test_hidden_files_and_the_folders_of_tools_are_not_searched(tmp_path: Path, path: str) -> None:
    write_tree(tmp_path, {path: "a"})
    assert list(walk(tmp_path)) == []


def test_the_manifest_is_no_page(tmp_path: Path) -> None:
    write_tree(tmp_path, {"manifest.json": "{}"})
    assert list(walk(tmp_path)) == []


def test_a_folder_named_like_a_page_is_a_folder(tmp_path: Path) -> None:
    write_tree(tmp_path, {"redis.md/notes.md": "a"})
    assert candidates(tmp_path) == ["redis.md/notes.md"]


def test_files_come_in_the_same_order_on_every_disk(tmp_path: Path) -> None:
    write_tree(tmp_path, dict.fromkeys(("c.md", "a.md", "b/z.md", "b/y.md"), "a"))
    assert candidates(tmp_path) == ["a.md", "c.md", "b/y.md", "b/z.md"]


def test_a_link_to_a_page_inside_the_folder_is_followed(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.md": "a"})
    (tmp_path / "b.md").symlink_to("a.md")
    assert candidates(tmp_path) == ["a.md", "b.md"]


def test_a_folder_that_is_reached_over_a_link_is_searched(tmp_path: Path) -> None:
    write_tree(tmp_path, {"real/a.md": "a"})
    (tmp_path / "link").symlink_to("real")
    assert candidates(tmp_path / "link") == ["a.md"]


def test_a_link_to_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.md").symlink_to("gone.md")
    assert "link to nothing" in reasons(tmp_path)["b.md"]


def test_a_link_to_a_folder_is_named_and_not_followed(tmp_path: Path) -> None:
    write_tree(tmp_path, {"real/a.md": "a"})
    (tmp_path / "again").symlink_to("real")
    assert candidates(tmp_path) == ["real/a.md"]
    assert "link to a folder" in reasons(tmp_path)["again"]


@pytest.mark.parametrize("mode", [0o000, 0o333, 0o666])
def test_a_folder_that_cannot_be_opened_is_named(mode: int) -> None:
    with open_folder() as folder:
        write_tree(folder, {"a.md": "a", "private/b.md": "b"})
        (folder / "private").chmod(mode)
        with unprivileged():
            assert candidates(folder) == ["a.md"]
            assert "permission denied" in reasons(folder)["private"]
        (folder / "private").chmod(0o700)
