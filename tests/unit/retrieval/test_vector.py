"""Nearest passages by cosine."""

import numpy as np
import numpy.typing as npt
import pytest

from oncall_tui.errors import EmbeddingError
from oncall_tui.retrieval.question import Question
from oncall_tui.retrieval.vector import VectorRetriever

VECTORS = np.array([[1, 0], [0.6, 0.8], [0, 0], [-1, 0]], dtype=np.float32)


def towards_x(text: str, language: str) -> npt.NDArray[np.float32]:
    return np.array([1, 0], dtype=np.float32)


def test_rows_come_nearest_first() -> None:
    found = VectorRetriever(VECTORS, towards_x).retrieve(Question("x"), 5, None)
    assert found.rows.tolist() == [0, 1, 3]
    assert found.scores.tolist() == pytest.approx([1, 0.6, -1])


def test_a_row_without_a_vector_is_never_found() -> None:
    assert 2 not in VectorRetriever(VECTORS, towards_x).retrieve(Question("x"), 5, None).rows


def test_rows_that_are_not_allowed_make_room_for_others() -> None:
    allowed = np.array([False, True, True, True])
    assert VectorRetriever(VECTORS, towards_x).retrieve(Question("x"), 2, allowed).rows.tolist() == [1, 3]


def test_the_cosine_of_a_row_is_known_though_the_list_was_cut_before_it() -> None:
    found = VectorRetriever(VECTORS, towards_x).retrieve(Question("x"), 1, None)
    assert found.signals(np.array([1, 3]))["vector"].tolist() == pytest.approx([0.6, -1])


def test_a_question_is_embedded_in_its_language_and_once() -> None:
    asked: list[tuple[str, str]] = []

    def embed(text: str, language: str) -> npt.NDArray[np.float32]:
        asked.append((text, language))
        return towards_x(text, language)

    retriever = VectorRetriever(VECTORS, embed)
    for _ in range(2):
        retriever.retrieve(Question("磁盘", language="zh"), 1, None)
    assert asked == [("磁盘", "zh")]


def test_a_model_that_failed_once_is_asked_again() -> None:
    answers = iter([EmbeddingError("out of memory"), None])

    def embed(text: str, language: str) -> npt.NDArray[np.float32]:
        if error := next(answers):
            raise error
        return towards_x(text, language)

    retriever = VectorRetriever(VECTORS, embed)
    with pytest.raises(EmbeddingError):
        retriever.retrieve(Question("x"), 1, None)
    assert retriever.retrieve(Question("x"), 1, None).rows.tolist() == [0]


def test_a_question_of_another_dimension_than_the_index_is_an_error_that_names_both() -> None:
    with pytest.raises(EmbeddingError, match="has 3 numbers, those of the index 2") as caught:
        VectorRetriever(VECTORS, lambda _text, _language: np.ones(3, dtype=np.float32)).retrieve(Question("x"), 5, None)
    assert "oncall index" in caught.value.hint
