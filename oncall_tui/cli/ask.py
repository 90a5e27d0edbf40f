"""``oncall ask``: the grounded answer."""

import click

from oncall_tui.cli.context import Context, Styled, pass_context, print_json, put
from oncall_tui.cli.schema import answer_json
from oncall_tui.cli.search import find_evidence, labels_of, note_changes, print_misses, question_options
from oncall_tui.errors import NotFoundError
from oncall_tui.models import Answer


@click.command()
@question_options
@pass_context
def ask(
    context: Context,
    question: tuple[str, ...],
    limit: int | None,
    mode: str,
    pairs: tuple[str, ...],
    *,
    as_json: bool,
) -> int:
    """Say what the runbooks say to QUESTION, each statement with its source."""
    engine, evidence = find_evidence(context, question, limit, mode, pairs)
    answer = engine.answer(evidence)
    cited = {citation.citation: citation.label for citation in answer.citations}
    stale = note_changes(engine, labels_of(evidence) | cited)
    if as_json:
        print_json(answer_json(answer, stale))
    elif evidence.passages:
        _print(answer)
    else:
        print_misses(evidence)
    return 0 if evidence.passages else NotFoundError.exit_code


def _print(answer: Answer) -> None:
    put(Styled(answer.headline, bold=True))
    section = None
    for statement in answer.statements:
        if statement.section is not section:
            section = statement.section
            put("\n", Styled(section.value, underline=True))
        marks = "".join(f"[{citation.label}]" for citation in statement.citations)
        put(f"{statement.text} ", Styled(marks, bold=True))
    put()
    for citation in answer.citations:
        put(f"[{citation.label}] {citation.source}:{citation.span}  {citation.citation}")
