"""The question, the evidence and the answer, as a person meets them."""

import threading

from oncall_tui.errors import EmbeddingError, NotFoundError, QuestionError
from oncall_tui.ui.screens.document import DocumentScreen
from oncall_tui.ui.screens.error import ErrorScreen
from oncall_tui.ui.screens.explain import ExplainScreen
from oncall_tui.ui.widgets.answer_pane import AnswerPane, AnswerText
from oncall_tui.ui.widgets.question_bar import QuestionBar
from tests.ui.driving import appears, ask, page, press, results, search_screen, settle, shown, started, write
from tests.ui.fakes import FakeEngine


async def test_the_question_has_the_focus_at_first(engine: FakeEngine) -> None:
    async with started(engine) as pilot:
        assert isinstance(pilot.app.focused, QuestionBar)


async def test_evidence_and_answer_follow_the_typing(engine: FakeEngine) -> None:
    async with started(engine) as pilot:
        await write(pilot, "maxclients")
        assert "Redis timeouts › Too many connections" in shown(pilot)
        assert "Set maxclients of redis to 10000 again." in shown(pilot)
        assert engine.questions[-1] == "maxclients"


async def test_an_entry_says_where_it_is_from_and_why_it_matched(engine: FakeEngine) -> None:
    async with started(engine, question="consumer") as pilot:
        text = shown(pilot)
        for fact in (
            "kafka.md:L3-L6",
            "kafka#kafka:0",
            "keyword #1 · vector #3",
            "archived",
            "trust 4/5",
            "has consumer",
        ):
            assert fact in text


async def test_the_first_question_is_asked_at_once(engine: FakeEngine) -> None:
    async with started(engine, question="磁盘写满") as pilot:
        assert "磁盘写满 › 处理步骤" in shown(pilot)


