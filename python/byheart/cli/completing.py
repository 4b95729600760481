"""Completion for shells, asked of the parser itself at each press of the key: it cannot lag behind the commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..profiles import NAMES as PROFILES
from .options import Commands, command

SCRIPTS: Final[Mapping[str, str]] = {
    "bash": """\
_byheart() {
    local IFS=$'\\n'
    COMPREPLY=($(byheart completion bash --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o bashdefault -F _byheart byheart
""",
    "zsh": """\
#compdef byheart
_byheart() {
    local -a found
    found=("${(@f)$(byheart completion zsh --words "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then _describe byheart found; else _files; fi
}
if [ "$funcstack[1]" = "_byheart" ]; then _byheart "$@"; else compdef _byheart byheart; fi
""",
    "fish": """\
function __byheart
    set -l words (commandline -opc) (commandline -ct)
    byheart completion fish --words $words[2..-1] 2>/dev/null
end
complete -c byheart -a '(__byheart)'
""",
}
EMBEDDERS: Final = ("hashing", "wordllama")  # those of `byheart.embedding.named`, which loads models' libraries
_VALUES: Final[Mapping[str, Sequence[str]]] = {"profile": PROFILES, "embedder": EMBEDDERS}
"""Values of options that take others besides."""

Found = dict[str, str]
"""Words that may come next, and what each means."""


def add_parsers(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands, "completion", "print a script that completes commands and options in a shell", completion,
        told='For bash: eval "$(byheart completion bash)" in ~/.bashrc; for zsh the same in ~/.zshrc, behind compinit; '
        "for fish: byheart completion fish > ~/.config/fish/completions/byheart.fish.",
        examples=["completion bash", "completion zsh", "completion fish"],
    )  # fmt: skip
    parser.add_argument("shell", metavar="SHELL", choices=tuple(SCRIPTS), help=f"for which one: {', '.join(SCRIPTS)}")
    parser.add_argument("--words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def completion(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Print the script, or what may come next."""
    from .parser import build_parser
    from .render import one_line, show

    if args.words is None:
        show(SCRIPTS[args.shell].rstrip("\n"))
        return
    escaped = "\\:"
    words = joined(args.words) if args.shell == "bash" else args.words
    parted = words != args.words and "=" in words[-1]
    for word, means in following(build_parser(), words or [""]).items():
        if args.shell == "bash":
            show(word.partition("=")[2] if parted else word)
        elif args.shell == "zsh":
            show(f"{word.replace(':', escaped)}:{one_line(means)}")
        else:
            show(f"{word}\t{one_line(means)}")


def joined(words: Sequence[str]) -> list[str]:
    """Return the words of a line that bash has parted at each "=", as they were typed.

    >>> joined(["recall", "--profile", "=", "kb-t"]), joined(["recall", "--profile", "="])
    (['recall', '--profile=kb-t'], ['recall', '--profile='])
    """
    found: list[str] = []
    for at, word in enumerate(words):
        if word == "=" and found and found[-1].startswith("--"):
            found[-1] += "="
        elif at > 0 and words[at - 1] == "=" and found[-1].endswith("="):
            found[-1] += word
        else:
            found.append(word)
    return found


def following(parser: argparse.ArgumentParser, words: Sequence[str]) -> Found:
    """Return what the last of the words may become: commands, options, or the values of an option."""
    *before, last = words
    waiting: argparse.Action | None = None
    places = _places(parser)
    plain = False
    for word in before:
        if waiting is not None and not word.startswith("-"):
            waiting = waiting if waiting.nargs == "+" else None
        elif word == "--":
            plain = True
        elif word.startswith("-") and not plain:
            option = parser._option_string_actions.get(word)
            waiting = option if option is not None and option.nargs != 0 else None
        elif places:
            place = places[0]
            places = places[place.nargs is None or place.nargs == "?" :]
            if isinstance(place, argparse._SubParsersAction):
                if word not in place.choices:
                    return {}
                parser = place.choices[word]
                places = _places(parser)
    name, equals, typed = last.partition("=")
    if equals and name in parser._option_string_actions:  # bash hands on what is behind = alone, others the whole
        return {f"{name}={each}": "" for each in _values(parser._option_string_actions[name], typed)}
    if waiting is not None and not last.startswith("-"):
        return dict.fromkeys(_values(waiting, last), "")
    if last.startswith("-") and not plain:
        return _starting(_options(parser), last)
    next_place = places[0] if places else None
    if isinstance(next_place, argparse._SubParsersAction):
        return _starting({each.dest: each.help or "" for each in next_place._choices_actions}, last)
    return {} if next_place is None else dict.fromkeys(_values(next_place, last), "")


def _places(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if not action.option_strings]


def _options(parser: argparse.ArgumentParser) -> Found:
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    return {
        name: (action.help or "") % {"default": action.default, "prog": parser.prog}
        for action in shown
        for name in action.option_strings
        if name.startswith("--")
    }


def _values(action: argparse.Action, typed: str) -> Iterable[str]:
    known = action.choices or _VALUES.get(action.dest, ())
    return [str(each) for each in known if str(each).startswith(typed)]


def _starting(found: Found, typed: str) -> Found:
    return {word: means for word, means in found.items() if word.startswith(typed)}
