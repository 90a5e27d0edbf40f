"""Keys: found, explained, remapped."""

import pytest
from textual.command import CommandPalette
from textual.widgets import Input, OptionList

from oncall_tui.errors import ConfigError
from oncall_tui.ui.app import BINDING_IDS, OncallApp
from oncall_tui.ui.bindings import keys_in_force
from oncall_tui.ui.screens.help import HelpScreen
from oncall_tui.ui.screens.search import SearchScreen
from oncall_tui.ui.widgets.question_bar import QuestionBar
from tests.ui.driving import Driver, press, settle, shown, started
from tests.ui.fakes import FakeEngine


async def palette_titles(pilot: Driver) -> set[str]:
    """Open the palette and return everything it offers."""
    await pilot.press("ctrl+p")
    await settle(pilot)
    assert isinstance(pilot.app.screen, CommandPalette)
    options = pilot.app.screen.query_one(OptionList).options
    titles = {str(option.prompt).split("\n", maxsplit=1)[0] for option in options}
    await pilot.press("escape")
    await settle(pilot)
    return titles


@pytest.mark.parametrize("keys", [["enter"], ["enter", "1"]], ids=["search", "document"])
async def test_every_binding_has_an_id_and_words_and_is_in_the_palette(engine: FakeEngine, keys: list[str]) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, *keys)
        in_force = list(keys_in_force(pilot.app.screen, {}))
        titles = await palette_titles(pilot)
        for key in in_force:
            assert key.binding.id in BINDING_IDS
            assert key.binding.description
            assert key.binding.tooltip
            assert key.group or key.binding.id.startswith("app.")
            assert key.binding.tooltip in titles or not key.is_possible


async def test_every_id_is_used_for_one_purpose(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "1")
        tooltips = {key.binding.id: key.binding.tooltip for key in keys_in_force(pilot.app.screen, {})}
        assert len(set(tooltips.values())) == len(tooltips)


async def test_the_palette_runs_what_it_offers(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "ctrl+p")
        pilot.app.screen.query_one(Input).value = "Go to the next passage"
        await settle(pilot)
        await press(pilot, "enter")
        await settle(pilot)
        assert "▸ 2 " in shown(pilot)


async def test_a_key_of_ones_own_replaces_the_default(engine: FakeEngine) -> None:
    async with started(engine, question="redis", keys={"results.next": "ctrl+n", "citation.2": "b"}) as pilot:
        await press(pilot, "enter", "j")
        assert "▸ 1 " in shown(pilot)
        await press(pilot, "ctrl+n")
        assert "▸ 2 " in shown(pilot)
        await press(pilot, "b")
        assert "## Roll back" in shown(pilot)


async def test_help_shows_the_keys_in_force(engine: FakeEngine) -> None:
    async with started(engine, question="redis", keys={"search.ask": "ctrl+k"}) as pilot:
        await press(pilot, "enter", "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        text = shown(pilot)
        assert "^k" in text
        assert "Go to the question" in text
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SearchScreen)


async def test_a_box_names_the_key_that_closes_it(engine: FakeEngine) -> None:
    async with started(engine, keys={"dialog.close": "ctrl+x"}) as pilot:
        await press(pilot, "f1")
        assert "^x closes" in shown(pilot)
        await press(pilot, "ctrl+x")
        assert isinstance(pilot.app.screen, SearchScreen)


async def test_help_opens_while_typing(engine: FakeEngine) -> None:
    async with started(engine) as pilot:
        await press(pilot, "f1")
        assert isinstance(pilot.app.screen, HelpScreen)


async def test_q_quits_outside_the_question_only(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "q")
        assert pilot.app.is_running
        assert pilot.app.screen.query_one(QuestionBar).value == "redisq"
        await press(pilot, "enter")
        await pilot.press("q")
    assert not pilot.app.is_running


def test_a_mistyped_binding_id_is_an_error_that_names_the_nearest(engine: FakeEngine) -> None:
    with pytest.raises(ConfigError) as caught:
        OncallApp(engine, keys={"search.aks": "ctrl+k"})
    assert caught.value.hint == "Did you mean 'search.ask'?"


def test_an_unknown_theme_is_an_error_that_names_the_nearest(engine: FakeEngine) -> None:
    with pytest.raises(ConfigError) as caught:
        OncallApp(engine, theme="oncall-drak")
    assert caught.value.hint == "Did you mean 'oncall-dark'?"
