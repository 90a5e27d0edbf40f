"""An answer, an entry and an explanation as text of a given width."""

from hypothesis import given
from hypothesis import strategies as st

from oncall_tui.models import (
    Answer,
    Citation,
    Contribution,
    Evidence,
    Grounding,
    LineSpan,
    Passage,
    Section,
    Statement,
)
from oncall_tui.text import strip_controls
from oncall_tui.ui.rendering.answer import answer_lines
from oncall_tui.ui.rendering.entry import entry
from oncall_tui.ui.rendering.explanation import explanation
from tests.builders import make_chunk, make_passage

WORDS = st.text(st.sampled_from("ab c中文 `*|-1.\n"), max_size=120).map(strip_controls)


def cite(label: int) -> Citation:
    return Citation(label, f"redis#redis:{label}", "redis.md", LineSpan(label, label + 1))


def answer_of(*statements: Statement) -> Answer:
    return Answer(
        question="q",
        headline="Redis: what to do",
        statements=statements,
        grounding=Grounding.FULL,
        provider="fake",
        evidence=Evidence(question="q"),
    )


def text_of(answer: Answer, width: int = 60) -> list[str]:
    return [line.plain for line in answer_lines(answer, width)]


def statement(text: str, *labels: int, section: Section = Section.STEPS) -> Statement:
    return Statement(section, text, tuple(cite(label) for label in labels or (1,)))


def test_statements_stand_under_their_section_beside_their_markers() -> None:
    answer = answer_of(statement("Do this.", 1, 3), statement("Undo it.", 2, section=Section.ROLLBACK))
    assert text_of(answer) == ["Redis: what to do", "", "Steps", " [1][3] Do this.", "", "Roll back", " [2] Undo it."]


def test_code_stands_behind_a_bar_exactly_as_it_is_written() -> None:
    text = "1. Look:\n   ```bash\n   df -h  # [not markup]\n     du -sh *\n   ```\n   Done."
    assert text_of(answer_of(statement(text)))[3:] == [
        " [1] 1. Look:",
        "     │ df -h  # [not markup]",
        "     │   du -sh *",
        "        Done.",
    ]


def test_code_that_is_less_indented_than_its_fence_loses_nothing() -> None:
    assert text_of(answer_of(statement("  ```\nls\n  ```")))[3:] == [" [1] │ ls"]


def test_the_rule_of_a_table_is_left_out() -> None:
    text = "| a | b |\n|---|:--|\n| 1 | 2 |"
    assert text_of(answer_of(statement(text)))[3:] == [" [1] | a | b |", "     | 1 | 2 |"]


def test_long_steps_are_continued_under_their_first_word() -> None:
    lines = text_of(answer_of(statement("  one two three four five six")), width=18)
    assert lines[-3:] == [" [1]   one two", "       three four", "       five six"]


def test_headings_and_marked_words_are_styled_but_not_changed() -> None:
    lines = answer_lines(answer_of(statement("## Head\n**Stop** the `app`.")), 60)
    assert [line.plain for line in lines[3:]] == [" [1] ## Head", "     **Stop** the `app`."]
    assert {"bold", "$secondary"} <= {str(span.style) for line in lines[3:] for span in line.spans}


def test_every_marker_can_be_clicked() -> None:
    line = answer_lines(answer_of(statement("a"), statement("b", 2, 4)), 60)[-1]
    clicks = [span.style.meta["@click"] for span in line.spans if not isinstance(span.style, str) and span.style.meta]
    assert clicks == ["open_citation(1, 0)", "open_citation(1, 1)"]


def test_without_even_a_near_miss_only_the_headline_is_left() -> None:
    assert text_of(answer_of()) == ["Redis: what to do"]


@given(WORDS, st.integers(16, 50))
def test_no_line_of_an_answer_is_wider_than_its_pane(text: str, width: int) -> None:
    assert all(line.cell_length <= width for line in answer_lines(answer_of(statement(text, 1, 12)), width))


@given(WORDS, st.integers(10, 90))
def test_no_line_of_an_entry_is_wider_than_its_pane(title: str, width: int) -> None:
    title = " ".join(title.split())
    chunk = make_chunk(path=f"folder/{title[:20]}.md", heading_path=(title, "Part"), title=title, service="redis")
    content = entry(make_passage(12, chunk, matched=("a", "b"), is_exact=True), "a b", width, is_current=True)
    assert all(line.cell_length <= width for line in content.split("\n"))


def test_a_long_path_keeps_its_end_since_that_has_the_lines() -> None:
    chunk = make_chunk(path="a/very/long/path/to/a/page/about/redis.md", span=LineSpan(9, 18))
    assert "…e/about/redis.md:L10-L18" in entry(make_passage(chunk=chunk), "", 29).plain


def test_the_title_is_not_repeated_as_a_heading() -> None:
    chunk = make_chunk(heading_path=("Redis timeouts", "Symptoms"))
    assert entry(make_passage(chunk=chunk), "", 80).plain.startswith("  1 Redis timeouts › Symptoms\n")


def test_the_title_gives_way_to_the_heading() -> None:
    chunk = make_chunk(heading_path=("Too many connections",), title="Redis timeouts and connection errors")
    assert "Redis timeouts a… › Too many connections" in entry(make_passage(chunk=chunk), "", 44).plain


def test_an_explanation_names_what_was_folded_into_the_passage() -> None:
    passage = make_passage(
        more_in_document=("redis:4",),
        also_in=("copy#copy:1",),
        is_exact=True,
        freshness="expired",
        contributions=(Contribution("keyword", "0.80 × 0.5", 0.4), Contribution("validity", "expired: −30%", -0.12)),
        score=0.28,
    )
    text = explanation(passage, "", 70).plain
    for fact in (
        "redis:4",
        "copy#copy:1",
        "rare identifier",
        "-0.1200",
        "0.2800",
        "expired",
        "no word of the question",
    ):
        assert fact in text


def test_an_explanation_of_a_passage_that_no_list_found_says_so() -> None:
    passage = Passage(label=1, chunk=make_chunk(), score=0.0, ranks={})
    assert "found by no list" in explanation(passage, "", 70).plain
