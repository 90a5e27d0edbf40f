"""The tests themselves: none reaches another machine or somebody's home."""

import os
import socket
from pathlib import Path

import pytest

from oncall_tui import locations


@pytest.mark.parametrize("address", [("192.0.2.1", 443), ("example.org", 80), ("2001:db8::1", 443)])
def test_a_test_that_reaches_out_fails(address: tuple[str, int]) -> None:
    with pytest.raises(pytest.fail.Exception, match="must not use the network"):
        socket.create_connection(address)
    with socket.socket() as client, pytest.raises(pytest.fail.Exception):
        client.connect(address)
    with socket.socket() as client, pytest.raises(pytest.fail.Exception):
        client.connect_ex(address)


def test_a_test_may_talk_to_itself() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_every_test_has_a_home_of_its_own(home: Path) -> None:
    assert Path.home() == home
    assert not list(home.iterdir())
    assert locations.config_file().is_relative_to(home)
    assert locations.data_dir().is_relative_to(home)


def test_nobody_has_configured_anything() -> None:
    assert not [name for name in os.environ if name.startswith("ONCALL_")]
