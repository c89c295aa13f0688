"""The architecture as rules: who may load which engine, what a commit may pay for, how long a
module may be. The layers themselves are import-linter's contracts in pyproject.toml."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE_ROOTS = (ROOT / "src" / "sidelight", ROOT / "hooks", ROOT / "bot")
MAX_LINES = 350

ENGINES = {
    "anthropic": ("sidelight/llm/anthropic_client.py",),
    "bm25s": ("sidelight/lexical/",),
    "git": ("sidelight/git/discovery.py",),
    "github": ("sidelight_bot/",),
    "numkong": ("sidelight/dense/vectorfile.py",),
    "onnxruntime": (
        "sidelight/embedding/",
        "sidelight/dense/vectorfile.py",
        "sidelight/rerank/onnx_reranker.py",
    ),
    "openai": ("sidelight/llm/openai_client.py",),
    "optimum": ("sidelight/embedding/",),
    "Stemmer": ("sidelight/tokens/",),
    "tokenizers": ("sidelight/embedding/", "sidelight/rerank/onnx_reranker.py"),
    "torch": ("sidelight/embedding/",),
    "transformers": ("sidelight/embedding/",),
    "tree_sitter": ("sidelight/parsing/",),
    "tree_sitter_language_pack": ("sidelight/parsing/",),
    "usearch": ("sidelight/dense/vectorfile.py",),
}
HEAVY = ("numpy", "onnxruntime", "bm25s", "usearch", "git", "github", "click", "rich", "torch")


def modules() -> list[Path]:
    return sorted(path for root in SOURCE_ROOTS for path in root.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Return the top-level names of everything that a module imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def test_each_engine_is_loaded_by_its_own_adapter_only() -> None:
    strays = [
        f"{path.relative_to(ROOT)} imports {engine}"
        for path in modules()
        for engine in imported(path) & ENGINES.keys()
        if not any(place in path.as_posix() for place in ENGINES[engine])
    ]
    assert strays == []


def test_no_module_is_longer_than_the_limit() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in modules()
        if (count := len(path.read_text("utf-8").splitlines())) > MAX_LINES
    }
    assert long == {}


@pytest.mark.parametrize(
    "module",
    ["sidelight_hooks.run", "sidelight_hooks.refreshing", "sidelight.indexing.refresh"],
)
def test_the_commit_path_loads_no_heavy_package(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == []


def test_usearch_is_never_imported_before_onnxruntime() -> None:
    """Imported in the other order, the two crash the process (usearch 2.26, onnxruntime 1.32)."""
    code = "import sidelight.dense.vectorfile, onnxruntime, usearch.index; print('alive')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "alive")
