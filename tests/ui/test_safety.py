"""Foreign text is shown as it is, and nothing of it reaches the terminal as a command."""

import subprocess
import sys

from textual import events

from oncall_tui.errors import QuestionError
from oncall_tui.ui.widgets.question_bar import QuestionBar
from tests.ui.driving import appears, ask, press, search_screen, settle, shown, started
from tests.ui.fakes import FakeEngine

HOSTILE = (
    "# [bold]Title[/]\n\n## Head [/x] [red]\n\nText [@click=app.quit]click[/] [/nothing] $error [link=a]b[/link]\n"
)


async def test_markup_in_a_page_is_shown_literally_everywhere(engine: FakeEngine) -> None:
    engine.pages = {"bad [name].md": HOSTILE}
    async with started(engine, question="text [red]") as pilot:
        assert "[bold]Title[/] › Head [/x] [red]" in shown(pilot)
        assert "Text [@click=app.quit]click[/] [/nothing]" in shown(pilot)
        await press(pilot, "enter", "x")
        assert "[bold]Title[/]" in shown(pilot)
        await press(pilot, "escape", "y")
        assert await appears(pilot, "(unconfirmed")
        await press(pilot, "1")
        assert "## Head [/x] [red]" in shown(pilot)


async def test_markup_in_an_error_is_shown_literally(engine: FakeEngine) -> None:
    engine.errors["bad"] = QuestionError("No filter [/red]=[x].", hint="Try [bold]this[/].")
    async with started(engine, question="bad") as pilot:
        assert "No filter [/red]=[x]." in shown(pilot)
        assert "Try [bold]this[/]." in shown(pilot)


async def test_pasted_escape_codes_are_dropped(engine: FakeEngine) -> None:
    async with started(engine) as pilot:
        bar = search_screen(pilot).query_one(QuestionBar)
        bar.post_message(events.Paste("redis\x1b]52;c;eA==\x07 time\x1b[31mout"))
        await settle(pilot)
        assert bar.value == "redis timeout"
        assert engine.questions[-1] == "redis timeout"
        assert "\x1b" not in shown(pilot)


async def test_wide_characters_do_not_break_the_columns(engine: FakeEngine) -> None:
    async with started(engine, question="磁盘", size=(60, 20)) as pilot:
        await ask(pilot, "写满")
        widths = {strip.cell_length for strip in pilot.app.screen._compositor.render_strips()}
        assert widths == {60}


def test_the_interface_loads_nothing_heavy() -> None:
    code = "import sys, oncall_tui.ui.app; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"lancedb", "pyarrow", "httpx", "numpy", "rank_bm25"} & set(output.split())
    code = "import sys, oncall_tui.ui.app; print(*[n for n in sys.modules if n.startswith('oncall_tui.')])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"oncall_tui.cli", "oncall_tui.wiring", "oncall_tui.engine"} & set(output.split())
