"""Render what `sidelight-hook` prints. Pure: reports in, lines or plain values out."""

from __future__ import annotations

from typing import Any

from sidelight_hooks.report import Action, HookAction, HooksReport
from sidelight_hooks.status import HooksStatus, HookStatus

_AFTER = {
    Action.INSTALLED: "; the hook that was here before runs first: {file}",
    Action.UPDATED: "; the hook that was here before runs first: {file}",
    Action.UNCHANGED: "; the hook that was here before runs first: {file}",
    Action.EDITED: ": {file}",
    Action.REPLACED: "; a copy of the edited one: {file}",
    Action.FOREIGN: "; the hook from before us: {file}",
}


def report_lines(report: HooksReport) -> list[str]:
    """Return a report as lines: the folder, then what became of each hook."""
    return [f"hooks in {report.folder} (by {report.via})", *map(_action_line, report.actions)]


def report_json(report: HooksReport) -> dict[str, Any]:
    """Return a report as it is printed with `--format json`."""
    return {
        "folder": str(report.folder),
        "via": report.via,
        "hooks": [
            {"hook": action.hook, "action": action.action, "file": action.file or None}
            for action in report.actions
        ],
        "notes": list(report.notes),
    }


def status_lines(status: HooksStatus) -> list[str]:
    """Return a status as lines."""
    how = f"by {status.via}" if status.via else "not installed"
    lines = [f"hooks in {status.folder} ({how})", *map(_status_line, status.hooks)]
    if status.said_lost:
        lines.append("a hook found no working Python; run `sidelight-hook install` again")
    if status.last_run is None:
        lines.append("last run: none")
    else:
        run = status.last_run
        lines.append(f"last run: {run.time} {run.hook} {run.outcome} {run.detail}".rstrip())
    return [*lines, f"log: {status.log}"]


def status_json(status: HooksStatus) -> dict[str, Any]:
    """Return a status as it is printed with `--format json`."""
    run = status.last_run
    return {
        "folder": str(status.folder),
        "origin": status.origin,
        "via": status.via,
        "hooks": [
            {
                "hook": hook.hook,
                "state": hook.condition,
                "version": hook.version,
                "path": hook.path or None,
                "python": hook.python or None,
                "python_works": hook.python_works,
                "other": hook.other or None,
                "other_runs": hook.other_runs,
                "manager": hook.manager or None,
            }
            for hook in status.hooks
        ],
        "last_run": run
        and {"time": run.time, "hook": run.hook, "outcome": run.outcome, "detail": run.detail},
        "log": str(status.log),
        "said_lost": status.said_lost,
    }


def _action_line(action: HookAction) -> str:
    after = _AFTER.get(action.action, "").format(file=action.file) if action.file else ""
    return f"  {action.hook:<15} {action.action}{after}"


def _status_line(hook: HookStatus) -> str:
    parts: list[str] = [hook.condition]
    if hook.version is not None:
        parts.append(f"version {hook.version}")
    if hook.python and not hook.python_works:
        parts.append(f"its Python does not work: {hook.python}")
    if hook.other:
        runs = "" if hook.other_runs else " (not executable: git ignores it)"
        parts.append(f"other hook{_by(hook.manager)}: {hook.other}{runs}")
    return f"  {hook.hook:<15} {', '.join(parts)}"


def _by(manager: str) -> str:
    return f" by {manager}" if manager else ""
