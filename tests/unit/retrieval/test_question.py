"""What the user typed, taken apart."""

import pytest

from oncall_tui.errors import QuestionError
from oncall_tui.models import Filters
from oncall_tui.retrieval.expand import Glossary
from oncall_tui.retrieval.filters import FilterValues
from oncall_tui.retrieval.question import MAX_LENGTH, Question, analyse

VALUES = FilterValues(
    frozenset({"redis", "mysql"}), frozenset({"infra team"}), frozenset({"cache"}), frozenset({"zh/redis.md"})
)
GLOSSARY = Glossary.of([("out of memory", "oom", "内存溢出")])


def asked(text: str, filters: Filters | None = None) -> Question:
    return analyse(text, filters or Filters(), VALUES, GLOSSARY)


def test_a_word_weighs_as_often_as_it_occurs() -> None:
    assert dict(asked("redis redis timeout").tokens) == {"redis": 2.0, "timeout": 1.0}


def test_a_filter_in_the_question_is_no_word_of_it() -> None:
    question = asked("slow service:redis queries")
    assert question.text == "slow queries"
    assert question.filters.service == ("redis",)
    assert "redis" not in question.tokens


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("x service:MySQL", Filters(service=("mysql",))),
        ('x owner:"infra team"', Filters(owner=("infra team",))),
        ("x tag:cache", Filters(tag=("cache",))),
        ("x type:case_study", Filters(type=("case study",))),
        ("x trust:4", Filters(min_trust=4)),
        ("x path:zh/", Filters(path=("zh/",))),
        ("service:redis x service:mysql", Filters(service=("redis", "mysql"))),
    ],
)
def test_every_kind_of_filter_can_stand_in_a_question(text: str, filters: Filters) -> None:
    assert asked(text).filters == filters


@pytest.mark.parametrize("text", ["service:kafka down", "level:error", "http://service:redis", "trust:9", "type:none"])
def test_what_only_looks_like_a_filter_stays_a_word(text: str) -> None:
    question = asked(text)
    assert question.text == text
    assert question.filters.is_empty


def test_filters_of_the_question_join_those_that_were_given() -> None:
    assert asked("x service:redis", Filters(tag=("cache",))).filters == Filters(service=("redis",), tag=("cache",))


def test_other_words_for_the_same_come_from_the_glossary() -> None:
    question = asked("the pod is out of memory")
    assert "oom" in question.expansions
    assert not question.expansions.keys() & question.tokens.keys()


@pytest.mark.parametrize(("text", "language"), [("disk is full", "en"), ("磁盘空间不足", "zh")])
def test_the_language_of_a_question_is_known(text: str, language: str) -> None:
    assert asked(text).language == language


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x1b[31m", "?!", "service:redis", "\ud800"])
def test_a_question_that_asks_nothing_is_an_error_that_shows_how_to_ask(text: str) -> None:
    with pytest.raises(QuestionError, match="empty") as caught:
        asked(text)
    assert caught.value.exit_code == 2
    assert "oncall search" in caught.value.hint


def test_a_pasted_log_is_read_and_a_book_is_not() -> None:
    assert len(asked("a" * MAX_LENGTH).text) == MAX_LENGTH
    with pytest.raises(QuestionError, match="20,001 characters"):
        asked("a" * (MAX_LENGTH + 1))


def test_escape_codes_in_a_pasted_line_are_dropped() -> None:
    assert asked("\x1b[31mredis\x1b[0m timeout\x07").text == "redis timeout"


def test_a_path_that_no_page_has_stays_a_word() -> None:
    question = asked("path:/api/v1/users consumer lag")
    assert question.filters == Filters()
    assert "users" in question.tokens
