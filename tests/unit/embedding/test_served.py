"""A served model: its dimension and means come from shipped texts, which are embedded once."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from oncall_tui.embedding.centring import Centres
from oncall_tui.embedding.chunks import LayeredCache
from oncall_tui.embedding.http import Patience
from oncall_tui.embedding.protocol import Matrix
from oncall_tui.embedding.served import EstimatedCentres, Prefixes, SampleTexts, ServedEmbedder, spread
from oncall_tui.errors import EmbeddingError
from tests.builders import FakeEmbedder

QUESTIONS = [*(f"redis timeout {number}" for number in range(20)), *(f"磁盘空间不足 {number}" for number in range(20))]
PASSAGES = [
    *(f"Raise maxclients to {number}." for number in range(20)),
    *(f"清理日志 {number}" for number in range(20)),
]
PLAIN = Prefixes()


class Served:
    """A server that answers at once, or fails."""

    model = "openai/tiny-embed"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails = False
        self.width = FakeEmbedder.dimension

    def embed(self, texts: Sequence[str], patience: Patience) -> Matrix:
        self.asked.extend(texts)
        if self.fails:
            raise EmbeddingError("The server is down.", hint="Start it.")
        return FakeEmbedder().embed_passages(texts)[:, : self.width]


@pytest.fixture
def served() -> Served:
    return Served()


def embedder_over(
    served: Served, file: Path, prefixes: Prefixes = PLAIN, seconds: list[float] | None = None
) -> ServedEmbedder:
    sample = SampleTexts(lambda: QUESTIONS, lambda: PASSAGES)
    now = seconds or [0.0]
    return ServedEmbedder(served, prefixes, LayeredCache(file, {}, ""), sample, 10, clock=lambda: now[0])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "vectors.sqlite"


def test_the_model_is_named_by_what_changes_its_vectors_and_not_by_its_address(served: Served, file: Path) -> None:
    assert embedder_over(served, file).model == "openai/tiny-embed"
    assert embedder_over(served, file, Prefixes("query: ", "passage: ")).model == (
        "openai/tiny-embed (question 'query: ', passage 'passage: ')"
    )
    assert embedder_over(served, file, Prefixes(passage="p")).model == "openai/tiny-embed (passage 'p')"
    assert not served.asked


def test_questions_and_passages_get_the_prefixes_they_are_said_to_need(served: Served, file: Path) -> None:
    embedder = embedder_over(served, file, Prefixes("query: ", "passage: "))
    embedder.embed_question("redis")
    embedder.embed_passages(["kafka"])
    assert served.asked[0] == "query: redis"
    assert served.asked[-1] == "passage: kafka"
    assert f"query: {QUESTIONS[0]}" in served.asked


def test_the_dimension_and_the_means_are_asked_for_once(served: Served, file: Path) -> None:
    embedder_over(served, file).prepare()
    assert served.asked == QUESTIONS + PASSAGES
    served.fails = True
    later = embedder_over(served, file)
    later.prepare()
    assert later.dimension == FakeEmbedder.dimension


def test_with_other_prefixes_they_are_asked_for_again(served: Served, file: Path) -> None:
    embedder_over(served, file).prepare()
    served.asked.clear()
    embedder_over(served, file, Prefixes("query: ")).prepare()
    assert len(served.asked) == len(QUESTIONS + PASSAGES)


def test_where_the_cache_cannot_be_used_they_are_asked_for_each_time(served: Served, file: Path) -> None:
    file.write_text("no folder")
    for _ in range(2):
        embedder_over(served, file / "vectors.sqlite").prepare()
    assert len(served.asked) == 2 * len(QUESTIONS + PASSAGES)


def test_a_question_is_centred_by_the_mean_of_questions_in_its_language(served: Served, file: Path) -> None:
    embedder = embedder_over(served, file)
    vector = embedder.embed_question("磁盘")
    mean = FakeEmbedder().embed_passages(QUESTIONS[20:]).mean(axis=0)
    expected = Centres(questions={"zh": mean}).centre_question(vector, "zh")
    np.testing.assert_allclose(EstimatedCentres(embedder).centre_question(vector, "zh"), expected, atol=2e-3)


def test_a_few_passages_are_centred_by_the_mean_of_the_shipped_ones_too(served: Served, file: Path) -> None:
    embedder = embedder_over(served, file)
    vectors = embedder.embed_passages(["清理日志"])
    centred = EstimatedCentres(embedder).centre_passages(vectors, ["zh"], np.array([True]))
    mean = FakeEmbedder().embed_passages(PASSAGES[20:]).mean(axis=0)
    expected = Centres(passages={"zh": mean}).centre_passages(vectors, ["zh"], np.array([True]))
    np.testing.assert_allclose(centred, expected, atol=2e-3)
    np.testing.assert_allclose(np.linalg.norm(centred), 1, rtol=1e-5)


def test_the_way_of_centring_is_known_without_the_server(served: Served, file: Path) -> None:
    assert EstimatedCentres(embedder_over(served, file)).id == "estimated-1"
    assert not served.asked


def test_no_passages_are_no_vectors(served: Served, file: Path) -> None:
    assert embedder_over(served, file).embed_passages([]).shape == (0, FakeEmbedder.dimension)


@pytest.mark.parametrize("ask", ["embed_question", "embed_passages"])
def test_a_model_that_changes_its_dimension_is_an_error(served: Served, file: Path, ask: str) -> None:
    embedder_over(served, file).prepare()
    served.width = 32
    embedder = embedder_over(served, file)
    with pytest.raises(EmbeddingError, match="had 64 numbers and now have 32") as caught:
        embedder.embed_question("a") if ask == "embed_question" else embedder.embed_passages(["a"])
    assert "oncall index --rebuild" in caught.value.hint


def test_a_sample_of_two_dimensions_is_an_error(served: Served, file: Path) -> None:
    embedder_over(served, file).prepare()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM vectors WHERE hash IN (SELECT hash FROM vectors LIMIT 60)")
    served.width = 32
    with pytest.raises(EmbeddingError, match="not the one that it was"):
        embedder_over(served, file).prepare()


def test_after_a_failed_question_the_server_is_left_alone_for_a_while(served: Served, file: Path) -> None:
    now = [100.0]
    embedder = embedder_over(served, file, seconds=now)
    served.fails = True
    for _ in range(3):
        with pytest.raises(EmbeddingError, match="The server is down"):
            embedder.embed_question("redis")
    assert served.asked == ["redis"]
    now[0] += 31
    served.fails = False
    assert embedder.embed_question("redis").shape == (FakeEmbedder.dimension,)


def test_warming_up_asks_although_a_question_failed(served: Served, file: Path) -> None:
    embedder = embedder_over(served, file)
    served.fails = True
    with pytest.raises(EmbeddingError):
        embedder.embed_question("redis")
    served.fails = False
    embedder.warm_up()
    assert embedder.embed_question("redis").shape == (FakeEmbedder.dimension,)


def test_a_spread_takes_texts_of_each_language_from_the_whole() -> None:
    texts = [*(f"redis {number}" for number in range(10)), "磁盘空间", "清理日志"]
    assert spread(texts, 3) == ["redis 0", "redis 4", "redis 8", "磁盘空间", "清理日志"]
    assert spread(texts, 99) == texts
