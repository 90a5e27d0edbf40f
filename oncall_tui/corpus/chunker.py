"""Documents to chunks, split at the document's own joints.

The structural splitter never cuts inside a heading's line, a fence, a list item (a step with
its command and its warning), a table row or a sentence, as long as the piece is below a hard
ceiling. The fixed-size splitter is the baseline that ``oncall eval --chunking`` compares with.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, zip_longest
from typing import Final

from oncall_tui.corpus.blocks import Block, BlockKind
from oncall_tui.corpus.loaders import BlockParser
from oncall_tui.errors import ConfigError
from oncall_tui.models import Chunk, Document, LineSpan
from oncall_tui.text import IDEOGRAPHIC

CHUNKER_VERSION: Final = 2
"""Raise it when the same file would give other metadata or passages: files are read again."""

_CEILING: Final = 5
"""A piece that must stay whole may be this many times the size; a log dump may not."""

_IDEOGRAPH_WEIGHT: Final = 2.3
"""An ideograph costs the embedder as many tokens as 2.3 characters of Latin text."""

_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHIC}]")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9`*\"'(\[])|(?<=[。！？；])")
_LEADS_IN: Final = re.compile(r"[:：]\s*$")


@dataclass(frozen=True, slots=True)
class ChunkSize:
    """How large chunks become.

    ``size`` is in characters of Latin text, an ideograph counting 2.3; 1,500 is about 450 of
    the 512 tokens the bundled model reads. ``overlap`` is how much of a chunk's end the next
    one of the same section repeats.

    Raises:
        ConfigError: Unless ``0 <= overlap < size``.
    """

    size: int = 1500
    overlap: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            msg = f"The overlap of passages must be at least 0 and below the size, not {self.overlap} of {self.size}."
            raise ConfigError(msg, hint="Set chunk_overlap to 0, or chunk_size to more than the overlap.")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines (or a part of one very long line) that stay together."""

    span: LineSpan
    text: str
    column: int = 0
    """Where a part starts in its line."""


@dataclass(frozen=True, slots=True)
class _Section:
    heading_path: tuple[str, ...]
    level: int
    blocks: tuple[Block, ...]

    @property
    def is_bare(self) -> bool:
        """Whether the section is nothing but its heading."""
        return all(block.kind is BlockKind.HEADING for block in self.blocks)


def split(document: Document, parse: BlockParser, size: ChunkSize) -> tuple[Chunk, ...]:
    """Return the chunks of ``document`` in order, split at its joints."""
    lines = document.lines
    found: list[tuple[tuple[str, ...], _Piece]] = []
    for section in _kept(list(_sections(parse(document.text, document.body_start)))):
        pieces = list(_pieces(section.blocks, lines, size))
        found.extend((section.heading_path, packed) for packed in _pack(pieces, lines, size))
    return _number(document, found)


def split_fixed(document: Document, parse: BlockParser, size: ChunkSize) -> tuple[Chunk, ...]:
    """Return chunks of a fixed number of characters, blind to structure: the baseline."""
    sections = list(_sections(parse(document.text, document.body_start)))
    starts = [(section.blocks[0].span.start, section.heading_path) for section in sections]
    text = "\n".join(document.lines[document.body_start :])
    found: list[tuple[tuple[str, ...], _Piece]] = []
    for start in range(0, max(len(text) - size.overlap, 1), size.size - size.overlap):
        part = text[start : start + size.size]
        if not part.strip():
            continue
        first = document.body_start + text.count("\n", 0, start)
        span = LineSpan(first, first + part.rstrip("\n").count("\n") + 1)
        path = next((path for line, path in reversed(starts) if line <= first), ())
        found.append((path, _Piece(span, part)))
    return _number(document, found)


def _number(document: Document, found: Sequence[tuple[tuple[str, ...], _Piece]]) -> tuple[Chunk, ...]:
    return tuple(
        Chunk(
            id=f"{document.id}:{index}",
            document_id=document.id,
            path=document.path,
            heading_path=heading_path,
            span=piece.span,
            text=piece.text,
            metadata=document.metadata,
        )
        for index, (heading_path, piece) in enumerate(found)
    )


