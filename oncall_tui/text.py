"""Text hygiene: the one place where foreign text becomes safe text.

Everything that enters from a file, a command line, a model or a clipboard passes
:func:`strip_controls` once. After that no part of the program needs to think about
escape codes, and no document text is ever parsed as markup.
"""

import re
import unicodedata
from typing import Final

_ESCAPE_SEQUENCES: Final = re.compile(
    r"""
      (?:\x1b\]|\x9d(?=\d+;)) [^\x07\x1b\x9c\n]* (?:\x07|\x1b\\|\x9c)?  # OSC: titles, links, clipboard
    | \x1b[PX^_] [^\x1b\x9c\n]* (?:\x1b\\|\x9c)?                       # DCS, SOS, PM, APC
    | (?:\x1b\[|\x9b(?=[\d;?]+[@-~])) [0-?]* [ -/]* [@-~]?             # CSI: colours, cursor
    | \x1b [ -/]* [0-~]?                                               # other escapes
    """,
    re.VERBOSE,
)
"""Control functions of ECMA-48, each with the payload that a terminal would swallow.

The one-character introducers U+0080-9F are also what a mis-encoded quotation mark turns into, so
theirs must look like a payload before it goes; otherwise only the character itself is dropped.
"""

_INVISIBLE: Final = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # C0 and C1 without tab and the line breaks handled below
    "\xad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # zero width and bidi
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # joiners and fillers that are drawn as nothing
    "\ufe00-\ufe0d\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # variants but those of emoji; shorthand, music
    "\U000e0000-\U000e0fff"  # tags and variation selectors: text a reader cannot see
    "\ud800-\udfff"  # lone surrogates cannot be written as UTF-8
    "]"
)
_SOFT_BREAKS: Final = re.compile("[\r\x0b\x0c\x85\u2028\u2029]")
_SPACES: Final = re.compile(r"\s+")

_CJK: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_KANA: Final = "\u3040-\u30ff\u31f0-\u31ff"
_HANGUL: Final = "\uac00-\ud7a3"
IDEOGRAPHIC: Final = f"{_CJK}{_KANA}{_HANGUL}"
"""Character-class body of the scripts that are written without spaces between words."""

_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHIC}]")
_KANA_LETTER: Final = re.compile(f"[{_KANA}]")
_HANGUL_LETTER: Final = re.compile(f"[{_HANGUL}]")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}")

_IDEOGRAPHIC_SHARE: Final = 0.2
"""From this share of ideographs among words on, a text counts as not Latin."""


def strip_controls(text: str) -> str:
    r"""Return ``text`` without anything a terminal would act on or a reader cannot see.

    Line feeds stay exactly as they are, so line numbers do not move; ``\r\n`` becomes ``\n``
    and every other vertical break becomes a space, because editors do not count it as a line.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    text = _ESCAPE_SEQUENCES.sub("", text)
    text = _SOFT_BREAKS.sub(" ", text)
    return _INVISIBLE.sub("", text)


def single_line(text: str) -> str:
    """Return ``text`` on one line with runs of white space collapsed."""
    return _SPACES.sub(" ", text).strip()


def ellipsize(text: str, width: int) -> str:
    """Return ``text`` on one line and at most ``width`` characters long."""
    text = single_line(text)
    if len(text) <= width:
        return text
    return text[: width - 1].rstrip() + "…" if width > 0 else ""


def language_of(text: str) -> str:
    """Return ``"zh"``, ``"ja"``, ``"ko"`` or ``"en"`` (which stands for every Latin script).

    A decision by script is enough here: it picks the direction that is subtracted from a
    vector, and the model's languages differ mostly by script.
    """
    ideographs = len(_IDEOGRAPH.findall(text))
    words = len(_LATIN_WORD.findall(text))
    # An ideograph is about half a word.
    if ideographs < 2 * words * _IDEOGRAPHIC_SHARE or not ideographs:
        return "en"
    if len(_HANGUL_LETTER.findall(text)) * 2 > ideographs:
        return "ko"
    if len(_KANA_LETTER.findall(text)) * 5 > ideographs:
        return "ja"
    return "zh"


def normalize(text: str) -> str:
    """Return ``text`` in Unicode form NFKC (UAX #15): full-width forms become ASCII."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def fold(text: str) -> str:
    """Return ``text`` in the form in which it is compared: NFKC, no case, no accents.

    Accents are dropped from Latin letters only, since the marks of other scripts carry meaning.
    """
    text = normalize(text).casefold()
    return text if text.isascii() else _fold_accents(text)


def _fold_accents(text: str) -> str:
    folded = []
    for character in text:
        base = unicodedata.normalize("NFD", character)[0]
        folded.append(base if base.isascii() and base.isalpha() else character)
    return "".join(folded)
