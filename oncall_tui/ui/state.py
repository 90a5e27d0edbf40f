"""How the index stands, as the screens see it."""

from dataclasses import dataclass, field, replace

from oncall_tui.errors import OncallError
from oncall_tui.models import IndexStatus, Progress, Stage


@dataclass(frozen=True, slots=True)
class IndexState:
    """The index and what is being done to it."""

    status: IndexStatus = field(default_factory=IndexStatus)
    is_running: bool = False
    """Whether a refresh is under way."""
    progress: Progress | None = None
    error: OncallError | None = None
    """Why the last refresh failed."""
    generation: int = 0
    """Rises whenever a search would find more than before."""

    def read(self, status: IndexStatus) -> "IndexState":
        """Return the state once it is known what the index holds."""
        return replace(self, status=status)

    def started(self) -> "IndexState":
        """Return the state at the start of a refresh."""
        return replace(self, is_running=True, progress=None, error=None)

    def advanced(self, progress: Progress) -> "IndexState":
        """Return the state after some progress: once embedding starts, keyword search works."""
        is_searchable = progress.stage is Stage.EMBEDDING and (
            self.progress is None or self.progress.stage is not Stage.EMBEDDING
        )
        return replace(self, progress=progress, generation=self.generation + is_searchable)

    def finished(self, status: IndexStatus) -> "IndexState":
        """Return the state after a refresh."""
        return replace(self, status=status, is_running=False, progress=None, generation=self.generation + 1)

    def failed(self, error: OncallError) -> "IndexState":
        """Return the state after a refresh that failed."""
        return replace(self, is_running=False, progress=None, error=error)
