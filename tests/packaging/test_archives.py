"""What users install: the wheel and the source archive, built from this checkout, holding what they should."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import byheart
import check_wheel


def maturin(root: Path, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "maturin", *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel; the libraries it needs were compiled for the extension under test already."""
    out = tmp_path_factory.mktemp("wheel")
    maturin(root, "build", "--release", "--locked", "--out", str(out))
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def sdist_names(root: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Build the source archive; return its files, without the folder they lie in."""
    out = tmp_path_factory.mktemp("sdist")
    maturin(root, "sdist", "--out", str(out))
    (built,) = out.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_wheel_holds_what_it_should(wheel: Path) -> None:
    assert wheel.name.startswith(f"byheart-{byheart.__version__}-cp311-abi3-")
    assert check_wheel.problems_of_content(wheel, byheart.__version__) == []


def test_sdist_holds_the_sources_and_their_tests(
    sdist_names: set[str], root: Path, committed_files: list[Path]
) -> None:
    wanted = {
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "build.rs",
        "pyproject.toml",
        "Makefile",
    }
    folders = (".github/", "rust/src/", "python/byheart/", "tests/", "tools/", "docs/", "examples/")
    ours = {path.relative_to(root).as_posix() for path in committed_files}
    wanted |= {name for name in ours if name.startswith(folders)}

    assert len(wanted) >= 40, "the list of files to look for is too short"
    assert wanted - sdist_names == set()


def test_sdist_holds_nothing_that_was_built_or_installed(sdist_names: set[str]) -> None:
    built = (".so", ".pyd", ".pyc", ".whl")
    folders = {".venv", "dist", "target", "__pycache__", ".git", ".hypothesis"}

    assert len(sdist_names) >= 40, "the archive is too small to be looked at"
    assert not [name for name in sdist_names if name.endswith(built) or folders & set(name.split("/"))]


@pytest.mark.long  # compiles the core once more, with its symbols
def test_wide_instructions_stay_in_functions_that_say_so(
    wheel: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = check_wheel.library_of(wheel)
    if not check_wheel.is_elf_x86_64(shipped) or shutil.which("objdump") is None:
        pytest.skip("needs Linux on x86-64 and objdump")
    maturin(root, "build", "--release", "--locked", "--strip", "false", "--out", str(tmp_path))
    (unstripped,) = tmp_path.glob("*.whl")

    assert check_wheel.problems_of_instructions(shipped, check_wheel.library_of(unstripped)) == []


def test_the_instruction_check_sees_a_stray_register() -> None:
    listing = [
        "0010 <memcpy_like>:",
        "  14: vmovdqu (%rsi),%ymm0",
        "0020 <hamming_avx2>:",
        "  24: vpxor %ymm0,%ymm1,%ymm1",
    ]
    count, wide = check_wheel.wide_functions(listing)

    assert count == 2
    assert [name for name in wide if not check_wheel.MAY_BE_WIDE.search(name)] == ["memcpy_like"]
