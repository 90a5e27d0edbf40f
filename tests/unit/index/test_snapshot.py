"""The read-only copy of the index."""

import os
from pathlib import Path

import numpy as np
import pytest

from oncall_tui.errors import IndexMissingError
from oncall_tui.index import snapshot as snapshots
from oncall_tui.index.postings import Bags
from oncall_tui.index.snapshot import Columns, DocumentRecord, PassageRecord, Snapshot, SnapshotParts
from tests.builders import make_metadata

DOCUMENTS = (
    DocumentRecord("r/a.md", "a", "r", "a.md", "1", make_metadata("Alpha", service="redis"), 2),
    DocumentRecord("r/b.md", "b", "r", "b.md", "2", make_metadata("Beta"), 0),
    DocumentRecord("r/c.md", "c", "r", "c.md", "3", make_metadata("Gamma"), 1),
)
PASSAGES = (
    PassageRecord(("Alpha",), "first", "h1"),
    PassageRecord(("Alpha", "Fix"), "second", "h2"),
    PassageRecord((), "第三", "h3"),
)
ROWS = ((0, 0, 3, "en"), (0, 3, 9, "en"), (2, 1, 2, "zh"))
SMALL_FILES = ("documents.msgpack", "offsets.npy", "columns.npy", "terms.npy", "idf.npy", "starts.npy")
LARGE_FILES = ("passages.bin", "rows.npy", "saturations.npy", "bag_starts.npy", "bag_terms.npy", "bag_weights.npy")
FILES = ("documents.msgpack", "passages.bin", "offsets.npy", "columns.npy", "bag_terms.npy", "terms.npy", "rows.npy")


def write_snapshot(folder: Path) -> Path:
    encoded = [snapshots.encode_passage(passage) for passage in PASSAGES]
    bags = Bags.from_bags([{"redis": 3.0}, {"redis": 1.0, "fix": 1.0}, {"第": 1.0}])
    sizes = [len(part) for part in encoded]
    snapshots.write(folder, SnapshotParts(DOCUMENTS, b"".join(encoded), sizes, Columns.from_rows(ROWS), bags))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_snapshot(tmp_path / "generation")


@pytest.fixture
def snapshot(folder: Path) -> Snapshot:
    return Snapshot(folder)


def test_a_chunk_comes_back_as_it_was(snapshot: Snapshot) -> None:
    chunk = snapshot.chunk(1)
    assert (chunk.id, chunk.citation, chunk.location) == ("a:1", "a#a:1", "a.md:L4-L9")
    assert (chunk.heading_path, chunk.text) == (("Alpha", "Fix"), "second")
    assert chunk.metadata == DOCUMENTS[0].metadata


def test_a_snapshot_is_as_long_as_it_has_chunks(snapshot: Snapshot) -> None:
    assert len(snapshot) == 3


def test_each_row_has_an_id_and_each_id_its_row(snapshot: Snapshot) -> None:
    assert [snapshot.id_of(row) for row in range(3)] == ["a:0", "a:1", "c:0"]
    assert [snapshot.row_of(chunk_id) for chunk_id in ("a:0", "a:1", "c:0")] == [0, 1, 2]


@pytest.mark.parametrize(
    "chunk_id", ["", "a", "a:", "a:2", "a:-1", "a:x", "b:0", "z:0", ":0", "a:0:0", "a:²", "a:" + "9" * 5000]
)
def test_an_id_that_no_chunk_has_is_found_nowhere(snapshot: Snapshot, chunk_id: str) -> None:
    assert snapshot.row_of(chunk_id) is None


@pytest.mark.parametrize(
    ("citation", "near"),
    [
        ("a#a:7", "a#a:1"),
        ("a:x", "a#a:0"),
        ("a", "a#a:0"),
        ("a#zzz:1", "a#a:1"),
        ("a:" + "9" * 5000, "a#a:0"),
        ("b#b:0", ""),
        ("nothing like it", ""),
        ("a#a:0", ""),
        ("", ""),
    ],
)
def test_the_citation_that_is_most_like_a_wrong_one_is_named(snapshot: Snapshot, citation: str, near: str) -> None:
    assert snapshot.nearest(citation) == near


def test_the_rows_of_a_document_stand_together(snapshot: Snapshot) -> None:
    assert [list(snapshot.rows_of(number)) for number in range(3)] == [[0, 1], [], [2]]


def test_each_passage_knows_its_language(snapshot: Snapshot) -> None:
    assert snapshot.languages().tolist() == ["en", "en", "zh"]
    assert snapshot.language(2) == "zh"


def test_neighbouring_passages_are_copied_as_they_are_stored(snapshot: Snapshot) -> None:
    encoded = snapshot.encoded_passages(range(1, 3))
    assert encoded == b"".join(snapshots.encode_passage(passage) for passage in PASSAGES[1:])
    assert sum(snapshot.passage_sizes(range(1, 3))) == len(encoded)


