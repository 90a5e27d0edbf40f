"""A few pictures of the screen; ``pytest --snapshot-update`` draws them anew after a look at the report."""

from collections.abc import Callable

import pytest

from oncall_tui.ui.app import OncallApp
from tests.ui.driving import Driver, press, settle
from tests.ui.fakes import FakeEngine

Compare = Callable[..., bool]


@pytest.mark.parametrize(
    ("theme", "size"), [("oncall-dark", (80, 24)), ("oncall-dark", (160, 48)), ("oncall-light", (120, 36))]
)
def test_evidence_and_answer_look_as_they_did(
    engine: FakeEngine, snap_compare: Compare, theme: str, size: tuple[int, int]
) -> None:
    async def ask(pilot: Driver) -> None:
        await settle(pilot)
        await press(pilot, "enter")

    app = OncallApp(engine, theme=theme, typing_pause=0, initial_question="redis maxclients")
    assert snap_compare(app, terminal_size=size, run_before=ask)


def test_a_page_with_its_cited_lines_looks_as_it_did(engine: FakeEngine, snap_compare: Compare) -> None:
    async def open_the_first(pilot: Driver) -> None:
        await settle(pilot)
        await press(pilot, "enter", "1")

    app = OncallApp(engine, typing_pause=0, initial_question="redis maxclients")
    assert snap_compare(app, terminal_size=(80, 24), run_before=open_the_first)
