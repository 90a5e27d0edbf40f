"""What ``oncall doctor`` looks at: everything a search depends on, and what mends it."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oncall_tui.errors import ConfigError, EmbeddingError, IndexMissingError, OncallError
from oncall_tui.models import Check, CheckStatus, IndexStatus
from oncall_tui.retrieval.reference import TOLERANCE, largest_difference
from oncall_tui.retrieval.tokens import tokenize

if TYPE_CHECKING:
    from oncall_tui.engine import Parts
    from oncall_tui.index.reader import IndexReader

_COMPARED_CHUNKS: Final = 5_000
"""rank_bm25 takes seconds beyond this many."""

_PROBE: Final = "redis timeout error connection refused 超时"
_REBUILD: Final = "oncall index"
_ANEW: Final = "oncall index --rebuild"
_SWITCH_ON: Final = (
    'If vectors are wanted: set embedder = "bundled" in the settings, unset ONCALL_EMBEDDER, run oncall index'
)


def check_engine(parts: "Parts", sources: Sequence[Path], status: IndexStatus) -> tuple[Check, ...]:
    """Return the checks of sources, index, keyword scores, model and network."""
    checks = [_check_source(source) for source in sources]
    checks.extend(_check_index(parts, status))
    checks.append(_check_model(parts))
    checks.append(_check_glossary(parts))
    checks.append(_check_network(parts))
    return tuple(checks)


def _check_source(source: Path) -> Check:
    name = f"source {source}"
    if os.path.isdir(source):  # noqa: PTH112 - a dead mount is not there; pathlib raises
        return Check(name, CheckStatus.OK, "can be read")
    fix = "Mount it, or index another folder: oncall index DIR"
    return Check(name, CheckStatus.DEGRADED, "is not there; its documents stay in the index", fix)


def _check_index(parts: "Parts", status: IndexStatus) -> Iterator[Check]:
    reader = parts.reader
    try:
        index = reader.open()
        index.snapshot.check_all(has_vectors=index.manifest.vectors > 0)
    except IndexMissingError as error:
        yield Check("index", CheckStatus.FAILED, error.message, _REBUILD)
        return
    if not status.exists:
        yield Check("index", CheckStatus.FAILED, "was made from other folders than the settings name", _REBUILD)
        return
    manifest = index.manifest
    detail = f"{manifest.documents} documents, {manifest.chunks} passages, built {manifest.built_at}"
    yield Check("index", CheckStatus.OK, detail)
    yield _check_tables(reader)
    if parts.embedding:
        yield _check_vectors(status)
    if 0 < len(index.snapshot) <= _COMPARED_CHUNKS:
        difference = largest_difference(index.snapshot.postings, index.snapshot.bags, tokenize(_PROBE))
        is_equal = difference <= TOLERANCE
        verdict = f"differ from rank_bm25 by at most {difference:.1e}"
        status_of_scores = CheckStatus.OK if is_equal else CheckStatus.FAILED
        yield Check("keyword scores", status_of_scores, verdict, "" if is_equal else _ANEW)


def _check_tables(reader: "IndexReader") -> Check:
    try:
        found = reader.count_rows()
    except OncallError as error:
        return Check("tables", CheckStatus.FAILED, error.message, _ANEW)
    manifest = reader.manifest()
    expected = (manifest.documents, manifest.chunks, manifest.vectors)
    if found != expected:
        detail = f"hold {found} documents, passages and vectors where the index has {expected}"
        return Check("tables", CheckStatus.FAILED, detail, _ANEW)
    return Check("tables", CheckStatus.OK, "agree with the index")


def _check_vectors(status: IndexStatus) -> Check:
    if status.vectors == status.chunks:
        return Check("vectors", CheckStatus.OK, f"complete ({status.model})")
    detail = f"{status.vectors} of {status.chunks} passages have one; the others are found by keyword only"
    return Check("vectors", CheckStatus.DEGRADED, detail, _REBUILD)


def _check_model(parts: "Parts") -> Check:
    if parts.embedding is None:
        return Check("model", CheckStatus.DEGRADED, "switched off: keyword search only", _SWITCH_ON)
    try:
        parts.embedding.warm_up()
    except EmbeddingError as error:
        return Check("model", CheckStatus.DEGRADED, error.message, error.hint)
    place = f"on {parts.embedding.server}" if parts.embedding.server else "offline"
    return Check("model", CheckStatus.OK, f"{parts.embedding.model} loads and embeds, {place}")


def _check_glossary(parts: "Parts") -> Check:
    try:
        glossary = parts.load_glossary()
    except ConfigError as error:
        fix = f"Mend the file, or take glossary out of the settings ({error.hint})"
        return Check("glossary", CheckStatus.FAILED, error.message, fix)
    return Check("glossary", CheckStatus.OK, f"{len(glossary.entries)} entries")


def _check_network(parts: "Parts") -> Check:
    if parts.offline or parts.embedding is None:
        return Check("network", CheckStatus.OK, "never used")
    return Check("network", CheckStatus.OK, f"used for vectors only, by {parts.embedding.server}")
