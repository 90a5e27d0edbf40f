"""The glossary: other words for what a question says, above all in the other language.

One entry a line, its terms joined by `` = ``; a line that starts with ``#`` is a comment. A term
that stands in the question brings in the other terms of its entry.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from oncall_tui.errors import ConfigError
from oncall_tui.retrieval.tokens import tokenize
from oncall_tui.text import IDEOGRAPHIC, fold, strip_controls

_JOINT: Final = " = "
_LATIN_WORD: Final = re.compile(r"[a-z0-9][a-z0-9_.+/\-]*")
_IDEOGRAPHS: Final = re.compile(f"[{IDEOGRAPHIC}]+")


@dataclass(frozen=True, slots=True)
class Glossary:
    """Terms by entry, and the entries by folded term."""

    entries: tuple[tuple[str, ...], ...] = ()
    by_term: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    longest_words: int = 0
    longest_ideographs: int = 0
    mixed: tuple[str, ...] = ()
    """Terms that are neither words nor ideographs alone, such as ``io 错误``."""

    @classmethod
    def of(cls, entries: Iterable[tuple[str, ...]]) -> Self:
        """Return the glossary of some entries."""
        kept = tuple(entries)
        by_term: dict[str, tuple[int, ...]] = {}
        for number, terms in enumerate(kept):
            for term in dict.fromkeys(map(fold, terms)):
                by_term[term] = (*by_term.get(term, ()), number)
        return cls(
            kept,
            by_term,
            max((len(_LATIN_WORD.findall(term)) for term in by_term), default=0),
            max((len(term) for term in by_term if _IDEOGRAPHS.fullmatch(term)), default=0),
            tuple(term for term in by_term if not _is_plain(term)),
        )

    @classmethod
    def load(cls, *files: Path) -> Self:
        """Return the entries of all files together.

        Raises:
            ConfigError: If a file cannot be read, or a line has fewer than two terms.
        """
        return cls.of(entry for file in files for entry in _read(file))

    def expand(self, text: str) -> dict[str, float]:
        """Return the tokens that other words for the text's terms have, with their weights.

        A token of a term of many tokens says less: its weight is one over their root. Tokens
        that the text has itself are left out.
        """
        own = set(tokenize(text))
        expansions: dict[str, float] = {}
        for term in self.terms_in(text):
            for entry in self.by_term[term]:
                for other in self.entries[entry]:
                    tokens = tokenize(other) if fold(other) != term else []
                    weight = len(tokens) ** -0.5 if tokens else 0.0
                    for token in tokens:
                        if token not in own:
                            expansions[token] = max(expansions.get(token, 0.0), weight)
        return expansions

    def terms_in(self, text: str) -> list[str]:
        """Return the glossary's terms that stand in a text, longest first at each place."""
        folded = fold(text)
        mixed = (term for term in self.mixed if term in folded)
        return list(dict.fromkeys((*mixed, *self._latin_terms(folded), *self._ideographic_terms(folded))))

    def _latin_terms(self, text: str) -> Iterator[str]:
        words = _LATIN_WORD.findall(text)
        place = 0
        while place < len(words):
            for count in range(min(self.longest_words, len(words) - place), 0, -1):
                if (term := " ".join(words[place : place + count])) in self.by_term:
                    yield term
                    place += count - 1
                    break
            place += 1

    def _ideographic_terms(self, text: str) -> Iterator[str]:
        for run in _IDEOGRAPHS.findall(text):
            place = 0
            while place < len(run):
                for count in range(min(self.longest_ideographs, len(run) - place), 0, -1):
                    if (term := run[place : place + count]) in self.by_term:
                        yield term
                        place += count - 1
                        break
                place += 1


def _is_plain(term: str) -> bool:
    return bool(_IDEOGRAPHS.fullmatch(term)) or " ".join(_LATIN_WORD.findall(term)) == term


def _read(file: Path) -> Iterator[tuple[str, ...]]:
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The glossary {file} cannot be read.", hint=str(error)) from error
    for number, line in enumerate(lines, 1):
        cleaned = strip_controls(line).strip()
        if cleaned and not cleaned.startswith("#"):
            terms = tuple(term.strip() for term in cleaned.split(_JOINT) if term.strip())
            if len(terms) == 1:
                msg = f"{file}, line {number} has one term only: {terms[0]!r}."
                raise ConfigError(msg, hint="An entry is written: certificate = cert = 证书")
            yield terms
