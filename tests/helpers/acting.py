"""Run the shipped workflows and the action with `act`, against the GitHub double.

    stage = Stage(tmp_path, repo, double)
    run = stage.act("sidelight", "issue_comment", payloads.issue_comment(hub, remark))
    assert run.ok and "index-state=current" in run.log

`act` runs the steps on this machine. What it does not have is stood in for by `actstubs`: caches
and artifacts are folders. It copies the workspace instead of checking out, enforces no permission,
and exits 0 when no job matched, so tests assert on what the double saw.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.githubdouble.server import TOKEN, GitHubDouble
from helpers.gitrepo import GitRepo, git_env

ROOT = Path(__file__).resolve().parent.parent.parent
STUBS = Path(__file__).resolve().parent / "actstubs"
WORKFLOWS = ROOT / "docs" / "workflows"
OURS = "OWNER/sidelight"
ACT = Path(sys.executable).with_name("act")
_USES = re.compile(r"uses: (?P<repo>[\w.-]+/[\w.-]+)(?:/[\w./-]+)?@(?P<ref>[0-9a-f]{40})")


@dataclass(frozen=True)
class Acted:
    """What one run of a workflow left."""

    code: int
    log: str

    @property
    def ok(self) -> bool:
        """Whether a job ran, and did not fail."""
        return self.code == 0 and "Job succeeded" in self.log

    def report(self) -> dict[str, Any]:
        """Return the indexing step's report, as its log shows it."""
        lines = [line.partition("   | ")[2] for line in self.log.splitlines() if "   | " in line]
        text = "\n".join(lines)
        start = text.index('{\n "base"')
        return dict(json.JSONDecoder().raw_decode(text[start:])[0])


@dataclass
class Stage:
    """A workspace with a checkout, caches, artifacts, and the server that the job sees."""

    folder: Path
    workspace: GitRepo
    double: GitHubDouble
    token: str = TOKEN
    installs: bool = False  # as on GitHub, instead of using this interpreter

    @property
    def caches(self) -> Path:
        """The folder of the caches, one a key."""
        return self.folder / "caches"

    @property
    def artifacts(self) -> Path:
        """The folder of the artifacts, one a name."""
        return self.folder / "artifacts"

    def cache_log(self) -> list[str]:
        """Return what was asked of the cache, in order: `restore KEY`, `save KEY`."""
        log = self.folder / "caches.log"
        return log.read_text("utf-8").splitlines() if log.exists() else []

    def act(self, workflow: str, event: str, payload: dict[str, Any], **env: str) -> Acted:
        """Return what a workflow did for an event; `env` is the job's."""
        self.folder.mkdir(parents=True, exist_ok=True)
        event_file = self.folder / "event.json"
        event_file.write_text(json.dumps(payload), "utf-8")
        home = self.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        job = {
            "GITHUB_API_URL": self.double.api_url,
            "GITHUB_SERVER_URL": self.double.web,
            "GITHUB_REPOSITORY": self.double.hub.slug,
            "SIDELIGHT_PYTHON": "" if self.installs else sys.executable,
            "STUB_SOURCE": str(self.workspace.path),
            "STUB_CACHES": str(self.caches),
            "STUB_ARTIFACTS": str(self.artifacts),
            **env,
        }
        source = WORKFLOWS / f"{workflow}.yml"
        words = [str(ACT), event, "-W", str(source), "-e", str(event_file)]
        words += ["-C", str(self.workspace.path), "-P", "ubuntu-24.04=-self-hosted"]
        words += ["--action-offline-mode", "--cache-server-addr", "127.0.0.1"]
        words += ["-s", f"GITHUB_TOKEN={self.token}"]
        for name, value in job.items():
            words += ["--env", f"{name}={value}"]
        for used in self._local_actions(source, ROOT / "action.yml"):
            words += ["--local-repository", used]
        outer = {
            **{k: v for k, v in git_env().items() if not k.startswith(("GITHUB_", "SIDELIGHT_"))},
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "PYENV_VERSION": ".".join(map(str, sys.version_info[:3])),
        }
        done = subprocess.run(
            words, capture_output=True, text=True, env=outer, check=False, timeout=280
        )
        return Acted(done.returncode, done.stdout + done.stderr)

    def _local_actions(self, *files: Path) -> list[str]:
        """Return act's options for every action that the files use."""
        found = {
            (match["repo"], match["ref"])
            for file in files
            for match in _USES.finditer(file.read_text("utf-8"))
        }
        ours = self.folder / "action"  # act copies the folder: not with all that lies beside it
        if not ours.exists():
            wanted = ("src", "hooks", "bot") if self.installs else ("bot/action",)
            ignored = shutil.ignore_patterns("__pycache__")
            for name in wanted:
                shutil.copytree(ROOT / name, ours / name, ignore=ignored)
            for name in ("action.yml", "pyproject.toml", "README.md", "LICENSE", "NOTICE"):
                shutil.copy(ROOT / name, ours)
        return [
            f"{repo}@{ref}={ours if repo == OURS else STUBS / repo.rpartition('/')[2]}"
            for repo, ref in sorted(found)
        ]


def is_available() -> bool:
    """Return whether `act` is installed, and can run here."""
    return ACT.exists() and os.name == "posix"
