"""Checks wheels before anyone installs them: name, size, content, version, and instructions by function.

    python tools/check_wheel.py dist/*.whl
    python tools/check_wheel.py --unstripped target/check/byheart-….whl dist/byheart-….whl
    python tools/check_wheel.py --release dist/*.whl        the set of wheels must be complete too

AVX registers (ymm, zmm) may appear only in functions that say so in their name (avx2, avx512): those run after the
processor was asked. Anywhere else they are an illegal instruction on somebody's machine. A shipped library has no
function names any more, so the same build unstripped is read in its place, once its code
is found equal byte for byte.
"""

import argparse
import re
import struct
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 10 * 1024 * 1024
NAME = re.compile(r"byheart-(?P<version>[^-]+)-(?P<abi>cp311-abi3|cp314-cp314t)-(?P<platform>[\w.]+)\.whl")
PLATFORMS = (
    r"manylinux_2_17_x86_64\.manylinux2014_x86_64",
    r"manylinux_2_17_aarch64\.manylinux2014_aarch64",
    r"musllinux_1_2_x86_64",
    r"musllinux_1_2_aarch64",
    r"macosx_\d+_\d+_x86_64",
    r"macosx_\d+_\d+_arm64",
    r"win_amd64",
)
FUNCTION = re.compile(r"^[0-9a-f]+ <(?P<name>.+)>:$")
WIDE = re.compile(r"%[yz]mm\d")
MAY_BE_WIDE = re.compile(r"avx2|avx512", re.IGNORECASE)
ELF_X86_64 = 62


def package_version() -> str:
    """Return the version that `Cargo.toml` names."""
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]
    assert isinstance(version, str)
    return version


def problems_of_content(wheel: Path, version: str) -> list[str]:
    """Return what is wrong with the wheel's name, size and list of files."""
    match = NAME.fullmatch(wheel.name)
    if match is None or match["version"] != version:
        return [f"the name is not byheart-{version}-(cp311-abi3|cp314-cp314t)-PLATFORM.whl"]
    info = f"byheart-{version}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    found = []
    if wheel.stat().st_size > LARGEST:
        found.append(f"{wheel.stat().st_size} bytes are more than {LARGEST}")
    for wanted in ("byheart/__init__.py", "byheart/py.typed", "byheart/_core.pyi", f"{info}/licenses/LICENSE"):
        if wanted not in names:
            found.append(f"{wanted} is missing")
    if len(binaries_in(names)) != 1:
        found.append(f"one compiled module is wanted, {len(binaries_in(names))} are there")
    if not any(name.startswith(f"{info}/sboms/") for name in names):
        found.append("the bill of materials is missing")
    strangers = [name for name in names if not name.startswith(("byheart/", f"{info}/")) or "__pycache__" in name]
    return found + [f"{name} does not belong there" for name in strangers]


def binaries_in(names: Iterable[str]) -> list[str]:
    """Return the compiled modules among a wheel's names."""
    return [name for name in names if re.fullmatch(r"byheart/_core[\w.\-]*\.(?:so|pyd)", name)]


def library_of(wheel: Path) -> bytes:
    """Return the compiled module of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(binaries_in(archive.namelist())[0])


def is_elf_x86_64(library: bytes) -> bool:
    """Say whether the library is for Linux on x86-64, which is where the instruction check applies."""
    return library[:6] == b"\x7fELF\x02\x01" and struct.unpack_from("<H", library, 18)[0] == ELF_X86_64


def code_of(library: bytes) -> bytes:
    """Return the section `.text` of a 64-bit little-endian ELF file."""
    (table,) = struct.unpack_from("<Q", library, 40)
    size, count, names_index = struct.unpack_from("<HHH", library, 58)
    sections = [struct.unpack_from("<II4Q", library, table + size * number) for number in range(count)]
    names_at = sections[names_index][4]
    for name, _kind, _flags, _address, offset, length in sections:
        start = names_at + name
        if library[start : library.index(b"\0", start)] == b".text":
            return library[offset : offset + length]
    raise SystemExit("check_wheel: the library has no .text section")


def wide_functions(disassembly: Iterable[str]) -> tuple[int, set[str]]:
    """Return how many functions were read, and the names of those that touch ymm or zmm registers.

    >>> wide_functions(["10 <plain>:", " add %eax,%ebx", "20 <dot_avx2>:", " vmulps %ymm0,%ymm1,%ymm2"])
    (2, {'dot_avx2'})
    """
    count, name, wide = 0, "", set()
    for line in disassembly:
        if match := FUNCTION.match(line):
            count, name = count + 1, match["name"]
        elif WIDE.search(line):
            wide.add(name)
    return count, wide


def problems_of_instructions(shipped: bytes, unstripped: bytes) -> list[str]:
    """Return the functions that use AVX registers without saying so; the code of both builds must be one."""
    if code_of(shipped) != code_of(unstripped):
        return ["the unstripped build is not of the same code"]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library.so"
        library.write_bytes(unstripped)
        command = ["objdump", "--disassemble", "--no-show-raw-insn", str(library)]
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    count, wide = wide_functions(listing.splitlines())
    if count < 100:
        return [f"only {count} functions have names: this build is stripped too"]
    return [f"AVX registers in {name}" for name in sorted(wide) if not MAY_BE_WIDE.search(name)]


def problems_of_release(wheels: list[Path]) -> list[str]:
    """Return what is missing from, or foreign to, the set of wheels that a release ships."""
    tags = [(match["abi"], match["platform"]) for wheel in wheels if (match := NAME.fullmatch(wheel.name))]
    found = []
    for abi in ("cp311-abi3", "cp314-cp314t"):
        for platform in PLATFORMS:
            hits = [tag for tag in tags if tag[0] == abi and re.fullmatch(platform, tag[1])]
            if len(hits) != 1:
                found.append(f"one wheel is wanted for {abi} {platform}, {len(hits)} are there")
    if len(wheels) != 2 * len(PLATFORMS):
        found.append(f"{2 * len(PLATFORMS)} wheels are wanted, {len(wheels)} are there")
    return found


def main() -> int:
    """Check the wheels on the command line; print one line for each problem, and a count."""
    parser = argparse.ArgumentParser(description="check wheels before anyone installs them")
    parser.add_argument("wheels", nargs="+", type=Path)
    parser.add_argument(
        "--unstripped", type=Path, help="a wheel of the same build with its symbols, for one x86-64 wheel"
    )
    parser.add_argument("--release", action="store_true", help="the wheels must be all that a release ships")
    arguments = parser.parse_args()

    version = package_version()
    found = [
        f"{wheel.name}: {problem}" for wheel in arguments.wheels for problem in problems_of_content(wheel, version)
    ]
    if arguments.unstripped is not None:
        if len(arguments.wheels) != 1:
            parser.error("--unstripped goes with exactly one wheel")
        shipped = library_of(arguments.wheels[0])
        if not is_elf_x86_64(shipped):
            parser.error("--unstripped is for Linux on x86-64")
        found += problems_of_instructions(shipped, library_of(arguments.unstripped))
    if arguments.release:
        found += problems_of_release(arguments.wheels)
    for line in found:
        sys.stdout.write(line + "\n")
    sys.stdout.write(f"{len(arguments.wheels)} wheels checked, {len(found)} problems\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
