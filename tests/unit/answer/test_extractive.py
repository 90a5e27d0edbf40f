"""The default answer: lines of the runbooks, verbatim."""

from collections.abc import Sequence
from datetime import date

import pytest

from oncall_tui.answer.extractive import QUOTAS, ExtractiveAnswerer
from oncall_tui.corpus.units import quotable_units
from oncall_tui.models import Answer, Chunk, Grounding, LineSpan, Passage, Section
from tests.builders import chunks_of, make_chunk, make_evidence, make_passage
from tests.pages import PAGES

TODAY = date(2026, 12, 1)


def answer(passages: Sequence[Passage], question: str = "redis timeout pool", page: Sequence[Chunk] = ()) -> Answer:
    return ExtractiveAnswerer(quotable_units, lambda: TODAY).answer(make_evidence(question, passages), page)


def redis_passages() -> list[Passage]:
    chunks = chunks_of(PAGES["redis.md"])
    return [make_passage(label, chunk, score=1 / label) for label, chunk in enumerate(chunks, 1)]


def test_without_evidence_it_says_so_and_states_nothing() -> None:
    said = answer([])
    assert (said.headline, said.statements, said.grounding) == ("No runbook covers this.", (), Grounding.NONE)


def test_every_statement_stands_word_for_word_at_its_lines() -> None:
    lines = PAGES["redis.md"].split("\n")
    said = answer(redis_passages())
    assert said.statements
    for statement in said.statements:
        (citation,) = statement.citations
        assert "\n".join(lines[citation.span.start : citation.span.stop]).rstrip() == statement.text


def test_every_statement_cites_a_passage_of_the_evidence() -> None:
    said = answer(redis_passages())
    for citation in said.citations:
        passage = said.evidence.find(citation.label)
        assert passage is not None
        assert (citation.citation, citation.source) == (passage.chunk.citation, passage.chunk.path)
        assert passage.chunk.span.start <= citation.span.start < citation.span.stop <= passage.chunk.span.stop


def test_a_step_keeps_its_command() -> None:
    (step,) = [part for part in answer(redis_passages()).statements if "Look at the clients" in part.text]
    assert "redis-cli info clients" in step.text


def test_statements_come_in_the_order_in_which_work_is_done() -> None:
    order = list(Section)
    places = [order.index(statement.section) for statement in answer(redis_passages()).statements]
    assert places == sorted(places)


def test_a_warning_is_a_risk() -> None:
    (risk,) = [part for part in answer(redis_passages()).statements if "FLUSHALL" in part.text]
    assert risk.section is Section.RISKS


def test_what_is_quoted_is_fully_grounded() -> None:
    said = answer(redis_passages())
    assert said.grounding is Grounding.FULL
    assert {statement.verdict for statement in said.statements} == {"supported"}
    assert said.provider == "extractive"


def test_the_same_sentence_on_two_pages_is_said_once() -> None:
    passages = [
        make_passage(1, make_chunk("Raise the pool.")),
        make_passage(2, make_chunk("Raise  the pool.", path="b.md")),
    ]
    assert len(answer(passages).statements) == 1


def test_another_page_is_quoted_only_where_it_bears_on_the_question() -> None:
    other = make_chunk("The pool is small.\n\nUnrelated words.", path="other.md")
    said = answer([make_passage(1, make_chunk("Raise it.")), make_passage(2, other, score=0.9)])
    assert [statement.text for statement in said.statements] == ["Raise it.", "The pool is small."]


def test_another_page_that_fits_far_less_is_not_quoted() -> None:
    other = make_chunk("The pool is small.", path="other.md")
    said = answer([make_passage(1, make_chunk("Raise it.")), make_passage(2, other, score=0.1)])
    assert [statement.text for statement in said.statements] == ["Raise it."]


def test_an_answer_fits_on_a_screen() -> None:
    chunk = make_chunk("\n\n".join(f"Sentence number {number}." for number in range(40)))
    assert len(answer([make_passage(1, chunk)]).statements) == QUOTAS[Section.CONTEXT]


def test_what_the_best_page_says_to_do_is_quoted_though_the_question_did_not_find_it() -> None:
    page = chunks_of(
        "# Queue\n\n## Symptoms\n\nThe queue grows.\n\n## Mitigation\n\n1. Do not panic.\n2. Drain it.\n\n"
        "## Verify\n\nIt is empty.\n"
    )
    said = answer([make_passage(1, page[0])], "queue grows", page)
    steps = [statement.text for statement in said.statements if statement.section is Section.STEPS]
    assert steps == ["1. Do not panic.", "2. Drain it."]
    assert "It is empty." in [statement.text for statement in said.statements if statement.section is Section.VERIFY]


def test_a_passage_that_the_answer_adds_has_a_label_of_its_own() -> None:
    page = chunks_of("# Queue\n\n## Symptoms\n\nThe queue grows.\n\n## Mitigation\n\n1. Drain it.\n")
    said = answer([make_passage(1, page[0])], "queue grows", page)
    (step,) = [statement for statement in said.statements if statement.section is Section.STEPS]
    added = said.evidence.find(step.citations[0].label)
    assert added is not None
    assert added.label == 2
    assert added.chunk.id == page[1].id


def test_a_piece_of_one_overlong_line_is_cited_by_that_line() -> None:
    chunk = make_chunk("first\n\nsecond", span=LineSpan(4, 5))
    said = answer([make_passage(1, chunk)])
    assert {citation.span for citation in said.citations} == {LineSpan(4, 5)}


@pytest.mark.parametrize(
    ("updated", "age"),
    [(TODAY, "updated today"), (date(2026, 11, 30), "updated 1 day ago"), (date(2026, 11, 1), "updated 30 days ago")],
)
def test_the_headline_names_page_owner_and_age(updated: date, age: str) -> None:
    chunk = make_chunk("Raise it.", title="Redis timeouts", owner="infra", last_updated=updated)
    assert answer([make_passage(1, chunk)]).headline == f"Redis timeouts: 1 statement from redis.md, infra, {age}"


def test_the_headline_counts_the_other_pages() -> None:
    passages = [make_passage(1), *(make_passage(n, make_chunk(f"pool {n}", path=f"{n}.md"), score=0.9) for n in (2, 3))]
    assert answer(passages).headline.endswith("from redis.md and 2 other pages")


def test_a_page_with_a_heading_only_is_not_called_grounded() -> None:
    said = answer([make_passage(1, make_chunk("# Redis timeout"))])
    assert said.statements == ()
    assert said.grounding is Grounding.NONE
