"""Compiles baseline.cpp into target/bench for this very machine, if need be, and loads it."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sysconfig
from pathlib import Path
from types import ModuleType

import pybind11

SOURCE = Path(__file__).resolve().parent / "baseline.cpp"
FOLDER = SOURCE.parents[2] / "target" / "bench"


def build() -> Path:
    """Return the compiled module."""
    module = FOLDER / f"baseline{sysconfig.get_config_var('EXT_SUFFIX')}"
    if module.exists() and module.stat().st_mtime > SOURCE.stat().st_mtime:
        return module
    FOLDER.mkdir(parents=True, exist_ok=True)
    includes = [f"-I{pybind11.get_include()}", f"-I{sysconfig.get_path('include')}"]
    flags = [
        "-std=c++17",
        "-O3",
        "-march=native",
        "-mprefer-vector-width=512",
        "-shared",
        "-fPIC",
        "-fvisibility=hidden",
        "-Wall",
        "-Wextra",
    ]
    command = [*shlex.split(os.environ.get("CXX", "c++")), *flags, *includes, str(SOURCE), "-o", str(module)]
    subprocess.run(command, check=True)
    return module


def load() -> ModuleType:
    """Return the module, compiled first if need be."""
    spec = importlib.util.spec_from_file_location("baseline", build())
    assert spec is not None and spec.loader is not None, "a compiled module has a loader"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    build()
