"""A server of embedding models on loopback that does as it is told, also wrong."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from tests.builders import FakeEmbedder

MODEL: Final = "tiny-embed"

Vectors = list[list[float]]


def openai_body(vectors: Sequence[Sequence[float]], model: str = MODEL) -> bytes:
    """Return vectors as an OpenAI-compatible server sends them."""
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return json.dumps({"object": "list", "data": data, "model": model}).encode()


def ollama_body(vectors: Sequence[Sequence[float]], model: str = MODEL) -> bytes:
    """Return vectors as Ollama sends them."""
    return json.dumps({"model": model, "embeddings": vectors, "total_duration": 1}).encode()


@dataclass
class Request:
    """What the server was asked."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Reply:
    """What the server answers; ``length`` is what it says of the body, which it may cut."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    before_body: Callable[[], object] = lambda: None


class EmbeddingServer(ThreadingHTTPServer):
    """Answers with the vectors of the fake model, after the replies that a test lined up."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[Request] = []
        self.lined_up: list[Reply] = []
        self.always: Reply | None = None
        self.width = FakeEmbedder.dimension
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Its address without a path."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def inputs(self) -> list[str]:
        """Every text that it was asked to embed."""
        return [text for request in self.requests for text in request.body["input"]]

    def reply_to(self, request: Request) -> Reply:
        """Return the next reply."""
        with self.lock:
            self.requests.append(request)
            if self.lined_up:
                return self.lined_up.pop(0)
        if self.always:
            return self.always
        vectors = FakeEmbedder().embed_passages(request.body["input"])[:, : self.width].tolist()
        make = ollama_body if request.path == "/api/embed" else openai_body
        return Reply(body=make(vectors, request.body["model"]))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away, which is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: EmbeddingServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        reply = self.server.reply_to(Request(self.path, dict(self.headers), json.loads(self.rfile.read(length))))
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        stated = len(reply.body) if reply.length is None else reply.length
        self.send_header("Content-Length", str(stated))
        self.end_headers()
        reply.before_body()
        self.wfile.write(reply.body)
        if stated != len(reply.body):
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature is given
        pass


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    """Run a server until the block ends."""
    server = EmbeddingServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
