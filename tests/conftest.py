"""Settings and fixtures that every test shares: no network, nobody's home, a small index."""

import itertools
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from oncall_tui.config import Settings
from oncall_tui.engine import Engine
from oncall_tui.wiring import build_engine
from tests.builders import FakeEmbedder, copy_data, write_tree
from tests.pages import PAGES
from tests.servers import EmbeddingServer, embedding_server

settings.register_profile("default", deadline=None, max_examples=60, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, max_examples=3000, derandomize=False, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

_LOOPBACK: Final = ("localhost", "::1")
_EMBEDDER: Final = "oncall_tui.wiring.BundledEmbedder"

MakeEngine = Callable[..., Engine]


def _check_address(address: Any) -> None:
    """Fail the test that would reach another machine; sockets of this one have a path, not a pair."""
    if isinstance(address, tuple) and not (str(address[0]).startswith("127.") or address[0] in _LOOPBACK):
        pytest.fail(f"a test must not use the network, but something connects to {address!r}")


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    connect, connect_ex, create = socket.socket.connect, socket.socket.connect_ex, socket.create_connection

    def refuse_or_connect(self: socket.socket, address: Any) -> None:
        _check_address(address)
        connect(self, address)

    def refuse_or_connect_ex(self: socket.socket, address: Any) -> int:
        _check_address(address)
        return connect_ex(self, address)

    def refuse_or_create(address: Any, *arguments: Any, **options: Any) -> socket.socket:
        _check_address(address)
        return create(address, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse_or_connect)
        patch.setattr(socket.socket, "connect_ex", refuse_or_connect_ex)
        patch.setattr(socket, "create_connection", refuse_or_create)
        yield


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a home of its own, in which nobody has configured anything."""
    folder = next(_homes)
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith(("ONCALL_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def fake_model(monkeypatch: pytest.MonkeyPatch) -> type[FakeEmbedder]:
    """Put the fake embedder where the program names the bundled one."""
    monkeypatch.setattr(_EMBEDDER, FakeEmbedder)
    monkeypatch.setattr(FakeEmbedder, "embedded", [])
    return FakeEmbedder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """Run a server of embedding models on loopback, which no proxy stands before."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with embedding_server() as running:
        yield running


@pytest.fixture
def make_engine(fake_model: type[FakeEmbedder], tmp_path: Path) -> MakeEngine:
    """Return what makes engines as the program does, but with the fake model."""

    def make(**values: Any) -> Engine:
        return build_engine(Settings(**{"data_dir": str(tmp_path / "data"), **values}))

    return make


@pytest.fixture(scope="session")
def pages_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the small runbooks; read only."""
    return write_tree(tmp_path_factory.mktemp("pages") / "runbooks", PAGES)


@pytest.fixture(scope="session")
def small_data(tmp_path_factory: pytest.TempPathFactory, pages_folder: Path) -> Path:
    """Return the data folder of an index of the small runbooks, made with the fake model; read only."""
    folder = tmp_path_factory.mktemp("small") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_EMBEDDER, FakeEmbedder)
        build_engine(Settings(data_dir=str(folder), sources=(str(pages_folder),))).refresh()
    return folder


@pytest.fixture
def small_engine(make_engine: MakeEngine, small_data: Path) -> Engine:
    """Return an engine over the index of the small runbooks; it must not be refreshed."""
    return make_engine(data_dir=str(small_data))


@pytest.fixture
def own_data(small_data: Path, tmp_path: Path) -> Path:
    """Return a copy of the small index that a test may damage or refresh."""
    return copy_data(small_data, tmp_path / "data")


@pytest.fixture(scope="session")
def demo_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of the shipped runbooks' index, made with the bundled model; read only."""
    folder = tmp_path_factory.mktemp("demo") / "data"
    build_engine(Settings(data_dir=str(folder))).refresh()
    return folder


@pytest.fixture
def demo_engine(demo_data: Path) -> Engine:
    """Return an engine over the shipped runbooks with the bundled model."""
    return build_engine(Settings(data_dir=str(demo_data)))
