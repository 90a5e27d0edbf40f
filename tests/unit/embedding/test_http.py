"""Asking a real server on loopback, which also misbehaves."""

import json
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Final

import numpy as np
import pytest

from oncall_tui.embedding.formats import Format, endpoint, is_same_model
from oncall_tui.embedding.http import BATCH, MAX_BODY_BYTES, HttpEmbeddings, Patience, Service
from oncall_tui.errors import EmbeddingError
from tests.builders import FakeEmbedder
from tests.servers import MODEL, EmbeddingServer, Reply, embedding_server, ollama_body, openai_body

KEY: Final = "sk-very-secret-0123456789"
PATIENCE: Final = Patience(5, retries=3, longest_wait=60)
TWO: Final = [[1.0, 0.0], [0.0, 2.0]]


@pytest.fixture
def waits() -> list[float]:
    """Return the seconds that were waited between tries."""
    return []


Make = Callable[..., HttpEmbeddings]


@pytest.fixture
def make(server: EmbeddingServer, waits: list[float]) -> Make:
    def make_one(style: Format = Format.OPENAI, url: str = "", key: str = KEY, **values: bool) -> HttpEmbeddings:
        service = Service(style=style, url=url or server.url, model=MODEL, key=key, **values)
        return HttpEmbeddings(service, sleep=waits.append)

    return make_one


def failure(embeddings: HttpEmbeddings, texts: Sequence[str] = ("a", "b"), patience: Patience = PATIENCE) -> str:
    """Return what an error says, message and hint; the key is never in it."""
    with pytest.raises(EmbeddingError) as caught:
        embeddings.embed(texts, patience)
    assert caught.value.hint
    said = f"{caught.value.message} {caught.value.hint}"
    assert KEY not in said
    return said


@pytest.mark.parametrize("style", list(Format))
def test_vectors_come_in_the_order_of_the_texts_and_are_of_unit_length(
    make: Make, server: EmbeddingServer, style: Format
) -> None:
    vectors = make(style).embed(["redis timeout", "磁盘空间不足"], PATIENCE)
    np.testing.assert_allclose(vectors, FakeEmbedder().embed_passages(["redis timeout", "磁盘空间不足"]), atol=1e-6)
    assert vectors.dtype == np.float32
    assert server.requests[0].body == {"model": MODEL, "input": ["redis timeout", "磁盘空间不足"]}


@pytest.mark.parametrize(
    ("style", "url", "asked"),
    [
        (Format.OPENAI, "http://h:1", "http://h:1/v1/embeddings"),
        (Format.OPENAI, "http://h:1/", "http://h:1/v1/embeddings"),
        (Format.OPENAI, "https://h/gateway/v1/", "https://h/gateway/v1/embeddings"),
        (Format.OPENAI, "https://h/v1/embeddings", "https://h/v1/embeddings"),
        (Format.OLLAMA, "http://h:11434", "http://h:11434/api/embed"),
        (Format.OLLAMA, "http://h:11434/api", "http://h:11434/api/embed"),
        (Format.OLLAMA, "http://h:11434/api/embed/", "http://h:11434/api/embed"),
    ],
)
def test_the_address_of_a_server_is_completed(style: Format, url: str, asked: str) -> None:
    assert endpoint(style, url) == asked


def test_the_key_is_sent_as_a_bearer_token(make: Make, server: EmbeddingServer) -> None:
    make().embed(["a"], PATIENCE)
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent(make: Make, server: EmbeddingServer) -> None:
    make(key="").embed(["a"], PATIENCE)
    assert "Authorization" not in server.requests[0].headers


def test_the_key_is_in_no_representation_of_the_service() -> None:
    assert KEY not in repr(Service(style=Format.OPENAI, url="http://h", model=MODEL, key=KEY))


def test_many_texts_are_sent_in_batches(make: Make, server: EmbeddingServer) -> None:
    texts = [f"text {number}" for number in range(BATCH + 1)]
    assert make().embed(texts, PATIENCE).shape == (BATCH + 1, FakeEmbedder.dimension)
    assert [len(request.body["input"]) for request in server.requests] == [BATCH, 1]
    assert server.inputs == texts


def test_no_texts_are_no_request(make: Make, server: EmbeddingServer) -> None:
    assert len(make().embed([], PATIENCE)) == 0
    assert not server.requests


def test_vectors_in_another_order_are_put_in_order_by_their_index(make: Make, server: EmbeddingServer) -> None:
    data = [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [1, 0]}]
    server.always = Reply(body=json.dumps({"data": data, "model": MODEL}).encode())
    assert make().embed(["a", "b"], PATIENCE).tolist() == [[1, 0], [0, 1]]


def test_vectors_without_an_index_or_a_model_are_taken_as_they_come(make: Make, server: EmbeddingServer) -> None:
    server.always = Reply(body=b'{"data": [{"embedding": [1, 0]}, {"embedding": [0, 1]}]}')
    assert make().embed(["a", "b"], PATIENCE).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("places", [(0, 0), (1, 2), (-1, 0)])