async def test_enter_goes_to_the_results(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter")
        assert pilot.app.focused is results(pilot)


async def test_enter_asks_without_waiting_for_a_pause(engine: FakeEngine) -> None:
    async with started(engine) as pilot:
        search_screen(pilot).query_one(QuestionBar)._typing_pause = 1000
        await write(pilot, "redis")
        await press(pilot, "enter")
        assert engine.questions == ["redis"]


async def test_only_the_later_of_two_questions_is_shown(engine: FakeEngine) -> None:
    engine.gates["redis"] = threading.Event()
    async with started(engine) as pilot:
        bar = search_screen(pilot).query_one(QuestionBar)
        bar.value = "redis"
        await pilot.pause()
        await ask(pilot, "consumer")
        engine.gates["redis"].set()
        await settle(pilot)
        assert search_screen(pilot).evidence.question == "consumer"
        assert "Too many connections" not in shown(pilot)


async def test_an_empty_question_has_no_results(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await ask(pilot, "")
        assert "appear here while you type" in shown(pilot)
        assert search_screen(pilot).answer is None


async def test_the_cursor_moves_by_letters_and_stays_in_the_list(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "j", "j")
        assert results(pilot).current == search_screen(pilot).evidence.find(3)
        await press(pilot, "g")
        assert results(pilot).current == search_screen(pilot).evidence.find(1)
        await press(pilot, "G", "k")
        assert results(pilot).current == search_screen(pilot).evidence.find(2)


async def test_the_entry_under_the_cursor_is_marked_by_a_sign(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "j")
        assert "▸ 2 Redis timeouts › Roll back" in shown(pilot)
        assert "▸ 1" not in shown(pilot)


async def test_a_new_question_is_shown_from_its_best_passage(engine: FakeEngine) -> None:
    engine.pages = {"a.md": "# A\n" + "\n".join(f"## Part {number}\nredis kafka" for number in range(30))}
    async with started(engine, question="redis", size=(80, 24)) as pilot:
        await press(pilot, "enter", "G")
        assert "▸30 A › Part 29" in shown(pilot)
        await ask(pilot, "kafka")
        assert "▸ 1 A › Part 0" in shown(pilot)


async def test_enter_opens_the_passage_under_the_cursor(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "j", "enter")
        assert page(pilot).page_text.cited == search_screen(pilot).evidence.passages[1].chunk.span


async def test_a_digit_opens_its_citation_and_escape_returns_to_the_same_place(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "j", "3")
        assert isinstance(pilot.app.screen, DocumentScreen)
        assert "kafka.md" in shown(pilot)
        await press(pilot, "escape")
        assert pilot.app.focused is results(pilot)
        assert results(pilot).current == search_screen(pilot).evidence.find(2)


async def test_a_digit_works_from_the_answer(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        search_screen(pilot).query_one(AnswerPane).focus()
        await press(pilot, "2")
        assert "Roll back" in shown(pilot)
        assert page(pilot).page_text.cited == search_screen(pilot).evidence.passages[1].chunk.span


async def test_a_digit_is_typed_in_the_question(engine: FakeEngine) -> None:
    async with started(engine) as pilot:
        await write(pilot, "q503/?")
        assert search_screen(pilot).query_one(QuestionBar).value == "q503/?"
        assert pilot.app.screen is search_screen(pilot)


async def test_a_digit_without_a_citation_does_nothing(engine: FakeEngine) -> None:
    async with started(engine, question="consumer") as pilot:
        await press(pilot, "enter", "9")
        assert pilot.app.screen is search_screen(pilot)


async def test_what_the_answer_cites_besides_can_be_opened_like_the_rest(engine: FakeEngine) -> None:
    engine.added = "redis:1"
    async with started(engine, question="consumer") as pilot:
        assert "not found by its words, but cited in the answer" in shown(pilot)
        assert "1 found" in shown(pilot)
        await press(pilot, "enter", "2")
        assert "## Roll back" in shown(pilot)


async def test_a_click_on_a_marker_opens_the_very_line(engine: FakeEngine) -> None:
    async with started(engine, question="maxclients") as pilot:
        text = search_screen(pilot).query_one(AnswerText)
        line = next(y for y in range(text.size.height) if "[2]" in text.render_line(y).text)
        await pilot.click(text, offset=(text.render_line(line).text.index("[2]"), line))
        await settle(pilot)
        answer = search_screen(pilot).answer
        assert answer is not None
        assert page(pilot).page_text.cited == answer.statements[1].citations[0].span


async def test_escape_leads_back_to_the_question_and_never_out(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        search_screen(pilot).query_one(AnswerPane).focus()
        await press(pilot, "escape")
        assert pilot.app.focused is results(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.focused, QuestionBar)
        await press(pilot, "escape", "escape", "escape")
        assert pilot.app.is_running


async def test_tab_goes_round_the_panes(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        visited = []
        for _ in range(4):
            visited.append(type(pilot.app.focused).__name__)
            await press(pilot, "tab")
        assert visited == ["QuestionBar", "EvidenceList", "AnswerPane", "QuestionBar"]


async def test_slash_goes_to_the_question(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "slash")
        assert isinstance(pilot.app.focused, QuestionBar)


async def test_x_explains_a_place_by_figures_that_add_up(engine: FakeEngine) -> None:
    async with started(engine, question="redis unknown") as pilot:
        await press(pilot, "enter", "x")
        assert isinstance(pilot.app.screen, ExplainScreen)
        text = shown(pilot)
        for fact in ("+0.5500", "+0.1900", "0.7400", "#1 by keyword, #3 by vector", "Missing   unknown", "50%"):
            assert fact in text
        await press(pilot, "x")
        assert pilot.app.focused is results(pilot)


async def test_y_copies_the_citation_and_promises_nothing(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "y")
        assert pilot.app.clipboard == "redis#redis:0"
        assert await appears(pilot, "unconfirmed")


async def test_capital_y_copies_the_path_and_line(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        await press(pilot, "enter", "Y")
        assert pilot.app.clipboard == "redis.md:5"


async def test_what_no_runbook_covers_is_said_and_the_nearest_misses_are_named_so(engine: FakeEngine) -> None:
    async with started(engine, question="quantum telescope") as pilot:
        text = shown(pilot)
        assert "No runbook covers this. Nearest misses:" in text
        assert "They come close to the question" in text
        assert "not covered" in text


async def test_a_nearest_miss_can_be_opened(engine: FakeEngine) -> None:
    async with started(engine, question="quantum") as pilot:
        await press(pilot, "enter", "2")
        assert page(pilot).page_text.cited is not None


async def test_an_error_is_shown_with_its_hint_and_the_results_stay(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        engine.errors["too long"] = QuestionError("The question is too long.", hint="Shorten it.")
        await ask(pilot, "too long")
        text = shown(pilot)
        assert "Error: The question is too long." in text
        assert "Hint: Shorten it." in text
        assert "Too many connections" in text


async def test_the_error_goes_with_the_next_question(engine: FakeEngine) -> None:
    engine.errors["bad"] = QuestionError("Bad.")
    async with started(engine, question="bad") as pilot:
        await ask(pilot, "redis")
        assert "Bad." not in shown(pilot)


async def test_an_answer_that_fails_leaves_the_evidence(engine: FakeEngine) -> None:
    engine.errors["answer"] = EmbeddingError("No answer today.", hint="Ask again.")
    async with started(engine, question="redis") as pilot:
        assert "No answer today." in shown(pilot)
        assert "Too many connections" in shown(pilot)


async def test_a_page_that_cannot_be_opened_is_explained_over_the_results(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        engine.errors["page"] = NotFoundError("The page is gone.", hint="Refresh the index.")
        await press(pilot, "enter", "enter")
        assert isinstance(pilot.app.screen, ErrorScreen)
        assert "The page is gone." in shown(pilot)
        assert "Refresh the index." in shown(pilot)
        await press(pilot, "escape")
        assert pilot.app.focused is results(pilot)


async def test_the_footer_never_offers_more_than_eight_keys(engine: FakeEngine) -> None:
    async with started(engine, question="redis") as pilot:
        for keys in ([], ["enter"], ["tab"], ["enter"], ["2"]):
            await press(pilot, *keys)
            bindings = [active.binding for active in pilot.app.screen.active_bindings.values() if active.binding.show]
            assert len({binding.group or binding.action for binding in bindings}) <= 8
