"""An expression is compiled at its first use, and is then as good as a compiled one."""

import copy
import importlib
import pkgutil
import re
from types import ModuleType

import pytest

import byheart
from byheart.light.expressions import _Expression, expression


def expressions_of(module: ModuleType) -> list[_Expression]:
    """Return those that a module has by a name of its own, and those of its tables."""
    values = [each for value in vars(module).values() for each in (value if isinstance(value, tuple) else (value,))]
    return [value for value in values if isinstance(value, _Expression)]


def test_what_is_used_is_that_of_the_compiled_one() -> None:
    late, early = expression(r"(?P<word>[a-z]+)", re.IGNORECASE), re.compile(r"(?P<word>[a-z]+)", re.IGNORECASE)

    for text in ("One two", "", "3 four"):
        found, wanted = late.search(text), early.search(text)
        assert (found and found.groupdict()) == (wanted and wanted.groupdict())
        assert late.findall(text) == early.findall(text)
        assert late.sub("x", text) == early.sub("x", text)
    assert (late.pattern, late.flags, late.groups) == (early.pattern, early.flags, early.groups)


def test_it_is_compiled_once_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def counted(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return real(source, flags)

    monkeypatch.setattr(re, "compile", counted)

    late = expression("a+")
    assert compiled == []
    assert late.match("aa")
    assert late.findall("aa a") == ["aa", "a"]
    assert compiled == ["a+"]


def test_what_it_has_not_is_refused_as_by_any_object() -> None:
    with pytest.raises(AttributeError):
        _ = expression("a").no_such_method  # type: ignore[attr-defined]
    assert copy.copy(expression("a")).match("a")


def test_every_expression_of_the_package_can_be_compiled() -> None:
    names = [module.name for module in pkgutil.walk_packages(byheart.__path__, "byheart.")]
    rooms = {"patterns", "ranking", "retrieval", "recall", "writing"}
    of_text = [name for name in names if name.split(".")[1] in rooms]
    found = [each for name in of_text for each in expressions_of(importlib.import_module(name))]

    assert len(found) > 250, "the walk found few expressions to look at"
    assert all(each.pattern for each in found)
