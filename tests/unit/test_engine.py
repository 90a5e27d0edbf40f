"""The engine: the one object that every front end calls."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from oncall_tui.engine import Engine
from oncall_tui.errors import ConfigError, EmbeddingError, IndexMissingError, NotFoundError
from oncall_tui.models import Filters, Mode, Rung
from tests.builders import FakeEmbedder, write_tree
from tests.pages import PAGES

QUESTION = "raise maxclients blocked_clients"

MakeEngine = Callable[..., Engine]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "runbooks", {"redis.md": PAGES["redis.md"], "mysql.md": PAGES["mysql.md"]})


@pytest.fixture
def engine(make_engine: MakeEngine, source: Path) -> Engine:
    """Return an engine over an index of its own."""
    built = make_engine()
    built.refresh(sources=[source])
    return built


def test_before_there_is_an_index_the_demo_is_the_source(make_engine: MakeEngine) -> None:
    status = make_engine().status()
    assert not status.exists
    assert status.is_demo
    assert status.sources[0].endswith("runbooks")


def test_the_status_says_what_there_is(engine: Engine, source: Path) -> None:
    status = engine.status()
    assert status.exists
    assert (status.documents, status.vectors, status.model) == (2, status.chunks, "fake-1")
    assert (status.sources, status.is_demo, status.offline) == ((str(source),), False, True)


def test_without_an_index_nothing_can_be_searched_or_opened(make_engine: MakeEngine) -> None:
    engine = make_engine()
    for call in (engine.warm_up, lambda: engine.search("redis"), lambda: engine.page("redis")):
        with pytest.raises(IndexMissingError):
            call()


def test_an_index_that_agrees_with_its_files_needs_no_refresh(engine: Engine) -> None:
    assert not engine.needs_refresh()


@pytest.mark.parametrize("name", ["redis.md", "new.md"])
def test_a_changed_or_new_file_needs_a_refresh(engine: Engine, source: Path, name: str) -> None:
    write_tree(source, {name: "# New\n\nText.\n"})
    assert engine.needs_refresh()
    engine.refresh()
    assert not engine.needs_refresh()


def test_a_deleted_file_needs_a_refresh(engine: Engine, source: Path) -> None:
    (source / "redis.md").unlink()
    assert engine.needs_refresh()


def test_a_file_that_would_be_left_out_needs_no_refresh(engine: Engine, source: Path) -> None:
    write_tree(source, {"core.md": b"\0", "picture.png": b"png"})
    (source / "redis.md").write_bytes(b"\0")
    assert not engine.needs_refresh()


def test_missing_vectors_and_a_missing_index_need_a_refresh(make_engine: MakeEngine, source: Path) -> None:
    engine = make_engine(sources=(str(source),))
    assert engine.needs_refresh()
    engine.refresh(is_cancelled=lambda: True)
    assert engine.needs_refresh()


def test_an_unmounted_source_needs_no_refresh(engine: Engine, source: Path) -> None:
    source.rename(source.with_name("unmounted"))
    assert not engine.needs_refresh()


def test_a_page_is_shown_as_it_is_on_disk(engine: Engine, source: Path) -> None:
    page = engine.page("redis")
    assert (page.text, page.path, page.title) == (PAGES["redis.md"], "redis.md", "Redis timeouts")
    assert (page.file, page.is_stale) == (str(source / "redis.md"), False)


def test_a_page_that_changed_since_is_shown_as_it_is_now_and_marked(engine: Engine, source: Path) -> None:
    (source / "redis.md").write_text("# Redis\n\nAll new.\n")
    page = engine.page("redis")
    assert (page.text, page.is_stale) == ("# Redis\n\nAll new.\n", True)


def test_a_page_that_became_a_link_out_of_its_folder_is_not_opened(
    engine: Engine, source: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    (source / "redis.md").unlink()
    (source / "redis.md").symlink_to(tmp_path / "secret")
    with pytest.raises(NotFoundError, match="leads out"):
        engine.page("redis")


def test_an_unknown_page_or_chunk_is_an_error(engine: Engine) -> None:
    with pytest.raises(NotFoundError, match="no document 'kafka'"):
        engine.page("kafka")
    with pytest.raises(NotFoundError, match="no citation 'kafka:0'"):
        engine.chunk("kafka:0")


def test_a_citation_of_the_wrong_page_names_the_right_one(engine: Engine) -> None:
    with pytest.raises(NotFoundError) as caught:
        engine.cited("mysql#redis:0")
    assert caught.value.hint == "Did you mean redis#redis:0?"


def test_an_answer_can_be_given_though_its_page_left_the_index(engine: Engine, source: Path) -> None:
    evidence = engine.search(QUESTION)
    (source / "redis.md").unlink()
    engine.refresh()
    assert engine.answer(evidence).statements


def test_a_glossary_of_ones_own_widens_questions(make_engine: MakeEngine, source: Path, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("zebra = maxclients\n")
    engine = make_engine(glossary=str(tmp_path / "own.txt"))
    engine.refresh(sources=[source])
    found = {ranking.source: ranking.hits for ranking in engine.search("zebra").rankings}
    assert found["keyword"] == ()
    assert found["glossary"][0].chunk_id.startswith("redis:")


def test_a_glossary_that_is_missing_is_an_error(make_engine: MakeEngine, small_data: Path) -> None:
    with pytest.raises(ConfigError, match="glossary"):
        make_engine(data_dir=str(small_data), glossary="/nowhere/own.txt").search("redis")


@pytest.mark.parametrize("fusion", ["share", "rrf", "normalised"])
def test_every_fusion_finds_the_page(make_engine: MakeEngine, small_data: Path, fusion: str) -> None:
    evidence = make_engine(data_dir=str(small_data), fusion=fusion).search(QUESTION)
    assert evidence.passages[0].chunk.document_id == "redis"


def test_a_model_that_fails_degrades_a_search_to_words(small_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: FakeEmbedder, text: str) -> None:
        raise EmbeddingError("The model is gone.")

    monkeypatch.setattr(FakeEmbedder, "embed_question", fail)
    evidence = small_engine.search(QUESTION)
    assert evidence.passages
    assert (evidence.rung, evidence.degraded) == (Rung.KEYWORD_ONLY, ("vectors: The model is gone.",))
    with pytest.raises(EmbeddingError):
        small_engine.search(QUESTION, mode=Mode.VECTOR)


def test_what_nothing_covers_stands_on_the_lowest_rung(small_engine: Engine) -> None:
    evidence = small_engine.search("quantum telescope launch pager")
    assert (evidence.passages, evidence.rung) == ((), Rung.NOT_COVERED)
    assert small_engine.answer(evidence).statements == ()


def test_a_filter_that_nothing_passes_finds_nothing(small_engine: Engine) -> None:
    evidence = small_engine.search(QUESTION, filters=Filters(service=("mysql",), path=("zh/",)))
    assert (evidence.passages, evidence.nearest) == ((), ())


def test_only_pages_that_hold_today_can_be_asked_for(small_engine: Engine) -> None:
    question = "production access needs two approvals"
    assert small_engine.search(question).passages[0].freshness == "expired"
    assert not small_engine.search(question, filters=small_engine.filters(["valid=today"])).passages


def test_a_session_that_is_open_over_midnight_lives_in_the_new_day(small_engine: Engine) -> None:
    days = {"now": date(2026, 6, 30)}
    parts = replace(small_engine._parts, today=lambda: days["now"])
    engine = Engine(parts)
    question = "production access needs two approvals"
    valid = engine.filters(["valid=today"])
    assert engine.search(question, filters=valid).passages[0].freshness != "expired"
    days["now"] += timedelta(days=1)
    assert engine.search(question).passages[0].freshness == "expired"
    assert not engine.search(question, filters=valid).passages


def test_a_day_does_not_make_the_searcher_anew_for_every_question(small_engine: Engine) -> None:
    index = small_engine._open()
    assert small_engine._searcher(index) is small_engine._searcher(index)


def test_evidence_keeps_the_rankings_behind_it(small_engine: Engine) -> None:
    evidence = small_engine.search(QUESTION)
    assert [ranking.source for ranking in evidence.rankings][-1] == "fused"
    for passage in evidence.passages:
        for ranking in evidence.rankings[:-1]:
            assert ranking.ranks().get(passage.chunk.id) == passage.ranks.get(ranking.source)
