"""`make demo`, the bot's part: preview a real change, then post, update and answer on a double.

The steps are those of action.yml, each a process; GitHub is the server that the tests use, on a
loopback port of this machine. Nothing outside of the demonstration's folder is written.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.options import ROOT

sys.path.insert(0, str(ROOT / "tests"))  # the double is a test helper

from helpers.githubdouble import payloads
from helpers.githubdouble.server import TOKEN, GitHubDouble
from helpers.gitrepo import GitRepo

FEW, MANY = 2, 12  # Python files of a change that is worth a look
SHOWN_LINES = 28
QUESTION = "/ask how is a commit's change turned into index rows?"
BOT = [sys.executable, "-I", "-m", "sidelight_bot"]


def show_bot(clone: Path, folder: Path, say: Callable[[str], None]) -> bool:
    """Run the bot's part for a clone whose index is current; return whether all was as expected."""
    change = _real_change(clone)
    if change is None:
        say("4. the bot: this clone has no history to show a change of")
        return True
    say("4. sidelight-bot preview: the comment for a real change, without GitHub")
    words = ["preview", "--base", f"{change}~1", "--head", change, "-C", str(clone), "--always"]
    shown = _shown(["sidelight-bot", *words], _run([*BOT, *words]))
    say("5. the action's steps against a GitHub on this machine: post, update, answer")
    cache = folder / "index.bin"
    _run([str(Path(sys.executable).with_name("sidelight")), *_export(clone, cache)])
    server = GitRepo(folder / "server")
    _run(["git", "clone", "-q", "--no-checkout", str(clone), str(server.path)])
    server.git("checkout", "-q", "-B", "main", f"{change}~1")
    with GitHubDouble(server) as double:
        hub = double.hub
        hub.person("grace", "write", association="MEMBER")
        pull = hub.open_pull(change, title="A change of this repository", author="grace")
        job = _Job(folder, double, cache)
        job.take("opened", "pull_request", payloads.pull_request(hub, pull))
        server.git("checkout", "-q", "-B", "topic", change)
        server.write("src/sidelight/greeting.py", "def greet(name):\n    return name\n")
        hub.push(pull, server.commit("Greet"))
        server.git("checkout", "-q", "main")
        job.take("synchronize", "pull_request", payloads.pull_request(hub, pull, "synchronize"))
        remark = hub.say(pull.number, "grace", QUESTION)
        job.take(QUESTION, "issue_comment", payloads.issue_comment(hub, remark))
        said = [r.body for r in hub.conversation(pull.number) if r.author.login.endswith("[bot]")]
        sys.stdout.write("\n" + _beginning(said[-1], 14) + "\n")
        writes = [item.split()[0] for item in double.writes()]
    once = len(said) == 2 and writes.count("PATCH") == 1
    return bool(shown.strip()) and once and "Not found" not in said[-1]


class _Job:
    """Jobs of one workflow: a checkout of the base for each, the restored index, the steps."""

    def __init__(self, folder: Path, double: GitHubDouble, cache: Path) -> None:
        self.folder, self.double, self.cache = folder, double, cache
        self.count = 0

    def take(self, label: str, event: str, payload: dict[str, object]) -> None:
        """Run a job for an event, and print what its log says."""
        self.count += 1
        state, work = self.folder / f"job-{self.count}", self.folder / f"checkout-{self.count}"
        state.mkdir()
        _run(["git", "clone", "-q", "--no-checkout", str(self.double.repo.path), str(work)])
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(state),
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(payloads.write_event(payload, state)),
            "GITHUB_WORKSPACE": str(work),
            "GITHUB_API_URL": self.double.api_url,
            "GITHUB_SERVER_URL": self.double.web,
            "GITHUB_REPOSITORY": self.double.hub.slug,
            "GITHUB_RUN_ID": str(500 + self.count),
            "GITHUB_RUN_NUMBER": str(self.count),
            "GITHUB_TOKEN": TOKEN,
            "SIDELIGHT_COMMENT": "always",
            "SIDELIGHT_PIN": str(state / "pin.json"),
            "SIDELIGHT_INDEX_REPORT": str(state / "report" / "index.json"),
        }
        before, started = len(self.double.requests), time.perf_counter()
        _run([*BOT, "pin", "--out", str(state / "pin.json")], env)
        (state / "report").mkdir()
        words = ["--repository", str(work), "--pin", str(state / "pin.json")]
        words += [
            "--vectors-s",
            "10",
            "--cache",
            str(self.cache),
            "--report",
            str(state / "report" / "index.json"),
        ]
        _run([*BOT, "index", *words], {"PATH": "/usr/local/bin:/usr/bin:/bin"})
        log = _run([*BOT, "run"], env)
        seconds = time.perf_counter() - started
        report = json.loads((state / "report" / "index.json").read_text("utf-8"))
        sys.stdout.write(f"\n{label}    [{seconds:.2f} s]\n")
        sys.stdout.write(f"index: {report['embedded']} chunks embedded after the restore\n{log}")
        for item in self.double.requests[before:]:
            sys.stdout.write(f"  {item.status} {item}\n")
        sys.stdout.flush()


def _real_change(clone: Path) -> str | None:
    """Return the newest commit that changes a few Python files of the product, and its parent."""
    words = ["git", "-C", str(clone), "log", "-n", "200", "--no-merges", "--format=%x00%H"]
    log = _run([*words, "--name-only", "--diff-filter=M", "--", "src/*.py", "bot/*.py"])
    for entry in log.split("\0")[1:]:
        commit, *names = entry.split()
        sources = [name for name in names if re.search(r"\.py$", name)]
        parent = subprocess.run(
            ["git", "-C", str(clone), "rev-parse", "-q", "--verify", f"{commit}~1"],
            capture_output=True,
            check=False,
        )
        if FEW <= len(sources) <= MANY and parent.returncode == 0:
            return commit
    return None


def _export(clone: Path, target: Path) -> list[str]:
    return ["-C", str(clone), "cache", "export", str(target)]


def _run(words: list[str], env: dict[str, str] | None = None) -> str:
    done = subprocess.run(words, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _shown(words: list[str], text: str) -> str:
    line = " ".join(word for word in words if not word.startswith("/") and word != "-C")
    sys.stdout.write(f"\n$ {line}\n{_beginning(text, SHOWN_LINES)}\n")
    sys.stdout.flush()
    return text


def _beginning(text: str, count: int) -> str:
    lines = text.splitlines()
    more = [f"… {len(lines) - count} more lines"] if len(lines) > count else []
    return "\n".join([*lines[:count], *more])
