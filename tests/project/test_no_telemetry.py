"""Nothing that Sidelight loads leaves traces outside of the index, or calls home."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_loading_the_model_writes_nothing_into_the_home_folder(tmp_path: Path) -> None:
    script = "from sidelight.embedding import open_embedder; open_embedder().embed(['text'])"
    env = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    env.pop("ORT_DISABLE_TELEMETRY", None)
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert list(tmp_path.rglob("*")) == []
