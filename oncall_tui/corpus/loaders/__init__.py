"""One module a format; each turns text into blocks with exact line spans."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from oncall_tui.corpus.blocks import Block
from oncall_tui.corpus.loaders import markdown, plain_text, restructured_text

BlockParser = Callable[[str, int], Iterator[Block]]
"""Takes the whole text and the zero-based line to start at; yields blocks in order."""

PARSERS: Final = MappingProxyType(
    {
        ".md": markdown.parse,
        ".markdown": markdown.parse,
        ".rst": restructured_text.parse,
        ".txt": plain_text.parse,
        ".text": plain_text.parse,
        ".log": plain_text.parse,
    }
)
"""Parser by lower-case file name ending."""

FIELD_READERS: Final[Mapping[str, Callable[[str], tuple[Mapping[str, str], int]]]] = MappingProxyType(
    {".rst": restructured_text.split_fields}
)
"""What formats have in place of front matter: takes the text; returns the values and the line the body starts at."""
