"""The rules of ARCHITECTURE.md that the Rust compiler does not hold by itself."""

import re
from pathlib import Path

import pytest

# Higher may use lower; rooms on one floor never meet.
FLOORS = [
    {"error"},
    {"codec", "ids", "kernel", "math"},
    {"rank", "records", "text"},
    {"dense", "hdc", "lexical", "patterns", "symbolic"},
    {"partition"},
    {"binding"},
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# One alternative per token that may hide words; what matches is blanked. A lifetime ('a) is left alone.
HIDING = re.compile(
    r"""//[^\n]*                        # line comment, doc comments included
      | /\*.*?\*/                       # block comment
      | r(?P<hashes>\#*)".*?"(?P=hashes)  # raw string
      | "(?:\\.|[^"\\])*"               # string
      | '(?:\\.[^']*|[^'\\])'           # character
    """,
    re.VERBOSE | re.DOTALL,
)
FROM_CRATE = re.compile(r"\bcrate::(?:\{(?P<group>[^;]*?)\}\s*;|(?P<name>\w+))")
UPWARD = re.compile(r"\b(?:super::)+(?P<name>\w+)")
PYCLASS = re.compile(r"#\[pyclass(?:\((?P<options>[^\]]*?)\))?\]", re.DOTALL)
UNSAFE = re.compile(r"\bunsafe\b")


def visible(path: Path) -> str:
    """Return the source with comments and literals blanked."""
    return HIDING.sub(" ", path.read_text(encoding="utf-8"))


def first_names(group: str) -> list[str]:
    """Return the first segment of each path in the braces of a `use`: `a::{b, c}, d` gives a, d."""
    while "{" in group:
        group = re.sub(r"\{[^{}]*\}", "", group)
    return [part.strip().split("::")[0] for part in group.split(",") if part.strip()]


def rooms_named(path: Path) -> set[str]:
    """Return the names right after `crate::`, and the rooms reached by `super::`, in one file."""
    text = visible(path)
    names: set[str] = set()
    for match in FROM_CRATE.finditer(text):
        names.update([match["name"]] if match["group"] is None else first_names(match["group"]))
    own_modules = {other.stem for other in path.parent.iterdir()} if path.parent.name in FLOOR else set()
    names.update(match["name"] for match in UPWARD.finditer(text) if match["name"] in FLOOR.keys() - own_modules)
    return names


def room_of(path: Path, source: Path) -> str:
    return path.relative_to(source).parts[0].removesuffix(".rs")


def trespasses(source: Path) -> tuple[int, list[str]]:
    """Return how many arrows between rooms were looked at, and those that do not point down."""
    arrows, wrong = 0, []
    for path in sorted(source.rglob("*.rs")):
        room = room_of(path, source)
        if room == "lib":
            continue
        for name in sorted(rooms_named(path)):
            target = "error" if name[0].isupper() else name  # crate::Error and crate::Result are re-exported
            if target == room:
                continue
            arrows += 1
            if target not in FLOOR or room not in FLOOR or FLOOR[target] >= FLOOR[room]:
                wrong.append(f"{path.relative_to(source)}: {room} -> {target}")
    return arrows, wrong


def test_arrows_between_rooms_point_down(root: Path) -> None:
    arrows, wrong = trespasses(root / "rust" / "src")

    assert arrows >= 10, "the scan found too few arrows to check"
    assert not wrong


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("lexical/mod.rs", "use crate::hdc::HyperVector;"),
        ("text/mod.rs", "use crate::{error::Result, lexical::{Index, Field}};"),
        ("ids/mod.rs", "fn f() -> crate::rank::TopK { loop {} }"),
        ("hdc/mod.rs", "use super::lexical::Index;"),
        ("error.rs", "use crate::codec::Writer;"),
        ("error.rs", "use super::codec::Writer;"),
        ("rank/mod.rs", "use crate::surprise::Thing;"),
    ],
)
def test_the_scan_sees_an_arrow_that_points_up(tmp_path: Path, file: str, text: str) -> None:
    for room in ("codec", "lexical"):
        (tmp_path / room).mkdir()
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text)
    assert len(trespasses(tmp_path)[1]) == 1


def test_the_scan_leaves_good_arrows_and_prose_alone(tmp_path: Path) -> None:
    good = ["use crate::{ids::IdTable, rank::TopK};", "use crate::Error;", "use super::text;"]
    prose = ["// crate::hdc is next door", 'const A: &str = "crate::hdc";', "/* super::hdc */"]
    (tmp_path / "lexical").mkdir()
    (tmp_path / "lexical" / "text.rs").write_text("")
    (tmp_path / "lexical" / "mod.rs").write_text("\n".join(good + prose))
    assert trespasses(tmp_path) == (3, [])


def test_unsafe_is_said_in_the_kernel_alone(root: Path) -> None:
    source = root / "rust" / "src"
    outside = [path for path in sorted(source.rglob("*.rs")) if room_of(path, source) != "kernel"]

    assert len(outside) >= 10, "the scan found too few files to check"
    assert not [str(path.relative_to(source)) for path in outside if UNSAFE.search(visible(path))]


def test_every_python_class_is_frozen_and_says_where_it_lives(root: Path) -> None:
    classes = [
        (str(path.relative_to(root)), match["options"] or "")
        for path in sorted((root / "rust" / "src" / "binding").rglob("*.rs"))
        for match in PYCLASS.finditer(path.read_text(encoding="utf-8"))
    ]

    assert len(classes) >= 4, "the scan found too few classes to check"
    assert not [name for name, options in classes if not re.search(r"\bfrozen\b", options)]
    assert not [name for name, options in classes if 'module = "byheart._core"' not in options]
