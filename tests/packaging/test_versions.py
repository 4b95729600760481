"""One version, written once; and a binary that is of these sources."""

import re
import tomllib
from pathlib import Path

import byheart
from build_id import build_id, hashed_files
from byheart import _core

HEADING = re.compile(r"^## \[(?P<version>[^\]]+)\]", re.MULTILINE)


def test_cargo_package_and_changelog_name_one_version(root: Path) -> None:
    manifest = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))
    newest = HEADING.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))

    assert newest is not None
    assert manifest["package"]["version"] == byheart.__version__ == newest["version"]


def test_extension_is_of_these_sources(root: Path) -> None:
    assert len(hashed_files(root)) >= 10, "the hash covers too few files to mean anything"
    assert _core.__build__ == build_id(root), "a stale extension: run `make extension`"


def test_build_id_sees_every_change(tmp_path: Path) -> None:
    (tmp_path / "rust" / "src" / "text").mkdir(parents=True)
    (tmp_path / "Cargo.toml").write_text('[package]\nversion = "1.2.3"\n')
    (tmp_path / "Cargo.lock").write_text("a")
    source = tmp_path / "rust" / "src" / "text" / "mod.rs"
    source.write_text("b")

    seen = [build_id(tmp_path)]
    source.write_text("c")
    seen.append(build_id(tmp_path))
    source.rename(source.with_name("porter.rs"))
    seen.append(build_id(tmp_path))
    (tmp_path / "Cargo.lock").write_text("d")
    seen.append(build_id(tmp_path))

    assert len(set(seen)) == 4
    assert all(name.startswith("1.2.3+") and len(name) == len("1.2.3+") + 16 for name in seen)
