"""Sidelight: a code index kept equal to a git tree, and retrieval over it."""

import os as _os

__version__ = "0.1.0"

# onnxruntime 1.32 for Linux makes a device id in ~/.cache/Microsoft as soon as it is imported, and
# sends events to Microsoft. Sidelight has no telemetry: it must be said before that import.
_os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
