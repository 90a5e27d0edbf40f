"""What matters is seen in every room."""

import pytest

from oncall_tui.ui.widgets.answer_pane import AnswerPane
from tests.ui.driving import page, press, results, search_screen, shown, started
from tests.ui.fakes import FakeEngine

SIZES = [(60, 20), (80, 24), (100, 30), (160, 48)]


@pytest.mark.parametrize("size", SIZES)
async def test_question_evidence_answer_status_and_keys_are_seen(engine: FakeEngine, size: tuple[int, int]) -> None:
    async with started(engine, question="maxclients", size=size) as pilot:
        text = shown(pilot)
        assert all(len(line) <= size[0] for line in text.split("\n"))
        for part in ("maxclients", "Too many connections", "redis.md:L5-L73", "redis#redis:0", "Steps", "hybrid"):
            assert part in text
        assert "Quit" in text.split("\n")[-1]
        assert "3 documents" in text.split("\n")[-2]


@pytest.mark.parametrize("size", SIZES)
async def test_the_document_shows_its_path_and_the_cited_line(engine: FakeEngine, size: tuple[int, int]) -> None:
    async with started(engine, question="maxclients", size=size) as pilot:
        await press(pilot, "enter", "2")
        assert "redis.md:L74-L76" in shown(pilot)
        assert "## Roll back" in shown(pilot)
        assert page(pilot).size.height >= size[1] - 4


async def test_a_narrow_screen_stacks_the_panes_and_a_wide_one_sets_them_side_by_side(engine: FakeEngine) -> None:
    async with started(engine, question="redis", size=(80, 24)) as pilot:
        answer = search_screen(pilot).query_one(AnswerPane)
        assert answer.region.y >= results(pilot).region.bottom
        await pilot.resize_terminal(120, 40)
        await press(pilot)
        await pilot.pause()
        assert answer.region.y == results(pilot).region.y


async def test_the_pane_with_the_focus_gets_the_room_of_a_narrow_screen(engine: FakeEngine) -> None:
    async with started(engine, question="redis", size=(80, 24)) as pilot:
        before = results(pilot).size.height
        await press(pilot, "enter")
        assert results(pilot).size.height > before


@pytest.mark.parametrize("theme", ["oncall-dark", "oncall-light", "ansi-dark", "ansi-light"])
async def test_every_theme_can_be_drawn(engine: FakeEngine, theme: str) -> None:
    async with started(engine, question="redis", theme=theme) as pilot:
        assert "Too many connections" in shown(pilot)
        await press(pilot, "enter", "1")
        assert "## Too many connections" in shown(pilot)


@pytest.mark.parametrize("size", [(20, 6), (1, 1)])
async def test_a_tiny_terminal_does_not_break_it(engine: FakeEngine, size: tuple[int, int]) -> None:
    async with started(engine, question="redis", size=size) as pilot:
        await press(pilot, "enter", "1", "escape")
        assert pilot.app.is_running