def _sections(blocks: Iterator[Block]) -> Iterator[_Section]:
    """Group blocks under the headings above them."""
    path: list[tuple[int, str]] = []
    gathered: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            if gathered:
                yield _section(path, gathered)
            path = [*(entry for entry in path if entry[0] < block.level), (block.level, block.title)]
            gathered = [block]
        else:
            gathered.append(block)
    if gathered:
        yield _section(path, gathered)


def _section(path: Sequence[tuple[int, str]], blocks: Sequence[Block]) -> _Section:
    titles = tuple(title for _, title in path if title)
    return _Section(titles, path[-1][0] if path else 0, tuple(blocks))


def _kept(sections: Sequence[_Section]) -> Iterator[_Section]:
    """Drop a bare heading when a deeper one follows: that one's heading path carries its words."""
    for section, following in pairwise(sections):
        if not (section.is_bare and following.level > section.level):
            yield section
    yield from sections[-1:]


def _weigh(text: str) -> float:
    """Return the length of ``text`` in characters of Latin text."""
    return len(text) + (_IDEOGRAPH_WEIGHT - 1) * len(_IDEOGRAPH.findall(text))


def _pieces(blocks: Sequence[Block], lines: Sequence[str], size: ChunkSize) -> Iterator[_Piece]:
    """Turn blocks into pieces that are small enough, or whole by right."""
    for start, block in _glued(blocks, lines):
        glued = Block(block.kind, LineSpan(start, block.span.stop))
        if _fits(glued, lines, size):
            yield from _whole(glued.span, lines)
        elif block.kind is not BlockKind.PARAGRAPH and start < block.span.start and _fits(block, lines, size):
            yield from _cut(LineSpan(start, block.span.start), lines, size.size)
            yield from _whole(block.span, lines)
        else:
            yield from _cut(glued.span, lines, size.size)


def _fits(block: Block, lines: Sequence[str], size: ChunkSize) -> bool:
    """Return whether a block may stay whole: prose up to the size, all else up to the ceiling."""
    limit = size.size if block.kind is BlockKind.PARAGRAPH else size.size * _CEILING
    return _weigh("\n".join(lines[block.span.start : block.span.stop]).rstrip()) <= limit


def _glued(blocks: Sequence[Block], lines: Sequence[str]) -> Iterator[tuple[int, Block]]:
    """Yield each block with the line at which what leads in to it starts.

    A heading leads in to what follows, and a line that ends in a colon to what it announces.
    """
    start: int | None = None
    for block, following in zip_longest(blocks, blocks[1:]):
        start = block.span.start if start is None else start
        leads_in = following is not None and (block.kind is BlockKind.HEADING or _announces(block, lines))
        is_cut_off = following is not None and _hides(lines, block.span.stop, following.span.start)
        if leads_in and not is_cut_off:
            continue
        if not (is_cut_off and block.kind is BlockKind.HEADING):  # its words are in the heading path
            yield start, block
        start = None


def _hides(lines: Sequence[str], start: int, stop: int) -> bool:
    """Return whether something stands between two blocks that is no text of the page, such as a comment."""
    return any(lines[number].strip() for number in range(start, stop))


def _announces(block: Block, lines: Sequence[str]) -> bool:
    return block.kind is BlockKind.PARAGRAPH and bool(_LEADS_IN.search(lines[block.span.stop - 1]))


def _cut(span: LineSpan, lines: Sequence[str], limit: int) -> Iterator[_Piece]:
    """Cut a piece that is too long at line ends, and a line that is too long at sentence ends."""
    start, weight = span.start, 0.0
    for number in range(span.start, span.stop):
        line_weight = _weigh(lines[number]) + 1
        if weight and weight + line_weight > limit:
            yield from _whole(LineSpan(start, number), lines)
            start, weight = number, 0.0
        if line_weight > limit:
            yield from _cut_line(number, lines[number], limit)
            start, weight = number + 1, 0.0
        else:
            weight += line_weight
    if start < span.stop:
        yield from _whole(LineSpan(start, span.stop), lines)