def test_vectors_that_are_numbered_wrongly_are_an_error(
    make: Make, server: EmbeddingServer, places: tuple[int, int]
) -> None:
    data = [{"index": place, "embedding": [1, 0]} for place in places]
    server.always = Reply(body=json.dumps({"data": data}).encode())
    assert "numbered wrongly" in failure(make())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (openai_body(TWO[:1]), "1 vectors for 2 texts"),
        (openai_body([*TWO, [1.0, 1.0]]), "3 vectors for 2 texts"),
        (openai_body([]), "0 vectors for 2 texts"),
        (openai_body([[1.0, 0.0], [1.0]]), "several lengths"),
        (openai_body([[], []]), "several lengths, or none"),
        (openai_body([[0.0, 0.0], [1.0, 0.0]]), "not finite, or zero"),
        (openai_body([[1e308, 1e308], [1.0, 0.0]]), "not finite, or zero"),
        (openai_body([[float("nan"), 0.0], [1.0, 0.0]]), "something else than vectors"),
        (openai_body([[float("inf"), 0.0], [1.0, 0.0]]), "something else than vectors"),
        (b'{"data": [{"embedding": [1e999]}, {"embedding": [1]}]}', "answered with"),
        (b'{"data": [{"embedding": [null]}, {"embedding": [1]}]}', "something else than vectors"),
        (b'{"data": [{"embedding": "AACAPw=="}, {"embedding": "AACAPw=="}]}', "something else than vectors"),
        (ollama_body(TWO), "something else than vectors"),
        (b"<html>Welcome</html>", "something else than vectors"),
        (b"", "something else than vectors"),
        (b"[" * 1_000_000, "something else than vectors"),
        (b"\xff\xfe", "something else than vectors"),
        (openai_body(TWO, "other-embed"), "embedder_model = 'other-embed'"),
        (openai_body(TWO, "\x1b]0;x\x07" + KEY), "embedder_model = '[key]'"),
    ],
)
def test_an_answer_that_is_not_what_was_asked_for_is_an_error_and_not_tried_again(
    make: Make, server: EmbeddingServer, waits: list[float], body: bytes, words: str
) -> None:
    server.always = Reply(body=body)
    assert words in failure(make())
    assert not waits


@pytest.mark.parametrize(
    ("asked", "answered", "is_same"),
    [
        ("bge-m3", "bge-m3", True),
        ("bge-m3", "bge-m3:latest", True),
        ("bge-m3:latest", "bge-m3", True),
        ("bge-m3", "BAAI/bge-m3", True),
        ("BAAI/bge-m3", "bge-m3", True),
        ("text-embedding-ada-002", "text-embedding-ada-002-v2", True),
        ("bge-m3:567m", "bge-m3:latest", False),
        ("bge", "bge-m3", False),
        ("bge-m3", "bge", False),
        ("text-embedding-3-small", "text-embedding-3-large", False),
    ],
)
def test_a_servers_name_for_the_same_model_is_known_as_such(asked: str, answered: str, is_same: bool) -> None:  # noqa: FBT001
    assert is_same_model(asked, answered) is is_same


def test_vectors_whose_length_changes_between_batches_are_an_error(make: Make, server: EmbeddingServer) -> None:
    server.lined_up = [Reply(body=openai_body([[1.0, 0.0]] * BATCH)), Reply(body=openai_body([[1.0]]))]
    assert "several lengths" in failure(make(), ["a"] * (BATCH + 1))


# What may be over at the next try


def test_a_server_error_is_tried_again_after_longer_and_longer_waits(
    make: Make, server: EmbeddingServer, waits: list[float]
) -> None:
    server.lined_up = [Reply(500), Reply(503), Reply(502)]
    assert make().embed(["a"], PATIENCE).shape == (1, FakeEmbedder.dimension)
    assert waits == [0.5, 1, 2]


def test_a_server_error_that_stays_is_named_with_the_servers_words(
    make: Make, server: EmbeddingServer, waits: list[float]
) -> None:
    server.always = Reply(500, b"model runner\nhas \x1b[31mcrashed " + KEY.encode())
    assert "answered 500: model runner has crashed [key]" in failure(make())
    assert len(waits) == PATIENCE.retries


def test_too_many_requests_waits_as_long_as_the_server_asks(
    make: Make, server: EmbeddingServer, waits: list[float]
) -> None:
    server.lined_up = [Reply(429, headers={"Retry-After": "7"}), Reply(429, headers={"Retry-After": "0"})]
    make().embed(["a"], PATIENCE)
    assert waits == [7, 1]


def test_a_server_may_name_the_time_at_which_to_ask_again(
    make: Make, server: EmbeddingServer, waits: list[float]
) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    server.lined_up = [Reply(429, headers={"Retry-After": later})]
    make().embed(["a"], PATIENCE)
    assert 20 < waits[0] <= 30


@pytest.mark.parametrize("header", ["soon", "-5", "Mon, 01 Jan 2024 00:00:00 -0000", "9e9"])
def test_a_wait_that_makes_no_sense_is_none(
    make: Make, server: EmbeddingServer, waits: list[float], header: str
) -> None:
    server.lined_up = [Reply(429, headers={"Retry-After": header})]
    make().embed(["a"], PATIENCE)
    assert waits == [0.5]


