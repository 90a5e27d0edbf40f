"""``oncall``: global options, the commands, and the one error path."""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from oncall_tui import __version__, config
from oncall_tui.cli.ask import ask
from oncall_tui.cli.context import Context, say, silence
from oncall_tui.cli.doctor import doctor
from oncall_tui.cli.evaluate import evaluate
from oncall_tui.cli.index import index
from oncall_tui.cli.search import search
from oncall_tui.cli.show import show
from oncall_tui.errors import ConfigError, OncallError


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", "config_file", type=click.Path(path_type=Path, readable=False), help="Settings file (TOML).")
@click.option(
    "--data-dir", type=click.Path(readable=False), help="Folder of the index and the state. [env: ONCALL_DATA_DIR]"
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    type=click.Path(readable=False),
    help="Folder of runbooks; repeatable. [env: ONCALL_SOURCES]",
)
@click.option("--offline", is_flag=True, help="Refuse every use of the network.")
@click.version_option(__version__, prog_name="oncall")
@click.pass_context
def cli(
    context: click.Context, config_file: Path | None, data_dir: str | None, sources: tuple[str, ...], *, offline: bool
) -> int:
    """Find what the runbooks say, and where they say it.

    Without a command the full-screen app opens; it builds the index first if there is none.
    """
    overrides: dict[str, object] = {"data_dir": data_dir, "sources": sources or None, "offline": offline or None}
    context.obj = Context(config_file, overrides)
    for name, meant in config.mistyped(os.environ):
        say(f"note: {name} is no variable of oncall and says nothing; did you mean {meant}?")
    return _open_screen(context.obj) if context.invoked_subcommand is None else 0


def _open_screen(context: Context) -> int:
    """Open the full-screen app; return its exit status, which is not 0 after a crash."""
    from oncall_tui.ui.app import OncallApp  # noqa: PLC0415 - commands need no textual

    settings = context.settings()
    app = OncallApp(context.engine(), keys=settings.keys, theme=settings.theme)
    app.run()
    return app.return_code or 0


for command in (index, search, ask, show, evaluate, doctor):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    _prepare_streams()
    try:
        return _run(arguments)
    except OSError as error:
        if not _is_output_lost():
            raise
        say(f"oncall: The answer cannot be written: {error.strerror}.")
        return OncallError.exit_code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        result = cli.main(args=list(arguments) if arguments is not None else None, standalone_mode=False)
    except OncallError as error:
        say(f"oncall: {error.message}")
        if error.hint:
            say(f"hint: {error.hint}")
        return error.exit_code
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        say(shown.getvalue().rstrip("\n"))
        return ConfigError.exit_code
    except click.Abort:
        say("oncall: stopped")
        return 130
    except SystemExit:
        # Click leaves in this way, and only then, when the reader (head, less) went away: it has what it wanted.
        return 0
    return result if isinstance(result, int) else 0


def _prepare_streams() -> None:
    """Make streams that take any text, and that are there: a file must not be opened in the place of one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _is_output_lost() -> bool:
    """Return whether stdout takes not even a line feed more, such as on a full disk."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        silence(sys.stdout)
        return True
    return False