def _whole(span: LineSpan, lines: Sequence[str]) -> Iterator[_Piece]:
    """Yield the lines as one piece without the blank ones at either end."""
    kept = [number for number in range(span.start, span.stop) if lines[number].strip()]
    if kept:
        start, stop = kept[0], kept[-1] + 1
        yield _Piece(LineSpan(start, stop), "\n".join(lines[start:stop]).rstrip())


def _cut_line(number: int, line: str, limit: int) -> Iterator[_Piece]:
    """Cut one line into verbatim parts, each as many whole sentences as fit."""
    start = stop = 0
    weight = 0.0
    for end in _joints(line, limit):
        added = _weigh(line[stop:end])
        if weight + added > limit:
            yield from _part(number, line, start, stop)
            start, weight = stop, 0.0
        stop, weight = end, weight + added
    yield from _part(number, line, start, len(line))


def _part(number: int, line: str, start: int, stop: int) -> Iterator[_Piece]:
    text = line[start:stop]
    if text.strip():
        blanks = len(text) - len(text.lstrip())
        yield _Piece(LineSpan(number, number + 1), text.strip(), start + blanks)


def _joints(line: str, limit: int) -> Iterator[int]:
    """Yield where a line may be cut: after sentences; inside one beyond the limit at a space, or anywhere."""
    start = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(line)), len(line)):
        while end - start > limit or _weigh(line[start:end]) > limit:
            reach = _reach(line, start, limit)
            space = line.rfind(" ", (start + reach) // 2, reach)
            start = reach if space < 0 else space + 1
            yield start
        start = end
        yield end


def _reach(line: str, start: int, limit: int) -> int:
    """Return the end of the longest part from ``start`` on that is within the limit, or one character on."""
    window = line[start : start + limit]
    if window.isascii():
        return start + len(window)
    return start + max(sum(weight <= limit for weight in accumulate(map(_weigh, window))), 1)


def _pack(pieces: Sequence[_Piece], lines: Sequence[str], size: ChunkSize) -> Iterator[_Piece]:
    """Put neighbouring pieces together while they fit, repeating the overlap."""
    held: list[_Piece] = []
    weight = 0.0
    for piece in pieces:
        added = _weigh(piece.text)
        is_cut_off = bool(held) and _hides(lines, held[-1].span.stop, piece.span.start)
        if held and (is_cut_off or weight + added > size.size):
            yield _joined(held, lines)
            held = [] if is_cut_off else _tail(held, size.overlap)
            weight = sum(_weigh(kept.text) for kept in held)
        held.append(piece)
        weight += added
    if held:
        yield _joined(held, lines)


def _tail(pieces: Sequence[_Piece], overlap: int) -> list[_Piece]:
    kept: list[_Piece] = []
    weight = 0.0
    for piece in reversed(pieces):
        weight += _weigh(piece.text)
        if weight > overlap:
            break
        kept.insert(0, piece)
    return kept


def _joined(pieces: Sequence[_Piece], lines: Sequence[str]) -> _Piece:
    """Return the pieces as one, with the lines between them as they are in the file."""
    if len(pieces) == 1:
        return pieces[0]
    span = LineSpan(pieces[0].span.start, pieces[-1].span.stop)
    if _is_whole(pieces[0], lines) and _is_whole(pieces[-1], lines):
        return _Piece(span, "\n".join(lines[span.start : span.stop]).rstrip())
    text = pieces[0].text
    for before, piece in pairwise(pieces):
        # As many line feeds as in the file, so that a line of the text is a line of the span.
        breaks = "\n" * (piece.span.start - before.span.stop + 1)
        text += breaks or lines[piece.span.start][before.column + len(before.text) : piece.column]
        text += piece.text
    return _Piece(span, text)


def _is_whole(piece: _Piece, lines: Sequence[str]) -> bool:
    return piece.text == "\n".join(lines[piece.span.start : piece.span.stop]).rstrip()
