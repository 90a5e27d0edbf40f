"""Ways to run the command."""

import json
import os
import pwd
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
    """Return what runs the real program in a process of its own; never as root."""

    def run_there(*arguments: str | Path, **environment: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "oncall_tui", *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
            cwd="/",
            **_somebody(),
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run_there


def _somebody() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def assert_clear(result: Result, status: int, *words: str) -> None:
    """Make sure that an error is told on stderr in plain words, with a hint, and nothing on stdout."""
    assert result.status == status, result.err
    assert result.out == ""
    assert "Traceback" not in result.err
    assert "hint: " in result.err
    for word in words:
        assert word in result.err
