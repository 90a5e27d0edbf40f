"""A page, opened at the lines that were cited."""

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer, Static

from oncall_tui.models import Evidence, LineSpan, Page, Passage
from oncall_tui.ui.bindings import CITATION_BINDINGS, EXPLAIN, FILE_BINDINGS, PASSAGES
from oncall_tui.ui.messages import PageLoaded
from oncall_tui.ui.protocols import Engine
from oncall_tui.ui.rendering.entry import title_of
from oncall_tui.ui.rendering.page_text import Mark, PageText
from oncall_tui.ui.rendering.styles import MUTED
from oncall_tui.ui.rendering.words import pattern_of, readable
from oncall_tui.ui.screens.passage import PassageScreen
from oncall_tui.ui.widgets.document_view import DocumentView

_STALE = "the file changed since it was indexed: lines may have moved"


class DocumentScreen(PassageScreen):
    """Shows the page of a passage.

    Args:
        engine: Reads the page.
        evidence: The passages that the digits open.
        passage: The passage to open.
        span: The lines to go to; by default the passage's own.
    """

    BINDING_GROUP_TITLE = "Passage"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "back", "Back", id="page.back", tooltip="Go back to where you were"),
        Binding(
            "left_square_bracket",
            "neighbour(-1)",
            "Passage",
            id="page.previous-passage",
            tooltip="Go to the passage before on this page",
            group=PASSAGES,
        ),
        Binding(
            "right_square_bracket",
            "neighbour(1)",
            "Passage",
            id="page.next-passage",
            tooltip="Go to the next passage on this page",
            group=PASSAGES,
        ),
        *CITATION_BINDINGS,
        replace(EXPLAIN, show=False),  # there is no room for more than eight hints
        *FILE_BINDINGS,
        Binding("w", "toggle_wrap", "Wrap", id="page.wrap", tooltip="Wrap long lines, or scroll them sideways"),
    ]

    def __init__(self, engine: Engine, evidence: Evidence, passage: Passage, span: LineSpan | None = None) -> None:
        super().__init__(engine)
        self.set_reactive(DocumentScreen.evidence, evidence)
        self._passage = passage
        self._span = span or passage.chunk.span
        self._page: Page | None = None

    @property
    def current(self) -> Passage | None:
        """The passage that was opened."""
        return self._passage

    @property
    def edit_line(self) -> int:
        """The cited line, or the top one once a person has scrolled away."""
        return self.query_one(DocumentView).line + 1

    def compose(self) -> ComposeResult:
        """Lay out the heading and the page."""
        yield Static(id="heading", markup=False)
        yield DocumentView()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Read the page."""
        self.query_one(DocumentView).focus()
        self.reload()

    def on_resize(self) -> None:
        """Lay the heading out for the new width."""
        self._show_heading()

    def reload(self) -> None:
        """Read the page anew, for instance after it was edited."""
        self._show_heading()
        self.load_page(self._passage.chunk.document_id, self._prepare)

    def open_passage(self, passage: Passage) -> None:
        """Go to a passage, on this page or another."""
        is_here = passage.chunk.document_id == self._passage.chunk.document_id
        self._passage, self._span = passage, passage.chunk.span
        if is_here and self._page is not None:
            self._reveal()
        else:
            self.reload()

    def action_neighbour(self, step: int) -> None:
        """Go to the next or the previous passage of the page, around its end."""
        here = self._passages_here()
        place = here.index(self._passage)
        self.open_passage(here[(place + step) % len(here)])

    def action_toggle_wrap(self) -> None:
        """Wrap long lines, or let them be scrolled sideways."""
        view = self.query_one(DocumentView)
        view.is_wrapped = not view.is_wrapped

    def action_back(self) -> None:
        """Go back."""
        self.dismiss()

    @on(PageLoaded)
    def show_page(self, message: PageLoaded) -> None:
        """Show the page that was read."""
        message.stop()
        self._page = message.page
        self.query_one(DocumentView).show(message.text)
        self._reveal()

    def leave_unreadable(self) -> None:
        """Leave a page that could not be read."""
        if self._page is None:
            self.dismiss()

    def _reveal(self) -> None:
        self._show_heading()
        self.query_one(DocumentView).reveal(self._span)

    def _passages_here(self) -> list[Passage]:
        """Return the evidence on this page in the order of its lines."""
        passages = self.evidence.passages or self.evidence.nearest
        document_id = self._passage.chunk.document_id
        here = [passage for passage in passages if passage.chunk.document_id == document_id]
        return sorted(here, key=lambda passage: passage.chunk.span)

    def _prepare(self, page: Page) -> PageText:
        """Return a page's text with the evidence marked in it; runs in a thread."""
        marks = [Mark(passage.label, passage.chunk.span) for passage in self._passages_here()]
        words = readable(self.evidence.question, self._passage.matched)
        return PageText(page.path, page.text, marks, pattern_of(words))

    def _show_heading(self) -> None:
        heading = self.query_one("#heading", Static)
        chunk = self._passage.chunk
        width = max(heading.content_size.width, 20)
        here = self._passages_here()
        place = f"passage {here.index(self._passage) + 1} of {len(here)} on this page"
        title = Content.assemble((f"[{self._passage.label}] ", "$primary bold"), title_of(chunk, width - 4))
        facts = Content.styled(f"{chunk.path}:{self._span} · {chunk.citation} · {place}", MUTED)
        lines = [title, facts.truncate(width, ellipsis=True)]
        if self._page is not None and self._page.is_stale:
            lines.append(Content.styled(_STALE, "$text-warning"))
        heading.update(Content("\n").join(lines))
