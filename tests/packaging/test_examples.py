"""Every example that is printed somewhere runs: docstrings, the compiled module's too, and the pages in Markdown."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest

import byheart

ROOT = Path(__file__).resolve().parents[2]
PAGES = [path for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]) if path.is_file()]
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)#\s]+)")
TARGET = re.compile(r"(?:`|^)make (?P<name>[a-z][a-z-]*)", re.MULTILINE)


def modules() -> list[ModuleType]:
    """Return every module of the package, the compiled one, and the tools; `__main__` would start the command."""
    names = [info.name for info in pkgutil.walk_packages(byheart.__path__, "byheart.")]
    wanted = {"byheart", "byheart._core", *(name for name in names if not name.endswith("__main__"))}
    tools = [path.stem for path in (ROOT / "tools").glob("*.py")]
    return [importlib.import_module(name) for name in sorted([*wanted, *tools])]


def cases() -> list[doctest.DocTest]:
    """Return the docstrings that hold an example."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    return [case for module in modules() for case in finder.find(module, module.__name__) if case.examples]


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_docstring(case: doctest.DocTest) -> None:
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    result = runner.run(case, out=report.append)

    assert result.attempted > 0
    assert result.failed == 0, "".join(report)


def test_both_languages_have_examples() -> None:
    compiled = [case for case in CASES if case.name.startswith("byheart._core.")]

    assert sum(len(case.examples) for case in CASES) >= 20
    assert len(compiled) >= 4


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the page's blocks in order, in one namespace, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    if "from mcp import" in text:  # the wheel is also tested without its extras
        pytest.importorskip("mcp", reason="the extra mcp is not installed")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("```python"), "a block that is opened is not closed"

    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks:
        lines_above = text.count("\n", 0, block.start("code"))
        exec(compile("\n" * lines_above + block["code"], str(page), "exec"), namespace)


def test_the_readme_has_a_program() -> None:
    assert BLOCK.search((ROOT / "README.md").read_text(encoding="utf-8"))


def test_pages_name_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = [
        (page.name, match["name"]) for page in PAGES for match in TARGET.finditer(page.read_text(encoding="utf-8"))
    ]

    assert len(named) >= 4, "the scan found too few commands to check"
    assert not [(page, name) for page, name in named if name not in targets]


def test_pages_link_to_files_that_exist() -> None:
    links = [
        (page, match["target"])
        for page in PAGES
        for match in LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8")))
        if "://" not in match["target"]
    ]

    assert len(links) >= 4, "the scan found too few links to check"
    assert not [(page.name, target) for page, target in links if not (page.parent / target).exists()]
