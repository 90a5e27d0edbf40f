"""One source root to documents."""

from pathlib import Path

import pytest

from oncall_tui.corpus.chunker import ChunkSize
from oncall_tui.corpus.load import RawFile, SourceRoot, check_root, fallback_id, parse_file, read_root, split_document
from oncall_tui.errors import DocumentError, SourceError
from oncall_tui.models import SkippedFile
from tests.builders import load, make_document, write_tree
from tests.privileges import open_folder, unprivileged


def fingerprint(folder: Path, size: ChunkSize | None = None) -> str:
    (found,) = read_root(SourceRoot(folder), size or ChunkSize())
    assert isinstance(found, RawFile)
    return found.fingerprint


def test_a_page_becomes_a_document_with_its_relative_path(tmp_path: Path) -> None:
    write_tree(tmp_path, {"db/redis.md": "# Redis timeouts\n\nRaise maxclients.\n"})
    document = load(tmp_path)[0]["db/redis.md"]
    assert (document.id, document.metadata.title) == ("db/redis", "Redis timeouts")
    assert document.root == SourceRoot(tmp_path).id


def test_the_manifest_wins_over_front_matter_and_front_matter_over_rules(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "redis.md": "---\nowner: infra\nservice: cache\n---\n# Redis",
            "manifest.json": '{"redis.md": {"owner": "data"}}',
        },
    )
    metadata = load(tmp_path)[0]["redis.md"].metadata
    assert (metadata.owner, metadata.service, metadata.title) == ("data", "cache", "Redis")


def test_front_matter_is_not_part_of_the_body(tmp_path: Path) -> None:
    write_tree(tmp_path, {"redis.md": "---\nowner: infra\n---\n# Redis"})
    assert load(tmp_path)[0]["redis.md"].body_start == 3


def test_broken_front_matter_is_named_and_the_page_indexed_whole(tmp_path: Path) -> None:
    write_tree(tmp_path, {"redis.md": "---\ntitle: Redis: slow\n---\n# Redis timeouts"})
    documents, skipped = load(tmp_path)
    assert documents["redis.md"].body_start == 0
    assert "front matter cannot be read" in skipped["redis.md"].reason


def test_broken_front_matter_is_not_taken_for_the_title(tmp_path: Path) -> None:
    write_tree(tmp_path, {"redis.md": "---\ntitle: Redis: slow\n---\n# Redis timeouts"})
    assert load(tmp_path)[0]["redis.md"].metadata.title == "Redis timeouts"


def test_a_manifest_entry_for_a_missing_page_is_named_with_a_page_of_that_name(tmp_path: Path) -> None:
    write_tree(tmp_path, {"db/redis.md": "# Redis", "manifest.json": '{"redis.md": {}}'})
    missing = load(tmp_path)[1]["redis.md"]
    assert "does not exist" in missing.reason
    assert missing.hint == "Did you mean db/redis.md?"


def test_a_manifest_entry_like_no_page_has_no_hint(tmp_path: Path) -> None:
    write_tree(tmp_path, {"redis.md": "# Redis", "manifest.json": '{"kafka.md": {}}'})
    assert load(tmp_path)[1]["kafka.md"].hint == ""


