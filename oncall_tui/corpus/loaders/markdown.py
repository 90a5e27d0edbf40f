"""Markdown to blocks, by the block grammar of CommonMark 0.31 with GFM tables."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from oncall_tui.corpus.blocks import Block, BlockKind
from oncall_tui.models import LineSpan
from oncall_tui.text import single_line

_INLINE_MARKS: Final = re.compile(r"(?<!\\)[*`]+|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ANCHOR: Final = re.compile(r"\s*\{#[^}]*\}\s*$|<[^>]+>")
_LONGEST_TITLE: Final = 500
"""Characters of a heading that are read: what is longer is no title, and a hostile one costs time."""

_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"inline_definitions": True}).enable("table")  # links' targets are text too
    parser.core.ruler.disable(["inline"], ignoreInvalid=True)  # blocks only: ten times faster
    parser.parse("")  # compiles the rules, which two threads must not do at once
    return parser


_PARSER: Final = _block_parser()


def parse(text: str, start: int = 0) -> Iterator[Block]:
    """Yield the blocks of ``text`` from line ``start`` on, in order, without overlaps."""
    body = "\n" * start + "\n".join(text.split("\n")[start:])
    tokens = _PARSER.parse(body)
    index = 0
    while index < len(tokens):
        end = _closing(tokens, index)
        yield from _blocks(tokens[index : end + 1])
        index = end + 1


def _closing(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the token that closes the one at ``index``."""
    if tokens[index].nesting != 1:
        return index
    depth = 0
    for position in range(index, len(tokens)):
        depth += tokens[position].nesting
        if depth == 0:
            return position
    return len(tokens) - 1


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    opening = tokens[0]
    if opening.map is None:
        return
    span = LineSpan(*opening.map)
    match opening.type:
        case "heading_open":
            title = heading_text(tokens[1].content)
            yield Block(BlockKind.HEADING, span, int(opening.tag[1:]), title)
        case "paragraph_open":
            yield Block(BlockKind.PARAGRAPH, span)
        case "fence" | "code_block":
            yield Block(BlockKind.CODE, span)
        case "bullet_list_open" | "ordered_list_open":
            yield from _children(tokens, "list_item_open", BlockKind.ITEM)
        case "table_open":
            yield from _rows(tokens)
        case _:
            yield Block(BlockKind.OTHER, span)


def _children(tokens: Sequence[Token], kind: str, block: BlockKind) -> Iterator[Block]:
    """Yield a block for each direct child of the given kind."""
    level = tokens[0].level + 1
    for token in tokens:
        if token.type == kind and token.level == level and token.map:
            yield Block(block, LineSpan(*token.map))


def _rows(tokens: Sequence[Token]) -> Iterator[Block]:
    """Yield the table's rows; the head keeps the delimiter line under it."""
    for token in tokens:
        if token.type == "tr_open" and token.map:
            first, last = token.map
            is_head = token.level == tokens[0].level + 2 and first == (tokens[0].map or (0, 0))[0]
            yield Block(BlockKind.ROW, LineSpan(first, last + 1 if is_head else last))


def heading_text(source: str) -> str:
    """Return a heading's source as plain words: no emphasis, links, anchors or code marks."""
    text = _LINK.sub(r"\1", source[:_LONGEST_TITLE])
    text = _ANCHOR.sub("", text)
    text = _INLINE_MARKS.sub("", text)
    return single_line(_ESCAPED.sub(r"\1", text))
