"""A command with a bug, registered by a test."""

from __future__ import annotations

import click


@click.command("broken")
def broken_command() -> None:
    """Fail in a way that nobody expected."""
    raise KeyError("a key\nof nobody")
