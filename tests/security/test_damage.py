"""Files of the data folder that were cut off or changed, anywhere: nothing crashes, and the index mends itself."""

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

from oncall_tui.config import Settings
from oncall_tui.wiring import build_engine
from tests.builders import FakeEmbedder, copy_data, write_tree
from tests.cli.conftest import Result, Run, run  # noqa: F401 - a fixture
from tests.pages import PAGES

ROUNDS: Final = int(os.environ.get("DAMAGE_ROUNDS", "20"))
QUESTION: Final = ("redis", "timeout", "maxclients")
DEADLINE: Final = 60
"""Seconds after which a command counts as hanging."""


@pytest.fixture
def _deadline() -> Iterator[None]:
    def fail(_signal: int, _frame: FrameType | None) -> None:
        pytest.fail(f"a command hangs for {DEADLINE} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(DEADLINE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def damage(data: Path, chance: random.Random) -> str:
    """Damage one file of the data folder, the cache of vectors aside, and say how."""
    files = [file for file in sorted((data / "index").rglob("*")) if file.is_file() and file.stat().st_size]
    file = chance.choice(files)
    size = file.stat().st_size
    if chance.random() < 0.3:
        os.truncate(file, length := chance.randrange(size))
        return f"{file.relative_to(data)} cut off at {length} of {size}"
    content = bytearray(file.read_bytes())
    places = [chance.randrange(size) for _ in range(chance.choice((1, 8)))]
    for place in places:
        content[place] ^= 1 << chance.randrange(8)
    file.write_bytes(content)
    return f"{file.relative_to(data)} changed at {places} of {size}"


def scores(found: Result) -> dict[str, float]:
    return {passage["citation"]: passage["score"] for passage in found.json["evidence"]}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("damaged") / "runbooks", PAGES)


@pytest.fixture(scope="module")
def whole(source: Path) -> Path:
    """Return a data folder to be copied and damaged."""
    data = source.with_name("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("oncall_tui.wiring.BundledEmbedder", FakeEmbedder)
        build_engine(Settings(data_dir=str(data), sources=(str(source),))).refresh()
    return data


@pytest.mark.usefixtures("_deadline")
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_damage_anywhere_crashes_nothing_and_is_mended_by_indexing(
    run: Run,  # noqa: F811
    source: Path,
    whole: Path,
    tmp_path: Path,
    seed: int,
) -> None:
    data = copy_data(whole, tmp_path / "data")
    at = ("--data-dir", data)
    search = (*at, "search", *QUESTION, "--json")
    expected = scores(run(*search))
    what = damage(data, random.Random(seed))  # noqa: S311 - places, not secrets
    assert run(*search).status in {0, 3, 4}, what
    assert run(*at, "ask", *QUESTION).status in {0, 3, 4}, what
    assert run(*at, "doctor").status in {0, 1}, what
    assert run(*at, "show", next(iter(expected))).status in {0, 3, 4}, what
    assert run(*at, "index").status == 0, what
    assert scores(run(*search)) == pytest.approx(expected, rel=1e-3), what  # vectors are kept in 16 bits
    write_tree(source, {"new.md": f"# New\n\nText {seed}.\n"})
    try:
        assert run(*at, "index").status == 0, what
    finally:
        (source / "new.md").unlink()
    assert run(*at, "index", "--rebuild").status == 0, what
    assert run(*at, "doctor").status == 0, what
