"""Plain JSON with what must be hidden of it hidden: texts, names, numbers, and all that lies below a secret's name."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

Hide = Callable[[str], str]

SECRET: Final = "[secret]"
_PROBE: Final = '"words"'  # below a name that says nothing, nobody finds anything in it
_LEAST: Final = 1_000  # a number of fewer digits is nobody's card, telephone or password


def walked(tree: Any, hide: Hide, name: str = "", *, below: bool = False) -> Any:
    """Return plain JSON without what is hidden; nothing of it is lost.

    Args:
        tree: the JSON.
        hide: returns a text without what is hidden of it.
        name: below which it lies.
        below: whether that, or one above it, is the name of a secret, such as "password": each text is one then.

    >>> walked({"n": [1, "x"], "password": ["tea"]}, lambda text: text.replace('d": "words', 'd": "-'))
    {'n': [1, 'x'], 'password': ['[secret]']}

    """
    if isinstance(tree, str):
        return SECRET if below and tree not in ("", SECRET) else hide(tree)
    if isinstance(tree, Mapping):
        found: dict[str, Any] = {}
        for key, value in tree.items():
            secret = below or (_holds_text(value) and _is_secret(key, hide))
            left = hide(key)
            found[left if left == key else _free(left, found, tree)] = walked(value, hide, key, below=secret)
        return found
    if isinstance(tree, (list, tuple)):
        return [walked(value, hide, name, below=below) for value in tree]
    if isinstance(tree, bool) or not isinstance(tree, (int, float)) or abs(tree) < _LEAST:
        return tree
    return _number(tree, hide, name)


def _holds_text(tree: Any) -> bool:
    """Return whether there is a text in plain JSON that could be a secret; names do not count."""
    if isinstance(tree, str):
        return tree not in ("", SECRET)
    inner = tree.values() if isinstance(tree, Mapping) else tree if isinstance(tree, (list, tuple)) else ()
    return any(map(_holds_text, inner))


def _is_secret(name: str, hide: Hide) -> bool:
    """Return whether a name says that whatever lies below it is a secret."""
    probe = f"{json.dumps(name)}: {_PROBE}"
    return hide(probe) != probe


def _number(number: float, hide: Hide, name: str) -> Any:
    """Return a number, or what stands in its place: a text that said it beside its name would be looked at so."""
    before, said = f"{name}: ", str(number)
    left = hide(before + said)
    if left.endswith(said):
        return number
    return left[len(before) :] if left.startswith(before) else left


def _free(name: str, found: Collection[str], given: Collection[str]) -> str:
    """Return a name in whose place nothing comes, where several become one."""
    free, number = name, 1
    while free in found or free in given:
        number += 1
        free = f"{name} ({number})"
    return free
