"""Names for the styles of what is secondary; the rest are the theme's own variables."""

from typing import Final

MUTED: Final = "$foreground 70%"
"""Details that are read second."""

FAINT: Final = "$foreground 40%"
"""Signs that only separate."""
