"""Usage errors of the command line, in one line: the error, the nearest word, and where the help is."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from itertools import pairwise, takewhile
from typing import Any, Final, NoReturn

from ..validation import nearest
from .codes import WRONG
from .render import one_line

_NEGATIVE: Final = re.compile(r"-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$", re.IGNORECASE)
"""A number below 0, which is no option; argparse knows none with an exponent."""

_MISSING: Final = "the following arguments are required"
"""How argparse begins to say which arguments it lacks."""

_FEW: Final = 12
"""So many choices are named; of more, the help is the place."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors fit one line; those of its commands do, too."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._negative_number_matcher = _NEGATIVE
        self._words: list[str] = []

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return what a command line says, and what is too much in it; its words are at hand for errors."""
        self._words = list(sys.argv[1:] if args is None else args)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Say on standard error why a command line cannot be taken, and end with exit code 2.

        Raises:
            SystemExit: always.

        """
        command = self.prog.rpartition(" ")[2]
        why = one_line(message.removeprefix(f"{command}: "))
        if why.startswith(_MISSING):
            why += self._dashed()
        self.exit(WRONG, f"{self.prog}: {why} (see {self.prog} --help)\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help, or an error; as argparse calls it, which would pass over an output that takes no more."""
        stream = sys.stderr if file is None else file
        with suppress(OSError) if stream is sys.stderr else nullcontext():
            stream.write(message)

    def _dashed(self) -> str:
        """Return what to say of a word that was meant as a text, perhaps, and begins with a dash."""
        known = self._option_string_actions
        for word in takewhile(lambda word: word != "--", self._words):
            named = word.partition("=")[0] in known or (word[1:2] != "-" and word[:2] in known)
            if word.startswith("-") and word != "-" and not named and not _NEGATIVE.match(word):
                return f"; there is no option {word!r}, and a text that begins with a dash goes behind --"
        return ""

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """Return how many words an argument takes; as argparse calls it, where they begin with no dash."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError as error:
            for option, value in pairwise(self._words):
                if option in action.option_strings and value[:1] == "-" and value not in self._option_string_actions:
                    told = f"{error.message}; one that begins with a dash is joined to it: {option}={value}"
                    raise argparse.ArgumentError(action, told) from None
            raise

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of the choices of an argument; as argparse calls it, before it takes a value."""
        if action.choices is not None and value not in action.choices:
            choices = [str(each) for each in action.choices]
            listed = f" (one of {', '.join(choices)})" if len(choices) <= _FEW else ""
            raise argparse.ArgumentError(action, f"there is no {value!r}{listed}{nearest(str(value), choices)}")


_LIKE: Final = 0.7
"""How like an option has to be to one that is suggested: "nope" is .67 like "scope"."""


def parsed(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Return what a command line says; what is too much in it is told by the command that was named.

    Raises:
        SystemExit: wrong usage (2), `--help` or `--version` (0); why has been printed.

    """
    args, more = parser.parse_known_args(_behind(list(sys.argv[1:] if argv is None else argv)))
    if more:
        command: argparse.ArgumentParser = args.parser if "parser" in args else parser
        command.error(_surplus(more[0], command._option_string_actions))
    return args


def _behind(words: list[str]) -> list[str]:
    """Return a command line with a memory file that is named before the command behind it, where it belongs.

    >>> _behind(["--memory", "me.db", "recall", "--", "-tea"]), _behind(["--memory=me.db", "doctor"])
    (['recall', '--memory', 'me.db', '--', '-tea'], ['doctor', '--memory=me.db'])
    """
    number = 2 if words[:1] in (["-m"], ["--memory"]) else 1 if words and words[0].startswith("--memory=") else 0
    named, rest = words[:number], words[number:]
    end = rest.index("--") if "--" in rest else len(rest)
    return [*rest[:end], *named, *rest[end:]] if rest else named


def _surplus(word: str, options: Iterable[str]) -> str:
    """Return what to say of a word that a command makes nothing of."""
    from difflib import get_close_matches  # on use: only a mistake needs it

    if not word.startswith("-"):
        return f"{word!r} is one argument too many"
    name, known = word.partition("=")[0], list(options)
    if (short := name.removeprefix("-")) in known:  # -k has one dash
        return f"there is no option {name!r}; did you mean {short!r}?"
    names = {each.lstrip("-"): each for each in known if each.startswith("--")}  # dashes would be likeness enough
    near = get_close_matches(name.lstrip("-"), names, n=1, cutoff=_LIKE)
    return f"there is no option {name!r}" + (f"; did you mean {names[near[0]]!r}?" if near else "")
