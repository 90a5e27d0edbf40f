"""The manifest that says which index is current."""

from pathlib import Path

import msgspec
import pytest

from oncall_tui.errors import IndexMismatchError, IndexMissingError
from oncall_tui.index import manifest as manifests
from oncall_tui.index.manifest import LAYOUT_VERSION, Manifest, Root

MANIFEST = Manifest(
    layout=LAYOUT_VERSION,
    tokenizer=1,
    generation="20261201T000000-abc",
    roots=(Root("0a1b2c3d", "/srv/运维手册"),),
    documents=2,
    chunks=9,
    vectors=9,
    model="fake-1",
    dimension=64,
    centring="c",
    built_at="2026-12-01T00:00:00+00:00",
    documents_version=2,
    chunks_version=3,
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    manifests.write(tmp_path, MANIFEST)
    assert manifests.read(tmp_path) == MANIFEST


def test_a_newer_manifest_takes_the_place_of_the_older_one(tmp_path: Path) -> None:
    manifests.write(tmp_path, MANIFEST)
    manifests.write(tmp_path, msgspec.structs.replace(MANIFEST, documents=3))
    assert manifests.read(tmp_path).documents == 3
    assert [file.name for file in tmp_path.iterdir()] == ["current.json"]


def test_where_no_index_is_the_command_that_makes_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexMissingError, match="no index") as caught:
        manifests.read(tmp_path)
    assert "oncall index" in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"layout": 1}', b"\xff\xfe\x00", b"null"])
def test_a_manifest_that_cannot_be_understood_asks_for_the_folders_again(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "current.json").write_bytes(content)
    with pytest.raises(IndexMissingError, match="damaged") as caught:
        manifests.read(tmp_path)
    assert caught.value.hint == "Name them: oncall index DIR"


def test_a_manifest_of_another_version_still_says_which_folders_it_was_made_from(tmp_path: Path) -> None:
    (tmp_path / "current.json").write_text('{"layout": 99, "roots": [{"id": "a", "folder": "/srv/runbooks"}]}')
    assert manifests.read_roots(tmp_path) == (Root("a", "/srv/runbooks"),)
    with pytest.raises(IndexMissingError) as caught:
        manifests.read(tmp_path)
    assert caught.value.hint == "Run: oncall index"


def test_without_an_index_there_are_no_folders(tmp_path: Path) -> None:
    assert manifests.read_roots(tmp_path) == ()


def test_an_index_made_by_this_program_can_be_read() -> None:
    manifests.check(MANIFEST, tokenizer=1)


@pytest.mark.parametrize(
    ("change", "named"), [({"layout": 0}, "layout 0"), ({"tokenizer": 7}, "tokenizer 7")], ids=["layout", "tokenizer"]
)
def test_an_index_made_by_another_program_names_what_differs_and_the_mend(change: dict[str, int], named: str) -> None:
    with pytest.raises(IndexMismatchError, match=named) as caught:
        manifests.check(msgspec.structs.replace(MANIFEST, **change), tokenizer=1)
    assert "oncall index" in caught.value.hint
    assert caught.value.exit_code == 3
