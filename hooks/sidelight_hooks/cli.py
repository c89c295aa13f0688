"""`sidelight-hook install | uninstall | status | run`: words in, reports out.

stdout is the result, stderr is notes and errors. `run` itself is in `main`, without click.
"""

# ruff: noqa: A002

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

import sidelight
from sidelight.errors import ExitCode, SidelightError
from sidelight.git.repository import Repository, open_repository
from sidelight_hooks.events import HOOKS
from sidelight_hooks.install import install_hooks
from sidelight_hooks.place import Via
from sidelight_hooks.render import report_json, report_lines, status_json, status_lines
from sidelight_hooks.report import Action, HooksReport
from sidelight_hooks.status import hooks_status
from sidelight_hooks.uninstall import uninstall_hooks

directory_option = click.option(
    "-C",
    "directory",
    type=click.Path(path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Work in the repository at DIR instead of the current folder.",
)
hook_option = click.option(
    "--hook",
    "hooks",
    multiple=True,
    type=click.Choice(HOOKS),
    help="Only this hook; may be given several times. Default: all of ours.",
)
format_option = click.option(
    "--format",
    "format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is printed.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(sidelight.__version__, prog_name="sidelight-hook")
def cli() -> None:
    """Keep Sidelight's index equal to HEAD, from git's own hooks.

    Hooks that are there keep running, before ours, and are put back as they were by `uninstall`.
    """


@cli.command()
@directory_option
@hook_option
@click.option(
    "--via",
    type=click.Choice([way.value for way in Via]),
    help="How git starts the hooks: as files, or by configuration (git 2.54). Default: as files, "
    "unless those would lie among your own.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Install into a hooks folder of the worktree, and over a hook of ours that was edited.",
)
@format_option
def install(
    directory: Path, hooks: tuple[str, ...], via: str | None, force: bool, format: str
) -> None:
    """Install the hooks; doing it again changes nothing."""
    report = install_hooks(
        _open(directory), hooks=hooks or HOOKS, via=Via(via) if via else None, force=force
    )
    _print_report(report, format)
    if any(action.action is Action.EDITED for action in report.actions):
        raise SidelightError(
            "a hook of ours was edited, and left as it is",
            hint="--force writes it anew and keeps a copy",
        )


@cli.command()
@directory_option
@hook_option
@format_option
def uninstall(directory: Path, hooks: tuple[str, ...], format: str) -> None:
    """Remove the hooks and put back what was there before, byte for byte."""
    _print_report(uninstall_hooks(_open(directory), hooks=hooks or HOOKS), format)


@cli.command()
@directory_option
@format_option
def status(directory: Path, format: str) -> None:
    """Tell how each hook stands, and what the last one did."""
    found = hooks_status(_open(directory))
    _print(status_lines(found), status_json(found), format)


@cli.command(
    context_settings={"ignore_unknown_options": True}, options_metavar="", short_help="Run a hook."
)
@click.argument("hook", type=click.Choice(HOOKS))
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
def run(hook: str, args: tuple[str, ...]) -> None:
    """Do what git's HOOK does with ARGS: bring the index up to HEAD.

    Never fails, and takes no longer than `hooks.budget_s`. Does nothing where there is no index, or
    if SIDELIGHT_DISABLE is set. Errors are in `.git/sidelight/hook.log`.
    """


def command_line(words: list[str]) -> int:
    """Return the exit code of `sidelight-hook WORDS`; errors are printed as message and hint."""
    try:
        cli.main(args=words, prog_name="sidelight-hook", standalone_mode=False)
    except SidelightError as error:
        _complain(error.message, error.hint)
        return error.exit_code
    except click.exceptions.Abort:
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        error.show(file=sys.stderr)
        return ExitCode.USAGE if isinstance(error, click.UsageError) else error.exit_code
    except click.exceptions.Exit as done:
        return done.exit_code
    return ExitCode.OK


def _open(directory: Path) -> Repository:
    return open_repository(directory.absolute())


def _print_report(report: HooksReport, format: str) -> None:
    _print(report_lines(report), report_json(report), format)
    for note in report.notes:
        click.echo(f"note: {note}", err=True)


def _print(lines: list[str], value: dict[str, Any], format: str) -> None:
    text = json.dumps(value, indent=2) if format == "json" else "\n".join(lines)
    click.echo(text.encode("utf-8", "surrogateescape"))


def _complain(message: str, hint: str) -> None:
    click.echo(f"error: {message}", err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
