"""The question, the evidence and the answer."""

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.reactive import reactive
from textual.widgets import Footer

from oncall_tui.errors import IndexMissingError, OncallError
from oncall_tui.models import Answer, Citation, Evidence, Passage
from oncall_tui.ui.bindings import CITATION_BINDINGS, EXPLAIN, FILE_BINDINGS
from oncall_tui.ui.messages import AnswerCompleted, SearchCompleted, SearchFailed
from oncall_tui.ui.protocols import Engine
from oncall_tui.ui.screens.document import DocumentScreen
from oncall_tui.ui.screens.passage import PassageScreen
from oncall_tui.ui.state import IndexState
from oncall_tui.ui.widgets.answer_pane import AnswerPane
from oncall_tui.ui.widgets.error_panel import ErrorPanel
from oncall_tui.ui.widgets.evidence_list import NOTHING_ASKED, EvidenceList
from oncall_tui.ui.widgets.question_bar import TYPING_PAUSE, QuestionBar
from oncall_tui.ui.widgets.status_line import StatusLine

WELCOME: Final = "The passages that match appear here while you type."
NOTHING: Final = "No runbook covers this, and nothing comes near it."
NO_INDEX: Final = "Nothing can be searched before there is an index."
BUILDING: Final = "Building the index… The results appear as soon as it can be searched."


class SearchScreen(PassageScreen):
    """Where the app starts and comes back to.

    Args:
        engine: Searches and answers.
        question: What is asked at first.
        typing_pause: Seconds without a key after which a search starts.
    """

    BINDING_GROUP_TITLE = "Passage"
    BINDINGS: ClassVar[list[BindingType]] = [
        *CITATION_BINDINGS,
        EXPLAIN,
        *FILE_BINDINGS,
        Binding("slash", "focus_question", "Ask", id="search.ask", tooltip="Go to the question"),
        Binding(
            "escape", "back", "Back", id="search.back", show=False, tooltip="Go back a pane, at last to the question"
        ),
        Binding("tab", "app.focus_next", "Next pane", id="search.next-pane", show=False, tooltip="Go to the next pane"),
        Binding(
            "shift+tab",
            "app.focus_previous",
            "Pane before",
            id="search.previous-pane",
            show=False,
            tooltip="Go to the pane before",
        ),
    ]

    answer: reactive[Answer | None] = reactive(None)
    """What the evidence says."""

    index: reactive[IndexState] = reactive(IndexState())
    """How the index stands."""

    error: reactive[OncallError | None] = reactive(None)
    """Why the last search or refresh failed."""

    def __init__(self, engine: Engine, question: str = "", typing_pause: float = TYPING_PAUSE) -> None:
        super().__init__(engine)
        self._first_question = question
        self._typing_pause = typing_pause
        self._question = ""

    @property
    def current(self) -> Passage | None:
        """The passage under the cursor."""
        return self.query_one(EvidenceList).current

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        yield QuestionBar(self._first_question, typing_pause=self._typing_pause)
        yield ErrorPanel().data_bind(SearchScreen.error)
        with Container(id="panes"):
            yield EvidenceList(WELCOME).data_bind(SearchScreen.evidence)
            yield AnswerPane().data_bind(SearchScreen.answer)
        yield StatusLine().data_bind(SearchScreen.index, SearchScreen.evidence)
        yield Footer(show_command_palette=False)

    def watch_index(self, before: IndexState, index: IndexState) -> None:
        """Ask again once a search would find more; show why a refresh failed."""
        if index.error is not before.error:
            self.error = index.error
        if index.error is not None and not index.status.exists:
            self.query_one(EvidenceList).note = NO_INDEX
        if index.generation != before.generation and self._question:
            self.search(self._question)

    def watch_evidence(self, before: Evidence, evidence: Evidence) -> None:
        """Let the footer offer what there is a passage for."""
        if bool(before.passages or before.nearest) != bool(evidence.passages or evidence.nearest):
            self.refresh_bindings()

    @on(QuestionBar.Typed)
    def ask(self, message: QuestionBar.Typed) -> None:
        """Search for what is typed; an empty question has no results."""
        message.stop()
        self._question = message.question
        if message.question:
            self.search(message.question)
            return
        self.workers.cancel_group(self, "search")
        self.workers.cancel_group(self, "answer")
        self.evidence, self.answer, self.error = NOTHING_ASKED, None, self.index.error
        self.query_one(EvidenceList).note = WELCOME

    @on(QuestionBar.Asked)
    @on(QuestionBar.Left)
    def go_to_results(self, message: QuestionBar.Asked | QuestionBar.Left) -> None:
        """Leave the question for the results."""
        message.stop()
        if isinstance(message, QuestionBar.Asked) and message.question != self._question:
            self._question = message.question
            self.search(message.question)
        if self._question:
            self.query_one(EvidenceList).focus()

    @on(SearchCompleted)
    def show_evidence(self, message: SearchCompleted) -> None:
        """Publish the evidence and let it be answered."""
        self.query_one(EvidenceList).note = NOTHING
        self.evidence, self.error = message.evidence, self.index.error
        self.answer_from(message.evidence)

    @on(SearchFailed)
    def show_failure(self, message: SearchFailed) -> None:
        """Say why there are no results; those of the last question stay."""
        if isinstance(message.error, IndexMissingError) and self.index.is_running:
            self.query_one(EvidenceList).note = BUILDING
        else:
            self.error = message.error

    @on(AnswerCompleted)
    def show_answer(self, message: AnswerCompleted) -> None:
        """Publish the answer if it is still wanted, with what it cites besides the passages that were found."""
        if message.answer.question == self.evidence.question:
            self.evidence, self.answer = message.answer.evidence, message.answer

    @on(EvidenceList.Opened)
    def open_chosen(self, message: EvidenceList.Opened) -> None:
        """Open the passage that was chosen in the list."""
        self.open_passage(message.passage)

    @on(AnswerPane.CitationChosen)
    def open_citation(self, message: AnswerPane.CitationChosen) -> None:
        """Open the very lines that a statement quotes."""
        citation: Citation = message.citation
        passage = self.passage(citation.label)
        if passage is not None:
            self.app.push_screen(DocumentScreen(self._engine, self.evidence, passage, citation.span))

    def open_passage(self, passage: Passage) -> None:
        """Open a passage at its lines."""
        self.app.push_screen(DocumentScreen(self._engine, self.evidence, passage))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Do not offer to go to the question from the question."""
        if action == "focus_question":
            return self.focused is not self.query_one(QuestionBar)
        return super().check_action(action, parameters)

    def action_focus_question(self) -> None:
        """Go to the question."""
        self.query_one(QuestionBar).focus()

    def action_back(self) -> None:
        """Go back a pane: from the answer to the evidence, from there to the question."""
        is_in_answer = self.focused is self.query_one(AnswerPane)
        (self.query_one(EvidenceList) if is_in_answer else self.query_one(QuestionBar)).focus()
