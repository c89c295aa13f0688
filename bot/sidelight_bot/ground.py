"""What a run stands on: the pinned commits, their index, the base's configuration.

In the action, other steps pin and index before (`SIDELIGHT_PIN`, `SIDELIGHT_INDEX_REPORT`), apart
from token and keys; then nothing is indexed here, even if that step failed. Started by hand, the
run does both itself: what is in the checkout is not fetched, and without a remote nothing is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sidelight.config import Config
from sidelight.errors import GitError, SidelightError
from sidelight.git.repository import Repository, open_repository
from sidelight.indexing.place import EmbedderSource, Place, index_directory
from sidelight_bot.github.errors import GitHubError
from sidelight_bot.github.port import GitHubPort
from sidelight_bot.indexreport import IndexReport, read_index_report
from sidelight_bot.model import PullRequest
from sidelight_bot.pinstep import TRANSPORTS, Pin, fetch_commits, read_pin, with_token
from sidelight_bot.settings import Settings
from sidelight_bot.views import config_at, head_view

EmbedderOf = Callable[[Config], EmbedderSource]


@dataclass(frozen=True, slots=True)
class Ground:
    """An indexed pull request. `pin.fork_point` is "" if nothing can be compared."""

    place: Place
    pin: Pin
    index: IndexReport

    @property
    def view(self) -> str:
        """The name of the view that shows the head."""
        return head_view(self.pin.head, self.pin.base)

    @property
    def is_indexed(self) -> bool:
        """Whether there is anything to search."""
        return self.index.state != "missing"


def open_ground(
    settings: Settings, pull: PullRequest, port: GitHubPort, embedder_of: EmbedderOf
) -> Ground:
    """Return the ground for a pull request, at the head that was pinned first.

    Somebody may push between the event and this step: what was asked about is what counts.

    Raises:
        SidelightError: there is no repository, or a commit is neither here nor to be had.
    """
    job = settings.job
    repo = open_repository(job.workspace)
    environ = {"GITHUB_TOKEN": job.token, "GITHUB_SERVER_URL": job.server_url}
    pin = read_pin(settings.pin) if settings.pin else None
    if pin is None or pin.number != pull.number or not pin.head:
        wanted = Pin(pull.number, pull.base_sha, "", pull.head_sha)
        pin = fetch_commits(with_token(repo, environ), wanted)
    if not pin.fork_point:
        pin = _ask_server(with_token(repo, environ), pin, port)
    config = config_at(repo, pin.base, settings.config)
    embedder = embedder_of(config)
    place = Place(repo, index_directory(repo), config, embedder)
    if settings.index_report is not None:
        return Ground(place, pin, read_index_report(settings.index_report))
    return Ground(place, pin, _index(repo, pin, settings, embedder))


def index_branch(settings: Settings, commit: str | None, embedder_of: EmbedderOf) -> IndexReport:
    """Return what was done to index a commit (None: what is checked out) for the cache."""
    if settings.index_report is not None:
        return read_index_report(settings.index_report)
    repo = open_repository(settings.job.workspace)
    wanted = repo.resolve_commit(commit or "HEAD")
    embedder = embedder_of(config_at(repo, wanted, settings.config))
    return _index(repo, Pin(0, wanted, wanted, ""), settings, embedder)


def _index(repo: Repository, pin: Pin, settings: Settings, embedder: EmbedderSource) -> IndexReport:
    from sidelight_bot.indexstep import index_pull  # noqa: PLC0415 - loads the sandbox

    budget = settings.vectors_budget_s
    return index_pull(repo, pin, settings.config, vectors_s=budget, embedder=embedder)


def _ask_server(repo: Repository, pin: Pin, port: GitHubPort) -> Pin:
    """Return the pin with the merge base that the server knows, if it can be fetched.

    A checkout with too little history does not show it; the server has all of it.
    """
    try:
        base = port.merge_base(pin.base, pin.head)
        if base is None:
            return pin
        words = ["-c", "core.hooksPath=/dev/null", "fetch", "-q", "--no-tags", "--no-auto-gc"]
        words += ["--no-recurse-submodules", "--no-write-fetch-head"]
        words += ["--depth=1"] if repo.is_shallow else []
        words += ["--end-of-options", "origin", repo.require_object_id(base)]
        repo.run(words, env={"GIT_ALLOW_PROTOCOL": TRANSPORTS})
        repo.tree_of(base)
    except (GitError, GitHubError):
        return pin
    return replace(pin, fork_point=base)


def explain(error: SidelightError) -> str:
    """Return an error as one line of a summary or reply."""
    return " ".join(f"{error.message} {error.hint}".split())
