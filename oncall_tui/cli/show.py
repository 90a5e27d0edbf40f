"""``oncall show``: the lines that a citation names."""

import click

from oncall_tui.cli.context import Context, Styled, pass_context, print_json, put, say
from oncall_tui.models import LineSpan

_AROUND = 3
"""Lines shown before and after the cited ones."""


@click.command()
@click.argument("citation")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def show(context: Context, citation: str, *, as_json: bool) -> int:
    """Show the lines that CITATION (such as redis#redis:0) names, with some around them."""
    chunk, page, is_stale = context.engine().cited(citation)
    if as_json:
        lines = [chunk.span.first, chunk.span.last]
        print_json(
            {"citation": chunk.citation, "source": chunk.path, "lines": lines, "text": chunk.text, "stale": is_stale}
        )
        return 0
    put(Styled(f"{chunk.location}  {chunk.citation}", bold=True))
    for line in _numbered(page.text.split("\n"), chunk.span):
        put(line)
    if is_stale:
        say("note: these lines changed since they were indexed; run: oncall index")
    return 0


def _numbered(lines: list[str], span: LineSpan) -> list[str]:
    """Return the span's lines and some around them, numbered, the cited ones marked."""
    start, stop = max(span.start - _AROUND, 0), min(span.stop + _AROUND, len(lines))
    width = len(str(stop))
    return [
        f"{'>' if span.start <= number < span.stop else ' '} {number + 1:>{width}} │ {lines[number]}"
        for number in range(start, stop)
    ]
