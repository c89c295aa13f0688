"""The documentation names every command and option, and its generated pages are up to date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from benchmarks.languages_page import PAGE, render_page

from sidelight.cli.main import COMMANDS, cli
from sidelight_hooks.cli import cli as hook_cli

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("docs/cli.md", "docs/evaluation.md", "docs/hooks.md", "docs/models.md", "docs/graph.md")


def commands(group: click.Group, prefix: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix} {name}")
        else:
            yield f"{prefix} {name}", command


ALL = [*commands(cli, "sidelight"), *commands(hook_cli, "sidelight-hook")]
TEXT = "\n".join((ROOT / page).read_text("utf-8") for page in PAGES if (ROOT / page).exists())


@pytest.mark.parametrize(("name", "command"), ALL, ids=[name for name, _ in ALL])
def test_every_command_and_option_is_documented(name: str, command: click.Command) -> None:
    words = name.split()[1:]
    shown = (rf"{' '.join(words)}\b", rf"## {words[-1]}\b")
    assert any(re.search(pattern, TEXT) for pattern in shown), f"{name} is not in the docs"
    missing = [
        option.opts[-1]
        for option in command.params
        if isinstance(option, click.Option)
        and not option.hidden
        and not any(re.search(rf"(?<![\w-]){re.escape(o)}(?![\w-])", TEXT) for o in option.opts)
    ]
    assert missing == [], f"{name}: undocumented options"


@pytest.mark.parametrize("command", [command for _, command in ALL], ids=[n for n, _ in ALL])
def test_every_command_and_option_explains_itself(command: click.Command) -> None:
    assert command.help
    silent = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert silent == []


def test_every_command_of_the_table_can_be_loaded() -> None:
    context = click.Context(cli)
    assert [cli.get_command(context, name).name for name in COMMANDS] == list(COMMANDS)


def test_the_language_page_is_what_the_table_says() -> None:
    assert PAGE.read_text("utf-8") == render_page()


@pytest.mark.parametrize("page", sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("*.md")))
def test_links_of_the_pages_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []
