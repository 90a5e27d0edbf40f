"""The full-screen app: it owns the index's state, the themes and the keys, and starts with the search."""

import difflib
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Final

from textual import on, work
from textual.app import App, SuspendNotSupported, SystemCommand
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import get_current_worker

from oncall_tui.errors import ConfigError, EmbeddingError, OncallError
from oncall_tui.models import IndexReport, Progress
from oncall_tui.ui.bindings import declared_by, keys_in_force
from oncall_tui.ui.commands import KeyCommands
from oncall_tui.ui.editor import editor_command, run_editor
from oncall_tui.ui.messages import (
    EditorWanted,
    RefreshFailed,
    RefreshFinished,
    RefreshProgressed,
    RefreshStarted,
    StatusRead,
)
from oncall_tui.ui.protocols import Engine
from oncall_tui.ui.screens.dialog import Dialog
from oncall_tui.ui.screens.document import DocumentScreen
from oncall_tui.ui.screens.error import ErrorScreen
from oncall_tui.ui.screens.explain import ExplainScreen
from oncall_tui.ui.screens.help import HelpScreen
from oncall_tui.ui.screens.search import SearchScreen
from oncall_tui.ui.state import IndexState
from oncall_tui.ui.themes import THEMES
from oncall_tui.ui.widgets.answer_pane import AnswerPane
from oncall_tui.ui.widgets.document_view import DocumentView
from oncall_tui.ui.widgets.evidence_list import EvidenceList
from oncall_tui.ui.widgets.question_bar import TYPING_PAUSE, QuestionBar

_OURS_INSTEAD: Final = frozenset({"Keys", "Quit"})
"""Commands of the framework that ours replace."""


