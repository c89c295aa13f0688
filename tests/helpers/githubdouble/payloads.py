"""Webhook payloads as GitHub sends them, built from the double's state and checked.

Each is complete by GitHub's description of its event; the variants that matter (fork, draft, bot,
stranger, comment on an issue) come from the state they are built from.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from helpers.githubdouble.schema import complete
from helpers.githubdouble.state import Hub, Pull, Remark

_PULL_MODELS = {
    "opened": "WebhookPullRequestOpened",
    "synchronize": "WebhookPullRequestSynchronize",
    "reopened": "WebhookPullRequestReopened",
    "ready_for_review": "WebhookPullRequestReadyForReview",
    "closed": "WebhookPullRequestClosed",
    "edited": "WebhookPullRequestEdited",
}
_COMMENT_MODELS = {
    "created": "WebhookIssueCommentCreated",
    "edited": "WebhookIssueCommentEdited",
    "deleted": "WebhookIssueCommentDeleted",
}


def pull_request(hub: Hub, pull: Pull, action: str = "opened", **more: Any) -> dict[str, Any]:
    """Return the payload of a `pull_request` event."""
    if action == "synchronize":
        more = {"before": "0" * 40, "after": hub.head_of(pull), **more}
    table = {
        "action": action,
        "number": pull.number,
        "pull_request": hub.pull_table(pull, ""),
        "repository": hub.repository(model=""),
        "sender": pull.author.table(),
        **more,
    }
    return complete(_PULL_MODELS[action], table)


def issue_comment(
    hub: Hub, remark: Remark, action: str = "created", *, on_issue: bool = False
) -> dict[str, Any]:
    """Return the payload of an `issue_comment` event; `on_issue`: it is no pull request."""
    pull = hub.pulls[remark.number]
    url = f"{hub.web}/{hub.slug}/pull/{pull.number}"
    issue: dict[str, Any] = {
        "number": pull.number,
        "title": pull.title,
        "state": pull.state,
        "body": pull.body or None,
        "user": pull.author.table(),
        "author_association": pull.author.association,
        "labels": [],
        "assignees": [],
        "locked": False,
        "draft": pull.draft,
    }
    if not on_issue:
        issue["pull_request"] = dict.fromkeys(("url", "html_url", "diff_url", "patch_url"), url)
    table = {
        "action": action,
        "issue": issue,
        "comment": _spoken(hub, remark),
        "repository": hub.repository(model=""),
        "sender": remark.author.table(),
    }
    if action == "edited":
        table["changes"] = {"body": {"from": "before"}}
    return complete(_COMMENT_MODELS[action], table)


def review_comment(hub: Hub, remark: Remark) -> dict[str, Any]:
    """Return the payload of a `pull_request_review_comment` event."""
    table = {
        "action": "created",
        "comment": _spoken(hub, remark),
        "pull_request": hub.pull_table(hub.pulls[remark.number], ""),
        "repository": hub.repository(model=""),
        "sender": remark.author.table(),
    }
    return complete("WebhookPullRequestReviewCommentCreated", table)


def push(hub: Hub, commit: str, ref: str = "refs/heads/main", **more: Any) -> dict[str, Any]:
    """Return the payload of a `push` event."""
    repository = hub.repository(model="")
    table = {"ref": ref, "before": "0" * 40, "after": commit, "repository": repository, **more}
    return complete("WebhookPush", table)


def workflow_run(
    hub: Hub, pull: Pull, *, run_id: int = 501, event: str = "pull_request", **more: Any
) -> dict[str, Any]:
    """Return the payload of the `workflow_run` that follows a run for a pull request.

    GitHub names the pull requests of its own branches only.
    """
    source = f"{pull.fork}/{hub.name}" if pull.fork else hub.slug
    run = {
        "id": run_id,
        "run_number": 5,
        "run_attempt": 1,
        "event": event,
        "status": "completed",
        "conclusion": "success",
        "head_sha": hub.head_of(pull),
        "head_branch": pull.head_ref,
        "head_repository": hub.repository(source, ""),
        "repository": hub.repository(model=""),
        "pull_requests": [],
        **more,
    }
    table = {
        "action": "completed",
        "workflow_run": run,
        "repository": hub.repository(model=""),
        "sender": pull.author.table(),
    }
    return complete("WebhookWorkflowRunCompleted", table)


def write_event(payload: dict[str, Any], folder: Path) -> Path:
    """Return the file that a job finds as GITHUB_EVENT_PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "event.json"
    file.write_text(json.dumps(payload), "utf-8")
    return file


def _spoken(hub: Hub, remark: Remark) -> dict[str, Any]:
    table = hub.remark_table(remark)
    return {name: value for name, value in table.items() if value is not None or name != "line"}
