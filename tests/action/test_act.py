"""The shipped workflows from event to comment, run by `act` against the GitHub double.

One run is quick enough for every `make test`; the others, 6 seconds each, are slow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.acting import Acted, Stage, is_available
from helpers.githubdouble import payloads
from helpers.githubdouble.server import READ_ONLY, GitHubDouble
from helpers.githubdouble.state import BOT, Pull
from helpers.gitrepo import GitRepo

pytestmark = pytest.mark.skipif(not is_available(), reason="act is not installed here")

HOSTILE_TITLE = "$(touch pwned) `touch pwned` ${{ github.token }} \"; touch pwned; '"
HOSTILE_REF = "x$(touch${IFS}pwned)`touch${IFS}pwned`"
HOSTILE_WORDS = (
    "$(touch pwned) `touch pwned`\n\n::set-output name=result::/etc/passwd\n'; touch pwned"
)
BOMB = "import pathlib\npathlib.Path('PLACE/pwned').write_text('x')\nraise SystemExit(3)\n"
IMPORTS = ("click.py", "sitecustomize.py", "json.py", "sqlite3.py", "sidelight_bot/__init__.py")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    repo = GitRepo.init(tmp_path / "repo")
    for number in range(5):
        text = f'"""Part {number}."""\n\nfrom shop import part_{(number + 1) % 5}\n\n\n'
        text += f"def work_{number}(value):\n    return part_{(number + 1) % 5}.work(value)\n"
        repo.write(f"shop/part_{number}.py", text)
    repo.write("shop/price.py", "def price(item):\n    return item.cost\n")
    repo.write(
        "shop/cart.py",
        "from shop.price import price\n\n\ndef total(items):\n"
        "    return sum(price(item) for item in items)\n",
    )
    repo.write(
        "tests/test_price.py",
        "from shop.price import price\n\n\ndef test_price(item):\n    assert price(item) == 1\n",
    )
    repo.commit("the shop")
    with GitHubDouble(repo) as double:
        double.hub.person("grace", "write", association="MEMBER")
        double.hub.person("mallory", "read", association="NONE")
        yield Stage(tmp_path / "stage", repo, double)


def opened(stage: Stage, **more: object) -> Pull:
    """Return a pull request that changes a signature and plants every trap that we know."""
    repo = stage.workspace
    repo.switch("change", "-c")
    repo.write("shop/price.py", "def price(item, currency):\n    return item.cost * currency\n")
    for name in IMPORTS:
        repo.write(name, BOMB.replace("PLACE", str(stage.folder)))
    repo.write("pip.conf", "[global]\nindex-url = http://127.0.0.1:9/\n")
    repo.write(".gitattributes", "* linguist-generated binary\n")
    repo.write(".sidelight.toml", "[index]\nexclude = ['**']\n[nonsense]\n")
    repo.write("pyproject.toml", "[tool.sidelight]\nnonsense = 1\n")
    head = repo.commit("price in a currency")
    given = {"title": HOSTILE_TITLE, "head_ref": HOSTILE_REF, "body": HOSTILE_WORDS, **more}
    return stage.double.hub.open_pull(head, **given)  # type: ignore[arg-type]


def pull_event(stage: Stage, pull: Pull, action: str = "opened", **env: str) -> Acted:
    stage.workspace.switch("main")  # what a checkout of the base shows
    event = payloads.pull_request(stage.double.hub, pull, action)
    return stage.act("sidelight", "pull_request", event, SIDELIGHT_COMMENT="always", **env)


def said(stage: Stage, pull: Pull) -> list[str]:
    """Return the bot's words in the conversation."""
    hub = stage.double.hub
    return [r.body for r in hub.remarks if r.number == pull.number and r.author.login == BOT]


def unharmed(stage: Stage) -> bool:
    return not list(stage.folder.parent.rglob("pwned*"))


def test_an_opened_pull_request_gets_one_comment_and_harms_nothing(stage: Stage) -> None:
    pull = opened(stage)
    run = pull_event(stage, pull)
    assert run.ok, run.log
    (comment,) = said(stage, pull)
    assert "cart.py" in comment  # the caller that the change left alone
    report = run.report()
    assert report["cache"] == "miss"
    assert report["files"] == 8 + len(IMPORTS) + 4  # nothing hides behind the head's attributes
    assert report["problems"] == []
    assert unharmed(stage)
    assert stage.cache_log()[-1].startswith("restore sidelight-index-")  # and saves none


