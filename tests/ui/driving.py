"""Ways to drive the app and to see what a person sees."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from oncall_tui.ui.app import OncallApp
from oncall_tui.ui.screens.document import DocumentScreen
from oncall_tui.ui.screens.search import SearchScreen
from oncall_tui.ui.widgets.document_view import DocumentView
from oncall_tui.ui.widgets.evidence_list import EvidenceList
from oncall_tui.ui.widgets.question_bar import QuestionBar
from tests.ui.fakes import FakeEngine

Driver = Pilot[None]

_ALIKE: Final = 3
_PATIENCE: Final = 100


@asynccontextmanager
async def started(
    engine: FakeEngine, *, size: tuple[int, int] = (120, 40), question: str = "", **options: Any
) -> AsyncIterator[Driver]:
    """Run the app without a pause in typing, the first question answered."""
    app = OncallApp(engine, typing_pause=0, initial_question=question, **options)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        yield pilot


async def settle(pilot: Driver, *, but: str = "") -> None:
    """Wait until nothing is under way, but for the workers of one group, and the screen has come to rest."""
    await rest(pilot)
    while working := [worker for worker in pilot.app.workers if not worker.is_finished and worker.group != but]:
        for worker in working:
            with suppress(WorkerCancelled):
                await worker.wait()
        await rest(pilot)


async def rest(pilot: Driver) -> None:
    """Wait until two pictures of the screen are alike, with all messages handled and all callbacks called.

    The pilot's own pause naps until the process is idle, which takes longer and on a busy
    machine is no promise.
    """
    pictures = [""]
    while len(pictures) < _ALIKE or len(set(pictures[-_ALIKE:])) > 1:
        await pilot._wait_for_screen()
        await pilot.app.animator.wait_until_complete()
        pilot.app.screen._on_timer_update()
        await asyncio.sleep(0)
        pictures.append(shown(pilot))


async def appears(pilot: Driver, text: str) -> bool:
    """Wait for a text that comes by a notice, since those come a little later; return whether it came."""
    for _ in range(_PATIENCE):
        if text in shown(pilot):
            return True
        await rest(pilot)
    return False


async def ask(pilot: Driver, question: str, *, but: str = "") -> None:
    """Replace the question."""
    search_screen(pilot).query_one(QuestionBar).value = question
    await settle(pilot, but=but)


async def press(pilot: Driver, *keys: str) -> None:
    """Press keys that are no text, each after the one before had its effect."""
    for key in keys:
        pilot.app.simulate_key(key)
        await settle(pilot)


async def write(pilot: Driver, text: str) -> None:
    """Type a text without waiting for what each key does."""
    await pilot.press(*text)
    await settle(pilot)


def shown(pilot: Driver) -> str:
    """Return the text on the screen."""
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


def search_screen(pilot: Driver) -> SearchScreen:
    """Return the screen that the app starts with."""
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, SearchScreen)
    return screen


def results(pilot: Driver) -> EvidenceList:
    """Return the list of evidence."""
    return search_screen(pilot).query_one(EvidenceList)


def page(pilot: Driver) -> DocumentView:
    """Return the page that is open."""
    assert isinstance(pilot.app.screen, DocumentScreen)
    return pilot.app.screen.query_one(DocumentView)