class OncallApp(App[None], inherit_bindings=False):
    """Search, read and answer from runbooks.

    Args:
        engine: Does the work; it is called from threads only, and not before the first paint.
        keys: Keys by binding id, instead of the defaults.
        theme: Name of the theme.
        initial_question: What is asked at first.
        typing_pause: Seconds without a key after which a search starts.

    Raises:
        ConfigError: If a binding id or the theme does not exist.
    """

    TITLE = "oncall"
    CSS_PATH = "oncall.tcss"
    COMMANDS = App.COMMANDS | {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (150, "-broad")]  # noqa: RUF012 - as the base class has it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", id="app.help", tooltip="Show the keys in force"),
        Binding(
            "ctrl+p", "command_palette", "Palette", id="app.palette", show=False, tooltip="Open the command palette"
        ),
        Binding(
            "r,ctrl+r", "refresh_index", "Refresh", id="app.refresh", show=False, tooltip="Bring the index up to date"
        ),
        Binding("q", "quit", "Quit", id="app.quit-outside-input", tooltip="Quit, except while typing"),
        Binding("ctrl+q", "quit", "Quit", id="app.quit", priority=True, tooltip="Quit"),
        Binding("ctrl+c", "help_quit", "How to quit", id="app.interrupt", show=False, tooltip="Say how to quit"),
    ]

    index: reactive[IndexState] = reactive(IndexState(), init=False)
    """How the index stands."""

    def __init__(
        self,
        engine: Engine,
        *,
        keys: Mapping[str, str] | None = None,
        theme: str = THEMES[0].name,
        initial_question: str = "",
        typing_pause: float = TYPING_PAUSE,
    ) -> None:
        super().__init__()
        self.keys: Mapping[str, str] = dict(keys or {})
        self._engine = engine
        self._search_screen = SearchScreen(engine, initial_question, typing_pause)
        for known in THEMES:
            self.register_theme(known)
        _check_known("theme", theme, self.available_themes)
        for name in self.keys:
            _check_known("binding", name, BINDING_IDS)
        self.theme = theme
        # Over a slow line an animation is a row of late pictures.
        self.animation_level = "none"
        self.set_keymap(self.keys)

    def get_default_screen(self) -> Screen[Any]:
        """Start with the search."""
        return self._search_screen

    def on_mount(self) -> None:
        """Bring the index up to date behind the first paint."""
        self.call_after_refresh(self._bring_up_to_date, is_wanted=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer the framework's commands but those that have keys of ours."""
        return (command for command in super().get_system_commands(screen) if command.title not in _OURS_INSTEAD)

    def watch_index(self, index: IndexState) -> None:
        """Hand the state on to the screen that shows it."""
        self._search_screen.index = index

    def action_help(self) -> None:
        """Show the keys of the present screen."""
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(list(keys_in_force(self.screen, self.keys))))

    def action_refresh_index(self) -> None:
        """Bring the index up to date because a person asked for it."""
        if self.index.is_running:
            self.notify("The index is being brought up to date already.", markup=False)
        else:
            self._bring_up_to_date(is_wanted=True)

    @work(thread=True, exclusive=True, group="index")
    def _bring_up_to_date(self, *, is_wanted: bool) -> None:
        """Refresh the index if it is wanted or needed, then load what the first search would wait for."""
        worker = get_current_worker()
        try:
            status = self._engine.status()
            self.post_message(StatusRead(status))
            if status.exists and not is_wanted:
                self._warm_up()
            is_needed = is_wanted or not status.exists or self._engine.needs_refresh()
            if is_needed and not worker.is_cancelled:
                self.post_message(RefreshStarted())
                report = self._engine.refresh(self._report_progress, lambda: worker.is_cancelled)
                self.post_message(RefreshFinished(report, self._engine.status(), is_wanted))
                self._warm_up()
        except OncallError as error:
            self.post_message(RefreshFailed(error))

    def _warm_up(self) -> None:
        """Load what the first search would wait for; without a model it searches by words and says so."""
        with suppress(EmbeddingError):
            self._engine.warm_up()

    def _report_progress(self, progress: Progress) -> None:
        self.post_message(RefreshProgressed(progress))

    @on(StatusRead)
    def show_status(self, message: StatusRead) -> None:
        """Show what the index holds."""
        self.index = self.index.read(message.status)

    @on(RefreshStarted)
    def show_start(self) -> None:
        """Show that a refresh is under way."""
        self.index = self.index.started()

    @on(RefreshProgressed)
    def show_progress(self, message: RefreshProgressed) -> None:
        """Show how far the refresh is."""
        self.index = self.index.advanced(message.progress)

    @on(RefreshFinished)
    def show_finish(self, message: RefreshFinished) -> None:
        """Show what the index holds now; say it if a person asked."""
        self.index = self.index.finished(message.status)
        if message.is_wanted:
            self.notify(_summary(message.report), title="The index is up to date", markup=False)

    @on(RefreshFailed)
    def show_refresh_error(self, message: RefreshFailed) -> None:
        """Show why the index is not up to date."""
        self.index = self.index.failed(message.error)

    @on(EditorWanted)
    def open_editor(self, message: EditorWanted) -> None:
        """Leave the terminal to an editor; if that cannot be, say where the line is."""
        place = f"{message.path}:{message.line}"
        if not message.file:
            error = ConfigError(f"{message.path} is no longer there.", hint="Only its indexed text is left.")
            self.push_screen(ErrorScreen(error))
            return
        try:
            command = editor_command(message.file, message.line, os.environ)
            with self.suspend():
                run_editor(command)
        except SuspendNotSupported:
            self.notify(place, title="This terminal cannot be left to an editor", markup=False)
            return
        except ConfigError as error:
            self.push_screen(ErrorScreen(error))
            return
        if isinstance(self.screen, DocumentScreen):
            self.screen.reload()
        if not self.index.is_running:
            self._bring_up_to_date(is_wanted=False)


def _summary(report: IndexReport) -> str:
    changes = f"{report.added} added, {report.changed} changed, {report.removed} removed"
    skipped = f"; {len(report.skipped)} left out, see oncall index" if report.skipped else ""
    return f"{report.documents} documents, {report.chunks} chunks: {changes}{skipped}."


def _check_known(kind: str, name: str, known: Iterable[str]) -> None:
    names = sorted(known)
    if name not in names:
        close = difflib.get_close_matches(name, names, n=1)
        hint = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(names)}."
        raise ConfigError(f"There is no {kind} {name!r}.", hint=hint)


BINDING_IDS: Final = frozenset(
    binding.id
    for owner in (
        OncallApp,
        SearchScreen,
        DocumentScreen,
        Dialog,
        ExplainScreen,
        QuestionBar,
        EvidenceList,
        AnswerPane,
        DocumentView,
    )
    for binding in declared_by(owner)
    if binding.id
)
"""Every id that the settings may give other keys."""
