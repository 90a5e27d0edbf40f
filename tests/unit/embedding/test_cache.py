"""The cache of vectors."""

from pathlib import Path

import numpy as np
import pytest

from oncall_tui.embedding.cache import VectorCache
from oncall_tui.errors import OncallError


def test_a_stored_vector_comes_back_within_half_precision(tmp_path: Path) -> None:
    vector = np.array([0.1, -0.25, 0.7], dtype=np.float32)
    with VectorCache(tmp_path / "vectors.db") as cache:
        cache.put("e5", {"a": vector})
        found = cache.get("e5", ["a"])["a"]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, vector, rtol=1e-3)


def test_a_vector_outlives_the_process_that_stored_it(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "vectors.db") as cache:
        cache.put("e5", {"a": np.ones(3, dtype=np.float32)})
    with VectorCache(tmp_path / "vectors.db") as cache:
        assert list(cache.get("e5", ["a"])) == ["a"]


def test_a_stored_batch_is_seen_by_others_at_once(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "vectors.db") as writer, VectorCache(tmp_path / "vectors.db") as reader:
        writer.put("e5", {"a": np.ones(3, dtype=np.float32)})
        assert list(reader.get("e5", ["a"])) == ["a"]


def test_an_unknown_text_is_left_out(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "vectors.db") as cache:
        assert cache.get("e5", ["a"]) == {}


def test_vectors_of_two_models_are_never_mixed_up(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "vectors.db") as cache:
        cache.put("e5", {"a": np.ones(3, dtype=np.float32)})
        assert cache.get("minilm", ["a"]) == {}


def test_a_vector_stored_again_replaces_the_old_one(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "vectors.db") as cache:
        cache.put("e5", {"a": np.zeros(3, dtype=np.float32)})
        cache.put("e5", {"a": np.ones(3, dtype=np.float32)})
        assert cache.get("e5", ["a"])["a"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("count", [0, 1, 500, 501, 2500])
def test_any_number_of_vectors_is_found_at_once(tmp_path: Path, count: int) -> None:
    vectors = {str(number): np.full(2, number % 100, dtype=np.float32) for number in range(count)}
    with VectorCache(tmp_path / "vectors.db") as cache:
        cache.put("e5", vectors)
        found = cache.get("e5", list(vectors))
    assert found.keys() == vectors.keys()
    assert all(np.array_equal(found[key], vectors[key]) for key in vectors)


def test_the_folder_is_made_when_it_is_missing(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "new" / "folder" / "vectors.db"):
        assert (tmp_path / "new" / "folder" / "vectors.db").exists()


def test_a_damaged_cache_is_started_afresh(tmp_path: Path) -> None:
    (tmp_path / "vectors.db").write_bytes(b"no database at all" * 100)
    with VectorCache(tmp_path / "vectors.db") as cache:
        cache.put("e5", {"a": np.ones(3, dtype=np.float32)})
        assert list(cache.get("e5", ["a"])) == ["a"]


def test_a_cache_that_cannot_be_opened_is_not_deleted(tmp_path: Path) -> None:
    (tmp_path / "vectors.db").mkdir()
    with pytest.raises(OncallError, match="cannot be used"):
        VectorCache(tmp_path / "vectors.db")
    assert (tmp_path / "vectors.db").is_dir()
