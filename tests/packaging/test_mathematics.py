"""docs/mathematics.md against the code: pointers resolve, the worst cases are recomputed, no formula lacks a line."""

import ast
import importlib
import math
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import byheart.ranking
from byheart import profiles
from byheart.conformance.not_built import NOT_BUILT
from byheart.patterns import GatePatterns
from byheart.profiles import Profile
from byheart.ranking.algebra import Stage

POINTER = re.compile(r"`(?P<file>(?:python|rust)/[\w/]+\.(?:py|rs)): (?P<names>[\w.]+(?:, [\w.]+)*)`")
SOURCE_FILE = re.compile(r"[\w/]+\.(?:py|rs)\b")
RUST_ITEM = r"\b(?:fn|struct|enum|trait|const|static|type|mod) {}\b"

# Whatever computes or decides in these is a formula.
FORMULAS = (
    "ranking/**/*.py",
    "conversation/gate.py",
    "conversation/compaction.py",
    "conversation/recent_tail.py",
    "summarising/extractive.py",
    "summarising/confidence.py",
    "summarising/preservation.py",
    "evaluation/*metrics.py",
)
NUMBERS = {"float", "int", "float | None"}

# Public functions there that are none. Each has to exist, and to have no pointer.
NO_FORMULA = {
    "ranking/algebra.py": {"run", "explain", "violations"},
    "ranking/quoting.py": {"assemble", "frame", "written", "escape", "shortened"},
    "ranking/candidates.py": {"join"},
    "ranking/registry.py": {"register_stage", "stage_names", "stage_class", "stage_from_dict"},
    "ranking/features.py": {"gather"},
    "ranking/normalisation.py": {"doubles", "numbers"},
    "ranking/rerank/protocol.py": {"time_left", "checked"},
    "ranking/rerank/providers.py": {"entries_at", "register", "names", "provider", "build", "parse"},
    "ranking/scoring/selection.py": {"tags_of"},
    "conversation/compaction.py": {"timestamp", "merge_method"},
}


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "mathematics.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pointers(page: str) -> set[tuple[str, str]]:
    """Return what the page points at, as pairs of a file and a name in it."""
    return {(found["file"], name) for found in POINTER.finditer(page) for name in found["names"].split(", ")}


def names_in(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    """Return what Python statements define: functions, classes and their members, constants."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield prefix + node.name
            if isinstance(node, ast.ClassDef):
                yield from names_in(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield from (prefix + each.id for each in ast.walk(target) if isinstance(each, ast.Name))


def parsed(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text(encoding="utf-8")).body


def is_there(path: Path, name: str) -> bool:
    if not path.is_file():
        return False
    if path.suffix == ".py":
        return name in set(names_in(parsed(path)))
    return re.search(RUST_ITEM.format(re.escape(name)), path.read_text(encoding="utf-8")) is not None


def test_pointers_lead_somewhere(root: Path, pointers: set[tuple[str, str]]) -> None:
    assert len(pointers) >= 150, "the scan found too few pointers"
    assert not [f"{file}: {name}" for file, name in sorted(pointers) if not is_there(root / file, name)]


def test_pointers_of_the_guides_lead_somewhere(root: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in sorted((root / "docs" / "guides").glob("*.md"))]
    found = [
        (hit["file"], name) for page in pages for hit in POINTER.finditer(page) for name in hit["names"].split(", ")
    ]

    assert len(found) >= 3, "the scan found too few pointers"
    assert not [f"{file}: {name}" for file, name in found if not is_there(root / file, name)]


def test_every_file_that_is_named_is_part_of_a_pointer(page: str) -> None:
    """A pointer with a mistake in its form would not be looked at."""
    prose = POINTER.sub("", page)
    assert [found for found in SOURCE_FILE.findall(prose) if found != "tests/packaging/test_mathematics.py"] == []


def test_the_scan_sees_a_wrong_name(root: Path) -> None:
    scoped, ln = root / "python/byheart/ranking/scoped.py", root / "rust/src/math/ln.rs"
    assert is_there(scoped, "recency")
    assert is_there(scoped, "DELTA")  # one of four constants of one assignment
    assert is_there(root / "python/byheart/ranking/tokens.py", "HostTokens.count")
    assert is_there(ln, "ln")
    assert not is_there(scoped, "recenc")
    assert not is_there(scoped, "HostTokens.count")
    assert not is_there(ln, "l")
    assert not is_there(root / "rust/src/math/log.rs", "ln")


def formulas(root: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Return each formula: its file, its name, and the names of which one has to be pointed at."""
    package = root / "python" / "byheart"
    for pattern in FORMULAS:
        for path in sorted(package.glob(pattern)):
            file, own = path.relative_to(root).as_posix(), path.relative_to(package).as_posix()
            for node in parsed(path):
                if isinstance(node, ast.FunctionDef) and not node.name.startswith(("_", "check_")):
                    if node.name not in NO_FORMULA.get(own, ()):
                        yield file, node.name, {node.name}
                elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    yield from ((file, name, {name, node.name}) for name in of_class(node))


def of_class(node: ast.ClassDef) -> Iterator[str]:
    """Return the methods of a class that return a number."""
    for method in node.body:
        if not isinstance(method, ast.FunctionDef) or method.name.startswith("_") or method.returns is None:
            continue
        if ast.unparse(method.returns) in NUMBERS:
            yield f"{node.name}.{method.name}"


def test_every_formula_has_a_line(root: Path, pointers: set[tuple[str, str]]) -> None:
    looked_at = list(formulas(root))
    assert len(looked_at) >= 90, "the scan found too few formulas"
    assert not [
        f"{file}: {name} has no line in docs/mathematics.md"
        for file, name, any_of in looked_at
        if not {(file, each) for each in any_of} & pointers
    ]


def stages(base: type[Stage]) -> Iterator[tuple[str, str]]:
    """Return all stages that the package defines below a class: their file and name."""
    for stage in base.__subclasses__():
        if stage.__module__.startswith("byheart."):
            yield f"python/{stage.__module__.replace('.', '/')}.py", stage.__name__
        yield from stages(stage)


def test_every_stage_has_a_line(pointers: set[tuple[str, str]]) -> None:
    for module in pkgutil.walk_packages(byheart.ranking.__path__, "byheart.ranking."):
        importlib.import_module(module.name)
    found = set(stages(Stage))  # type: ignore[type-abstract]

    assert len(found) >= 24, "the scan found too few stages"
    assert found - pointers == set()


def test_what_is_no_formula_is_there_and_has_no_line(root: Path, pointers: set[tuple[str, str]]) -> None:
    listed = [(f"python/byheart/{own}", name) for own, names in NO_FORMULA.items() for name in names]
    assert not [name for file, name in listed if not is_there(root / file, name)]
    assert not set(listed) & pointers


def number(value: float) -> str:
    return f"{value:.4g}"


def row(profile: str, cause: str, operation: str, least: float, greatest: float, turns: float) -> tuple[str, ...]:
    return profile, cause, operation, number(least), number(greatest), number(turns)


def expected(name: str, profile: Profile) -> Iterator[tuple[str, ...]]:
    """Return the table's rows of a profile, from what its stages say and from what it adds up itself."""
    said = [each for stage in profile.stages for each in stage.influence()]
    factors, summands = profile.worst_case()
    for operation, turned in (("add", summands), ("multiply", factors)):
        of_kind = [each for each in said if each.operation == operation]
        assert {each.cause for each in of_kind} == set(turned)
        assert len(of_kind) == len(turned), "two stages with one cause: the table has a row for each cause"
        for each in of_kind:
            yield row(name, each.cause, operation, each.least, each.greatest, turned[each.cause])
    if summands:
        added = [each for each in said if each.operation == "add"]
        least, greatest = (math.fsum(getattr(each, end) for each in added) for end in ("least", "greatest"))
        yield row(name, "all", "add", least, greatest, math.fsum(summands.values()))
    yield row(name, "all", "multiply", *ends_together(profile), math.prod(factors.values()))


def ends_together(profile: Profile) -> tuple[float, float]:
    """Return the least and the greatest of all factors together; causes of one column are parts of one factor."""
    columns: dict[str, tuple[float, float]] = {}
    for each in (each for stage in profile.stages for each in stage.influence() if each.operation == "multiply"):
        least, greatest = columns.get(each.column, (0.0, 0.0))
        columns[each.column] = least + each.least, greatest + each.greatest
    return math.prod(least for least, _ in columns.values()), math.prod(most for _, most in columns.values())


def table(page: str, title: str) -> list[tuple[str, ...]]:
    """Return the rows of the table of a section."""
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:]]


