"""What is recorded about the machine that made the vectors."""

from __future__ import annotations

import platform
from pathlib import Path

import onnxruntime
import pytest

from sidelight.embedding.runtime import cpu_class, runtime_info


def test_versions_are_those_of_the_engines() -> None:
    found = runtime_info()
    assert found["onnxruntime"] == onnxruntime.__version__
    assert set(found) == {"onnxruntime", "tokenizers", "numpy", "cpu"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("flags\t: fpu sse4_1 avx avx2", "/avx2"),
        ("flags\t: avx2 avx512f avx512bw avx512_vnni", "/avx512_vnni"),
        ("Features\t: fp asimd asimddp", "/asimddp"),
        ("flags\t: fpu", ""),
        ("model name\t: avx2", ""),
    ],
)
def test_the_cpu_class_is_its_strongest_int8_extension(
    tmp_path: Path, line: str, expected: str
) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\n{line}\n")
    assert cpu_class(cpuinfo) == platform.machine() + expected


def test_a_machine_without_cpuinfo_is_named_alone(tmp_path: Path) -> None:
    assert cpu_class(tmp_path / "absent") == platform.machine()
