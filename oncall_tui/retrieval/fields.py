"""A chunk to weighted token counts: where a word stands decides how much it says."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from oncall_tui.models import Chunk
from oncall_tui.retrieval.tokens import tokenize

TITLE_WEIGHT: Final = 3.0
FIRST_HEADING_WEIGHT: Final = 2.5
HEADING_WEIGHT: Final = 2.0
CODE_WEIGHT: Final = 1.8
TEXT_WEIGHT: Final = 1.0
"""Where a word stands weighs what it says; all at 1 finds alert names less often (.991 against .996)."""

_CODE: Final = re.compile(r"```.*?```|~~~.*?~~~|`[^`\n]+`", re.DOTALL)


def bag_of(chunk: Chunk) -> dict[str, float]:
    """Return the weighted count of each token of a chunk, its title and headings included."""
    bag: defaultdict[str, float] = defaultdict(float)
    for text, weight in _weighted_texts(chunk):
        for token in tokenize(text):
            bag[token] += weight
    return dict(bag)


def _weighted_texts(chunk: Chunk) -> Iterator[tuple[str, float]]:
    yield PurePosixPath(chunk.path).stem, TITLE_WEIGHT
    yield chunk.metadata.title, TITLE_WEIGHT
    headings = [heading for heading in chunk.heading_path if heading != chunk.metadata.title]
    if headings:
        yield headings[0], FIRST_HEADING_WEIGHT
        yield " ".join(headings[1:]), HEADING_WEIGHT
    yield chunk.text, TEXT_WEIGHT
    yield "\n".join(_CODE.findall(chunk.text)), CODE_WEIGHT - TEXT_WEIGHT
