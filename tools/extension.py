"""Builds `byheart._core` into `python/byheart` if the one that lies there is not of these sources.

The binary itself is the stamp: it names the sources it was built from (`__build__`). Beside it, `.venv/byheart-build`
holds the hash of the files that say how to build. Modification times are not believed: `git checkout` and `git stash`
turn them back. A stale file is deleted first, since `_core.cpython-311-….so` would win over `_core.abi3.so`.

Run by `make` with the interpreter of `.venv`.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from build_id import build_id

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "byheart"
RECORD = Path(sys.prefix) / "byheart-build"
RECIPE = ("Cargo.toml", "build.rs", "pyproject.toml")

# Loads the file by its path: a broken module of the package must not look like a stale binary.
ASK = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("byheart._core", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.stdout.write(module.__build__)
"""


def binaries() -> list[Path]:
    """Return every compiled `_core` beside the Python sources."""
    return sorted(path for path in PACKAGE.glob("_core*") if path.suffix in {".so", ".pyd"})


def built_from(binary: Path) -> str:
    """Return what the binary says of itself; empty if it cannot be loaded."""
    answer = subprocess.run([sys.executable, "-c", ASK, str(binary)], capture_output=True, text=True, check=False)
    return answer.stdout if answer.returncode == 0 else ""


def recipe() -> str:
    """Return the hash of how to build: profile, features, entry points, interpreter."""
    parts = [(ROOT / name).read_bytes() for name in RECIPE]
    return hashlib.sha256(b"\0".join([*parts, sys.version.encode(), str(ROOT).encode()])).hexdigest()


def is_fresh() -> bool:
    """Say whether exactly one binary lies there, built from these sources in this way."""
    recorded = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
    found = binaries()
    return recorded == recipe() and len(found) == 1 and built_from(found[0]) == build_id(ROOT)


def build() -> None:
    """Delete what lies there, build the release profile, and look at the result."""
    for stale in binaries():
        stale.unlink()
    RECORD.unlink(missing_ok=True)
    command = [sys.executable, "-m", "maturin", "develop", "--release", "--locked", "--strip", "--quiet"]
    # It is stripped as a wheel's is: else a wheel, which the tests make, would be compiled all over again.
    # maturin asks pip for the requirements again; they are there, and it need not say so.
    environment = os.environ | {"VIRTUAL_ENV": sys.prefix, "PIP_QUIET": "1"}
    environment.pop("CONDA_PREFIX", None)
    if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode != 0:
        raise SystemExit("byheart: the extension could not be built; what went wrong is said above")
    if [built_from(binary) for binary in binaries()] != [build_id(ROOT)]:
        raise SystemExit("byheart: the extension that was just built is not of these sources; try `make clean`")
    RECORD.write_text(recipe(), encoding="utf-8")


if __name__ == "__main__":
    if is_fresh():
        sys.stdout.write("extension: up to date\n")
    else:
        sys.stdout.write("extension: building (release profile)\n")
        sys.stdout.flush()
        build()
