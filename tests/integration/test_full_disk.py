"""A disk that is full, at whatever file: a clear error, and the old index serves on."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.builders import write_tree

_PROGRAM: Final = """
import resource, sys
from unittest.mock import patch
from oncall_tui.cli.main import main
from tests.builders import FakeEmbedder
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
with patch("oncall_tui.wiring.BundledEmbedder", FakeEmbedder):
    sys.exit(main(sys.argv[2:]))
"""
"""A limit on files' sizes fails as a full disk does, and needs no privileges."""

ROOT: Final = Path(__file__).parents[2]
UNLIMITED: Final = resource.RLIM_INFINITY


def run(*arguments: str | Path, largest: int = UNLIMITED) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _PROGRAM, str(largest), *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def page(number: int) -> str:
    words = (f"{chr(97 + place % 26)}{number}{place}" for place in range(300))
    return f"# Page {number}\n\n" + " ".join(words) + "\n"


@pytest.fixture(scope="module")
def indexed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with runbooks, their index, and settings; a page was added since."""
    folder = tmp_path_factory.mktemp("full")
    write_tree(folder / "runbooks", {f"{number}.md": page(number) for number in range(8)})
    write_tree(folder, {"settings.toml": f'embedder = "{request.param}"\ndata_dir = "{folder / "data"}"\n'})
    assert run("--config", folder / "settings.toml", "index", folder / "runbooks").returncode == 0
    write_tree(folder / "runbooks", {"new.md": page(9)})
    return folder


def generations(folder: Path) -> list[str]:
    return sorted(folder.name for folder in (folder / "data" / "index" / "generations").iterdir())


@pytest.mark.parametrize(
    ("indexed", "largest"),
    [("bundled", 0), ("bundled", 5_000), ("bundled", 20_000), ("none", 1_000), ("none", 10_000)],
    indirect=["indexed"],
)
def test_a_file_that_cannot_grow_is_told_and_the_old_index_serves_on(indexed: Path, largest: int) -> None:
    before = generations(indexed)
    failed = run("--config", indexed / "settings.toml", "index", largest=largest)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "Traceback" not in failed.stderr
    assert "cannot be" in failed.stderr
    assert "ile too large" in failed.stderr or "disk I/O error" in failed.stderr
    assert "hint: Make room there" in failed.stderr
    assert generations(indexed) == before
    found = run("--config", indexed / "settings.toml", "search", "d33", "--mode", "keyword", "--json")
    assert json.loads(found.stdout)["evidence"][0]["source"] == "3.md"


@pytest.mark.parametrize("indexed", ["none"], indirect=True)
def test_an_array_that_does_not_fit_is_told_though_numpy_hides_why(indexed: Path) -> None:
    (snapshot,) = (indexed / "data" / "index" / "generations").iterdir()
    size = {file.name: file.stat().st_size for file in snapshot.iterdir()}
    assert size["bag_terms.npy"] > size["passages.bin"] + 1000
    failed = run("--config", indexed / "settings.toml", "index", largest=size["bag_terms.npy"])
    assert failed.returncode == 1
    assert f"The index in {indexed / 'data' / 'index'} cannot be written: File too large." in failed.stderr
    assert list(snapshot.parent.iterdir()) == [snapshot]
