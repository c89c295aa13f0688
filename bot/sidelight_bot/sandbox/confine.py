"""Give up what parsing does not need, for this process and all its children, for good.

Always: limits on memory, processor time and file size, no core files, and no program may gain
rights (`sudo`, set-user-id). Where the kernel has Landlock (Linux 5.13; network: 6.7), files are
read and written in named folders only, no TCP connection is made, and no other process is traced.
So neither a token (in a parent's environment, a home folder, a runner's file) nor the bot's
installed files are in reach. Call it before any untrusted byte is read. Nothing here opens a
repository.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MEMORY_BYTES = 6 << 30  # GitHub's smallest Linux runner has 7 GB; what is mapped counts as well
FILE_BYTES = 8 << 30
OPEN_FILES = 1024
# Of linux/landlock.h; the system calls have these numbers on every architecture.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION, RULE_PATH_BENEATH = 1, 1
WRITE_FILE, READ_FILE = 1 << 1, 1 << 2
FREE = (1 << 0) | (1 << 3)  # to execute a file and to list a folder stay allowed everywhere
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc", "/sys/devices/system", "/proc/cpuinfo")
DEVICES = (os.devnull, "/dev/urandom", "/dev/random")
KNOWN_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}  # access bits
NET_TCP = 3  # bind and connect
NET_VERSION = 4
PR_SET_NO_NEW_PRIVS = 38


@dataclass(frozen=True, slots=True)
class Confinement:
    """What holds from now on: any of `limits`, `no-new-privileges`, `files`, `network`."""

    holds: tuple[str, ...]


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))


def confine(
    readable: Sequence[Path],
    writable: Sequence[Path],
    *,
    cpu_s: int,
    memory_bytes: int = MEMORY_BYTES,
) -> Confinement:
    """Return what holds from now on; what the system does not offer is left out, and said.

    `readable` and `writable` are what stays in reach beside the system's folders and this
    interpreter's; what does not exist is left out. `cpu_s` counts for each process of its own.
    Memory is address space, and so more than what is used.
    """
    holds = ["limits"]
    limit_resources(cpu_s, memory_bytes)
    if not sys.platform.startswith("linux"):
        return Confinement(tuple(holds))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        holds.append("no-new-privileges")
        own = [Path(p) for p in (sys.prefix, sys.base_prefix, *SYSTEM, *sys.path) if p]
        holds += _restrict(libc, [*own, *readable], writable)
    return Confinement(tuple(holds))


def limit_resources(cpu_s: int, memory_bytes: int) -> None:
    """Set the limits, hard ones too: nothing that runs later can lift them."""
    wanted = [
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
    ]
    if sys.platform.startswith("linux"):  # elsewhere refused, or counted differently
        wanted.append((resource.RLIMIT_AS, memory_bytes))
    for kind, value in wanted:
        hard = resource.getrlimit(kind)[1]
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, most))


def _restrict(libc: ctypes.CDLL, readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
    """Apply Landlock as far as the kernel has it; return what holds."""
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)
    if version < 1:
        return []
    known = KNOWN_BY_VERSION[min(version, max(KNOWN_BY_VERSION))] & ~FREE
    has_net = version >= NET_VERSION
    rules = _Ruleset(known, NET_TCP if has_net else 0)
    size = ctypes.sizeof(rules) if has_net else 8  # older kernels know the first field only
    handle = libc.syscall(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    if handle < 0:
        return []
    wanted = [(place, READ_FILE) for place in readable] + [(place, known) for place in writable]
    wanted += [(Path(device), READ_FILE | WRITE_FILE) for device in DEVICES]
    try:
        if not all(_allow(libc, handle, *item) for item in wanted if item[0].exists()):
            return []
        if libc.syscall(RESTRICT_SELF, handle, 0) != 0:
            return []
    finally:
        os.close(handle)
    return ["files", "network"] if has_net else ["files"]


def _allow(libc: ctypes.CDLL, handle: int, place: Path, access: int) -> bool:
    """Add one place to the rules; return whether that could be done."""
    opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _PathRule(access, opened)
        done = libc.syscall(ADD_RULE, handle, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
        return bool(done == 0)
    finally:
        os.close(opened)
