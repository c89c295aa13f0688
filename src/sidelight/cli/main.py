"""The entry point: reads the environment, finds the command, and turns every failure into a
message, a hint and an exit code. Commands are loaded when they are called."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from pathlib import Path

import click

from sidelight import __version__
from sidelight.cli.lazy import LazyGroup
from sidelight.cli.printing import printable
from sidelight.errors import ExitCode, SidelightError

COMMANDS = {
    "init": ("sidelight.cli.indexing", "init_command"),
    "index": ("sidelight.cli.indexing", "index_command"),
    "status": ("sidelight.cli.indexing", "status_command"),
    "search": ("sidelight.cli.search", "search_command"),
    "related": ("sidelight.cli.related", "related_command"),
    "context": ("sidelight.cli.pack", "context_command"),
    "ask": ("sidelight.cli.ask", "ask_command"),
    "graph": ("sidelight.cli.graph", "graph_group"),
    "cache": ("sidelight.cli.cache", "cache_group"),
    "gc": ("sidelight.cli.maintenance", "gc_command"),
    "doctor": ("sidelight.cli.maintenance", "doctor_command"),
    "model": ("sidelight.cli.model", "model_group"),
    "eval": ("sidelight.cli.eval", "eval_group"),
}


MAX_LINE = 500  # of a message, which may quote what was given to us


@click.group(
    cls=LazyGroup, targets=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="sidelight")
@click.option(
    "-C",
    "directory",
    type=click.Path(path_type=Path),
    default=None,
    metavar="DIR",
    help="Run as if started in DIR, as git does.",
)
@click.pass_context
def cli(ctx: click.Context, directory: Path | None) -> None:
    """Search a git repository by meaning, words and names; the index follows every commit."""
    ctx.color = _colour()
    ctx.obj = directory if directory is not None else Path.cwd()


def main(argv: list[str] | None = None) -> int:
    """Return the exit code of `sidelight ARGV`."""
    try:
        result = cli.main(args=argv, prog_name="sidelight", standalone_mode=False)
    except SystemExit:  # click's answer to a closed pipe, which it makes safe to flush at exit
        return ExitCode.OK  # `sidelight search … | head` has what it wanted
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the entry point
        return _report(error)
    return result if isinstance(result, int) else ExitCode.OK


def _report(error: BaseException) -> int:
    if isinstance(error, SidelightError):
        return report_error(error.message, error.hint, error.exit_code)
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return report_error("interrupted", "what was done so far is kept", ExitCode.INTERRUPTED)
    if isinstance(error, click.ClickException):
        return _report_usage(error)
    return _report_bug(error)


def report_error(message: str, hint: str, code: ExitCode) -> int:
    """Print an error and its hint on stderr, a line each; return the exit code."""
    click.echo(click.style("error: ", fg="red") + _line(message), err=True, color=_colour())
    if hint:
        click.echo(click.style("hint: ", fg="cyan") + _line(hint), err=True, color=_colour())
    return code


def _colour() -> bool | None:
    """Return False if the user wants none (no-color.org), None to leave it to the terminal."""
    return False if os.environ.get("NO_COLOR") else None


def _line(text: str) -> str:
    line = printable(" ".join(text.splitlines()))
    return line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…"


def _report_usage(error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()  # `sidelight graph` alone: its help is the message, as it is
        return ExitCode.USAGE
    hint = ""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        hint = f"{error.ctx.command_path} --help"
    return report_error(error.format_message(), hint, ExitCode.USAGE)


def _report_bug(error: BaseException) -> int:
    with tempfile.NamedTemporaryFile(
        "w", prefix="sidelight-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        traceback.print_exception(error, file=log)
    return report_error(
        f"sidelight failed unexpectedly: {type(error).__name__}: {error}",
        f"this is our bug; the details are in {log.name}",
        ExitCode.BUG,
    )


if __name__ == "__main__":
    sys.exit(main())
