"""Usage errors of the command line: one line that says what is wrong, what was perhaps meant, and where the help is."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn

from ..validation import nearest
from .codes import WRONG
from .render import one_line

_NEGATIVE: Final = re.compile(r"-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$", re.IGNORECASE)
"""A number below 0, which is no option; argparse knows none with an exponent."""

_FEW: Final = 8
"""So many choices are named; of more, the help is the place."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors fit one line; those of its commands do, too."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._negative_number_matcher = _NEGATIVE

    def error(self, message: str) -> NoReturn:
        """Say on standard error why a command line cannot be taken, and end with exit code 2.

        Raises:
            SystemExit: always.

        """
        command = self.prog.rpartition(" ")[2]
        why = one_line(message.removeprefix(f"{command}: "))
        self.exit(WRONG, f"{self.prog}: {why} (see {self.prog} --help)\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of the choices of an argument; as argparse calls it, before it takes a value."""
        if action.choices is not None and value not in action.choices:
            choices = [str(each) for each in action.choices]
            listed = f" (one of {', '.join(choices)})" if len(choices) <= _FEW else ""
            raise argparse.ArgumentError(action, f"there is no {value!r}{listed}{nearest(str(value), choices)}")


def parsed(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Return what a command line says; what is too much in it is told by the command that was named.

    Raises:
        SystemExit: wrong usage (2), `--help` or `--version` (0); why has been printed.

    """
    args, more = parser.parse_known_args(_behind(sys.argv[1:] if argv is None else argv))
    if more:
        command: argparse.ArgumentParser = args.parser if "parser" in args else parser
        command.error(_surplus(more[0], command._option_string_actions))
    return args


def _behind(words: Sequence[str]) -> list[str]:
    """Return a command line with a memory file that is named before the command behind it, where it belongs.

    >>> _behind(["--memory", "me.db", "recall", "--", "-tea"]), _behind(["--memory=me.db", "doctor"])
    (['recall', '--memory', 'me.db', '--', '-tea'], ['doctor', '--memory=me.db'])
    """
    number = 2 if words[:1] in (["-m"], ["--memory"]) else 1 if words and words[0].startswith("--memory=") else 0
    named, rest = list(words[:number]), list(words[number:])
    end = rest.index("--") if "--" in rest else len(rest)
    return [*rest[:end], *named, *rest[end:]] if rest else named


def _surplus(word: str, options: Iterable[str]) -> str:
    """Return what to say of a word that a command makes nothing of."""
    if not word.startswith("-"):
        return f"{word!r} is one argument too many"
    name, known = word.partition("=")[0], list(options)
    if (short := name.removeprefix("-")) in known:  # -k has one dash
        return f"there is no option {name!r}; did you mean {short!r}?"
    return f"there is no option {name!r}{nearest(name, [each for each in known if each.startswith('--')])}"
