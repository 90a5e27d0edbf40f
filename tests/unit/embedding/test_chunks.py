"""Chunks to vectors."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from oncall_tui.embedding.cache import VectorCache
from oncall_tui.embedding.centring import Centres
from oncall_tui.embedding.chunks import ChunkEmbedder, LayeredCache
from oncall_tui.embedding.passages import passage_text, text_hash
from tests.builders import FakeEmbedder, make_chunk

ONE = np.ones(2, dtype=np.float32)


@pytest.fixture
def embedder(fake_model: type[FakeEmbedder]) -> ChunkEmbedder:
    return ChunkEmbedder(fake_model(), Centres())


def test_a_chunk_is_embedded_by_the_text_that_stands_for_it(embedder: ChunkEmbedder) -> None:
    chunk = make_chunk("Raise maxclients.")
    vectors = embedder.embed([chunk])
    assert FakeEmbedder.embedded == [passage_text(chunk)]
    assert vectors.shape == (1, embedder.dimension)


def test_the_key_of_a_chunk_changes_with_its_text_title_and_headings(embedder: ChunkEmbedder) -> None:
    chunks = [
        make_chunk("a"),
        make_chunk("b"),
        make_chunk("a", title="Other"),
        make_chunk("a", heading_path=("Fix",)),
    ]
    assert len({embedder.key(chunk) for chunk in chunks}) == 4


def test_the_key_of_a_chunk_does_not_change_with_its_place(embedder: ChunkEmbedder) -> None:
    assert embedder.key(make_chunk("a", index=1)) == embedder.key(make_chunk("a", index=2))
    assert embedder.key(make_chunk("a")) == text_hash(passage_text(make_chunk("a")))


def test_an_embedder_says_what_made_its_vectors(embedder: ChunkEmbedder) -> None:
    assert (embedder.model, embedder.centring) == ("fake-1", Centres().id)


def test_a_vector_that_is_shipped_is_found_without_a_file(tmp_path: Path) -> None:
    cache = LayeredCache(tmp_path / "cache" / "vectors.sqlite", {"a": ONE}, "e5")
    assert list(cache.get("e5", ["a", "b"])) == ["a"]
    assert not (tmp_path / "cache").exists()


def test_a_vector_of_another_model_is_not_taken_for_a_shipped_one(tmp_path: Path) -> None:
    assert LayeredCache(tmp_path / "vectors.sqlite", {"a": ONE}, "e5").get("e6", ["a"]) == {}


def test_what_is_kept_is_found_beside_what_is_shipped(tmp_path: Path) -> None:
    cache = LayeredCache(tmp_path / "vectors.sqlite", {"a": ONE}, "e5")
    cache.put("e5", {"b": ONE})
    assert sorted(cache.get("e5", ["a", "b", "c"])) == ["a", "b"]


def test_a_cache_whose_pages_are_damaged_is_started_afresh(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    with VectorCache(file) as cache:
        cache.put("e5", {str(number): np.zeros(384, dtype=np.float32) for number in range(100)})
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)
    layered = LayeredCache(file, {}, "e5")
    assert layered.get("e5", ["1"]) == {}
    layered.put("e5", {"1": ONE})
    assert list(layered.get("e5", ["1"])) == ["1"]


def test_a_cache_that_another_process_holds_is_not_thrown_away(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    with VectorCache(file) as cache:
        cache.put("e5", {"a": ONE})
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert list(LayeredCache(file, {}, "e5").get("e5", ["a"])) == ["a"]
    holder.close()
