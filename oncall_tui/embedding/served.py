"""A model on a server as the rest of the program knows a model: with a dimension, prefixes and means of its own.

Nothing is shipped for such a model, so its dimension and its means by language (see
:mod:`oncall_tui.embedding.centring`) come from the vectors of texts that are shipped: the labelled
questions, which the bundled model's means were made of too, and some passages of the runbooks.
They are embedded once and kept in the cache; after that neither needs the server.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from oncall_tui.embedding.centring import Centres
from oncall_tui.embedding.http import Patience
from oncall_tui.embedding.passages import text_hash
from oncall_tui.embedding.protocol import Matrix
from oncall_tui.embedding.shipped import means_by_language
from oncall_tui.errors import EmbeddingError, OncallError
from oncall_tui.text import language_of

CENTRING: Final = "estimated-1"
"""Raise the number when means are estimated otherwise."""

_PAUSE_SECONDS: Final = 30.0
"""After a failed question the server is left alone so long: at 3 a.m. nobody waits for it at each key press."""

_BATCH_FACTOR: Final = 12
"""A batch of passages may take so many times what a question may."""

_WARM_UP: Final = "warm up"


class Embeddings(Protocol):
    """Embeds texts as they are."""

    @property
    def model(self) -> str:
        """Name of the model."""
        ...

    def embed(self, texts: Sequence[str], patience: Patience) -> Matrix:
        """Return one unit vector a text."""
        ...


class Cache(Protocol):
    """Keeps vectors by model and text hash."""

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, Matrix]:
        """Return the vectors that are known."""
        ...

    def put(self, model: str, vectors: Mapping[str, Matrix]) -> None:
        """Keep vectors for later."""
        ...


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants before a text, so that it can tell questions from passages."""

    question: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True)
class SampleTexts:
    """Return the texts that the dimension and the means are estimated from."""

    questions: Callable[[], Sequence[str]]
    passages: Callable[[], Sequence[str]]


