"""Ways to run the command."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from oncall_tui.cli.main import main
from tests.builders import FakeEmbedder

TIMEOUT = 60


@dataclass(frozen=True)
class Result:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON: nothing else may stand there."""
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(fake_model: type[FakeEmbedder], capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs a command in this process, with the fake model."""

    def run_here(*arguments: str | Path) -> Result:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Result(status, printed.out, printed.err)

    return run_here


@pytest.fixture
def over_pages(run: Run, small_data: Path) -> Run:
    """Return what runs a command over the index of the small runbooks."""
    return lambda *arguments: run("--data-dir", small_data, *arguments)


@pytest.fixture
def program() -> Run:
    """Return what runs the real program, with the real model, in a process of its own."""

    def run_there(*arguments: str | Path) -> Result:
        command = [sys.executable, "-m", "oncall_tui", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
        return Result(done.returncode, done.stdout, done.stderr)

    return run_there


def assert_clear(result: Result, status: int, *words: str) -> None:
    """Make sure that an error is told on stderr in plain words, with a hint, and nothing on stdout."""
    assert result.status == status, result.err
    assert result.out == ""
    assert "Traceback" not in result.err
    assert "hint: " in result.err
    for word in words:
        assert word in result.err
