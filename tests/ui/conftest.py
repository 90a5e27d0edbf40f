"""Fixtures of the screen's tests."""

import pytest

from tests.ui.fakes import FakeEngine


@pytest.fixture
def engine() -> FakeEngine:
    """Return an engine over three pages, its index built."""
    return FakeEngine()


@pytest.fixture(autouse=True)
def _no_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the developer's own editor and colour settings out of the tests."""
    for name in ("VISUAL", "EDITOR", "NO_COLOR", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)
