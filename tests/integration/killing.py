"""Kills runs of the indexer at random moments; started by ``test_killed_runs.py`` in a process of its own.

The process imports everything once and forks for each run, so that twenty runs cost seconds. It
prints one JSON line a run.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from oncall_tui.config import Settings
from oncall_tui.engine import Engine
from oncall_tui.errors import IndexMissingError
from oncall_tui.index import manifest as manifests
from oncall_tui.index.store import count_rows
from oncall_tui.models import Mode
from oncall_tui.wiring import build_engine
from tests.builders import FakeEmbedder, write_tree

PAGES: Final = 12
_DEADLINE: Final = 30.0


def page(number: int, word: str) -> str:
    """Return a page of three passages."""
    return f"# Page {number}\n\nText {number}.\n\n## Fix\n\nRun {word} {number}.\n\n## Verify\n\nLook {number}.\n"


class Runs:
    """Runs over one folder, each in a fork of this process."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "runbooks"
        self.data = folder / "data"

    def engine(self) -> Engine:
        with patch("oncall_tui.wiring.BundledEmbedder", FakeEmbedder):
            return build_engine(Settings(data_dir=str(self.data)))

    def index(self) -> dict[str, Any]:
        report = self.engine().refresh(sources=[self.source])
        return {"documents": report.documents, "chunks": report.chunks, "embedded": report.embedded}

    def look(self) -> dict[str, Any]:
        """Return what a reader sees; nothing if there is no index."""
        engine = self.engine()
        try:
            evidence = engine.search("Run", mode=Mode.KEYWORD)
        except IndexMissingError as error:
            return {"exists": False, "message": error.message}
        return {"exists": True, "found": len(evidence.rankings[0].hits), "documents": engine.status().documents}

    def verify(self) -> dict[str, Any]:
        """Return whether tables, snapshot and manifest agree."""
        manifest = manifests.read(self.data / "index")
        rows = count_rows(self.data / "index" / "lance", manifest.documents_version, manifest.chunks_version)
        snapshot = self.engine()._open().snapshot
        snapshot.check_all(has_vectors=True)
        return {
            "agree": rows == (manifest.documents, manifest.chunks, manifest.vectors),
            "complete": manifest.vectors == manifest.chunks,
            "texts": sorted(snapshot.chunk(row).text.split("\n")[2] for row in range(len(snapshot))),
        }


def in_fork(work: Callable[[], dict[str, Any]], seconds: float = _DEADLINE) -> dict[str, Any] | None:
    """Return what some work returns in a fork of this process; ``None`` if it was killed after some seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(writing, json.dumps(work()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    started = time.monotonic()
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() - started >= seconds:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(reading)
            return None
        time.sleep(0.001)
    with os.fdopen(reading, "rb") as pipe:
        return json.loads(pipe.read() or b'{"failed": true}')  # type: ignore[no-any-return]


def main(folder: Path, seed: int, kills: int) -> None:
    """Kill runs, the even ones of a first index and the odd ones of a changed source."""
    import lancedb  # noqa: F401, PLC0415 - once, before the forks, and after the store that quietens it

    FakeEmbedder.seconds_a_text = 0.004
    chance = random.Random(seed)  # noqa: S311 - moments, not secrets
    ready = Runs(folder / "ready")
    write_tree(ready.source, {f"{number}.md": page(number, "first") for number in range(PAGES)})
    started = time.monotonic()
    in_fork(ready.index)
    whole = time.monotonic() - started
    for number in range(kills):
        runs = Runs(folder / str(number))
        shutil.copytree(ready.source, runs.source)
        if number % 2:
            in_fork(runs.index)
            write_tree(runs.source, {f"{place}.md": page(place, "second") for place in range(0, PAGES, 2)})
            (runs.source / "1.md").unlink()
        killed = in_fork(runs.index, chance.uniform(0, whole * (0.7 if number % 2 else 1))) is None
        after = {"after_kill": in_fork(runs.look), "completed": in_fork(runs.index), "end": in_fork(runs.verify)}
        print(json.dumps({"number": number, "killed": killed, **after}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
