"""Runs ``oncall`` with every socket refused: nothing it does may need the network."""

import socket
import sys
from typing import NoReturn


def refuse(*_: object, **__: object) -> NoReturn:
    """Stand in for everything that would reach out."""
    raise OSError("the network is refused here")


for name in ("connect", "connect_ex", "sendto"):
    setattr(socket.socket, name, refuse)
for name in ("getaddrinfo", "gethostbyname", "create_connection"):
    setattr(socket, name, refuse)

from oncall_tui.cli.main import main  # noqa: E402 - after the network is gone

sys.exit(main(sys.argv[1:]))
