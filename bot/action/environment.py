"""Make the bot's own environment, outside the workspace. Standard library only.

    environment.py key                    name=value lines: python, folder, key
    environment.py make FOLDER [EXTRA..]  install this action's source there, and trim it

It runs in the runner's folder for temporary files, as `python -I`: neither the checkout's files nor
its pip configuration, nor the user's, are read. The versions are those of `constraints.txt`; only
wheels are taken, so no package runs code of its own while it is installed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
CONSTRAINTS = HERE / "constraints.txt"
INPUTS = ("pyproject.toml", "src", "hooks", "bot")  # what the installed environment depends on
LIMIT_BYTES = 400 << 20
UNUSED = ("pip", "setuptools", "pkg_resources", "wheel", "_distutils_hack", "hf_xet")
# The C library of onnxruntime stands beside a Python module that holds the same code again.
UNUSED_FILES = ("onnxruntime/capi/libonnxruntime.so*", "distutils-precedence.pth")
STRIPPED = ("numkong/*.so", "usearch/*.so")  # 45 MB of debug symbols
MODULES = (
    "sidelight_bot.cli, sidelight_bot.github.adapter, sidelight.related.session, sidelight.graph"
)


def environment_key(extras):
    """Return a cache key: system, interpreter, extras and a hash of every file that counts."""
    digest = hashlib.sha256()
    for name in INPUTS:
        root = SOURCE / name
        files = [root] if root.is_file() else sorted(p for p in root.rglob("*") if p.is_file())
        for path in files:
            if "__pycache__" in path.parts:
                continue
            digest.update(str(path.relative_to(SOURCE)).encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    version = ".".join(str(part) for part in sys.version_info[:3])
    place = re.sub(r"[^a-z0-9]+", "_", sysconfig.get_platform().lower())
    return "-".join(["sidelight-env", place, version, *sorted(extras), digest.hexdigest()[:32]])


def make(folder, extras):
    """Install the action's source with its extras into `folder`; return its size in bytes.

    Raises:
        subprocess.CalledProcessError: pip failed, or what it installed does not run.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    venv.EnvBuilder(with_pip=True, symlinks=True).create(folder)
    python = folder / "bin" / "python"
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    env["PIP_CONFIG_FILE"] = os.devnull
    options = ["--no-input", "--quiet", "--disable-pip-version-check", "--no-compile"]
    options += ["--only-binary", ":all:", "--constraint", str(CONSTRAINTS)]
    words = [str(python), "-I", "-m", "pip", "install", *options]
    subprocess.run(
        [*words, f"{SOURCE}[{','.join(['bot', *extras])}]"],
        check=True,
        cwd=str(folder),
        env=env,
    )
    trim(folder)
    # Leaves the byte code of what is used, and only of that; the vector proves that engines load.
    trial = f"import {MODULES}\nfrom sidelight.embedding import open_embedder\n"
    trial += "assert open_embedder().embed(['def f(): pass']).shape[0] == 1\n"
    trial += "import usearch.index"  # last: loaded before onnxruntime, it ends the process
    subprocess.run([str(python), "-I", "-c", trial], cwd=str(folder), check=True)
    return sum(p.lstat().st_size for p in folder.rglob("*") if not p.is_symlink())


def trim(folder):
    """Delete what never runs: installer, tests, byte code, unknown grammars, debug symbols."""
    python = folder / "bin" / "python"
    listing = (
        "from sidelight.languages import LANGUAGES\n"
        "print(*sorted({l.grammar for l in LANGUAGES.values() if l.grammar}))"
    )
    known = subprocess.run(
        [str(python), "-I", "-B", "-c", listing], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    grammars = set(known.split())
    (packages,) = folder.glob("lib/python3.*/site-packages")
    for path in packages.glob("tree_sitter_language_pack/bindings/*.so"):
        if path.name.split(".")[0] not in grammars:
            path.unlink()
    for name in UNUSED:
        for path in [packages / name, *packages.glob(name + "-*.dist-info")]:
            shutil.rmtree(path, ignore_errors=True)
    for path in [*packages.rglob("__pycache__"), *packages.glob("numpy/**/tests")]:
        shutil.rmtree(path, ignore_errors=True)
    for pattern in UNUSED_FILES:
        for path in packages.glob(pattern):
            path.unlink()
    strip = shutil.which("strip")
    if strip and sys.platform.startswith("linux"):
        libraries = [str(path) for pattern in STRIPPED for path in packages.glob(pattern)]
        subprocess.run([strip, "--strip-debug", "--", *libraries], check=False)


def main(argv):
    """Run one of the two commands; return the exit code."""
    extras = ["anthropic"] if os.environ.get("SIDELIGHT_LLM_PROVIDER") == "anthropic" else []
    if argv[:1] == ["key"]:
        inside(os.environ.get("GITHUB_WORKSPACE", ""), os.environ.get("GITHUB_EVENT_NAME", ""))
        sys.stdout.write(f"key={environment_key(extras)}\n")
        return 0
    size = make(Path(argv[1]), extras)
    large = "::warning::" if size > LIMIT_BYTES else ""
    sys.stdout.write(f"{large}the environment takes {size / (1 << 20):.0f} MiB\n")
    return 0


def inside(workspace, event_name):
    """Refuse to install the checkout of a pull request, which `uses: ./` would do.

    Raises:
        SystemExit: the action's own source lies in the workspace, and the event is not a push.
    """
    if not workspace or event_name in ("push", "schedule", "workflow_dispatch"):
        return
    root = Path(workspace).resolve()
    if root == SOURCE or root in SOURCE.parents:
        raise SystemExit(
            f"this action lies in the checkout ({SOURCE}), which may be a stranger's: name it "
            "as OWNER/sidelight@SHA instead of ./"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
