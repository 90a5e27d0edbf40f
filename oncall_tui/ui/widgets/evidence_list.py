"""The ranked evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from oncall_tui.models import Evidence, Passage
from oncall_tui.ui.rendering.entry import entry
from oncall_tui.ui.rendering.wrapping import wrapped_text

NOTHING_ASKED: Final = Evidence(question="")

_NEAREST_HEADING: Final = "No runbook covers this. Nearest misses:"


class EvidenceList(OptionList, inherit_bindings=False):
    """Lists the passages; without any it says why."""

    BINDING_GROUP_TITLE = "Results"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Open", id="results.open", tooltip="Open the page at the passage's lines"),
        Binding("j,down", "cursor_down", "Next", id="results.next", show=False, tooltip="Go to the next passage"),
        Binding("k,up", "cursor_up", "Previous", id="results.previous", show=False, tooltip="Go to the passage before"),
        Binding("g,home", "first", "First", id="results.first", show=False, tooltip="Go to the best passage"),
        Binding("G,end", "last", "Last", id="results.last", show=False, tooltip="Go to the last passage"),
        Binding(
            "ctrl+d,pagedown",
            "page_down",
            "Down",
            id="results.page-down",
            show=False,
            tooltip="Go down the list a page",
        ),
        Binding("ctrl+u,pageup", "page_up", "Up", id="results.page-up", show=False, tooltip="Go up the list a page"),
    ]

    evidence: reactive[Evidence] = reactive(NOTHING_ASKED)
    """What is listed."""

    note: reactive[str] = reactive("")
    """What is shown instead of passages while there are none."""

    @dataclass
    class Moved(Message):
        """The cursor moved to a passage."""

        passage: Passage

    @dataclass
    class Opened(Message):
        """A passage should be opened."""

        passage: Passage

    def __init__(self, note: str = "") -> None:
        super().__init__(markup=False)
        self.set_reactive(EvidenceList.note, note)
        self.border_title = "Evidence"
        self._current = 0
        """Label of the passage whose entry carries the marker."""

    @property
    def passages(self) -> Sequence[Passage]:
        """The passages that are listed: the evidence, or the nearest misses."""
        return self.evidence.passages or self.evidence.nearest

    @property
    def current(self) -> Passage | None:
        """The passage under the cursor."""
        return self._passage(str(self._current))

    def watch_evidence(self, before: Evidence, evidence: Evidence) -> None:
        """List the new evidence; cursor and scroll stay where they are if the question is the same."""
        is_same = before.question == evidence.question
        kept, scroll = self.current_chunk_of(before) if is_same else "", self.scroll_offset
        self._list(next((passage.label for passage in self.passages if passage.chunk.id == kept), 1))
        if is_same:
            self.scroll_to(scroll.x, scroll.y, animate=False)

    def watch_note(self) -> None:
        """Show the note if there is nothing else to show."""
        if not self.passages:
            self._list(0)

    def current_chunk_of(self, evidence: Evidence) -> str:
        """Return the id of the chunk that has the cursor in ``evidence``, or nothing."""
        passages = evidence.passages or evidence.nearest
        return next((passage.chunk.id for passage in passages if passage.label == self._current), "")

    def on_resize(self, event: Resize) -> None:
        """Lay the entries out for the new width."""
        del event
        self._list(self._current)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Move the marker and say where it is."""
        event.stop()
        passage = self._passage(event.option_id)
        if passage is None:
            return
        before, self._current = self.current, passage.label
        for changed in (before, passage):
            if changed is not None and changed in self.passages:
                self.replace_option_prompt(str(changed.label), self._prompt(changed))
        self.post_message(self.Moved(passage))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the passage."""
        event.stop()
        passage = self._passage(event.option_id)
        if passage is not None:
            self.post_message(self.Opened(passage))

    def _list(self, label: int) -> None:
        """Show an entry for every passage, the cursor on the one with a label."""
        self._current = label
        if not self.scrollable_content_region.width:
            return  # not laid out yet: a resize will follow
        found = sum(1 for passage in self.evidence.passages if passage.ranks)
        self.border_subtitle = f"{found} found" if found else ""
        self.set_options(self._entries())
        self.highlighted = next((place for place, option in enumerate(self.options) if option.id == str(label)), None)

    def _entries(self) -> Iterator[Option]:
        """Yield what is listed; what cannot be chosen is a disabled entry."""
        if not self.passages:
            yield Option(Content(wrapped_text(self.note, self.scrollable_content_region.width)), disabled=True)
        elif not self.evidence.passages:
            yield Option(Content.styled(_NEAREST_HEADING, "$text-warning"), disabled=True)
        for passage in self.passages:
            yield Option(self._prompt(passage), id=str(passage.label))

    def _prompt(self, passage: Passage) -> Content:
        is_current = passage.label == self._current
        return entry(passage, self.evidence.question, self.scrollable_content_region.width, is_current=is_current)

    def _passage(self, label: str | None) -> Passage | None:
        return next((passage for passage in self.passages if str(passage.label) == label), None)
