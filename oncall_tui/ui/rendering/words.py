"""The words of a question that a passage holds: for people to read, and to mark in a text."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from oncall_tui.text import IDEOGRAPHIC, fold

_COMMON: Final = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by can do does for from has have how i if in is it its my of on or our so that the "
        "their there they this to up was we were what when where which who why will with you your",
    )
)
"""Words that say nothing about a match; "no", "not" and "without" are not among them."""

_WORD: Final = re.compile(rf"[{IDEOGRAPHIC}]+|[^\s{IDEOGRAPHIC}]+")
_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHIC}]")


def readable(question: str, tokens: Iterable[str]) -> tuple[str, ...]:
    """Return tokens as a person would list them, in the order of the question.

    Chinese and Japanese text is indexed by characters and pairs; here they are joined again
    to the longest stretches of the question that they cover.
    """
    held = set(tokens)
    stretches = [stretch for run in _WORD.findall(fold(question)) for stretch in _stretches(run, held)]
    latin = [token for token in tokens if not _IDEOGRAPH.match(token) and token not in _COMMON]
    return tuple(dict.fromkeys((*latin, *stretches)))


def _stretches(run: str, held: set[str]) -> Iterator[str]:
    """Yield the parts of a run of ideographs whose neighbours stand together in the passage."""
    if not _IDEOGRAPH.match(run):
        return
    current = ""
    for character in run:
        if current and current[-1] + character in held:
            current += character
            continue
        if len(current) > 1:
            yield current
        current = character if character in held else ""
    if len(current) > 1:
        yield current


def pattern_of(words: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds the words in a text, longest first and whole where words have borders."""
    parts = []
    for word in sorted(set(words), key=lambda word: (-len(word), word)):
        escaped = re.escape(word)
        parts.append(escaped if _IDEOGRAPH.match(word) else rf"(?<![0-9A-Za-z]){escaped}(?![0-9A-Za-z])")
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None
