"""The two formats in which servers of embedding models are asked and answer.

OpenAI's (https://platform.openai.com/docs/api-reference/embeddings), which vLLM, llama.cpp, text-embeddings-inference
and most gateways speak too, and Ollama's own (https://docs.ollama.com/api/embed).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgspec


class Format(StrEnum):
    """Which format a server speaks."""

    OPENAI = "openai"
    OLLAMA = "ollama"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server says: a vector a text, in the order of the texts."""

    vectors: Sequence[Sequence[float]]
    model: str
    """Name of the model as the server gives it; empty if it does not."""


class _Item(msgspec.Struct, frozen=True):
    embedding: list[float]
    index: int | None = None


class _OpenAIReply(msgspec.Struct, frozen=True):
    data: list[_Item]
    model: str | None = None


class _OllamaReply(msgspec.Struct, frozen=True):
    embeddings: list[list[float]]
    model: str | None = None


_REVISION: Final = re.compile(r"(?:-v\d+)?")
"""What a server may add to a name: it answers as text-embedding-ada-002-v2 for text-embedding-ada-002."""


def endpoint(style: Format, url: str) -> str:
    """Return the address that is asked, given the server's; one that is complete is taken as it is."""
    base = url.rstrip("/")
    if style is Format.OLLAMA:
        return f"{base.removesuffix('/api/embed').removesuffix('/api')}/api/embed"
    if base.endswith("/embeddings"):
        return base
    has_path = "/" in base.partition("://")[2]
    return f"{base}/embeddings" if has_path else f"{base}/v1/embeddings"


def encode(model: str, texts: Sequence[str]) -> bytes:
    """Return the body that asks for the vectors of some texts, which is the same in both formats."""
    return msgspec.json.encode({"model": model, "input": texts})


def decode(style: Format, body: bytes) -> Reply:
    """Return what a server's answer says.

    Raises:
        ValueError: If it is not in the format; the message says how not.
    """
    try:
        if style is Format.OLLAMA:
            reply = msgspec.json.decode(body, type=_OllamaReply)
            return Reply(reply.embeddings, reply.model or "")
        answer = msgspec.json.decode(body, type=_OpenAIReply)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    return Reply(_in_order(answer.data), answer.model or "")


def _in_order(items: Sequence[_Item]) -> Sequence[Sequence[float]]:
    """Return the vectors by their index, since a server may answer in any order."""
    places = [place if item.index is None else item.index for place, item in enumerate(items)]
    if sorted(places) != list(range(len(items))):
        msg = "the vectors are numbered wrongly"
        raise ValueError(msg)
    return [item.embedding for _, item in sorted(zip(places, items, strict=True), key=lambda pair: pair[0])]


def is_same_model(asked: str, answered: str) -> bool:
    """Return whether a server's name for its model can stand for the one that was asked for.

    Servers add a revision (``-v2``), and add or leave out Ollama's tag (``:latest``) or an owner (``BAAI/bge-m3``).
    """
    ours, theirs = (name.casefold().removesuffix(":latest").rpartition("/")[2] for name in (asked, answered))
    return theirs.startswith(ours) and _REVISION.fullmatch(theirs, len(ours)) is not None
