"""What `sidelight doctor` looks at: git, worktrees, the model, the index, the hooks."""

from __future__ import annotations

from sidelight.errors import SidelightError
from sidelight.indexing.maintenance import Finding, examine
from sidelight.indexing.place import Place
from sidelight.indexing.status import MENDED_BY, index_status


def check_up(place: Place) -> list[Finding]:
    """Return findings on everything that Sidelight needs here; nothing is changed."""
    return [
        _check_git(place),
        _check_model(place),
        *examine(place),
        _check_state(place),
        *_check_hooks(place),
    ]


def _check_git(place: Place) -> Finding:
    from sidelight.git.discovery import list_worktrees

    version = place.repo.run(["version"]).decode("utf-8", "replace").strip()
    kinds = [
        name
        for name, holds in (
            ("bare", place.repo.is_bare),
            ("shallow", place.repo.is_shallow),
            ("partial clone", place.repo.is_partial),
        )
        if holds
    ]
    worktrees = len(list_worktrees(place.repo))
    detail = f"{version}, {place.repo.object_format}, {worktrees} worktree{'s' * (worktrees != 1)}"
    return Finding("git", True, ", ".join([detail, *kinds]))


def _check_model(place: Place) -> Finding:
    try:
        embedder = place.embedder.open()
        width = embedder.embed_query("def main(): ...").shape[0]
    except SidelightError as error:
        return Finding("model", False, error.message, error.hint)
    return Finding("model", True, f"{embedder.info.id}, {width} dimensions")


def _check_state(place: Place) -> Finding:
    status = index_status(place)
    detail = f"{status.state}{f' ({status.detail})' if status.detail else ''}"
    return Finding("state", status.state in ("current", "partial"), detail, MENDED_BY[status.state])


def _check_hooks(place: Place) -> list[Finding]:
    from sidelight_hooks.status import Condition, hooks_status

    try:
        status = hooks_status(place.repo)
    except SidelightError as error:
        return [Finding("hooks", False, error.message, error.hint)]
    if all(hook.condition is Condition.MISSING for hook in status.hooks):
        return [Finding("hooks", True, "none are installed; `sidelight-hook install` adds them")]
    findings = []
    for hook in status.hooks:
        well = hook.condition is Condition.INSTALLED and hook.python_works
        detail = f"{hook.hook}: {hook.condition}"
        detail += "" if hook.python_works else f", but {hook.python or 'python'} cannot run it"
        findings.append(
            Finding("hook", well, detail, "" if well else "run `sidelight-hook install`")
        )
    if status.said_lost:
        hint = f"see {status.log}, and run `sidelight-hook install` in the environment to be used"
        findings.append(Finding("hook", False, "a hook found no interpreter", hint))
    return findings
