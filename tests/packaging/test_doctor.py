"""`tools/doctor.sh` says in one line what is missing. Each case is a PATH that holds only what the case puts there."""

import os
import subprocess
from pathlib import Path

import pytest

PYTHON = 'case "$2" in *version_info*) echo {version};; *ensurepip*) exit {venv};; esac'
GOOD = {
    "python3": PYTHON.format(version="3.12.4", venv=0),
    "cargo": 'case "$1" in --version) echo "cargo 1.95.0 (f2d3ce0bd 2026-03-21)";; esac',
    "rustc": 'echo "rustc 1.96.0-nightly (0123abcde 2026-04-01)"',
    "cc": "exit 0",
}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="make and its doctor are for Unix shells")


def doctor(root: Path, path: Path, tools: dict[str, str], *arguments: str, **environment: str) -> tuple[int, str, str]:
    """Run the doctor with nothing but `tools` on PATH; return its exit code and both outputs."""
    for name, body in tools.items():
        script = path / name
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
    answer = subprocess.run(
        ["/bin/sh", str(root / "tools" / "doctor.sh"), *arguments],
        env={"PATH": str(path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.returncode, answer.stdout, answer.stderr


def test_a_good_machine_gets_the_python_to_use(root: Path, tmp_path: Path) -> None:
    assert doctor(root, tmp_path, GOOD, "lint") == (0, f"{tmp_path}/python3\n", "")


def test_a_later_name_is_taken_when_the_first_is_too_old(root: Path, tmp_path: Path) -> None:
    tools = GOOD | {"python3": PYTHON.format(version="3.9.2", venv=0), "python3.13": GOOD["python3"]}
    assert doctor(root, tmp_path, tools) == (0, f"{tmp_path}/python3.13\n", "")


@pytest.mark.parametrize(
    ("missing", "changed", "words"),
    [
        ("python3", {}, ["Python 3.11 or newer", "none was found", "install python3"]),
        (None, {"python3": PYTHON.format(version="3.9.2", venv=0)}, ["3.9.2", "3.11 or newer", "PYTHON="]),
        (None, {"python3": PYTHON.format(version="3.11.2", venv=1)}, ["3.11.2", "venv", "python3-venv"]),
        (None, {"python3": "exit 127"}, ["Python 3.11 or newer", "none was found"]),
        ("cargo", {}, ["cargo was not found", "install Rust"]),
        ("rustc", {}, ["rustc was not found", "install Rust"]),
        (None, {"cargo": 'echo "cargo 1.75.0"'}, ["cargo is 1.75.0", "rustup update"]),
        (None, {"rustc": 'echo "rustc 1.84.1 (e71f9a9a9 2025-01-27)"'}, ["rustc is 1.84.1", "rustup update"]),
        (None, {"cargo": "exit 1"}, ["cargo is on PATH but does not run"]),
        ("cc", {}, ["C linker", "gcc or clang"]),
    ],
)
def test_what_is_missing_is_named_in_one_line(
    root: Path, tmp_path: Path, missing: str | None, changed: dict[str, str], words: list[str]
) -> None:
    tools = {name: body for name, body in (GOOD | changed).items() if name != missing}
    code, out, err = doctor(root, tmp_path, tools)

    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert err.startswith("byheart: ")
    assert not [word for word in words if word not in err]


def test_lint_asks_for_clippy(root: Path, tmp_path: Path) -> None:
    cargo = 'case "$1" in --version) echo "cargo 1.95.0";; clippy) exit 101;; esac'
    code, _, err = doctor(root, tmp_path, GOOD | {"cargo": cargo}, "lint")
    assert (code, err) == (1, "byheart: cargo clippy is missing: rustup component add rustfmt clippy\n")


def test_a_named_python_is_the_only_one_tried(root: Path, tmp_path: Path) -> None:
    code, _, err = doctor(root, tmp_path, GOOD, PYTHON="python3.99")
    assert code == 1
    assert "none was found at python3.99" in err
