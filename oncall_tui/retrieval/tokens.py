"""The one tokenizer, for documents and questions alike.

An identifier is kept whole *and* split: ``redis_blocked_clients`` gives itself, ``redis``,
``blocked`` and ``clients``; ``/etc/nginx/nginx.conf`` gives itself, ``nginx.conf`` and its
parts; ``KubePodCrashLooping`` gives itself and its words. Chinese, Japanese and Korean text
gives every character and every pair of neighbours, so it needs no dictionary. Nothing is
dropped: "no", "not" and "without" decide what a sentence says, and BM25 weighs common words
down by itself.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from oncall_tui.text import IDEOGRAPHIC, fold, normalize

TOKENIZER_VERSION: Final = 1
"""Raise it with every change of the tokens: an index made by another version is rebuilt."""

_LETTER: Final = r"0-9A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u1fff"
_WORD: Final = re.compile(
    rf"""
      -{{0,2}}/? [{_LETTER}]+ (?: [.:/@=+~%\-\#]+ [{_LETTER}]+ )*   # words, identifiers, paths, flags, host:port
    | [{IDEOGRAPHIC}]+                                              # a run without spaces
    | (?<!\S) / (?!\S)                                              # "and/or" as an operator of its own
    """,
    re.VERBOSE,
)
_JOINTS: Final = tuple(re.compile(joint) for joint in (r"[/@=:+~%#]+", r"\.+", r"[_\-]+"))
"""What joins the parts of an identifier, from the outside in."""

_CAMEL: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+")
_MIXED_CASE: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHIC}]")
_MAX_LENGTH: Final = 200
"""Longer whole tokens (embedded images, keys) are cut: nobody types them, and they fill the index."""


def tokenize(text: str) -> list[str]:
    """Return the tokens of ``text`` in order, repeats included."""
    tokens: list[str] = []
    for word in _WORD.findall(normalize(text)):
        tokens.extend(_tokens_of(word))
    return tokens


@lru_cache(maxsize=200_000)
def _tokens_of(word: str) -> tuple[str, ...]:
    if _IDEOGRAPH.match(word):
        return (*word, *(first + second for first, second in pairwise(word)))
    return tuple(dict.fromkeys(_identifier(word)))


def _identifier(word: str) -> Iterator[str]:
    """Yield the whole word, then its segments, then their parts; the caller drops repeats."""
    word = word[:_MAX_LENGTH]
    if word.startswith("-"):
        yield fold(word)  # a flag as it is typed: --dry-run
        word = word.lstrip("-")
    yield fold(word).strip("/") or word
    parts = [word]
    for joint in _JOINTS:
        parts = [part for whole in parts for part in joint.split(whole) if part]
        yield from map(fold, parts)
    for part in parts:
        if _MIXED_CASE.search(part):
            yield from map(fold, _CAMEL.findall(part))


def is_identifier(token: str) -> bool:
    """Return whether a token looks like a name that people copy, not a word they say.

    A joint or a digit among letters makes a name; a hyphen alone does not ("built-in").
    """
    has_digit = any(character.isdigit() for character in token)
    has_letter = any(character.isalpha() for character in token)
    return (has_digit and has_letter) or bool(re.search(r"\w[._:/@=]\w|^--?\w", token))
