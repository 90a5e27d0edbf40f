"""What holds for the tokens of any text."""

import re

from hypothesis import given
from hypothesis import strategies as st

from oncall_tui.retrieval.tokens import tokenize
from oncall_tui.text import strip_controls

PARTS = st.sampled_from(
    [
        "redis",
        "Kube",
        "OOM",
        "nginx.conf",
        "503",
        "磁盘",
        "再起動",
        "é",
        "_",
        "-",
        "--",
        "/",
        ".",
        ":",
        "@",
        "=",
        "%",
        "#",
        "+",
    ]
)
WORDS = st.one_of(
    st.lists(PARTS, min_size=1, max_size=6).map("".join),
    st.text(min_size=1, max_size=20).map(lambda text: "".join(strip_controls(text).split())),
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)
IDENTIFIERS = st.from_regex(re.compile(r"[A-Za-z0-9]+(?:[._/:=-][A-Za-z0-9]+){0,4}", re.ASCII), fullmatch=True).filter(
    lambda word: len(word) < 100
)


@given(TEXTS)
def test_a_text_has_the_tokens_of_its_words_in_order(text: str) -> None:
    assert tokenize(text) == [token for word in text.split() for token in tokenize(word)]


@given(TEXTS, st.sampled_from([" ", "\n", "\t", "\u3000", "  "]))
def test_the_white_space_between_words_does_not_count(text: str, space: str) -> None:
    assert tokenize(space.join(text.split())) == tokenize(text)


@given(TEXTS)
def test_no_token_is_empty_or_holds_white_space(text: str) -> None:
    assert all(token.split() == [token] for token in tokenize(text))


@given(TEXTS)
def test_no_token_is_longer_than_the_ceiling(text: str) -> None:
    assert all(len(token) <= 200 for token in tokenize(text * 30))


@given(IDENTIFIERS)
def test_an_identifier_is_found_as_it_is_typed_in_any_case(word: str) -> None:
    assert word.lower() in tokenize(word)
    assert set(tokenize(word.lower())) <= set(tokenize(word))


@given(IDENTIFIERS)
def test_the_parts_of_an_identifier_are_found_one_by_one(word: str) -> None:
    assert set(re.split(r"[._/:=-]", word.lower())) <= set(tokenize(word))


@given(IDENTIFIERS, st.sampled_from(["-", "--"]))
def test_any_flag_is_found_with_and_without_its_dashes(word: str, dashes: str) -> None:
    assert {dashes + word.lower(), *tokenize(word)} <= set(tokenize(dashes + word))


@given(IDENTIFIERS, st.sampled_from(["({})", "`{}`", "**{}**", "{},", "{}.", "“{}”", "用{}查", "[{}](x)", "{}:"]))
def test_an_identifier_is_found_in_any_wrapping(word: str, wrapping: str) -> None:
    assert set(tokenize(word)) <= set(tokenize(wrapping.format(word)))


@given(st.text(st.sampled_from("磁盘空间不足"), min_size=2))
def test_every_part_of_a_chinese_text_shares_its_tokens(text: str) -> None:
    middle = text[len(text) // 3 : len(text) // 3 + 4]
    assert set(tokenize(middle)) <= set(tokenize(text))