class ServedEmbedder:
    """Embeds by a server.

    Args:
        embeddings: The server.
        prefixes: What is put before texts.
        cache: Where the vectors of the sample are kept.
        sample: The texts that the dimension and the means come from.
        timeout: Seconds that one question may take.
        clock: Returns seconds that only grow.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        prefixes: Prefixes,
        cache: Cache,
        sample: SampleTexts,
        timeout: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._embeddings = embeddings
        self._prefixes = prefixes
        self._cache = cache
        self._sample = sample
        self._for_question = Patience(timeout, retries=1, longest_wait=1.0)
        self._for_passages = Patience(timeout * _BATCH_FACTOR, retries=4, longest_wait=60.0)
        self._clock = clock
        self._failed: tuple[float, EmbeddingError] | None = None

    @property
    def model(self) -> str:
        """Name of the model with its prefixes: with others, its vectors are others."""
        marks = [f"{name} {prefix!r}" for name, prefix in self._named_prefixes() if prefix]
        return self._embeddings.model + (f" ({', '.join(marks)})" if marks else "")

    @property
    def dimension(self) -> int:
        """Length of each vector.

        Raises:
            EmbeddingError: If it is not known yet and the server cannot be asked.
        """
        return int(self.question_sample.vectors.shape[1])

    def prepare(self) -> None:
        """Make sure that the dimension and the means are known.

        Raises:
            EmbeddingError: If they are not and the server cannot be asked.
        """
        _ = self.question_sample, self.passage_sample

    def warm_up(self) -> None:
        """Ask the server something, which makes it load the model."""
        self._failed = None
        self.embed_question(_WARM_UP)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one unit vector a text, shape ``(len(texts), dimension)``.

        Raises:
            EmbeddingError: If the server cannot be asked or answers wrongly.
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return self._fitting(self._ask(self._prefixes.passage, texts, self._for_passages))

    def embed_question(self, text: str) -> Matrix:
        """Return the unit vector of a question, shape ``(dimension,)``.

        Raises:
            EmbeddingError: If the server cannot be asked or answers wrongly, or did so a moment ago.
        """
        if self._failed and self._clock() - self._failed[0] < _PAUSE_SECONDS:
            raise EmbeddingError(self._failed[1].message, hint=self._failed[1].hint)
        try:
            vector: Matrix = self._fitting(self._ask(self._prefixes.question, [text], self._for_question))[0]
        except EmbeddingError as error:
            self._failed = self._clock(), error
            raise
        return vector

    @cached_property
    def question_sample(self) -> "Sample":
        """The vectors of the sample's questions."""
        return self._remembered("question\0", self._sample.questions(), self._prefixes.question)

    @cached_property
    def passage_sample(self) -> "Sample":
        """The vectors of the sample's passages; their keys are those of the index, so the demo shares them."""
        sample = self._remembered("", self._sample.passages(), self._prefixes.passage)
        self._fitting(sample.vectors)
        return sample

    def _remembered(self, namespace: str, texts: Sequence[str], prefix: str) -> "Sample":
        """Return the vectors of the texts, which are asked for only if they are not kept yet."""
        keys = [text_hash(namespace + text) for text in texts]
        found: dict[str, Matrix] = {}
        with suppress(OncallError):  # a cache that cannot be used costs time, and indexing names it
            found = self._cache.get(self.model, keys)
        if missing := {key: text for key, text in zip(keys, texts, strict=True) if key not in found}:
            fresh = dict(zip(missing, self._ask(prefix, list(missing.values()), self._for_passages), strict=True))
            with suppress(OncallError):
                self._cache.put(self.model, fresh)
            found |= fresh
        if len({len(vector) for vector in found.values()}) > 1:
            raise self._misfit("vectors of several lengths are kept")
        return Sample(np.stack([found[key] for key in keys]), [language_of(text) for text in texts])

    def _ask(self, prefix: str, texts: Sequence[str], patience: Patience) -> Matrix:
        return self._embeddings.embed([prefix + text for text in texts], patience)

    def _fitting(self, vectors: Matrix) -> Matrix:
        if vectors.shape[1] != self.dimension:
            raise self._misfit(f"its vectors had {self.dimension} numbers and now have {vectors.shape[1]}")
        return vectors

    def _misfit(self, what: str) -> EmbeddingError:
        msg = f"The embedding model {self.model} is not the one that it was: {what}."
        hint = "Set embedder_model to a name of its own, or delete cache/vectors.sqlite in the data folder."
        return EmbeddingError(msg, hint=f"{hint} Then run: oncall index --rebuild")

    def _named_prefixes(self) -> Sequence[tuple[str, str]]:
        return ("question", self._prefixes.question), ("passage", self._prefixes.passage)


@dataclass(frozen=True, slots=True)
class Sample:
    """Vectors of some texts, and the language of each."""

    vectors: Matrix
    languages: Sequence[str]

    @property
    def means(self) -> Mapping[str, Matrix]:
        """The mean vector of each language."""
        return means_by_language(self.vectors, self.languages)


class EstimatedCentres:
    """Mean vectors of a served model, estimated when the first vector is centred."""

    id = CENTRING

    def __init__(self, embedder: ServedEmbedder) -> None:
        self._embedder = embedder

    def centre_question(self, vector: Matrix, language: str) -> Matrix:
        """Return a question's vector without its language, of unit length."""
        return self._questions.centre_question(vector, language)

    def centre_passages(self, vectors: Matrix, languages: Sequence[str], present: npt.NDArray[np.bool_]) -> Matrix:
        """Return passages' vectors without their language, of unit length."""
        return self._passages.centre_passages(vectors, languages, present)

    @cached_property
    def _questions(self) -> Centres:
        return Centres(questions=self._embedder.question_sample.means)

    @cached_property
    def _passages(self) -> Centres:
        return Centres(passages=self._embedder.passage_sample.means)


def spread(texts: Sequence[str], limit: int) -> list[str]:
    """Return at most ``limit`` texts of each language, taken evenly over the whole."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for text in texts:
        groups[language_of(text)].append(text)
    return [text for group in groups.values() for text in group[:: -(-len(group) // limit)]]
