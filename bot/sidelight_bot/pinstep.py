"""The step that pins a run's commits: read from the event once, fetched if they are not here.

It holds the token, and so reads no file of the pull request: git moves objects, nothing is checked
out and nothing is parsed. What comes after works on these commits, however far the branch moves.
"""

from __future__ import annotations

import base64
import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click

from sidelight.embedding.catalogue import model_sha
from sidelight.errors import GitError, SidelightError, UnknownRevisionError
from sidelight.git.repository import Repository, open_repository
from sidelight.store.schema import FORMAT
from sidelight.versions import pipeline_version
from sidelight_bot.events import (
    CommentMade,
    DefaultBranchPushed,
    Event,
    PullRequestChanged,
    parse_event,
)
from sidelight_bot.model import PullRequest, Repo
from sidelight_bot.payload import Fields, PayloadError, read_pull
from sidelight_bot.views import config_at

TRANSPORTS = "file:git:http:https:ssh"  # not ext, which runs commands
FETCH_DEPTH = 50
MAX_ANSWER = 4 << 20
TIMEOUT_S = 20.0
MAX_FILE = 4096
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Pin:
    """The commits of a run. `base` is the base branch's, `fork_point` the merge base.

    `fork_point` is "" if none could be found, `head` "" in a run that only indexes.
    """

    number: int
    base: str
    fork_point: str
    head: str

    def to_json(self) -> str:
        """Return the pin as `read_pin` takes it."""
        return json.dumps(asdict(self)) + "\n"


def read_pin(path: Path) -> Pin | None:
    """Return the pin in a file, or None if there is none that is ours."""
    try:
        with path.open("rb") as file:
            table = json.loads(file.read(MAX_FILE))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(table, dict) or set(table) != {"number", "base", "fork_point", "head"}:
        return None
    shas = (table["base"], table["fork_point"], table["head"])
    if type(table["number"]) is not int or not all(isinstance(sha, str) for sha in shas):
        return None
    if not _SHA.fullmatch(shas[0]) or not all(not sha or _SHA.fullmatch(sha) for sha in shas):
        return None
    return Pin(**table)


@click.command("pin", hidden=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True)
def pin_command(out: Path) -> None:
    """Pin the commits of this job's event, and print the cache's keys as name=value lines.

    An event that needs no index prints nothing, and leaves no file.
    """
    event = _event(os.environ)
    found = commits_of(event, os.environ)
    if found is None:
        return
    repo = open_repository(Path(os.environ.get("GITHUB_WORKSPACE") or "."))
    pin = fetch_commits(with_token(repo, os.environ), found)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(pin.to_json(), "utf-8")
    for name, value in cache_keys(repo, pin.base, os.environ.get("SIDELIGHT_CONFIG", "")).items():
        click.echo(f"{name}={value}")


def commits_of(event: Event, environ: Mapping[str, str]) -> Pin | None:
    """Return the commits that an event is about, or None if it needs no index.

    The event of a comment in the conversation does not tell them: GitHub is asked, once.

    Raises:
        SidelightError: GitHub cannot be asked, or its answer is not what it documents.
    """
    if isinstance(event, DefaultBranchPushed):
        commit = event.commit
        if commit is None:
            repo = open_repository(Path(environ.get("GITHUB_WORKSPACE") or "."))
            commit = repo.resolve_commit("HEAD")
        return Pin(0, commit, commit, "")
    pull: PullRequest | None = None
    if isinstance(event, PullRequestChanged):
        pull = event.pull if event.pull.is_open and not event.pull.draft else None
    elif isinstance(event, CommentMade):
        pull = event.pull or _ask_pull(event.repo, event.number, environ)
    return None if pull is None else Pin(pull.number, pull.base_sha, "", pull.head_sha)