def test_a_document_is_found_by_its_id(snapshot: Snapshot) -> None:
    assert snapshot.document("c") == DOCUMENTS[2]
    assert snapshot.document("r/c.md") is None


def test_without_vectors_a_snapshot_says_so(snapshot: Snapshot) -> None:
    assert snapshot.vectors is None
    snapshot.check_all(has_vectors=False)


def test_vectors_are_added_to_a_snapshot_that_is_there(folder: Path) -> None:
    vectors = np.eye(3, dtype=np.float32)
    snapshots.write_vectors(folder, vectors)
    found = Snapshot(folder).vectors
    assert found is not None
    assert np.array_equal(found, vectors)
    assert not list(folder.glob("new-*"))


def test_an_index_without_documents_opens_and_scores_nothing(tmp_path: Path) -> None:
    parts = SnapshotParts((), b"", (), Columns.from_rows([]), Bags.from_bags([]))
    snapshots.write(tmp_path / "empty", parts)
    snapshot = Snapshot(tmp_path / "empty")
    snapshot.check_all(has_vectors=False)
    assert len(snapshot) == 0
    assert snapshot.postings.score({"redis": 1.0}).tolist() == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "garbage"])
def test_a_damaged_file_is_named_as_damage_with_the_mend(folder: Path, name: str, damage: str) -> None:
    spoil(folder / name, damage)
    with pytest.raises(IndexMissingError, match="damaged") as caught:
        Snapshot(folder).check_all(has_vectors=False)
    assert caught.value.hint == "Run: oncall index"


@pytest.mark.parametrize("damage", ["empty", "cut", "garbage"])
def test_damaged_vectors_are_named_as_damage(folder: Path, damage: str) -> None:
    snapshots.write_vectors(folder, np.eye(3, dtype=np.float32))
    spoil(folder / "vectors.npy", damage)
    with pytest.raises(IndexMissingError, match="damaged"):
        Snapshot(folder).check_all(has_vectors=True)


def test_vectors_that_went_away_are_named_as_damage(folder: Path) -> None:
    with pytest.raises(IndexMissingError, match="vectors"):
        Snapshot(folder).check_all(has_vectors=True)


def test_a_passage_that_was_overwritten_is_named_as_damage(folder: Path) -> None:
    file = folder / "passages.bin"
    file.write_bytes(b"\xc1" * (file.stat().st_size - 8) + file.read_bytes()[-8:])
    with pytest.raises(IndexMissingError, match="damaged"):
        Snapshot(folder).chunk(0)


@pytest.mark.parametrize("name", [*SMALL_FILES, *LARGE_FILES, "vectors.npy"])
def test_a_single_bit_that_changed_is_named_as_damage(folder: Path, name: str) -> None:
    snapshots.write_vectors(folder, np.eye(3, dtype=np.float32))
    flip_bit(folder / name, 0.9)
    with pytest.raises(IndexMissingError, match="damaged"):
        Snapshot(folder).check_all(has_vectors=True)


@pytest.mark.parametrize("name", SMALL_FILES)
def test_a_bit_that_changed_in_a_small_file_keeps_the_snapshot_from_opening(folder: Path, name: str) -> None:
    flip_bit(folder / name, 0.9)
    with pytest.raises(IndexMissingError, match=f"damaged: {name} is not as it was written"):
        Snapshot(folder)


@pytest.mark.parametrize("name", [*SMALL_FILES, *LARGE_FILES])
def test_a_file_that_lost_its_last_byte_keeps_the_snapshot_from_opening(folder: Path, name: str) -> None:
    os.truncate(folder / name, (folder / name).stat().st_size - 1)
    with pytest.raises(IndexMissingError, match="damaged"):
        Snapshot(folder).bags  # noqa: B018 - opened when it is first looked at


def test_files_of_two_snapshots_are_not_taken_for_one(folder: Path, tmp_path: Path) -> None:
    parts = SnapshotParts(DOCUMENTS[:1], b"", (0, 0), Columns.from_rows(ROWS[:2]), Bags.from_bags([{}, {}]))
    snapshots.write(tmp_path / "other", parts)
    (tmp_path / "other" / "columns.npy").replace(folder / "columns.npy")
    with pytest.raises(IndexMissingError, match="damaged"):
        Snapshot(folder)


def spoil(file: Path, damage: str) -> None:
    """Damage a file in the given way."""
    size = file.stat().st_size
    if damage == "missing":
        file.unlink()
    elif damage == "garbage":
        file.write_bytes(b"no such thing " * (size // 14 + 1))
    else:
        os.truncate(file, size // 2 if damage == "cut" else 0)


def flip_bit(file: Path, place: float) -> None:
    """Change one bit of a file, at a share of its length."""
    data = bytearray(file.read_bytes())
    data[int(len(data) * place)] ^= 1
    file.write_bytes(data)
