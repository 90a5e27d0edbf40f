"""``oncall search``: ranked evidence."""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

import click

from oncall_tui.cli.context import Context, Styled, pass_context, print_json, put, say
from oncall_tui.cli.schema import evidence_json
from oncall_tui.errors import NotFoundError
from oncall_tui.models import Evidence, Mode, Passage
from oncall_tui.text import ellipsize

if TYPE_CHECKING:
    from oncall_tui.engine import Engine

_SNIPPET_WIDTH = 96


def question_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options that ``search`` and ``ask`` share."""
    modes = click.Choice([mode.value for mode in Mode])
    for option in (
        click.argument("question", nargs=-1, required=True),
        click.option("--limit", type=click.IntRange(1, 100), help="Most passages to use."),
        click.option("--mode", type=modes, default=Mode.HYBRID.value, show_default=True),
        click.option(
            "--filter",
            "pairs",
            multiple=True,
            metavar="NAME=VALUE",
            help="service, type, owner, tag, path, trust, valid.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    ):
        function = option(function)
    return function


def find_evidence(
    context: Context, question: tuple[str, ...], limit: int | None, mode: str, pairs: tuple[str, ...]
) -> tuple["Engine", Evidence]:
    """Return the engine and the evidence for a question as it was typed."""
    engine = context.engine()
    evidence = engine.search(
        " ".join(question),
        limit=limit or 0,
        mode=Mode(mode),
        filters=engine.filters(pairs),
    )
    for reason in evidence.degraded:
        say(f"note: {reason}")
    return engine, evidence


def labels_of(evidence: Evidence) -> dict[str, int]:
    """Return the labels of the passages that are shown, nearest misses included, by citation."""
    return {passage.chunk.citation: passage.label for passage in (*evidence.passages, *evidence.nearest)}


def note_changes(engine: "Engine", labels: Mapping[str, int]) -> Collection[str]:
    """Return the citations, given with their labels, whose lines changed since they were indexed, and say so."""
    stale = engine.changed(labels)
    if stale:
        marks = " ".join(f"[{label}]" for label in sorted({labels[citation] for citation in stale}))
        say(f"note: the lines of {marks} changed since they were indexed, or cannot be read; run: oncall index")
    return stale


@click.command()
@question_options
@click.option("--explain", is_flag=True, help="Say how each score came about.")
@pass_context
def search(
    context: Context,
    question: tuple[str, ...],
    limit: int | None,
    mode: str,
    pairs: tuple[str, ...],
    *,
    as_json: bool,
    explain: bool,
) -> int:
    """Show the passages that answer QUESTION, best first."""
    engine, evidence = find_evidence(context, question, limit, mode, pairs)
    stale = note_changes(engine, labels_of(evidence))
    if as_json:
        print_json(evidence_json(evidence, explain=explain, stale=stale))
    else:
        _print(evidence, explain=explain)
    return 0 if evidence.passages else NotFoundError.exit_code


def _print(evidence: Evidence, *, explain: bool) -> None:
    if not evidence.passages:
        print_misses(evidence)
        return
    for passage in evidence.passages:
        _print_passage(passage, explain=explain)


def print_misses(evidence: Evidence) -> None:
    """Say on stderr that nothing answers, and what came nearest."""
    say("No runbook covers this.")
    for passage in evidence.nearest:
        say(f"  nearest miss: {passage.chunk.location}  {heading_line(passage)}")


def heading_line(passage: Passage) -> str:
    """Return a passage's title and headings on one line."""
    chunk = passage.chunk
    headings = [heading for heading in chunk.heading_path if heading != chunk.metadata.title]
    return " › ".join([chunk.metadata.title, *headings])


def _print_passage(passage: Passage, *, explain: bool) -> None:
    chunk = passage.chunk
    ranks = " · ".join(f"{source} #{rank}" for source, rank in passage.ranks.items())
    put(Styled(f"[{passage.label}]", bold=True), f" {heading_line(passage)}")
    put(f"    {chunk.location}  {chunk.citation}")
    facts = [chunk.metadata.service, passage.freshness, ranks, "exact" if passage.is_exact else ""]
    put("    " + " · ".join(filter(None, facts)))
    body = chunk.text.split("\n", 1)[-1] if chunk.text.startswith("#") else chunk.text
    put("    " + ellipsize(body, _SNIPPET_WIDTH))
    if explain:
        for part in passage.contributions:
            put(f"      {part.value:+.4f}  {part.source}: {part.detail}")
        put(f"      ={passage.score:.4f}  matched: {' '.join(passage.matched) or 'nothing'}")
        put(f"               missed: {' '.join(passage.missed) or 'nothing'}")
    put()
