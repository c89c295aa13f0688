"""`sidelight-bot`: the one place that reads the environment, and that prints.

Lines of the log may hold strangers' words: they go through `outputs.log_line`, so that the runner
takes none for a command. Commands are loaded when they are called: the indexing step must not load
what speaks to GitHub.
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path

import click

from sidelight import __version__
from sidelight.cli.lazy import LazyGroup
from sidelight.errors import ExitCode, SidelightError
from sidelight_bot.outputs import log_line

EXTRA = frozenset({"github", "markdown_it", "openai", "requests"})  # modules of the `bot` extra

COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": ("sidelight_bot.cli", "run_command"),
    "publish": ("sidelight_bot.cli", "publish_command"),
    "preview": ("sidelight_bot.preview", "preview_command"),
    "index": ("sidelight_bot.indexstep", "index_command"),
    "analyse": ("sidelight_bot.apart", "analyse_command"),
    "gather": ("sidelight_bot.apart", "gather_command"),
    "pin": ("sidelight_bot.pinstep", "pin_command"),
}


@click.group(
    cls=LazyGroup, targets=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="sidelight-bot")
def cli() -> None:
    """Show reviewers the code that a diff does not, and answer questions about it."""


@click.command("run")
def run_command() -> int:
    """Act on this job's event: comment, answer, or leave a result for `publish`.

    Everything is read from the environment of a GitHub Actions job; see docs/bot-events.md.
    """
    from sidelight_bot.run import run_job  # noqa: PLC0415
    from sidelight_bot.settings import read_settings  # noqa: PLC0415

    outcome = run_job(read_settings(os.environ))
    for line in outcome.log:
        click.echo(log_line(line))
    for line in outcome.commands:
        click.echo(line)
    return outcome.exit_code


@click.command("publish")
@click.option(
    "--result",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The other run's result. Default: SIDELIGHT_RESULT.",
)
def publish_command(result: Path | None) -> int:
    """Post the result of a run that was not allowed to, after checking that it is that run's."""
    from dataclasses import replace  # noqa: PLC0415

    from sidelight_bot.run import run_job  # noqa: PLC0415
    from sidelight_bot.settings import Mode, read_settings  # noqa: PLC0415

    settings = replace(read_settings(os.environ), mode=Mode.PUBLISH)
    outcome = run_job(replace(settings, result=result or settings.result))
    for line in outcome.log:
        click.echo(log_line(line))
    return outcome.exit_code


def main(argv: list[str] | None = None) -> int:
    """Return the exit code of `sidelight-bot ARGV`."""
    try:
        result = cli.main(args=argv, prog_name="sidelight-bot", standalone_mode=False)
    except SystemExit:  # click's answer to a closed pipe
        return ExitCode.OK
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the entry point
        return _report(error)
    return result if isinstance(result, int) else ExitCode.OK


def _report(error: BaseException) -> int:
    if isinstance(error, SidelightError):
        return _say(error.message, error.hint, error.exit_code)
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return _say("interrupted", "", ExitCode.INTERRUPTED)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()  # a bare `sidelight-bot`: its help is the message, as it is
        return ExitCode.USAGE
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRA:
        return _say(
            f"the package {error.name} is not installed",
            'pip install "sidelight[bot]"',
            ExitCode.FAILURE,
        )
    if isinstance(error, click.ClickException):
        return _say(error.format_message(), "sidelight-bot --help", ExitCode.USAGE)
    with tempfile.NamedTemporaryFile(
        "w", prefix="sidelight-bot-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        traceback.print_exception(error, file=log)
    return _say(
        f"sidelight-bot failed unexpectedly: {type(error).__name__}: {error}",
        f"this is our bug; the details are in {log.name}",
        ExitCode.BUG,
    )


def _say(message: str, hint: str, code: ExitCode) -> int:
    click.echo(log_line(f"error: {message}"), err=True)
    if hint:
        click.echo(log_line(f"hint: {hint}"), err=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
