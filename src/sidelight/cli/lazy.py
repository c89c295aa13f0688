"""A group of commands whose modules are imported when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def __init__(self, *args: Any, targets: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        """Take name → (module, attribute) of each command, in the order that help shows."""
        super().__init__(*args, **kwargs)
        self._targets = targets

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in their order."""
        del ctx
        return list(self._targets)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names.

        Raises:
            UsageError: it names none; the message has the nearest that are there.
        """
        if args and args[0] not in self._targets and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], self._targets, n=2)
            if near:
                ctx.fail(f"no command is called {args[0]!r}; did you mean {' or '.join(near)}?")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name."""
        del ctx
        if cmd_name not in self._targets:
            return None
        module, name = self._targets[cmd_name]
        command = getattr(importlib.import_module(module), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.{name} is not a command")
        return command
