"""Taking the language out of vectors."""

import numpy as np
import numpy.typing as npt
import pytest

from oncall_tui.embedding.centring import PRIOR_WEIGHT, Centres

Vectors = npt.NDArray[np.float32]


def vectors(*rows: tuple[float, ...]) -> Vectors:
    return np.array(rows, dtype=np.float32)


def mean(*values: float) -> Vectors:
    return np.array(values, dtype=np.float32)


ALL = np.array([True, True])


def test_a_question_loses_the_mean_of_its_language() -> None:
    centres = Centres(questions={"zh": mean(1, 0)})
    np.testing.assert_allclose(centres.centre_question(mean(1, 2), "zh"), [0, 1])


def test_a_question_is_as_long_as_one_afterwards() -> None:
    centred = Centres(questions={"en": mean(0.1, 0.2)}).centre_question(mean(0.6, 0.8), "en")
    assert np.linalg.norm(centred) == pytest.approx(1)


def test_without_means_a_question_keeps_its_direction() -> None:
    np.testing.assert_allclose(Centres().centre_question(mean(3, 4), "en"), [0.6, 0.8], rtol=1e-6)


def test_a_language_without_a_mean_takes_that_of_all() -> None:
    centres = Centres(questions={"en": mean(1, 0), "zh": mean(0, 1)})
    np.testing.assert_allclose(centres.centre_question(mean(0.5, 1.5), "ja"), [0, 1])


def test_a_question_that_is_the_mean_itself_becomes_nothing_and_no_error() -> None:
    assert Centres(questions={"en": mean(1, 0)}).centre_question(mean(1, 0), "en").tolist() == [0, 0]


def test_passages_of_two_languages_that_say_the_same_come_together() -> None:
    bias = {"en": mean(5, 0, 0), "zh": mean(0, 5, 0)}
    said = vectors((5, 0, 1), (0, 5, 1))
    centred = Centres(passages=bias).centre_passages(said, ["en", "zh"], ALL)
    assert float(centred[0] @ centred[1]) > 0.9 > float(said[0] @ said[1]) / 26


def test_a_passage_without_a_vector_stays_nothing() -> None:
    centred = Centres().centre_passages(vectors((1, 0), (0, 0)), ["en", "en"], np.array([True, False]))
    assert centred[1].tolist() == [0, 0]


def test_a_few_passages_hardly_move_the_shipped_mean() -> None:
    shipped = Centres(passages={"en": mean(1, 0)})
    few = vectors((0, 1), (0, 1))
    expected = few[0] - (2 * few[0] + PRIOR_WEIGHT * mean(1, 0)) / (2 + PRIOR_WEIGHT)
    centred = shipped.centre_passages(few, ["en", "en"], ALL)
    np.testing.assert_allclose(centred[0], expected / np.linalg.norm(expected), rtol=1e-5)


@pytest.mark.parametrize("languages", [["en", "zh"], ["ko", "ja"], ["en", "en"]])
def test_what_is_centred_has_the_length_of_one(languages: list[str]) -> None:
    centred = Centres(passages={"en": mean(0.3, 0.1)}).centre_passages(vectors((1, 0), (0.6, 0.8)), languages, ALL)
    np.testing.assert_allclose(np.linalg.norm(centred, axis=1), [1, 1], rtol=1e-5)


def test_no_passages_are_no_vectors() -> None:
    empty = np.zeros((0, 3), dtype=np.float32)
    assert Centres().centre_passages(empty, [], np.zeros(0, dtype=bool)).shape == (0, 3)


def test_the_same_means_have_the_same_id_in_whatever_order() -> None:
    one = Centres({"en": mean(1, 0), "zh": mean(0, 1)})
    other = Centres({"zh": mean(0, 1), "en": mean(1, 0)})
    assert one.id == other.id


@pytest.mark.parametrize(
    "other",
    [
        Centres(),
        Centres({"en": mean(1, 0.01)}),
        Centres({"zh": mean(1, 0)}),
        Centres({"en": mean(1, 0)}, {"en": mean(1, 0)}),
    ],
)
def test_other_means_have_another_id(other: Centres) -> None:
    assert other.id != Centres({"en": mean(1, 0)}).id
