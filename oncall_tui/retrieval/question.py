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

_FILTER: Final = re.compile(r"(?<!\S)(service|type|owner|tag|path|trust|valid):(\"[^\"]+\"|\S+)")

_FUNCTION_WORDS: Final = frozenset(
    """
    的 了 吗 呢 吧 啊 么 是 在 我 你 这 那 个 些 就 都 也 还 又 再 很 怎 什
    何 哪 谁 多 少 几 要 该 去 来 着 过 得 之 一 怎么 么办 什么 如何 怎样 为什
    哪些 哪个 可以 应该 需要 这个 那个 一个 一下 还是 是否 多少 了怎 办 一直 老是
    总是
    """.split()  # noqa: SIM905 - a list of words reads as words
)
"""Chinese words that ask rather than name. Runbooks hardly use them, so their idf is high, and a
page that happens to hold one would lead. Negations are not among them."""

_FUNCTION_WORD_WEIGHT: Final = 0.5


@dataclass(frozen=True, slots=True)
class Question:
    """A question, ready to be ranked for."""

    text: str
    """The text without controls and filters."""
    tokens: Mapping[str, float] = field(default_factory=dict)
    """How often each token occurs."""
    expansions: Mapping[str, float] = field(default_factory=dict)
    """Tokens of other words for the same, from the glossary, with their weights."""
    language: str = "en"
    filters: Filters = field(default_factory=Filters)

    @property
    def weights(self) -> dict[str, float]:
        """What each token counts in the share of the question: its number, less for a function word."""
        return {
            token: count * (_FUNCTION_WORD_WEIGHT if token in _FUNCTION_WORDS else 1.0)
            for token, count in self.tokens.items()
        }


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
