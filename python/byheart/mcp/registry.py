"""The registry: which tools a process offers, under which names, and what each of them is called by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..errors import InvalidArgument
from ..validation import nearest
from .tool import GROUPS, Tool

NAMES = ("underscores", "dots", "both")
"""How names with dots are listed. They may be called in either spelling, whatever is listed."""


@dataclass(frozen=True, slots=True)
class Registry:
    """The tools of a process.

    Attributes:
        listed: what a host is shown, by name.
        called: what may be called, by name: every spelling of what is listed.

    """

    listed: Mapping[str, Tool]
    called: Mapping[str, Tool]

    @classmethod
    def of(
        cls, tools: Iterable[Tool], wanted: str = "short", *, read_only: bool = False, names: str = "underscores"
    ) -> Registry:
        """Return the registry of some of the tools.

        Args:
            tools: all that there are.
            wanted: names of tools and groups, with commas; "all" for every one.
            read_only: leave out what writes.
            names: how names with dots are listed: "underscores", "dots" or "both".

        Raises:
            InvalidArgument: there is no such tool, or two have one name, or nothing is left.

        """
        known = _by_name(tools)
        if names not in NAMES:
            raise InvalidArgument(f"names: is {names!r}; use one of {', '.join(NAMES)}")
        listed = {
            name: tool
            for word in dict.fromkeys(part.strip() for part in wanted.split(","))
            for name, tool in _meant(word, known, names)
            if not (read_only and tool.changes)
        }
        if not listed:
            raise InvalidArgument(f"tools: nothing is left of {wanted!r}{' that only reads' if read_only else ''}")
        return cls(listed, {name: tool for tool in listed.values() for name in tool.names})

    def __iter__(self) -> Iterator[tuple[str, Tool]]:
        """Give what is listed: each name with its tool, in order."""
        return iter(self.listed.items())


def _by_name(tools: Iterable[Tool]) -> dict[str, Tool]:
    known: dict[str, Tool] = {}
    for tool in tools:
        for name in tool.names:
            if known.setdefault(name, tool) is not tool:
                raise InvalidArgument(f"tools: two of them are called {name!r}")
    return known


def _meant(word: str, known: Mapping[str, Tool], names: str) -> Iterator[tuple[str, Tool]]:
    """Give the tools that a word means, each by the name it is listed under; a name is listed as it is written."""
    if word != "all" and word not in GROUPS:
        if word not in known:
            raise InvalidArgument(f"tools: {word[:60]!r} does not exist{nearest(word[:60], (*GROUPS, 'all', *known))}")
        yield word, known[word]
        return
    for tool in dict.fromkeys(known.values()):
        if word in ("all", tool.group):
            spellings = {"underscores": (tool.listed,), "dots": (tool.name,), "both": (tool.name, tool.listed)}[names]
            yield from ((name, tool) for name in spellings)
