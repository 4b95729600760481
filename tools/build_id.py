"""The name of these sources: `VERSION+HASH`, as `build.rs` writes it into the extension.

A binary whose `byheart._core.__build__` differs was built from other sources. What is hashed, and how, is told in
`build.rs`; both sides are held together by a test in `tests/packaging`.
"""

import sys
import tomllib
from pathlib import Path

FNV_OFFSET = 0xCBF2_9CE4_8422_2325
FNV_PRIME = 0x0000_0100_0000_01B3
MASK = 2**64 - 1


def hashed_files(root: Path) -> list[Path]:
    """Return the files that enter the hash, in the order in which they enter."""
    files = [*(root / "rust" / "src").rglob("*.rs"), root / "Cargo.lock"]
    return sorted(files, key=lambda path: path.relative_to(root).as_posix())


def build_id(root: Path) -> str:
    """Return what `byheart._core.__build__` must say for the checkout at `root`."""
    value = FNV_OFFSET
    for path in hashed_files(root):
        data = path.read_bytes()
        name = path.relative_to(root).as_posix().encode()
        for byte in name + b"\0" + len(data).to_bytes(8, "little") + data:
            value = ((value ^ byte) * FNV_PRIME) & MASK
    version = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]
    return f"{version}+{value:016x}"


if __name__ == "__main__":
    sys.stdout.write(build_id(Path(__file__).resolve().parent.parent) + "\n")
