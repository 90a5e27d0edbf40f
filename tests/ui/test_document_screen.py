"""A page, opened at the lines that were cited."""

from dataclasses import replace

from textual.geometry import Offset
from textual.selection import Selection

from oncall_tui.models import Page
from oncall_tui.ui.screens.document import DocumentScreen
from oncall_tui.ui.widgets.document_view import LARGE_PAGE
from tests.ui.driving import page, press, rest, search_screen, shown, started
from tests.ui.fakes import FakeEngine


def line_with(text: str, needle: str) -> str:
    """Return the line of the screen that holds something."""
    return next(line for line in text.split("\n") if needle in line)


async def test_the_cited_lines_are_marked_by_a_sign_and_numbered(engine: FakeEngine) -> None:
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "1")
        assert line_with(shown(pilot), "## Too many connections").startswith(" 1▌  5 ")
        assert line_with(shown(pilot), "# Redis timeouts").startswith("     1 ")


async def test_the_cited_lines_stand_in_the_upper_third(engine: FakeEngine) -> None:
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "2")
        view = page(pilot)
        row = view.page_text.row_of(search_screen(pilot).evidence.passages[1].chunk.span.start)
        assert 0 <= row - view.scroll_offset.y < view.size.height or view.scroll_offset.y == view.max_scroll_y
        assert "## Roll back" in shown(pilot)


async def test_brackets_lead_round_the_cited_passages_of_the_page(engine: FakeEngine) -> None:
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "1", "right_square_bracket")
        assert "passage 2 of 2 on this page" in shown(pilot)
        assert line_with(shown(pilot), "## Roll back").startswith(" 2▌")
        await press(pilot, "right_square_bracket")
        assert "passage 1 of 2 on this page" in shown(pilot)
        await press(pilot, "left_square_bracket")
        assert "passage 2 of 2 on this page" in shown(pilot)


async def test_other_cited_passages_have_a_lighter_sign(engine: FakeEngine) -> None:
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "2")
        await press(pilot, "g")
        assert line_with(shown(pilot), "## Too many").startswith(" 1│")


async def test_a_digit_goes_on_to_another_page_and_escape_back_to_the_list(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "1", "3")
        assert "kafka.md:L3-L6" in shown(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen is search_screen(pilot)


async def test_w_lets_long_lines_be_scrolled_sideways(engine: FakeEngine) -> None:
    async with started(engine, question="磁盘", size=(60, 20)) as pilot:
        await press(pilot, "enter", "1")
        assert "到此为止" in shown(pilot)
        await press(pilot, "w")
        assert "到此为止" not in shown(pilot)
        await press(pilot, "right", "right")
        assert page(pilot).scroll_offset.x > 0


async def test_a_large_page_starts_unwrapped(engine: FakeEngine) -> None:
    engine.pages = {"big.md": "# Big\n\n## Log\n\nredis\n" + "a line of a log\n" * LARGE_PAGE}
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "1")
        assert not page(pilot).is_wrapped
        await press(pilot, "G", "k", "w")
        assert "a line of a log" in shown(pilot)


async def test_selected_text_comes_without_margin_and_without_the_wrapping(engine: FakeEngine) -> None:
    async with started(engine, question="磁盘", size=(60, 20)) as pilot:
        await press(pilot, "enter", "1")
        view = page(pilot)
        row = view.page_text.row_of(4)
        selected = view.get_selection(Selection(Offset(2, row), Offset(4, row + 1)))
        assert selected is not None
        line = engine.pages["zh/磁盘.md"].split("\n")[4]
        assert len(selected[0]) > 20
        assert line[2:].startswith(selected[0])
        everything = view.get_selection(Selection(None, None))
        assert everything == (engine.pages["zh/磁盘.md"], "\n")


async def test_text_can_be_selected_with_the_mouse(engine: FakeEngine) -> None:
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "1")
        view = page(pilot)
        row = next(y for y in range(view.size.height) if "## Too many" in view.render_line(y).text)
        column = view.render_line(row).text.index("Too")
        await pilot.mouse_down(view, offset=(column, row))
        await pilot.hover(view, offset=(column + len("Too man"), row))
        await pilot.mouse_up(view, offset=(column + len("Too man"), row))
        await rest(pilot)
        assert pilot.app.screen.get_selected_text() == "Too many"


async def test_a_changed_file_is_said_to_be_changed(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        read = engine.page

        def changed(document_id: str) -> Page:
            return replace(read(document_id), is_stale=True)

        engine.page = changed  # type: ignore[method-assign]
        await press(pilot, "enter", "1")
        assert "the file changed since it was indexed" in shown(pilot)


async def test_resizing_keeps_the_cited_lines_in_sight(engine: FakeEngine) -> None:
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "2")
        await pilot.resize_terminal(60, 20)
        await press(pilot)
        assert isinstance(pilot.app.screen, DocumentScreen)
        await pilot.pause()
        assert "## Roll back" in shown(pilot)


async def test_y_copies_the_citation_of_the_open_passage(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "2", "y")
        assert pilot.app.clipboard == "redis#redis:1"
