"""``oncall eval``: how good the ranking is on labelled questions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oncall_tui.cli.context import Context, pass_context, print_json, say
from oncall_tui.locations import refuse_endless
from oncall_tui.models import Mode

if TYPE_CHECKING:
    from oncall_tui.evaluation.runner import LabelledQuestion


class _Cutoffs(click.ParamType[tuple[int, ...]]):
    """A list such as ``1,3,5``."""

    name = "list"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> tuple[int, ...]:
        """Return the numbers in ascending order."""
        try:
            cutoffs = tuple(sorted({int(part) for part in str(value).split(",")}))
        except ValueError:
            cutoffs = ()
        if not cutoffs or cutoffs[0] < 1:
            self.fail(f"{value!r} is not a list of numbers from 1, such as 1,3,5", parameter, context)
        return cutoffs


@click.command("eval")
@click.argument("questions", type=click.Path(path_type=Path, readable=False))
@click.option("--mode", type=click.Choice([mode.value for mode in Mode]), default=Mode.HYBRID.value, show_default=True)
@click.option("--limit", "cutoffs", type=_Cutoffs(), default="1,3,5", show_default=True, help="Places for recall.")
@click.option("--chunking", is_flag=True, help="Compare passage sizes and splitters instead (keyword search).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def evaluate(
    context: Context, questions: Path, mode: str, cutoffs: tuple[int, ...], *, chunking: bool, as_json: bool
) -> int:
    """Measure recall, MRR, nDCG, abstention and latency on a QUESTIONS.jsonl file."""
    from oncall_tui.evaluation import runner  # noqa: PLC0415 - `oncall --help` needs no numpy

    refuse_endless(questions)
    labelled = runner.read_questions(questions)
    engine = context.engine()
    if chunking:
        return _compare_chunking(context, engine.sources(), labelled, as_json=as_json)
    if mode != Mode.KEYWORD.value:
        engine.warm_up()
    degraded = engine.search(labelled[0].query, mode=Mode(mode)).degraded
    for reason in degraded:
        say(f"note: {reason}")
    summary = runner.summarise(list(runner.run(engine, labelled, Mode(mode))), cutoffs)
    if as_json:
        print_json(summary)
    else:
        _print(summary)
    return 0


def _compare_chunking(
    context: Context, sources: Sequence[Path], labelled: Sequence["LabelledQuestion"], *, as_json: bool
) -> int:
    from oncall_tui.wiring import compare_chunking  # noqa: PLC0415 - see above

    results = []
    if not as_json:
        click.echo(
            f"{'splitter':<12}{'size':>6}{'overlap':>9}{'passages':>10}{'recall@1':>10}{'recall@3':>10}{'mrr':>8}"
        )
    for result in compare_chunking(context.settings(), sources, labelled):
        results.append(
            {
                "splitter": result.splitter,
                "size": result.size,
                "overlap": result.overlap,
                "chunks": result.chunks,
                **{f"recall@{cutoff}": round(value, 4) for cutoff, value in result.recall.items()},
                "mrr": round(result.mrr, 4),
            }
        )
        if not as_json:
            click.echo(
                f"{result.splitter:<12}{result.size:>6}{result.overlap:>9}{result.chunks:>10}"
                f"{result.recall[1]:>10.3f}{result.recall[3]:>10.3f}{result.mrr:>8.3f}"
            )
    if as_json:
        print_json({"chunking": results})
    return 0


def _print(summary: dict[str, Any]) -> None:
    columns = list(dict.fromkeys(name for figures in summary["kinds"].values() for name in figures))
    click.echo(f"{'kind':<16}" + "".join(f"{name:>11}" for name in columns))
    for kind, figures in summary["kinds"].items():
        cells = (_cell(figures.get(name)) for name in columns)
        click.echo(f"{kind:<16}" + "".join(f"{cell:>11}" for cell in cells))
    abstention = summary["abstention"]
    click.echo(
        f"\nabstention: {abstention['wrongly_answered']:.1%} of {abstention['unanswerable']} unanswerable questions "
        f"answered, {abstention['wrongly_refused']:.1%} of {abstention['answerable']} answerable ones refused"
    )
    click.echo(f"latency: p50 {summary['latency_ms']['p50']:.1f} ms, p95 {summary['latency_ms']['p95']:.1f} ms")


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
