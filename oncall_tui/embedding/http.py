"""Asks a server of embedding models over HTTP, and believes nothing that it says unseen.

Proxies and certificates are those of the environment (``HTTPS_PROXY``, ``NO_PROXY``, ``SSL_CERT_FILE``).
"""

import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from http import HTTPStatus
from typing import Final

import httpx
import numpy as np

from oncall_tui.embedding.formats import Format, Reply, decode, encode, endpoint, is_same_model
from oncall_tui.embedding.protocol import Matrix
from oncall_tui.errors import EmbeddingError
from oncall_tui.text import ellipsize, strip_controls

BATCH: Final = 64
"""Texts a request."""

MAX_BODY_BYTES: Final = 32_000_000
"""A batch of vectors of 8,192 numbers is some 12 MB of JSON; what is larger is no answer."""

_CONNECT_SECONDS: Final = 3.0
_BACK_OFF_SECONDS: Final = 0.5
"""The first wait; each further one is twice as long (one client alone needs no jitter)."""

_READ_WORDS: Final = 4096
"""Bytes of a refusal that are looked at."""

_SHOWN: Final = 200
"""Characters of a server's words that a message repeats."""

_KEYWORD_HINT: Final = "Keyword search works without it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A server and which of its models is meant."""

    style: Format
    url: str
    """Address without user, password, query or fragment, so that it may be shown."""
    model: str
    key: str = field(default="", repr=False)
    is_offline: bool = False
    """Whether every request is refused before it is made."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a server."""

    seconds: float
    """For one try."""
    retries: int
    longest_wait: float
    """Most seconds between two tries; a server that asks for more is given up."""


class _TemporaryError(EmbeddingError):
    """What may be over at the next try."""

    def __init__(self, message: str, *, hint: str, wait: float = 0.0) -> None:
        super().__init__(message, hint=hint)
        self.wait = wait
        """Seconds that the server asks to wait."""


