"""What of the bundled model's work travels with the program."""

from pathlib import Path

import numpy as np

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
