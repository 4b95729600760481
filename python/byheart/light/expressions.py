"""Regular expressions that are compiled at their first use: most programs need a few of the hundreds here.

Compiling one takes some ten microseconds, one with a list of words some milliseconds; a table of them at the top of a
module would be paid by everybody who imports it, and by a first recall that reads a text in one language of many.
"""

from __future__ import annotations

import re
from typing import cast

from .once import once


def expression(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what is used as a compiled expression is, and compiles it when it is first used.

    >>> word = expression(r"[a-z]+")
    >>> word.findall("one two")
    ['one', 'two']
    """
    return cast("re.Pattern[str]", _Expression(source, flags))


class _Expression:
    """An expression that keeps each method of the compiled one once it was asked for, so that it is not asked twice."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    @once
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)  # of copying and the like: a compiled expression is not asked either
        value = getattr(self._compiled, name)
        setattr(self, name, value)
        return value
