"""What the types of the package name: the words of each literal, the keys of each typed mapping, in `types.txt`.

A type checker holds callers to them, and runs none of them. What is changed on purpose is written anew:
`python -m tests.unit.test_types_told > tests/unit/types.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Union, get_args, get_origin, is_typeddict

from .test_defaults_told import modules

TABLE = Path(__file__).with_name("types.txt")


def said(kind: Any) -> str | None:
    """Return what a type names; None of one that names nothing."""
    if is_typeddict(kind):
        keys = [name + ("" if name in kind.__required_keys__ else "?") for name in kind.__annotations__]
        return f"{{{', '.join(keys)}}}"
    if get_origin(kind) is Literal:
        return " | ".join(map(repr, get_args(kind)))
    if get_origin(kind) is Union:
        named = [each for each in map(said, get_args(kind)) if each]
        return " | ".join(named) or None
    return None


def rows() -> Iterator[str]:
    """Yield a row for each type that a module makes, private ones, too: callers meet them in what they call."""
    seen: set[int] = set()
    of_others = "byheart.memory.kinds"  # which has names of other modules, once they were asked for
    told = [module for module in modules() if module.__name__ != of_others]
    for module in sorted(told, key=lambda each: each.__name__ != "byheart.words"):  # where most are made
        for name, kind in sorted(vars(module).items()):
            if not isinstance(kind, ModuleType) and id(kind) not in seen and (words := said(kind)):
                seen.add(id(kind))
                yield f"{module.__name__}.{name}: {words}"


def test_every_type_names_what_the_table_says() -> None:
    there = TABLE.read_text(encoding="utf-8").splitlines()
    assert len(there) > 20
    assert list(rows()) == there


if __name__ == "__main__":
    print(*rows(), sep="\n")
