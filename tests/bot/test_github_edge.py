"""The adapter against GitHub's double: paths, pages, limits, refusals, deadlines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from helpers.githubdouble.faults import (
    Fault,
    Meanwhile,
    not_accessible,
    primary_limit,
    secondary_limit,
    server_error,
)
from helpers.githubdouble.server import READ_ONLY, TOKEN, GitHubDouble, Token
from helpers.githubdouble.state import BOT, Pull
from helpers.gitrepo import GitRepo
from sidelight_bot.github.adapter import ACTIONS_LOGIN, GitHubAdapter
from sidelight_bot.github.errors import (
    GitHubError,
    NotThereError,
    RateLimitedError,
    ReadOnlyTokenError,
    RefusedError,
    UnreachableError,
)
from sidelight_bot.github.port import InlineNote
from sidelight_bot.github.transport import Patience
from sidelight_bot.model import Permission, Repo, Side
from sidelight_bot.sticky import find_sticky

SOURCE = "".join(f"line {n}\n" for n in range(1, 41))
CHANGED = SOURCE.replace("line 20\n", "line twenty\nand a half\n")


@dataclass
class Clock:
    """Remembers what was slept; nobody waits."""

    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@dataclass
class Edge:
    """A double with one pull request, and an adapter that speaks to it."""

    double: GitHubDouble
    pull: Pull
    head: str
    clock: Clock = field(default_factory=Clock)

    def adapter(self, token: str = TOKEN, *, patience_s: float = 100.0) -> GitHubAdapter:
        patience = Patience(patience_s, self.clock.sleep)
        return GitHubAdapter(
            Repo("octo", "demo"), self.double.api_url, token, patience, user_agent="sidelight/test"
        )


@pytest.fixture
def edge(tmp_path: Path) -> Iterator[Edge]:
    with GitHubDouble(small_change(tmp_path), prefix="/api/v3") as double:  # as on Enterprise
        head = double.repo.git("rev-parse", "topic")
        yield Edge(double, double.hub.open_pull(head, author="ada"), head)


def small_change(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.txt", SOURCE)
    repo.commit()
    repo.switch("topic", "-c")
    repo.write("a.txt", CHANGED)
    repo.commit()
    repo.switch("main")
    return repo


def test_without_a_prefix_as_on_github_com(tmp_path: Path) -> None:
    with GitHubDouble(small_change(tmp_path)) as double:
        head = double.repo.git("rev-parse", "topic")
        adapter = Edge(double, double.hub.open_pull(head), head).adapter()
        assert adapter.pull(1).head_sha == head
        assert adapter.viewer() == BOT


def test_a_pull_request_is_read(edge: Edge) -> None:
    pull = edge.adapter().pull(1)
    assert (pull.number, pull.head_sha, pull.author) == (1, edge.head, "ada")
    assert edge.double.seen() == ["GET /repos/octo/demo/pulls/1"]


def test_what_is_not_there_is_told_apart(edge: Edge) -> None:
    with pytest.raises(NotThereError):
        edge.adapter().pull(99)
    with pytest.raises(GitHubError, match="401"):
        edge.adapter("wrong").pull(1)


@pytest.mark.parametrize("role", [item.value for item in Permission if item.value != "none"])
def test_a_permission_is_read_with_triage_and_maintain(edge: Edge, role: str) -> None:
    edge.double.hub.person("eve", role)
    assert edge.adapter().permission("eve") is Permission(role)


def test_a_stranger_has_no_permission(edge: Edge) -> None:
    assert edge.adapter().permission("nobody") is Permission.NONE
    assert edge.adapter().permission("../../pulls/1") is Permission.NONE


def test_all_pages_are_read_and_none_that_is_not_needed(edge: Edge) -> None:
    for n in range(250):
        edge.double.hub.say(1, "ada", f"comment {n}")
    adapter = edge.adapter()
    assert [c.body for c in adapter.conversation(1)] == [f"comment {n}" for n in range(250)]
    assert adapter.n_requests == 3
    first = next(adapter.conversation(1))
    assert first.body == "comment 0"
    assert adapter.n_requests == 4


def test_the_sticky_comment_is_found_by_mark_and_author(edge: Edge) -> None:
    mark = f"<!-- sidelight:v1 head={edge.head} run=1 -->\ntext"
    hub = edge.double.hub
    hub.say(1, "mallory", mark)
    for n in range(35):
        hub.say(1, "ada", f"comment {n}")
    mine = hub.say(1, BOT, mark)
    hub.say(1, BOT, mark)
    adapter = edge.adapter()
    found = find_sticky(adapter.conversation(1), adapter.viewer)
    assert found is not None
    assert found.id == mine.id
    hub.delete(mine.id)


def test_nobody_is_asked_who_we_are_without_a_mark(edge: Edge) -> None:
    edge.double.hub.say(1, "ada", "hello")
    adapter = edge.adapter()
    assert find_sticky(adapter.conversation(1), adapter.viewer) is None
    assert adapter.n_requests == 1


def test_the_token_of_an_app_has_its_own_login(edge: Edge) -> None:
    edge.double.tokens["app"] = Token("reviewer[bot]")
    assert edge.adapter("app").viewer() == "reviewer[bot]"
    assert edge.adapter().viewer() == BOT


def test_a_server_without_graphql_gave_the_jobs_own_token(edge: Edge) -> None:
    edge.double.faults.append(Fault("POST", "graphql", 404, "Not Found", times=2))
    adapter = edge.adapter()
    assert adapter.viewer() == ACTIONS_LOGIN
    assert adapter.viewer() == ACTIONS_LOGIN
    assert adapter.n_requests == 1


def test_comments_reactions_and_replies_are_written(edge: Edge) -> None:
    adapter, hub = edge.adapter(), edge.double.hub
    made = adapter.create_comment(1, "first\r\n`code` é 👀")
    assert adapter.update_comment(made.id, "second").body == "second"
    adapter.react(made.id, "eyes", in_thread=False)
    adapter.react(made.id, "eyes", in_thread=False)
    top = hub.discuss(edge.pull, "ada", "why?", "a.txt", 20)
    reply = adapter.reply(1, top.id, "because")
    adapter.react(top.id, "eyes", in_thread=True)
    adapter.update_review_comment(reply.id, "resolved")
    assert [item.body for item in hub.conversation(1)] == ["second"]
    assert [item.body for item in hub.threads(1)] == ["why?", "resolved"]
    assert top.reactions == [(BOT, "eyes")]
    threads = {item.thread.top_comment_id for item in adapter.review_comments(1)}
    assert threads == {top.id}


def test_a_review_is_one_request(edge: Edge) -> None:
    notes = [
        InlineNote("a.txt", 21, Side.RIGHT, "one", start_line=20),
        InlineNote("a.txt", 20, Side.LEFT, "two"),
        InlineNote("a.txt", 22, Side.RIGHT, "three"),
    ]
    adapter = edge.adapter()
    posted = adapter.create_review(1, edge.head, "", notes)
    assert posted.posted == tuple(notes)
    assert posted.refused == ()
    assert adapter.n_requests == 1
    assert [item.side for item in edge.double.hub.threads(1)] == ["RIGHT", "LEFT", "RIGHT"]


@pytest.mark.parametrize(
    "bad",
    [
        InlineNote("a.txt", 5, Side.RIGHT, "outside the hunk"),
        InlineNote("b.txt", 1, Side.RIGHT, "another file"),
        InlineNote("a.txt", 21, Side.LEFT, "a line", start_line=1),
    ],
)
def test_one_refused_anchor_does_not_lose_the_others(edge: Edge, bad: InlineNote) -> None:
    good = [InlineNote("a.txt", n, Side.RIGHT, f"note {n}") for n in (20, 21)]
    posted = edge.adapter().create_review(1, edge.head, "", [good[0], bad, good[1]])
    assert posted.posted == tuple(good)
    assert posted.refused == (bad,)
    assert [item.body for item in edge.double.hub.threads(1)] == ["note 20", "note 21"]


def test_files_are_listed_with_renames_and_without_patches(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "many")
    repo.write("old.txt", SOURCE)
    for n in range(120):
        repo.write(f"many/{n:03}.txt", "x\n")
    repo.commit()
    repo.switch("topic", "-c")
    repo.rename("old.txt", "new.txt")
    repo.write("large.txt", "a long line of text\n" * 1000)
    for n in range(120):
        repo.write(f"many/{n:03}.txt", "y\n")
    head = repo.commit()
    repo.switch("main")
    with GitHubDouble(repo) as double:
        double.hub.open_pull(head)
        adapter = Edge(double, double.hub.pulls[1], head).adapter()
        files = {item.path: item for item in adapter.changed_files(1)}
        assert len(files) == 122
        assert adapter.n_requests == 2
        assert files["new.txt"].previous_path == "old.txt"
        assert files["large.txt"].patch is None
        assert files["large.txt"].additions == 1000
        assert files["many/000.txt"].patch == "@@ -1 +1 @@\n-x\n+y"


def test_the_server_knows_the_merge_base(edge: Edge) -> None:
    base = edge.double.repo.head()
    assert edge.adapter().merge_base(base, edge.head) == base
    lonely = edge.double.repo.git("commit-tree", "-m", "lonely", edge.double.repo.tree())
    assert edge.adapter().merge_base(lonely, edge.head) is None


# -- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["GET", "POST"])
def test_a_secondary_limit_is_waited_for(edge: Edge, verb: str) -> None:
    edge.double.faults.append(secondary_limit(verb, "comments", retry_after="7", times=2))
    adapter = edge.adapter()
    if verb == "GET":
        assert list(adapter.conversation(1)) == []
    else:
        adapter.create_comment(1, "once")
        assert len(edge.double.hub.conversation(1)) == 1
    assert edge.clock.slept == [7.0, 7.0]
    assert adapter.n_requests == 3


def test_a_limit_that_outlasts_the_run_is_not_waited_for(edge: Edge) -> None:
    edge.double.faults.append(secondary_limit("GET", "pulls", retry_after="101"))
    with pytest.raises(RateLimitedError, match="secondary rate limit"):
        edge.adapter(patience_s=100).pull(1)
    assert edge.clock.slept == []


def test_a_limit_without_a_time_is_waited_for_a_minute(edge: Edge) -> None:
    edge.double.faults.append(secondary_limit("GET", "pulls", retry_after=""))
    edge.adapter().pull(1)
    assert edge.clock.slept == [60.0]


def test_too_many_requests_by_status(edge: Edge) -> None:
    edge.double.faults.append(Fault("GET", "pulls", 429, "Too many", {"Retry-After": "3"}))
    edge.adapter().pull(1)
    assert edge.clock.slept == [3.0]


def test_the_primary_limit_is_waited_for_until_its_reset(edge: Edge) -> None:
    edge.double.faults.append(primary_limit("GET", "pulls", reset=int(time.time()) + 30))
    edge.adapter().pull(1)
    assert 0 < edge.clock.slept[0] <= 31
    edge.double.faults.append(primary_limit("GET", "pulls", reset=int(time.time()) + 3600))
    with pytest.raises(RateLimitedError):
        edge.adapter().pull(1)


def test_a_limit_that_never_ends_ends_with_the_deadline(edge: Edge) -> None:
    edge.double.faults.append(secondary_limit("GET", "pulls", retry_after="30", times=1000))
    with pytest.raises(RateLimitedError):
        edge.adapter(patience_s=100).pull(1)
    assert edge.clock.slept == [30.0] * 3


# -- refusals and failures --------------------------------------------------------------------


def test_a_forks_token_may_only_read(edge: Edge) -> None:
    adapter = edge.adapter(READ_ONLY)
    assert list(adapter.conversation(1)) == []
    with pytest.raises(ReadOnlyTokenError, match="not accessible by integration"):
        adapter.create_comment(1, "hello")
    assert edge.clock.slept == []


def test_a_right_that_is_missing_for_one_path_only(edge: Edge) -> None:
    edge.double.faults.append(not_accessible("POST", "reactions"))
    with pytest.raises(ReadOnlyTokenError):
        edge.adapter().react(edge.double.hub.say(1, "ada", "x").id, "eyes", in_thread=False)


def test_a_body_that_is_too_long_is_refused(edge: Edge) -> None:
    with pytest.raises(RefusedError, match="too long"):
        edge.adapter().create_comment(1, "x" * 65_537)


def test_a_failing_server_is_asked_again(edge: Edge) -> None:
    edge.double.faults.append(server_error("GET", "pulls", times=2))
    assert edge.adapter().pull(1).number == 1
    assert edge.clock.slept == [1.0, 2.0]


def test_a_server_that_keeps_failing_is_given_up(edge: Edge) -> None:
    edge.double.faults.append(server_error("GET", "pulls", times=100))
    with pytest.raises(UnreachableError, match="502"):
        edge.adapter().pull(1)
    assert edge.adapter().n_requests == 0


def test_a_write_that_failed_halfway_is_not_repeated(edge: Edge) -> None:
    edge.double.faults.append(server_error("POST", "comments"))
    adapter = edge.adapter()
    with pytest.raises(UnreachableError):
        adapter.create_comment(1, "once")
    assert adapter.n_requests == 1


def test_a_comment_deleted_meanwhile_is_told_apart(edge: Edge) -> None:
    made = edge.adapter().create_comment(1, "x")
    edge.double.meanwhile.append(
        Meanwhile("PATCH", "comments", lambda: edge.double.hub.delete(made.id))
    )
    with pytest.raises(NotThereError):
        edge.adapter().update_comment(made.id, "y")


def test_nobody_answers(edge: Edge) -> None:
    patience = Patience(100, edge.clock.sleep)
    adapter = GitHubAdapter(
        Repo("octo", "demo"), "http://127.0.0.1:9", TOKEN, patience, user_agent="sidelight/test"
    )
    with pytest.raises(UnreachableError, match="did not answer"):
        adapter.pull(1)
    assert adapter.n_requests == 3
