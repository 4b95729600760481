"""What no committed file may hold."""

import ast
import re
import sys
from pathlib import Path

# Spelled in pieces, or these lines would find themselves.
HOME_PATH = re.compile(
    r"(?<![\w.~/\-])/(?:" + "|".join(["ro" + "ot", "ho" + "me", "Us" + "ers", "wo" + "rk"]) + r")/\w"
)
REGISTRY = re.compile("|".join(["py" + r"pi\.org", "pythonhos" + r"ted\.org", "crat" + r"es\.io"]))
UNPICKLERS = {"pickle", "_pickle", "cPickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"}


def texts(files: list[Path]) -> dict[Path, str]:
    """Return the content of every file that is text."""
    found = {}
    for path in files:
        try:
            found[path] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return found


def imported(path: Path) -> set[str]:
    """Return the top names of all modules that one Python file imports, wherever it does."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_no_path_of_a_build_machine(committed_files: list[Path]) -> None:
    read = texts(committed_files)
    assert len(read) >= 30, "the scan read too few files"
    assert not [f"{path}: {match[0]}" for path, text in read.items() for match in HOME_PATH.finditer(text)]


def test_no_registry_host(committed_files: list[Path]) -> None:
    read = texts([path for path in committed_files if path.name != "Cargo.lock"])
    assert len(read) >= 30, "the scan read too few files"
    assert not [f"{path}: {match[0]}" for path, text in read.items() for match in REGISTRY.finditer(text)]


def test_nothing_unpickles(root: Path) -> None:
    files = sorted((root / "python").rglob("*.py"))
    assert len(files) >= 10, "the scan read too few files"
    assert not [f"{path}: {name}" for path in files for name in sorted(imported(path) & UNPICKLERS)]


def test_reference_is_plain_python(root: Path) -> None:
    package = root / "python" / "byheart" / "reference"
    files = sorted(package.rglob("*.py"))
    assert len(files) >= 2, "the scan read too few files"

    allowed = set(sys.stdlib_module_names)
    strangers = [
        f"{path.relative_to(root)}: {name}"
        for path in files
        for name in sorted(imported(path) - allowed)
        if not (name == "byheart" and imports_only_reference(path))
    ]
    assert not strangers


def imports_only_reference(path: Path) -> bool:
    """Say whether every import of byheart in one file stays inside `byheart.reference`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        named = []
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            named = [f"{node.module}.{alias.name}" for alias in node.names]
        if any(name.split(".")[0] == "byheart" and name.split(".")[1:2] != ["reference"] for name in named):
            return False
    return True