def fetch_commits(repo: Repository, pin: Pin) -> Pin:
    """Return the pin with its merge base; what is not here is fetched, nothing else.

    Raises:
        GitError: a commit is not here and cannot be fetched.
    """
    from sidelight.git.discovery import deepen_to_merge_base  # noqa: PLC0415 - loads GitPython

    wanted = [sha for sha in dict.fromkeys((pin.base, pin.head)) if sha and not _is_here(repo, sha)]
    if wanted:
        words = ["-c", "core.hooksPath=/dev/null", "fetch", "-q", "--no-tags", "--no-auto-gc"]
        words += ["--no-recurse-submodules", "--no-write-fetch-head"]
        words += [f"--depth={FETCH_DEPTH}"] if repo.is_shallow else []
        words += ["--end-of-options", "origin", *wanted]
        repo.run(words, env={"GIT_ALLOW_PROTOCOL": TRANSPORTS})
    if not pin.head:
        return pin
    refs = (pin.base, pin.head)
    try:
        base, _ = deepen_to_merge_base(repo, *refs, refs=refs)
    except UnknownRevisionError:
        raise
    except GitError:
        base = None  # the report says so; nothing is compared with a wrong base
    return replace(pin, fork_point=base or "")


def cache_keys(repo: Repository, base: str, config_name: str) -> dict[str, str]:
    """Return `key` and `prefix`: digits of the format, the fingerprint and the base's tree."""
    try:
        model = config_at(repo, base, config_name).embedding.model
    except SidelightError:
        model = "default"  # the indexing step says what is wrong with the configuration
    prefix = f"sidelight-index-{FORMAT}-{pipeline_version()}-{model_sha(model)[:16]}-"
    return {"key": prefix + repo.tree_of(base), "prefix": prefix}


def with_token(repo: Repository, environ: Mapping[str, str]) -> Repository:
    """Return the repository whose git sends the job's token, to GitHub's own address only.

    It goes by environment: command lines are for everybody to read.
    """
    token, server = environ.get("GITHUB_TOKEN"), environ.get("GITHUB_SERVER_URL")
    if not token or not server:
        return repo
    secret = base64.b64encode(f"x-access-token:{token}".encode()).decode("ascii")
    number = int(environ.get("GIT_CONFIG_COUNT") or 0)
    settings = (
        ("GIT_CONFIG_COUNT", str(number + 1)),
        (f"GIT_CONFIG_KEY_{number}", f"http.{server.rstrip('/')}/.extraheader"),
        (f"GIT_CONFIG_VALUE_{number}", f"AUTHORIZATION: basic {secret}"),
    )
    return replace(repo, settings=(*repo.settings, *settings))


def _event(environ: Mapping[str, str]) -> Event:
    path = Path(environ["GITHUB_EVENT_PATH"])
    try:
        payload = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise PayloadError(f"the event's file cannot be read: {type(error).__name__}") from error
    return parse_event(environ.get("GITHUB_EVENT_NAME", ""), payload)


def _ask_pull(repo: Repo, number: int, environ: Mapping[str, str]) -> PullRequest:
    """Return a pull request as GitHub has it now; one request, no redirects."""
    api = environ.get("GITHUB_API_URL") or "https://api.github.com"
    if not api.startswith(("https://", "http://")):
        raise PayloadError("GITHUB_API_URL is no web address")
    request = urllib.request.Request(f"{api}/repos/{repo.slug}/pulls/{number}")  # noqa: S310
    request.add_header("Accept", "application/vnd.github+json")
    request.add_header("X-GitHub-Api-Version", "2022-11-28")
    request.add_header("User-Agent", "sidelight")
    token = environ.get("GITHUB_TOKEN")
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
            table = json.loads(answer.read(MAX_ANSWER))
    except (OSError, ValueError, RecursionError) as error:
        kind = f"HTTP {error.code}" if isinstance(error, urllib.error.HTTPError) else "no answer"
        raise PayloadError(f"GitHub does not show pull request {number}: {kind}") from error
    return read_pull(Fields.of(table, "pull request"))


def _is_here(repo: Repository, commit: str) -> bool:
    try:
        repo.tree_of(commit)
    except UnknownRevisionError:
        return False
    return True
