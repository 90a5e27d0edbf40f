"""Fused candidates to numbered evidence."""

from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np
import pytest

from oncall_tui.index.postings import Bags, Postings
from oncall_tui.models import Chunk, Filters, Passage
from oncall_tui.retrieval.evidence import PASSAGES_A_DOCUMENT, EvidenceSelector
from oncall_tui.retrieval.expand import Glossary
from oncall_tui.retrieval.fields import bag_of
from oncall_tui.retrieval.filters import FilterValues
from oncall_tui.retrieval.fusion import reciprocal_rank, share
from oncall_tui.retrieval.keyword import KeywordRetriever
from oncall_tui.retrieval.protocols import Candidate, Fusion
from oncall_tui.retrieval.question import Question, analyse
from tests.builders import make_chunk

TODAY = date(2026, 12, 1)
GOOD = {"keyword": 0.9, "vector": 0.8}
POOR = {"keyword": 0.01, "vector": 0.01}

TEXTS = (
    "Raise maxclients when the pool of connections is exhausted.",
    "Restart the exporter and look at its log for a stack trace.",
    "Sentinel promotes the replica after the quorum agrees on it.",
    "Keys without expiry fill the memory until eviction starts.",
    "Slow commands block the single thread of the server.",
)


class Case:
    """A selector over some chunks, and the candidates as a search would have found them."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = list(chunks)
        documents = [chunk.document_id for chunk in self.chunks]
        numbers = [list(dict.fromkeys(documents)).index(name) for name in documents]
        postings = Postings.build(Bags.from_bags(map(bag_of, self.chunks)))
        keyword = KeywordRetriever(postings, np.array(numbers, dtype=np.int32))
        self.selector = EvidenceSelector(keyword, len(self.chunks), lambda row: self.chunks[row], TODAY)

    def select(
        self,
        text: str = "pool exhausted",
        signals: Sequence[Mapping[str, float]] = (),
        *,
        limit: int = 8,
        fuse: Fusion = reciprocal_rank,
    ) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
        question = ask(text)
        found = [
            Candidate(row, {"keyword": row + 1}, signals[row] if signals else GOOD) for row in range(len(self.chunks))
        ]
        ordered = self.selector.order(question, found, fuse(found))
        return self.selector.select(question, ordered, limit)


def ask(text: str) -> Question:
    return analyse(text, Filters(), FilterValues(), Glossary())


def pages(*texts: str) -> list[Chunk]:
    return [make_chunk(text, path=f"{number}.md", title=f"Page {number}") for number, text in enumerate(texts)]


def test_passages_are_numbered_from_one_in_order_of_score() -> None:
    passages, _ = Case(pages(*TEXTS)).select()
    assert [passage.label for passage in passages] == [1, 2, 3, 4, 5]
    assert [passage.chunk.path for passage in passages] == ["0.md", "1.md", "2.md", "3.md", "4.md"]
    scores = [passage.score for passage in passages]
    assert scores == sorted(scores, reverse=True)


def test_no_more_passages_are_shown_than_was_asked() -> None:
    passages, _ = Case(pages(*TEXTS)).select(limit=2)
    assert len(passages) == 2


def test_equal_scores_are_ordered_by_row() -> None:
    case = Case(pages(*TEXTS))
    found = [Candidate(row, {"keyword": 1}, GOOD) for row in (3, 0, 2)]
    ordered = case.selector.order(ask("x"), found, reciprocal_rank(found))
    assert [item.candidate.row for item in ordered] == [0, 2, 3]


def test_the_contributions_of_a_passage_add_up_to_its_score() -> None:
    chunks = [*pages(TEXTS[0]), make_chunk(TEXTS[1], path="old.md", valid_to=date(2020, 1, 1))]
    for passage in Case(chunks).select()[0]:
        assert sum(part.value for part in passage.contributions) == pytest.approx(passage.score)


def test_an_expired_page_comes_after_a_current_one_of_the_same_worth() -> None:
    chunks = [make_chunk(TEXTS[0], path="old.md", valid_to=date(2020, 1, 1)), make_chunk(TEXTS[1], path="new.md")]
    passages, _ = Case(chunks).select(signals=[GOOD, GOOD], fuse=share)
    assert [passage.chunk.path for passage in passages] == ["new.md", "old.md"]
    assert passages[1].freshness == "expired"


def test_an_expired_page_gains_nothing_from_a_negative_score() -> None:
    chunks = [make_chunk(TEXTS[0], path="old.md", valid_to=date(2020, 1, 1)), make_chunk(TEXTS[1], path="new.md")]
    _, nearest = Case(chunks).select(signals=[{"vector": -0.5}, {"vector": -0.5}], fuse=share)
    assert [passage.chunk.path for passage in nearest] == ["new.md", "old.md"]


def test_if_nothing_fits_the_nearest_misses_are_named_as_such() -> None:
    passages, nearest = Case(pages(*TEXTS)).select("quantum telescope launch", [POOR] * 5)
    assert passages == ()
    assert [passage.label for passage in nearest] == [1, 2, 3]


def test_if_something_fits_there_are_no_misses() -> None:
    passages, nearest = Case(pages(*TEXTS)).select()
    assert passages
    assert nearest == ()


def test_nothing_found_is_neither_evidence_nor_a_miss() -> None:
    selector = Case(pages(*TEXTS)).selector
    assert selector.select(ask("x"), [], 8) == ((), ())


def test_the_holder_of_a_rare_identifier_leads_whatever_the_scores() -> None:
    chunks = pages(*TEXTS, "Set tcp_keepalive_probes to 3.")
    passages, _ = Case(chunks).select("tcp_keepalive_probes")
    assert passages[0].chunk.path == "5.md"
    assert passages[0].is_exact


def test_the_holder_of_a_rare_identifier_answers_however_little_it_fits() -> None:
    passages, _ = Case(pages(*TEXTS, "Set tcp_keepalive_probes to 3.")).select("tcp_keepalive_probes", [POOR] * 6)
    assert passages[0].is_exact


def test_in_a_long_question_an_identifier_is_one_word_among_many() -> None:
    question = "the host says tcp_keepalive_probes and then hangs for a while"
    passages, _ = Case(pages(*TEXTS, "Set tcp_keepalive_probes to 3.")).select(question)
    assert not any(passage.is_exact for passage in passages)


def test_an_identifier_that_stands_everywhere_tells_nothing() -> None:
    chunks = pages(*(f"{text} See node_exporter." for text in TEXTS))
    passages, _ = Case(chunks).select("node_exporter")
    assert not any(passage.is_exact for passage in passages)


def test_further_hits_of_a_page_are_named_under_its_best_one() -> None:
    chunks = [make_chunk(text, index=index) for index, text in enumerate(TEXTS)]
    passages, _ = Case(chunks).select()
    assert len(passages) == PASSAGES_A_DOCUMENT
    assert passages[0].more_in_document == ("redis:3", "redis:4")


def test_a_near_duplicate_is_folded_into_the_passage_that_says_it_first() -> None:
    passages, _ = Case(pages(TEXTS[0], TEXTS[1], TEXTS[0].upper())).select()
    assert [passage.chunk.path for passage in passages] == ["0.md", "1.md"]
    assert passages[0].also_in == ("2#2:0",)


def test_a_passage_says_which_words_it_has_and_which_it_lacks() -> None:
    passage = Case(pages(*TEXTS)).select("pool memory")[0][0]
    assert passage.matched == ("pool",)
    assert passage.missed == ("memory",)
    assert 0 < passage.coverage < 1


def test_a_passage_says_how_far_its_page_can_be_trusted() -> None:
    chunks = [make_chunk(TEXTS[0], trust=5, last_updated=TODAY)]
    passage = Case(chunks).select()[0][0]
    assert (passage.trust, passage.freshness) == (1.0, "current")
