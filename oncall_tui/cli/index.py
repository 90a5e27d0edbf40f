"""``oncall index``: build or refresh the index."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from oncall_tui.cli.context import Context, pass_context, print_json, put, say
from oncall_tui.models import IndexReport, Progress, Stage

_FEW_SKIPPED = 10
"""So many skipped files are named on the terminal; --json names them all."""

_LABELS = {Stage.READING: "Reading", Stage.INDEXING: "Indexing", Stage.EMBEDDING: "Embedding"}


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path, readable=False), metavar="[DIR]...")
@click.option("--prune", is_flag=True, help="Forget the documents of sources that are missing or empty.")
@click.option("--rebuild", is_flag=True, help="Make the index anew from the files; vectors are kept.")
@click.option(
    "--chunk-size", type=int, help="Largest passage in characters, for this run: chunk_size in the settings keeps it."
)
@click.option(
    "--chunk-overlap",
    type=int,
    help="How much of a passage the next one repeats, for this run: chunk_overlap keeps it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@pass_context
def index(
    context: Context,
    folders: tuple[Path, ...],
    *,
    prune: bool,
    rebuild: bool,
    chunk_size: int | None,
    chunk_overlap: int | None,
    as_json: bool,
) -> int:
    """Build or refresh the index of the given folders.

    The folders that are named become the sources: what was indexed before and is not named again
    leaves the index, and is said. Without DIR: of the folders the index was made from, at first of
    the shipped demo runbooks.
    """
    _note_sizes(context, chunk_size, chunk_overlap)
    engine = context.engine(chunk_size=chunk_size, chunk_overlap=chunk_overlap)
    with _progress() as on_progress:
        report = engine.refresh(on_progress, sources=folders, prune=prune, rebuild=rebuild)
    if as_json:
        print_json(_as_json(report))
    else:
        _print(report)
    return 0 if report.is_complete else 1


def _note_sizes(context: Context, chunk_size: int | None, chunk_overlap: int | None) -> None:
    """Say it if passages are made otherwise than the next run would make them."""
    settings = context.settings()
    given = {"chunk_size": chunk_size, "chunk_overlap": chunk_overlap}
    others = [f"{name} = {size}" for name, size in given.items() if size not in {None, getattr(settings, name)}]
    if others:
        say(f"note: the next oncall index undoes this, unless the settings say: {', '.join(others)}")


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None]]:
    """Show progress bars on stderr if that is a terminal, and nothing if not."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as Bars  # noqa: PLC0415

    columns = (TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {stage: bars.add_task(label, total=None, visible=False) for stage, label in _LABELS.items()}

        def show(progress: Progress) -> None:
            bars.update(tasks[progress.stage], completed=progress.done, total=progress.total or None, visible=True)

        yield show


def _as_json(report: IndexReport) -> dict[str, object]:
    skipped = [
        {"path": item.path, "reason": item.reason, **({"hint": item.hint} if item.hint else {})}
        for item in report.skipped
    ]
    return {
        "documents": report.documents,
        "chunks": report.chunks,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "skipped": skipped,
        "embedded": report.embedded,
        "took_s": report.took_s,
    }


def _print(report: IndexReport) -> None:
    put(
        f"{report.documents} documents, {report.chunks} passages: {report.added} added, {report.changed} changed, "
        f"{report.removed} removed, {report.unchanged} unchanged; {report.embedded} passages embedded "
        f"in {report.took_s:.1f} s"
    )
    for item in report.skipped[:_FEW_SKIPPED]:
        say(f"note: {item.path} {item.reason}" + (f" ({item.hint})" if item.hint else ""))
    if len(report.skipped) > _FEW_SKIPPED:
        say(f"note: and {len(report.skipped) - _FEW_SKIPPED} more; --json names them all")