def test_the_worst_cases_are_those_of_the_profiles(page: str) -> None:
    wanted: list[tuple[str, ...]] = []
    for name in profiles.NAMES:
        profile = profiles.get(name)
        if any(stage.influence() for stage in profile.stages):
            wanted += expected(name, profile)
        else:
            wanted.append((name, "nothing", "", "", "", ""))

    assert len(wanted) >= 15, "too few worst cases to compare"
    assert sorted(table(page, "How far may something other than the text turn a ranking")) == sorted(wanted)


def test_the_profiles_of_seed_003_are_as_the_page_says(page: str) -> None:
    rows = table(page, "Agreement, minimum, gap, escalation")
    said = [(name, int(hits), float(least), float(gap), int(few), when) for name, hits, least, gap, few, when in rows]

    assert said == [
        (each.name, each.max_results, each.min_score, each.gap, each.min_acceptable, each.escalation)
        for each in map(profiles.EscalatingConfig.of, profiles.BUILT_IN)
    ]


@pytest.mark.parametrize("profile", ["strict", "1.3.5"])
def test_the_weights_of_the_gate_are_as_the_page_says(page: str, profile: str) -> None:
    section = page.partition("\n## The ingestion gate\n")[2].partition("\n## ")[0]
    signals = ["T", "D_nl", "P", "A", "D_tech"]
    lines = dict(re.findall(rf"^({'|'.join(signals)}) +([a-z].* 0\.\d)$", section, re.MULTILINE | re.IGNORECASE))
    said = {
        (signal, name, float(weight))
        for signal, line in lines.items()
        for name, weight in re.findall(r"(\w[\w ]*) (0\.\d)", line)
    }

    rules = GatePatterns(profile).rules
    assert said == {
        (signal, name, weight)
        for name, weights, _ in rules
        for signal, weight in zip(signals, weights, strict=True)
        if weight > 0.0
    }


def test_what_is_not_built_is_not_built(page: str) -> None:
    section = page.partition("## Not built yet")[2].partition("\n## ")[0]
    named = re.compile(r"`((?:pce|router|qmd|bench|metrics?)\.\w+)`")

    assert "byheart.conformance.not_built" in section, "the section is gone, or says nothing of the list"
    assert named.findall("`router.run`, `pce.search`") == ["router.run", "pce.search"], "the scan sees no feature"
    assert set(named.findall(section)) == set(NOT_BUILT)
