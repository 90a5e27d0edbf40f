"""Tests as somebody who may not read everything, even when they run as root."""

import os
import pwd
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def unprivileged() -> Iterator[None]:
    """Act without root's right to read everything, and come back."""
    if os.geteuid() != 0:
        yield
        return
    if not hasattr(os, "setresuid"):
        pytest.skip("root cannot give up its rights for a while on this platform")
    nobody = pwd.getpwnam("nobody").pw_uid
    os.setresuid(nobody, nobody, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@contextmanager
def open_folder() -> Iterator[Path]:
    """Make a folder that every user can reach; pytest's own are private."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
