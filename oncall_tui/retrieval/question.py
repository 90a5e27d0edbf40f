"""What the user typed, taken apart once: words, filters, language."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from oncall_tui.errors import QuestionError
from oncall_tui.models import Filters
from oncall_tui.retrieval.expand import Glossary
from oncall_tui.retrieval.filters import FilterValues, merge, parse_pairs
from oncall_tui.retrieval.tokens import tokenize
from oncall_tui.text import language_of, single_line, strip_controls

MAX_LENGTH: Final = 20_000
"""Longest question in characters: a pasted alert or log, not a book."""

_FILTER: Final = re.compile(r"(?<!\S)(service|type|owner|tag|path|trust):(\"[^\"]+\"|\S+)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, ready to be ranked for."""

    text: str
    """The text without controls and filters."""
    tokens: Mapping[str, float] = field(default_factory=dict)
    """Weight of each token: how often it occurs."""
    expansions: Mapping[str, float] = field(default_factory=dict)
    """Tokens of other words for the same, from the glossary, with their weights."""
    language: str = "en"
    filters: Filters = field(default_factory=Filters)


def analyse(text: str, filters: Filters, values: FilterValues, glossary: Glossary) -> Question:
    """Take a question apart.

    ``service:redis`` becomes a filter if the index has such a value, and stays a word if not:
    logs are full of colons.

    Raises:
        QuestionError: If nothing is left to search for, or the text is longer than a question.
    """
    cleaned = strip_controls(text)
    if len(cleaned) > MAX_LENGTH:
        msg = f"The question is {len(cleaned):,} characters long; at most {MAX_LENGTH:,} are read."
        raise QuestionError(msg, hint="Paste the telling lines only.")
    found: list[tuple[str, str]] = []

    def take(match: re.Match[str]) -> str:
        name, value = match[1], match[2].strip('"')
        if not values.knows(name, value):
            return match[0]
        found.append((name, value))
        return ""

    words = single_line(_FILTER.sub(take, cleaned))
    tokens = Counter(tokenize(words))
    if not tokens:
        raise QuestionError("The question is empty.", hint='Ask in words, for example: oncall search "redis timeout"')
    weights = {token: float(count) for token, count in tokens.items()}
    return Question(
        words, weights, glossary.expand(words), language_of(words), merge(filters, parse_pairs(found, values))
    )
