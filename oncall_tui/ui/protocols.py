"""What the interface needs of an engine."""

from collections.abc import Callable
from typing import Protocol

from oncall_tui.models import Answer, Evidence, IndexReport, IndexStatus, Page, Progress


class Engine(Protocol):
    """The calls that the screens make, all from threads.

    Every one may raise an :class:`~oncall_tui.errors.OncallError`.
    """

    def status(self) -> IndexStatus:
        """Return what the index holds."""
        ...

    def needs_refresh(self) -> bool:
        """Return whether the sources differ from the index."""
        ...

    def refresh(self, on_progress: Callable[[Progress], None], is_cancelled: Callable[[], bool]) -> IndexReport:
        """Bring the index up to date."""
        ...

    def warm_up(self) -> None:
        """Load what the first search would otherwise wait for."""
        ...

    def search(self, question: str) -> Evidence:
        """Return the passages that answer a question."""
        ...

    def answer(self, evidence: Evidence) -> Answer:
        """Return the answer that some evidence gives."""
        ...

    def page(self, document_id: str) -> Page:
        """Return a document as it is shown."""
        ...
