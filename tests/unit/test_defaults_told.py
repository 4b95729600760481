"""What one gets who says nothing: what every module names has the defaults of `defaults.txt`, and the constants.

Of a stage also what it declares of itself: who writes one, or leaves one out, goes by that. Names that begin with an
underscore are nobody else's affair, nor are the reference and the runner of published cases, which stand on their own.

What is changed on purpose is written anew: `python -m tests.unit.test_defaults_told > tests/unit/defaults.txt`.
"""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, ClassVar, get_origin, get_type_hints

import byheart
from byheart.ranking.algebra import Stage

TABLE = Path(__file__).with_name("defaults.txt")
ALONE = {"reference", "conformance", "__main__"}
PLAIN = (bool, int, float, str, tuple, list, frozenset, dict, MappingProxyType)
TOOLS = "TOOLS"
"""What the server offers, which `mcp_tools.json` tells."""
LONG = 200
"""Characters: of a constant that has more, its digest is told."""


def modules() -> Iterator[ModuleType]:
    """Yield the modules of the package, in order."""
    for found in sorted(pkgutil.walk_packages(byheart.__path__, "byheart."), key=lambda each: each.name):
        if not ALONE & set(found.name.split(".")):
            yield import_module(found.name)


def told(value: Any) -> str:
    """Return how a value is written, the same in every run; of what is not plain the name alone."""
    if isinstance(value, bool | int | float | str | bytes | None) or (
        is_dataclass(value) and not isinstance(value, type)
    ):
        return repr(value)
    if isinstance(value, dict | MappingProxyType):
        return f"{{{', '.join(f'{told(name)}: {told(each)}' for name, each in value.items())}}}"
    if isinstance(value, tuple | list | frozenset):
        said = [told(each) for each in value]
        return f"{{{', '.join(sorted(said))}}}" if isinstance(value, frozenset) else f"({', '.join(said)})"
    return str(getattr(value, "__qualname__", type(value).__qualname__))


def row(name: str, called: Any) -> Iterator[str]:
    """Yield what a call has where it says nothing, if it is anything but None."""
    given = inspect.signature(called).parameters.values()
    said = [f"{each.name}={told(each.default)}" for each in given if each.default not in (each.empty, None)]
    if said:
        yield f"{name}: {', '.join(said)}"


def declared(name: str, stage: type[Stage]) -> str:
    """Return the row of what a stage declares of itself."""
    known = [each for each, kind in get_type_hints(Stage).items() if get_origin(kind) is ClassVar]
    return f"{name} is: {', '.join(f'{each}={getattr(stage, each, None)!r}' for each in known)}"


def calls(module: ModuleType) -> Iterator[str]:
    """Yield a row for each class, method and function of a module that has defaults, and one for each stage."""
    for name, called in sorted(vars(module).items()):
        if name.startswith("_") or getattr(called, "__module__", None) != module.__name__:
            continue
        where = f"{module.__name__}.{name}"
        if inspect.isclass(called):
            if issubclass(called, Stage):
                yield declared(where, called)
            if not issubclass(called, BaseException | dict):
                yield from row(where, called)
            verbs = {verb: own for verb, own in vars(called).items() if inspect.isfunction(own)}
            for verb, function in sorted(verbs.items()):
                if not verb.startswith("_") and verb[1:] not in verbs:  # coroutines take what their verbs take
                    yield from row(f"{where}.{verb}", function)
        elif inspect.isfunction(called):
            yield from row(where, called)


def constants(module: ModuleType) -> Iterator[str]:
    """Yield a row for each constant that a module makes, as far as it is of plain values."""
    source = Path(module.__file__ or "")
    body = ast.parse(source.read_text(encoding="utf-8")).body if source.suffix == ".py" else []
    targets = [
        target
        for node in body
        for target in (node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)])
    ]
    for name in sorted({each.id for each in targets if isinstance(each, ast.Name)}):
        value = getattr(module, name, None)
        if (
            name.isupper()
            and not name.startswith("_")
            and name != TOOLS
            and (isinstance(value, PLAIN) or is_dataclass(value))
        ):
            said = told(value)
            long = f"{type(value).__name__} of {len(said)} characters, {sha256(said.encode()).hexdigest()[:16]}"
            yield f"{module.__name__}.{name} = {said if len(said) <= LONG else long}"


def rows() -> list[str]:
    """Return all rows."""
    return [line for module in modules() for line in (*calls(module), *constants(module))]


def test_every_default_is_as_the_table_has_it() -> None:
    there = TABLE.read_text(encoding="utf-8").splitlines()
    assert len(there) > 600
    assert rows() == there


if __name__ == "__main__":
    print("\n".join(rows()))