class HttpEmbeddings:
    """Embeds texts, as they are, on a server.

    Args:
        service: The server.
        sleep: Waits some seconds.
        clock: Returns seconds that only grow.
    """

    def __init__(
        self,
        service: Service,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._service = service
        self._url = endpoint(service.style, service.url)
        self._sleep = sleep
        self._clock = clock

    @property
    def model(self) -> str:
        """Format and name of the model; not the address, which may change."""
        return f"{self._service.style}/{self._service.model}"

    def embed(self, texts: Sequence[str], patience: Patience) -> Matrix:
        """Return one unit vector a text, shape ``(len(texts), dimension)``.

        Raises:
            EmbeddingError: If the server cannot be asked, refuses, or answers with anything else.
        """
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        vectors = [self._batch(texts[start : start + BATCH], patience) for start in range(0, len(texts), BATCH)]
        if len({part.shape[1] for part in vectors}) > 1:
            raise self._wrong("with vectors of several lengths")
        return np.concatenate(vectors)

    def _batch(self, texts: Sequence[str], patience: Patience) -> Matrix:
        body = encode(self._service.model, texts)
        attempt = 0
        while True:
            try:
                return self._vectors(self._post(body, patience.seconds), len(texts))
            except _TemporaryError as error:
                wait = max(error.wait, _BACK_OFF_SECONDS * 2**attempt)
                if attempt >= patience.retries or wait > patience.longest_wait:
                    raise
                self._sleep(wait)
            attempt += 1

    def _post(self, body: bytes, seconds: float) -> bytes:
        """Return the body of a good answer; nothing is followed elsewhere."""
        if self._service.is_offline:
            hint = 'Leave out --offline (or offline = true), or set embedder = "bundled".'
            raise EmbeddingError(f"The embedding server {self._url} is not asked: offline is set.", hint=hint)
        timeout = httpx.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
        try:
            with self._client.stream("POST", self._url, content=body, timeout=timeout) as response:
                content = self._read(response, self._clock() + seconds)
        except (httpx.ConnectTimeout, httpx.NetworkError, httpx.ProtocolError, httpx.ProxyError) as error:
            msg = f"The embedding server {self._url} cannot be reached: {self._shown(str(error))}."
            hint = f"Start it, or check embedder_url. {_KEYWORD_HINT}"
            raise _TemporaryError(msg, hint=hint) from error
        except httpx.TimeoutException as error:
            raise self._too_slow(seconds) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            msg = f"The embedding server {self._url} cannot be asked: {self._shown(str(error))}."
            raise EmbeddingError(msg, hint="Check embedder_url.") from error
        if response.status_code != HTTPStatus.OK:
            raise self._refusal(response, content)
        return content

    def _read(self, response: httpx.Response, deadline: float) -> bytes:
        """Read a body that is neither too large nor too slow; it was asked for as it is, not compressed."""
        content = bytearray()
        for piece in response.iter_raw():
            content += piece
            if len(content) > MAX_BODY_BYTES:
                raise self._wrong(f"with more than {MAX_BODY_BYTES // 1_000_000} MB")
            if self._clock() > deadline:
                raise httpx.ReadTimeout("")
        return bytes(content)

    @cached_property
    def _client(self) -> httpx.Client:
        """The client, whose connection is kept from one question to the next."""
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if self._service.key:
            headers["Authorization"] = f"Bearer {self._service.key}"
        try:
            client = httpx.Client(headers=headers, follow_redirects=False, trust_env=True)
        except (OSError, ImportError, ValueError, httpx.InvalidURL) as error:
            # What they say may hold a proxy's password.
            msg = f"The environment's proxy or certificate settings cannot be used ({type(error).__name__})."
            hint = f"Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR. {_KEYWORD_HINT}"
            raise EmbeddingError(msg, hint=hint) from error
        weakref.finalize(self, client.close)
        return client

    def _refusal(self, response: httpx.Response, content: bytes) -> EmbeddingError:
        status = response.status_code
        said = f"The embedding server {self._url} answered {status}"
        if response.next_request:
            target = response.next_request.url.copy_with(query=None, fragment=None, userinfo=b"")
            msg = f"{said}: it sends on to {self._shown(str(target))}, where nothing is sent."
            return EmbeddingError(msg, hint="If that is the server you mean, set embedder_url to it.")
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:  # its words may repeat the key
            return EmbeddingError(
                f"{said}: the key is missing or wrong.", hint="Set ONCALL_EMBEDDER_KEY to a valid key."
            )
        words = self._shown(content.decode(errors="replace"))
        msg = f"{said}: {words}" if words else f"{said}."
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            wait = _seconds_to_wait(response.headers.get("Retry-After", ""))
            hint = f"It asks to wait {wait:.0f} s; then go on with the same command." if wait else _KEYWORD_HINT
            return _TemporaryError(msg, hint=hint, wait=wait)
        return EmbeddingError(msg, hint="Check embedder_url and embedder_model, and that the server has that model.")

    def _vectors(self, content: bytes, count: int) -> Matrix:
        reply = self._decoded(content)
        if reply.model and not is_same_model(self._service.model, reply.model):
            theirs = self._shown(reply.model)
            msg = f"The embedding server {self._url} answered with model {theirs!r}, not {self._service.model!r}."
            raise EmbeddingError(msg, hint=f"If that is the one you mean: embedder_model = {theirs!r}.")
        if len(reply.vectors) != count:
            raise self._wrong(f"with {len(reply.vectors)} vectors for {count} texts")
        if len({len(vector) for vector in reply.vectors}) != 1 or not reply.vectors[0]:
            raise self._wrong("with vectors of several lengths, or none")
        vectors = np.array(reply.vectors, dtype=np.float64)
        with np.errstate(over="ignore"):  # what overflows is not finite, which is checked
            norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise self._wrong("with a vector that is not finite, or zero")
        unit: Matrix = (vectors / norms).astype(np.float32)
        return unit

    def _decoded(self, content: bytes) -> Reply:
        try:
            return decode(self._service.style, content)
        except ValueError as error:
            raise self._wrong(f"with something else than vectors ({self._shown(str(error))})") from error

    def _wrong(self, what: str) -> EmbeddingError:
        hint = f"Check that embedder, embedder_url and embedder_model fit each other. {_KEYWORD_HINT}"
        return EmbeddingError(f"The embedding server {self._url} answered {what}.", hint=hint)

    def _too_slow(self, seconds: float) -> EmbeddingError:
        msg = f"The embedding server {self._url} did not answer within {seconds:g} s."
        return EmbeddingError(msg, hint=f"Raise embedder_timeout if it needs longer. {_KEYWORD_HINT}")

    def _shown(self, text: str) -> str:
        """Return foreign words as they may be shown: without controls, on one line, short, without the key."""
        text = strip_controls(text)
        if self._service.key:
            text = text.replace(self._service.key, "[key]")
        return ellipsize(text, _SHOWN)


def _seconds_to_wait(header: str) -> float:
    """Return what ``Retry-After`` asks for (RFC 9110, 10.2.3: seconds or a date); 0 if nothing sensible."""
    if header.strip().isdecimal():
        return float(header)
    with suppress(ValueError, TypeError):
        return max((parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds(), 0.0)
    return 0.0