def test_a_wait_that_is_too_long_is_an_error_that_names_it(
    make: Make, server: EmbeddingServer, waits: list[float]
) -> None:
    server.always = Reply(429, headers={"Retry-After": "3600"})
    assert "asks to wait 3600 s" in failure(make())
    assert not waits


def test_a_body_that_is_cut_is_asked_for_again(make: Make, server: EmbeddingServer, waits: list[float]) -> None:
    server.lined_up = [Reply(body=openai_body([[1.0]])[:20], length=500)]
    assert make().embed(["a"], PATIENCE).shape == (1, FakeEmbedder.dimension)
    assert waits == [0.5]


def test_a_server_that_is_not_there_is_an_error_after_some_tries(waits: list[float]) -> None:
    with embedding_server() as gone:
        service = Service(style=Format.OPENAI, url=gone.url, model=MODEL, key=KEY)
    said = failure(HttpEmbeddings(service, sleep=waits.append))
    assert "cannot be reached" in said
    assert "Keyword search works without it" in said
    assert waits == [0.5, 1, 2]


# What stays as it is


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_names_the_variable_and_nothing_of_what_the_server_says(
    make: Make, server: EmbeddingServer, waits: list[float], status: int
) -> None:
    server.always = Reply(status, b'{"error": "Incorrect API key provided: sk-ve***6789"}')
    said = failure(make())
    assert "ONCALL_EMBEDDER_KEY" in said
    assert "6789" not in said
    assert not waits


@pytest.mark.parametrize("status", [400, 404, 413, 422])
def test_another_refusal_is_told_in_the_servers_words_and_not_tried_again(
    make: Make, server: EmbeddingServer, waits: list[float], status: int
) -> None:
    server.always = Reply(status, b'{"error": "model \\"x\\" not found, try pulling it first"}')
    said = failure(make(Format.OLLAMA))
    assert f"answered {status}" in said
    assert "try pulling it first" in said
    assert not waits


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_nothing_of_it_but_the_address_is_told(
    make: Make, server: EmbeddingServer, status: int
) -> None:
    with embedding_server() as elsewhere:
        server.always = Reply(status, headers={"Location": f"http://u:p@{elsewhere.url[7:]}/v1?token={KEY}"})
        said = failure(make())
        assert f"sends on to {elsewhere.url}/v1" in said
        assert "token" not in said
        assert not elsewhere.requests


@pytest.mark.parametrize("location", ["", "http://[", "\x01", "ftp://h/x"])
def test_a_redirect_to_nowhere_is_an_error(make: Make, server: EmbeddingServer, location: str) -> None:
    server.always = Reply(302, headers={"Location": location})
    failure(make())


def test_a_body_that_is_too_large_is_not_read_to_its_end(make: Make, server: EmbeddingServer) -> None:
    server.always = Reply(body=b" " * 50_000_000)
    assert f"more than {MAX_BODY_BYTES // 1_000_000} MB" in failure(make())


def test_a_body_that_is_compressed_unasked_is_not_unpacked(make: Make, server: EmbeddingServer) -> None:
    server.always = Reply(body=openai_body(TWO), headers={"Content-Encoding": "gzip"})
    assert make().embed(["a", "b"], PATIENCE).shape == (2, 2)
    assert server.requests[0].headers["Accept-Encoding"] == "identity"


def test_a_server_that_says_nothing_is_given_up(make: Make, server: EmbeddingServer, waits: list[float]) -> None:
    released = threading.Event()
    server.always = Reply(body=openai_body(TWO), before_body=released.wait)
    assert "did not answer within 0.05 s" in failure(make(), patience=Patience(0.05, 3, 60))
    assert not waits
    released.set()


def test_a_server_that_drips_is_given_up(server: EmbeddingServer) -> None:
    seconds = iter([0.0, *([6.0] * 100)])
    service = Service(style=Format.OPENAI, url=server.url, model=MODEL)
    assert "did not answer within 5 s" in failure(HttpEmbeddings(service, clock=lambda: next(seconds)))


def test_offline_nothing_is_asked(make: Make, server: EmbeddingServer) -> None:
    assert "offline is set" in failure(make(is_offline=True))
    assert not server.requests


# The environment


def test_a_proxy_of_the_environment_is_used(
    make: Make, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.url)
    make(url="http://embeddings.example/v1").embed(["a"], PATIENCE)
    assert server.requests[0].path == "http://embeddings.example/v1/embeddings"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "socks5://user:hunter2@127.0.0.1:1"),
        ("ALL_PROXY", "gopher://user:hunter2@127.0.0.1:1"),
        ("SSL_CERT_FILE", "/dev/null/missing.pem"),
    ],
)
def test_an_environment_that_cannot_be_used_is_a_clear_error_without_its_password(
    make: Make, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    said = failure(make())
    assert "hunter2" not in said
    assert "proxy or certificate" in said
