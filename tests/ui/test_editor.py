"""Opening the person's own editor at a line."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from oncall_tui.errors import ConfigError
from oncall_tui.ui.editor import editor_command, run_editor
from tests.ui.driving import appears, press, shown, started
from tests.ui.fakes import FakeEngine


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        ("vim", ["vim", "+7", "a b.md"]),
        ("/usr/bin/nvim -u NONE", ["/usr/bin/nvim", "-u", "NONE", "+7", "a b.md"]),
        ("nano", ["nano", "+7", "a b.md"]),
        ("emacs -nw", ["emacs", "-nw", "+7", "a b.md"]),
        ("micro", ["micro", "+7", "a b.md"]),
        ("hx", ["hx", "a b.md:7"]),
        ("code", ["code", "--wait", "--goto", "a b.md:7"]),
        ("code --wait", ["code", "--wait", "--goto", "a b.md:7"]),
        ("subl", ["subl", "--wait", "a b.md:7"]),
        ("'/opt/my editor/vim'", ["/opt/my editor/vim", "+7", "a b.md"]),
        ("unknown-editor", ["unknown-editor", "a b.md"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(editor: str, command: list[str]) -> None:
    assert editor_command("a b.md", 7, {"EDITOR": editor}) == command


def test_visual_goes_before_editor() -> None:
    assert editor_command("a.md", 1, {"VISUAL": "hx", "EDITOR": "vim"}) == ["hx", "a.md:1"]


def test_without_a_setting_an_installed_editor_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name if name == "nano" else None)
    assert editor_command("a.md", 3, {}) == ["nano", "+3", "a.md"]


def test_no_editor_at_all_is_an_error_with_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(ConfigError) as caught:
        editor_command("a.md", 3, {"EDITOR": " "})
    assert "EDITOR=vim" in caught.value.hint


def test_a_setting_that_cannot_be_read_is_named() -> None:
    with pytest.raises(ConfigError, match="EDITOR cannot be read"):
        editor_command("a.md", 3, {"EDITOR": "vim 'x"})


def test_an_editor_that_is_not_installed_is_an_error() -> None:
    with pytest.raises(ConfigError, match="cannot be started"):
        run_editor(["/nowhere/editor", "a.md"])


async def test_where_the_terminal_cannot_be_left_the_place_is_named(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "vim")
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "j", "e")
        assert await appears(pilot, "redis.md:74")


async def test_after_an_edit_the_page_is_read_again_and_the_index_refreshed(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setattr("textual.app.App.suspend", lambda self: nullcontext())
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "1")
        engine.pages = {**engine.pages, "redis.md": "# Redis timeouts\n\n\n\n## Mended\n"}
        engine.is_outdated = True
        await press(pilot, "e")
        assert "## Mended" in shown(pilot)
        assert engine.refreshes == 1


async def test_a_file_that_is_gone_is_not_opened(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    read = engine.page
    monkeypatch.setattr(engine, "page", lambda document_id: replace(read(document_id), file=""))
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "e")
        assert "redis.md is no longer there." in shown(pilot)


async def test_an_error_of_the_editor_is_shown(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "vim 'x")
    async with started(engine, question="maxclients") as pilot:
        await press(pilot, "enter", "e")
        assert "EDITOR cannot be read" in shown(pilot)
