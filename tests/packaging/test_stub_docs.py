"""The stub says of each public name what the compiled module says: editors show it, and cannot read the binary."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from byheart import _core

Named = ast.ClassDef | ast.FunctionDef


def named(node: ast.Module | ast.ClassDef, there: Any, way: str = "") -> Iterator[tuple[str, str | None, str]]:
    """Give each public name with its text in the stub, and the first paragraph of that in the module."""
    for each in node.body:
        if not isinstance(each, Named) or each.name.startswith("_"):
            continue
        found = inspect.getattr_static(there, each.name)
        said = getattr(found.__func__ if isinstance(found, staticmethod) else found, "__doc__", None)
        if said:
            first = " ".join(inspect.cleandoc(said).split("\n\n")[0].split())
            stub = ast.get_docstring(each)
            yield f"{way}{each.name}", None if stub is None else " ".join(stub.split()), first
        if isinstance(each, ast.ClassDef):
            yield from named(each, found, f"{way}{each.name}.")


def test_the_stub_says_what_the_module_says(root: Path) -> None:
    tree = ast.parse((root / "python" / "byheart" / "_core.pyi").read_text(encoding="utf-8"))
    all_of = list(named(tree, _core))

    assert len(all_of) >= 240, "the scan found nothing"
    assert not [(name, stub, said) for name, stub, said in all_of if stub != said]
