"""What the vectors were computed with: recorded beside them, never part of their identity.

Light on purpose: versions come from package metadata, not from imports.
"""

from __future__ import annotations

from pathlib import Path

# What makes onnxruntime choose another int8 kernel, strongest first (Linux's flag names).
_X86_CLASSES = ("amx_int8", "avx512_vnni", "avx_vnni", "avx512bw", "avx2", "avx", "sse4_1")
_ARM_CLASSES = ("i8mm", "asimddp", "asimd")


def runtime_info(cpuinfo: Path = Path("/proc/cpuinfo")) -> dict[str, str]:
    """Return `onnxruntime`, `tokenizers`, `numpy` (versions) and `cpu` (such as `x86_64/avx2`)."""
    found = {name: _version(name) for name in ("onnxruntime", "tokenizers", "numpy")}
    return found | {"cpu": cpu_class(cpuinfo)}


def cpu_class(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Return the machine with its strongest int8 extension; the machine alone where unknown."""
    import platform  # noqa: PLC0415 - as in _version

    machine = platform.machine() or "unknown"
    try:
        with cpuinfo.open(encoding="utf-8", errors="replace") as file:
            flags = next(
                (line for line in file if line.lower().startswith(("flags", "features"))), ""
            )
    except OSError:
        return machine
    words = set(flags.lower().split())
    return next(
        (f"{machine}/{name}" for name in _X86_CLASSES + _ARM_CLASSES if name in words), machine
    )


def _version(name: str) -> str:
    # Here, because it pulls in the email package: 25 ms that a commit hook need not pay.
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
