"""The index being built while the screen is already there."""

import threading

import pytest

from oncall_tui.errors import EmbeddingError, SourceError
from oncall_tui.models import IndexStatus, Progress, Stage
from oncall_tui.ui.state import IndexState
from oncall_tui.ui.widgets.question_bar import QuestionBar
from tests.ui.driving import Driver, appears, press, search_screen, settle, shown, started
from tests.ui.fakes import FakeEngine

READING = Progress(Stage.READING, 1, 3)
EMBEDDING = Progress(Stage.EMBEDDING, 2, 4)


@pytest.fixture
def unbuilt() -> FakeEngine:
    """Return an engine without an index, whose refresh waits after every step."""
    return FakeEngine(exists=False, progress=(READING, EMBEDDING), go_on=threading.Semaphore(0))


async def step(pilot: Driver, engine: FakeEngine) -> None:
    """Let the refresh go one step further."""
    before = search_screen(pilot).index
    engine.go_on.release()
    while search_screen(pilot).index is before:
        await pilot.pause()
    await settle(pilot, but="index")


@pytest.fixture
def not_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the app without waiting for the index."""

    async def wait(pilot: Driver, *, but: str = "index") -> None:
        del but
        await settle(pilot, but="index")
        while search_screen(pilot).index.progress is None:
            await pilot.pause()
        await pilot.pause()

    monkeypatch.setattr("tests.ui.driving.settle", wait)


@pytest.mark.usefixtures("not_waiting")
async def test_progress_is_shown_and_typing_works_meanwhile(unbuilt: FakeEngine) -> None:
    async with started(unbuilt) as pilot:
        assert "Reading ████░░░░░░░░ 1/3 documents" in shown(pilot)
        await pilot.press(*"redis")
        await settle(pilot, but="index")
        assert search_screen(pilot).query_one(QuestionBar).value == "redis"
        assert "Building the index…" in shown(pilot)
        assert "Error" not in shown(pilot)
        unbuilt.go_on.release(10)


@pytest.mark.usefixtures("not_waiting")
async def test_the_question_is_asked_again_once_the_index_can_be_searched(unbuilt: FakeEngine) -> None:
    async with started(unbuilt, question="redis") as pilot:
        unbuilt.exists = True
        await step(pilot, unbuilt)
        assert "Embedding ██████░░░░░░ 2/4 chunks" in shown(pilot)
        assert "Too many connections" in shown(pilot)
        asked = len(unbuilt.questions)
        await step(pilot, unbuilt)
        await settle(pilot)
        assert len(unbuilt.questions) == asked + 1
        assert "3 documents" in shown(pilot)


@pytest.mark.usefixtures("not_waiting")
async def test_quitting_stops_the_refresh(unbuilt: FakeEngine) -> None:
    async with started(unbuilt) as pilot:
        await pilot.press("ctrl+q")
    assert not pilot.app.is_running


async def test_an_index_in_order_is_not_refreshed(engine: FakeEngine) -> None:
    async with started(engine) as pilot:
        assert engine.refreshes == 0
        assert "3 documents · 4 chunks · 4 vectors · offline" in shown(pilot)


async def test_an_outdated_index_is_refreshed_at_the_start(engine: FakeEngine) -> None:
    engine.is_outdated = True
    async with started(engine):
        assert engine.refreshes == 1


async def test_r_refreshes_the_index_and_says_what_changed(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "r")
        assert engine.refreshes == 1
        assert await appears(pilot, "1 added, 0 changed, 0 removed")


async def test_the_selection_survives_a_refresh(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "j", "r")
        assert "▸ 2 Redis timeouts › Roll back" in shown(pilot)


async def test_a_refresh_that_fails_is_shown_in_place(engine: FakeEngine) -> None:
    engine.exists = False
    engine.errors["refresh"] = SourceError("No runbook in that folder.", hint="Run: oncall index DIR")
    async with started(engine) as pilot:
        assert "No runbook in that folder." in shown(pilot)
        assert "Run: oncall index DIR" in shown(pilot)
        assert "no index" in shown(pilot)
        assert "Nothing can be searched before there is an index." in shown(pilot)


async def test_a_model_that_cannot_be_loaded_leaves_the_search(engine: FakeEngine) -> None:
    engine.errors["warm_up"] = EmbeddingError("The model is missing.")
    async with started(engine, question="redis") as pilot:
        assert "Too many connections" in shown(pilot)
        assert pilot.app.is_running


async def test_the_demo_runbooks_are_said_to_be_a_demo(engine: FakeEngine) -> None:
    engine.is_demo = True
    async with started(engine) as pilot:
        assert "demo runbooks" in shown(pilot)


def test_only_the_first_embedding_report_makes_a_new_generation() -> None:
    state = IndexState().started().advanced(READING)
    assert state.generation == 0
    state = state.advanced(EMBEDDING).advanced(Progress(Stage.EMBEDDING, 3, 4))
    assert state.generation == 1
    assert state.finished(IndexStatus()).generation == 2