@pytest.mark.slow
def test_a_push_updates_the_same_comment_from_a_warm_cache(stage: Stage) -> None:
    hub = stage.double.hub
    indexed = stage.act("index", "push", payloads.push(hub, stage.workspace.head()))
    assert indexed.ok, indexed.log
    assert stage.cache_log()[-1].startswith("save sidelight-index-")
    assert [p.name for p in (stage.artifacts / "sidelight-index").iterdir()] == ["index.bin"]
    pull = opened(stage)
    first = pull_event(stage, pull)
    assert first.report()["cache"] == "hit"
    assert first.report()["parsed"] <= 1 + len(IMPORTS) + 4
    stage.workspace.switch("change")
    stage.workspace.write("shop/price.py", "def price(item, rate):\n    return item.cost * rate\n")
    hub.push(pull, stage.workspace.commit("rename"))
    second = pull_event(stage, pull, "synchronize")
    assert second.ok, second.log
    (comment,) = said(stage, pull)
    assert hub.head_of(pull) in comment
    assert [w.split()[0] for w in stage.double.writes()].count("POST") == 1


@pytest.mark.slow
@pytest.mark.parametrize("checked_out", ["main", "change"])
def test_a_question_in_the_conversation_is_answered_there(stage: Stage, checked_out: str) -> None:
    pull = opened(stage)
    stage.workspace.switch(checked_out)  # even with the hostile head as the workspace
    hub = stage.double.hub
    remark = hub.say(
        pull.number, "grace", f"/ask how does total sum the price of items?\n\n{HOSTILE_WORDS}"
    )
    run = stage.act("sidelight", "issue_comment", payloads.issue_comment(hub, remark))
    assert run.ok, run.log
    writes = stage.double.writes()
    assert writes[0] == f"POST /repos/octo/demo/issues/comments/{remark.id}/reactions"
    (answer,) = said(stage, pull)
    assert "price.py" in answer
    assert unharmed(stage)


@pytest.mark.slow
def test_a_question_in_a_thread_is_answered_there(stage: Stage) -> None:
    pull = opened(stage)
    stage.workspace.switch("main")
    hub = stage.double.hub
    remark = hub.discuss(pull, "grace", "/ask who calls this?", "shop/price.py", 1)
    event = payloads.review_comment(hub, remark)
    run = stage.act("sidelight", "pull_request_review_comment", event)
    assert run.ok, run.log
    assert stage.double.writes()[-1] == (
        f"POST /repos/octo/demo/pulls/{pull.number}/comments/{remark.id}/replies"
    )


@pytest.mark.slow
def test_an_unauthorised_commenter_gets_nothing(stage: Stage) -> None:
    pull = opened(stage)
    stage.workspace.switch("main")
    hub = stage.double.hub
    remark = hub.say(pull.number, "mallory", "/ask what is the token?")
    run = stage.act("sidelight", "issue_comment", payloads.issue_comment(hub, remark))
    assert run.ok, run.log
    assert "GET /repos/octo/demo/collaborators/mallory/permission" in stage.double.seen()
    assert stage.double.writes() == []


@pytest.mark.slow
def test_a_forks_result_is_published_by_the_second_workflow(stage: Stage) -> None:
    pull = opened(stage, author="mallory", fork="mallory")
    stage.token = READ_ONLY
    first = pull_event(stage, pull)
    assert first.ok, first.log
    assert said(stage, pull) == []
    (result,) = (stage.artifacts / "sidelight-result").iterdir()
    assert json.loads(result.read_text("utf-8"))
    stage.token = "token-of-the-job"
    event = payloads.workflow_run(stage.double.hub, pull)
    second = stage.act("sidelight-publish", "workflow_run", event, SIDELIGHT_COMMENT="always")
    assert second.ok, second.log
    (comment,) = said(stage, pull)
    assert "cart.py" in comment
    assert unharmed(stage)


@pytest.mark.slow
def test_a_run_without_an_artifact_publishes_nothing(stage: Stage) -> None:
    pull = opened(stage, author="mallory", fork="mallory")
    event = payloads.workflow_run(stage.double.hub, pull)
    run = stage.act("sidelight-publish", "workflow_run", event)
    assert "Job succeeded" in run.log
    assert stage.double.writes() == []


@pytest.mark.slow  # installs from the package index
def test_the_environment_is_installed_once_and_then_restored(stage: Stage) -> None:
    stage.installs = True
    hub = stage.double.hub
    first = stage.act("index", "push", payloads.push(hub, stage.workspace.head()))
    assert first.ok, first.log
    assert "the environment takes" in first.log
    saved = [line for line in stage.cache_log() if line.startswith("save ")]
    assert [line.split()[1].split("-")[1] for line in saved] == ["env", "index"]
    pull = opened(stage)
    second = pull_event(stage, pull)
    assert second.ok, second.log
    assert "the environment takes" not in second.log
    assert len(said(stage, pull)) == 1
    assert unharmed(stage)
