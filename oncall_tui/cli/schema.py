"""Evidence and answers as the documented JSON."""

from collections.abc import Collection

from oncall_tui.models import Answer, Citation, Evidence, Metadata, Passage


def evidence_json(evidence: Evidence, *, explain: bool = False, stale: Collection[str] = ()) -> dict[str, object]:
    """Return the JSON of ``oncall search``.

    Args:
        evidence: What was found.
        explain: Whether to add how each score came about.
        stale: The citations whose lines changed since they were indexed.
    """
    return {
        "question": evidence.question,
        "mode": evidence.mode.value,
        "degraded": list(evidence.degraded),
        "took_ms": evidence.took_ms,
        "evidence": [
            passage_json(passage, stale) | ({"explanation": explanation_json(passage)} if explain else {})
            for passage in evidence.passages
        ],
        "nearest": [passage_json(passage, stale) for passage in evidence.nearest],
    }


def passage_json(passage: Passage, stale: Collection[str]) -> dict[str, object]:
    """Return the JSON of one passage."""
    chunk = passage.chunk
    return {
        "label": passage.label,
        "citation": chunk.citation,
        "document_id": chunk.document_id,
        "chunk_id": chunk.id,
        "source": chunk.path,
        "lines": [chunk.span.first, chunk.span.last],
        "heading_path": list(chunk.heading_path),
        "text": chunk.text,
        "score": round(passage.score, 6),
        "ranks": {"keyword": passage.ranks.get("keyword"), "vector": passage.ranks.get("vector")},
        "metadata": _metadata_json(chunk.document_id, chunk.path, chunk.metadata),
        "trust": passage.trust,
        "fresh": passage.freshness,
        "stale": chunk.citation in stale,
        "coverage": passage.coverage,
        "conflicts": [],
        "more_in_document": list(passage.more_in_document),
        "also_in": list(passage.also_in),
    }


def explanation_json(passage: Passage) -> dict[str, object]:
    """Return what ``--explain`` adds to a passage."""
    return {
        "contributions": [
            {"source": part.source, "detail": part.detail, "value": round(part.value, 6)}
            for part in passage.contributions
        ],
        "matched": list(passage.matched),
        "missed": list(passage.missed),
        "exact": passage.is_exact,
    }


def answer_json(answer: Answer, stale: Collection[str]) -> dict[str, object]:
    """Return the JSON of ``oncall ask``, given the citations whose lines changed since they were indexed."""
    return {
        "question": answer.question,
        "headline": answer.headline,
        "grounding": answer.grounding.value,
        "statements": [
            {
                "section": statement.section.value,
                "text": statement.text,
                "citations": [citation_json(citation) for citation in statement.citations],
                "verdict": statement.verdict,
            }
            for statement in answer.statements
        ],
        "citations": [citation_json(citation) for citation in answer.citations],
        "completeness": None,
        "provider": answer.provider,
        "evidence": [passage_json(passage, stale) for passage in answer.evidence.passages],
        "nearest": [passage_json(passage, stale) for passage in answer.evidence.nearest],
    }


def citation_json(citation: Citation) -> dict[str, object]:
    """Return the JSON of one citation."""
    return {
        "label": citation.label,
        "citation": citation.citation,
        "source": citation.source,
        "lines": [citation.span.first, citation.span.last],
    }


def _metadata_json(document_id: str, path: str, metadata: Metadata) -> dict[str, object]:
    dates = {
        name: value.isoformat() if value else None
        for name, value in (
            ("valid_from", metadata.valid_from),
            ("valid_to", metadata.valid_to),
            ("last_updated", metadata.last_updated),
        )
    }
    return {
        "doc_id": document_id,
        "title": metadata.title,
        "service": metadata.service,
        "owner": metadata.owner,
        "version": metadata.version,
        "source": path,
        "type": metadata.type.value,
        "trust": metadata.trust,
        "category": metadata.category,
        "tags": list(metadata.tags),
        **dates,
        "derived": list(metadata.derived),
    }