def test_a_manifest_entry_for_a_skipped_file_is_not_called_missing(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.png": b"png", "manifest.json": '{"a.png": {"owner": "infra"}}'})
    assert "not a format" in load(tmp_path)[1]["a.png"].reason


def test_the_fingerprint_stays_while_nothing_changes(tmp_path: Path) -> None:
    write_tree(tmp_path, {"redis.md": "# Redis"})
    assert fingerprint(tmp_path) == fingerprint(tmp_path)


@pytest.mark.parametrize(
    "change",
    [{"redis.md": "# Redis "}, {"manifest.json": '{"redis.md": {"owner": "infra"}}'}],
    ids=["text", "manifest"],
)
def test_the_fingerprint_changes_with_what_the_chunks_depend_on(tmp_path: Path, change: dict[str, str]) -> None:
    write_tree(tmp_path, {"redis.md": "# Redis"})
    before = fingerprint(tmp_path)
    write_tree(tmp_path, change)
    assert fingerprint(tmp_path) != before


def test_the_fingerprint_changes_with_the_size_of_chunks(tmp_path: Path) -> None:
    write_tree(tmp_path, {"redis.md": "# Redis"})
    assert fingerprint(tmp_path, ChunkSize(500)) != fingerprint(tmp_path, ChunkSize(600))


def test_a_source_keeps_its_id_when_it_is_reached_over_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert SourceRoot(tmp_path / "real").id == SourceRoot(tmp_path / "link").id


def test_two_sources_have_two_ids(tmp_path: Path) -> None:
    assert SourceRoot(tmp_path / "a").id != SourceRoot(tmp_path / "b").id


def test_a_missing_folder_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        list(read_root(SourceRoot(tmp_path / "gone"), ChunkSize()))


def test_a_file_cannot_be_a_source(tmp_path: Path) -> None:
    write_tree(tmp_path, {"redis.md": "# Redis"})
    with pytest.raises(SourceError, match="is not a folder"):
        check_root(tmp_path / "redis.md")


def test_an_empty_folder_can_be_a_source(tmp_path: Path) -> None:
    check_root(tmp_path)
    assert load(tmp_path) == ({}, {})


@pytest.mark.parametrize("mode", [0o000, 0o666])
def test_a_folder_that_cannot_be_listed_cannot_be_a_source(mode: int) -> None:
    with open_folder() as folder:
        write_tree(folder, {"private/a.md": "a"})
        (folder / "private").chmod(mode)
        with unprivileged(), pytest.raises(SourceError, match="cannot be listed"):
            check_root(folder / "private")
        (folder / "private").chmod(0o700)


def test_a_document_id_never_holds_the_marks_of_a_citation() -> None:
    document, _ = parse_file(RawFile("root", "a.md", b"text", {"doc_id": "a#b:c"}))
    assert document.id == "a_b_c"


def test_a_taken_id_falls_back_to_the_path_then_to_the_root() -> None:
    document = make_document("# Redis", "db/redis.md")
    assert fallback_id(document, {"redis"}) == "db/redis"
    assert fallback_id(document, {"db/redis"}) == "db/redis.md"
    assert fallback_id(document, {"db/redis", "db/redis.md"}) == "root/db/redis.md"


def test_two_files_that_cannot_be_told_apart_are_an_error() -> None:
    document = make_document("# Redis", "redis.md")
    with pytest.raises(DocumentError, match="two files are both"):
        fallback_id(document, {"redis", "redis.md", "root/redis.md"})


def test_a_page_without_text_is_skipped_by_the_parser() -> None:
    with pytest.raises(DocumentError, match="holds no text"):
        parse_file(RawFile("root", "a.md", b"\n\n"))


def test_a_plain_text_page_is_titled_by_its_name(tmp_path: Path) -> None:
    write_tree(tmp_path, {"disk-full.txt": "# a comment, no heading"})
    assert load(tmp_path)[0]["disk-full.txt"].metadata.title == "disk full"


def test_an_oversized_page_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"big.md": "x" * 5000, "small.md": "# Small"})
    found = list(read_root(SourceRoot(tmp_path), ChunkSize(), max_megabytes=0.004))
    assert [type(each) for each in found] == [SkippedFile, RawFile]


def test_the_field_list_of_a_restructuredtext_page_is_its_metadata(tmp_path: Path) -> None:
    page = ":service: redis\n:owner: infra\n:trust: 5\n:orphan:\n\nRedis timeouts\n==============\n\nWait.\n"
    documents, _ = load(write_tree(tmp_path, {"cache.rst": page}))
    document = documents["cache.rst"]
    assert (document.metadata.title, document.metadata.service, document.metadata.owner) == (
        "Redis timeouts",
        "redis",
        "infra",
    )
    assert (document.metadata.trust, document.body_start) == (5, 4)
    assert not {"service", "trust"} & set(document.metadata.derived)


def test_fields_that_make_no_sense_are_left_alone(tmp_path: Path) -> None:
    documents, skipped = load(write_tree(tmp_path, {"cache.rst": ":trust: high\n:type: poem\n\nRedis\n=====\n"}))
    assert documents["cache.rst"].metadata.trust == 2
    assert not skipped


def test_the_manifest_wins_over_the_field_list(tmp_path: Path) -> None:
    files = {"cache.rst": ":owner: infra\n\nRedis\n=====\n", "manifest.json": '{"cache.rst": {"owner": "dba"}}'}
    assert load(write_tree(tmp_path, files))[0]["cache.rst"].metadata.owner == "dba"


def test_front_matter_of_a_restructuredtext_page_is_read_too(tmp_path: Path) -> None:
    documents, _ = load(write_tree(tmp_path, {"cache.rst": "---\nowner: infra\n---\n\nRedis\n=====\n"}))
    assert (documents["cache.rst"].metadata.owner, documents["cache.rst"].body_start) == ("infra", 3)


def test_a_restructuredtext_page_reads_no_other_file(tmp_path: Path) -> None:
    page = "Page\n====\n\n.. include:: secret.txt\n\n.. literalinclude:: /etc/passwd\n\n.. raw:: html\n   :file: x\n"
    files = {"page.rst": page, "secret.txt": "hunter2"}
    document = load(write_tree(tmp_path, files))[0]["page.rst"]
    assert all("hunter2" not in chunk.text for chunk in split_document(document, ChunkSize()))
