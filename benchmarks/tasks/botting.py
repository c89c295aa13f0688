"""Jobs of the action on this machine: the steps as processes, GitHub as the tests' double."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.measuring import ROOT, run_child
from benchmarks.repositories import git

sys.path.insert(0, str(ROOT / "tests"))  # the double is a test helper

from benchmarks.tasks.indexing import place_of
from helpers.githubdouble import payloads
from helpers.githubdouble.server import TOKEN, GitHubDouble
from helpers.gitrepo import GitRepo
from sidelight.indexing.cachefile import export_cache
from sidelight.indexing.place import revision_view
from sidelight.store.database import Database

N_FILES = 20
_SIGNATURE = re.compile(rb"^(\s*def \w+\()([^()]*)(\):)", re.MULTILINE)
STEPS = ("pin", "index", "report", "run")


def prepare(repository: str, folder: str) -> dict[str, Any]:
    """Make a clone with a pull request of 20 files, and the cache of its base.

    The corpus's own index becomes the cache: its vectors are random, its sizes are real.
    """
    place, target = place_of(repository), Path(folder)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    git(None, "clone", "-q", "--no-checkout", repository, str(target / "server"))
    server = GitRepo(target / "server")
    base = server.head()
    with Database.open(place.directory, place.identity) as database, database.write() as connection:
        connection.execute("UPDATE view SET name = ?", (revision_view(base),))
    (target / "cache").mkdir()
    saved = export_cache(place, target / "cache" / "index.bin")
    changed = 0
    for line in server.git("ls-tree", "-r", "--name-only", base).splitlines():
        content = server.git_bytes("cat-file", "blob", f"{base}:{line}")
        new = _SIGNATURE.sub(_with_parameter, content, count=2)
        if new != content and changed < N_FILES:
            server.write(line, new)
            server.git("update-index", "--add", "--cacheinfo", _entry(server, line, new))
            changed += 1
    server.git("read-tree", base)
    for path in [p for p in server.path.rglob("*") if p.is_file() and ".git" not in p.parts]:
        name = str(path.relative_to(server.path))
        server.git("update-index", "--cacheinfo", _entry(server, name, path.read_bytes()))
    tree = server.git("write-tree")
    head = server.git("commit-tree", tree, "-p", base, "-m", "Take another parameter")
    return {"head": head, "chunks": saved.chunks, "cache_bytes": saved.size_bytes, "files": changed}


def job(folder: str, head: str, warm: bool) -> dict[str, Any]:
    """Run the action's steps for the pull request; return seconds by step, and the requests."""
    target = Path(folder)
    server = GitRepo(target / "server")
    state, work = target / "state", target / "checkout"
    for old in (state, work):
        shutil.rmtree(old, ignore_errors=True)
    git(None, "clone", "-q", "--no-checkout", str(server.path), str(work))
    for name in ("cache", "report", "tmp", "home"):
        (state / name).mkdir(parents=True)
    if warm:
        shutil.copy(target / "cache" / "index.bin", state / "cache")
    with GitHubDouble(server) as double:
        pull = double.hub.open_pull(head, title="Take another parameter")
        event = payloads.write_event(payloads.pull_request(double.hub, pull), target)
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(state / "home"),
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_WORKSPACE": str(work),
            "GITHUB_API_URL": double.api_url,
            "GITHUB_SERVER_URL": double.web,
            "GITHUB_REPOSITORY": double.hub.slug,
            "GITHUB_TOKEN": TOKEN,
            "SIDELIGHT_PYTHON": sys.executable,
            "SIDELIGHT_COMMENT": "always",
            "SIDELIGHT_PIN": str(state / "pin.json"),
            "SIDELIGHT_INDEX_REPORT": str(state / "report" / "index.json"),
            "SIDELIGHT_RESULT": str(state / "result.json"),
        }
        seconds = {name: _step(name, state, work, env) for name in STEPS}
        requests, writes = double.seen(), double.writes()
        bodies = [remark.body for remark in double.hub.remarks]
    return {
        "seconds": seconds,
        "index": json.loads((state / "report" / "index.json").read_text("utf-8")),
        "requests": len(requests),
        "writes": writes,
        "comment_bytes": sum(len(body.encode()) for body in bodies),
    }


def _step(name: str, state: Path, work: Path, env: dict[str, str]) -> dict[str, float]:
    python = [sys.executable, "-I", "-m", "sidelight_bot"]
    action = ROOT / "bot" / "action"
    report = str(state / "report" / "index.json")
    words = {
        "pin": [*python, "pin", "--out", str(state / "pin.json")],
        "index": ["sh", str(action / "index.sh"), str(state), str(work)],
        "report": [sys.executable, "-I", str(action / "report.py"), report],
        "run": [*python, "run"],
    }[name]
    time.sleep(0.05)
    return run_child(words, env=env, cwd=state).seconds.table()


def _with_parameter(match: re.Match[bytes]) -> bytes:
    given = match[2].strip()
    return match[1] + (given + b", " if given else b"") + b"more" + match[3]


def _entry(server: GitRepo, name: str, content: bytes) -> str:
    blob = server.git_bytes("hash-object", "-w", "--stdin", stdin=content).decode().strip()
    return f"100644,{blob},{name}"
