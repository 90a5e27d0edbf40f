"""The joints of a document: what every format's parser yields and the chunker packs."""

from dataclasses import dataclass
from enum import StrEnum

from oncall_tui.models import LineSpan


class BlockKind(StrEnum):
    """What a block is, as far as splitting cares."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    CODE = "code"
    ITEM = "item"
    ROW = "row"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines that belongs together."""

    kind: BlockKind
    span: LineSpan
    level: int = 0
    """Heading level from 1; 0 for anything else."""
    title: str = ""
    """The heading's text; empty for anything else."""
