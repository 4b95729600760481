"""docs/sources.md against the code: every label that is cited has its sentence, and every profile its origin."""

import re
from pathlib import Path

from byheart import profiles

LABEL = re.compile(r"\b(?:[AB][123]\.\d+(?:\.\d+)*|D-\d+|decision [1-9]\d*)\b")
LINE = re.compile(r"^- \*\*(?P<label>[^*]+)\*\* (?P<sentence>.+)$", re.MULTILINE)


def test_every_label_has_one_sentence(root: Path, committed_files: list[Path]) -> None:
    page = root / "docs" / "sources.md"
    lines = [found.groups() for found in LINE.finditer(page.read_text(encoding="utf-8"))]
    folders = tuple(root / name for name in ("python", "rust", "docs", "tests", "benches"))
    cited = {
        label
        for path in committed_files
        if path.suffix in {".py", ".rs", ".md", ".pyi", ".toml"} and path != page
        if any(path.is_relative_to(folder) for folder in folders)
        for label in LABEL.findall(path.read_text(encoding="utf-8"))
    }

    assert len(cited) >= 100, "the scan found too few labels"
    assert sorted(cited - {label for label, _ in lines}) == []
    assert len({label for label, _ in lines}) == len(lines), "a label stands here twice"
    assert not [label for label, sentence in lines if sentence[-1] != "." or len(sentence) > 130]


def test_every_profile_has_its_origin(root: Path) -> None:
    page = (root / "docs" / "sources.md").read_text(encoding="utf-8")
    named = set(profiles.NAMES)

    assert len(named) >= 7
    assert not [name for name in named if f"| `{name}` |" not in page]
