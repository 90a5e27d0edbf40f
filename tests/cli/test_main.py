"""The command as a whole: help, version, settings, pipes, and the one error path."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from oncall_tui import __version__
from oncall_tui.cli.main import main
from tests.builders import write_tree
from tests.cli.conftest import TIMEOUT, Run, assert_clear

COMMANDS = ("index", "search", "ask", "show", "eval", "doctor")


def test_version_is_the_programs(run: Run) -> None:
    assert run("--version").out.strip().endswith(__version__)


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_every_command(run: Run, flag: str) -> None:
    result = run(flag)
    assert result.status == 0
    assert all(f"\n  {command} " in result.out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.status == 0
    assert "--json" in result.out


def test_an_unknown_command_is_a_usage_error(run: Run) -> None:
    result = run("serach")
    assert (result.status, result.out) == (2, "")
    assert "No such command 'serach'" in result.err


def test_a_settings_file_can_be_named(over_pages: Run, run: Run, small_data: Path, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(f'limit = 1\ndata_dir = "{small_data}"')
    assert len(run("--config", tmp_path / "settings.toml", "search", "redis", "--json").json["evidence"]) == 1


def test_a_mistyped_setting_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("limt = 1")
    assert_clear(run("--config", tmp_path / "settings.toml", "search", "redis"), 2, "Did you mean 'limit'?")


def test_a_settings_file_that_is_missing_is_told(run: Run, tmp_path: Path) -> None:
    assert_clear(run("--config", tmp_path / "none.toml", "search", "redis"), 2, "cannot be read")


def test_a_wrong_variable_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCALL_CHUNK_SIZE", "big")
    assert_clear(run("index"), 2, "the environment", "'chunk_size'")


def test_ctrl_c_stops_with_a_word_and_no_traceback(
    over_pages: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("oncall_tui.wiring.build_engine", interrupt)
    result = over_pages("search", "redis")
    assert (result.status, result.out) == (130, "")
    assert result.err.strip() == "oncall: stopped"


def test_an_error_of_click_keeps_the_usage_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert issubclass(click.UsageError, click.ClickException)
    assert main(["search", "--limit"]) == 2


def test_the_program_answers_in_a_process_of_its_own(program: Run, demo_data: Path) -> None:
    result = program("--data-dir", demo_data, "search", "redis timeout", "--json")
    assert result.status == 0
    assert result.json["evidence"][0]["source"] == "redis.md"
    assert result.err == ""


def test_the_program_tells_errors_by_its_exit_status(program: Run, tmp_path: Path) -> None:
    assert_clear(program("--data-dir", tmp_path, "search", "redis"), 3, "no index")


def test_a_reader_that_goes_away_ends_the_program_quietly(demo_data: Path) -> None:
    command = [sys.executable, "-m", "oncall_tui", "--data-dir", str(demo_data)]
    command += ["search", "redis", "--mode", "keyword", "--limit", "100", "--explain"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(TIMEOUT) == 0


def test_only_the_first_line_can_be_read(demo_data: Path) -> None:
    arguments = f"--data-dir {demo_data} search redis --mode keyword --limit 100"
    done = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m oncall_tui {arguments} | head -1"],
        capture_output=True,
        text=True,
        check=True,
        timeout=TIMEOUT,
    )
    assert done.stdout.startswith("[1] ")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("name", "meant"),
    [("ONCALL_LIMT", "ONCALL_LIMIT"), ("ONCALL_DATADIR", "ONCALL_DATA_DIR"), ("ONCALL_SOURCE", "ONCALL_SOURCES")],
)
def test_a_mistyped_variable_is_noted_with_the_one_that_is_meant(
    over_pages: Run, monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    monkeypatch.setenv(name, "1")
    result = over_pages("search", "redis timeout", "--json")
    assert result.status == 0
    assert f"{name} is no variable of oncall and says nothing; did you mean {meant}?" in result.err


def test_a_variable_of_another_program_is_let_alone(over_pages: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCALL_API_TOKEN", "1")
    assert over_pages("search", "redis timeout", "--json").err == ""


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """Return a pipe that nobody writes to."""
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_settings_file_that_would_be_waited_for_is_refused(run: Run, pipe: Path) -> None:
    assert_clear(run("--config", pipe, "search", "redis"), 2, "is not a regular file")
    assert_clear(run("--config", "/dev/zero", "search", "redis"), 2, "is not a regular file")


def test_questions_that_would_be_waited_for_are_refused(over_pages: Run, pipe: Path) -> None:
    assert_clear(over_pages("eval", pipe), 2, "is not a regular file")


def test_a_glossary_that_would_be_waited_for_is_refused(
    over_pages: Run, run: Run, pipe: Path, small_data: Path
) -> None:
    write_tree(pipe.parent, {"settings.toml": f'glossary = "{pipe}"\n'})
    result = run("--config", pipe.parent / "settings.toml", "--data-dir", small_data, "search", "redis")
    assert_clear(result, 2, "is not a regular file")


def test_settings_that_the_shell_hands_over_are_read(small_data: Path) -> None:
    line = f"'{sys.executable}' -m oncall_tui --config <(echo limit = 1) --data-dir {small_data} search redis --json"
    done = subprocess.run(["/bin/bash", "-c", line], capture_output=True, text=True, check=True, timeout=TIMEOUT)
    assert done.stdout.count('"label"') == 1
