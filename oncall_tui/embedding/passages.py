"""What of a chunk is embedded."""

import hashlib
import re
from pathlib import PurePosixPath
from typing import Final

from oncall_tui.models import Chunk
from oncall_tui.text import IDEOGRAPHIC, single_line

EMBEDDED_CHARACTERS: Final = 500
"""Characters of a passage the model reads: some 150 tokens, the time that was measured with."""

_IDEOGRAPH_COST: Final = 2.3
_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHIC}]")
_HEADING_LINE: Final = re.compile(r"\A#{1,6}[^\n]*\n")


def passage_text(chunk: Chunk) -> str:
    """Return the text that stands for a chunk: title, headings, then the head of its body."""
    title = chunk.metadata.title
    stem = PurePosixPath(chunk.path).stem
    heads = [title] if stem.lower() in title.lower().replace(" ", "") else [stem, title]
    heads.extend(heading for heading in chunk.heading_path if heading != title)
    body = single_line(_HEADING_LINE.sub("", chunk.text))
    return "\n".join((" › ".join(heads), body))[: _limit(body)]


def _limit(body: str) -> int:
    head = body[:EMBEDDED_CHARACTERS]
    share = len(_IDEOGRAPH.findall(head)) / max(len(head), 1)
    return int(EMBEDDED_CHARACTERS / (1 + share * (_IDEOGRAPH_COST - 1)))


def text_hash(text: str) -> str:
    """Return the key under which a text's vector is kept."""
    return hashlib.sha256(text.encode()).hexdigest()
