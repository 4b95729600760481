"""The options of every command, as `cli_options.txt` has them: scripts are written against names, values and defaults.

What is changed on purpose is written anew: `python -m tests.unit.test_cli_options > tests/unit/cli_options.txt`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from byheart.cli.parser import build_parser

TABLE = Path(__file__).with_name("cli_options.txt")
SAID = ("metavar", "default", "nargs", "const", "type", "choices")


def row(action: argparse.Action) -> str:
    """Return what an option is called, and all of it that is not None."""
    said = {name: getattr(action, name) for name in SAID}
    said["type"] = getattr(action.type, "__name__", action.type)
    said["choices"] = None if action.choices is None else " ".join(map(str, action.choices))
    names = "/".join(action.option_strings) or "-"
    shown = [f"{name}={value!r}" for name, value in said.items() if value is not None]
    return " ".join([names, action.dest, *shown, *["required"] * action.required])


def table() -> list[str]:
    """Return each option that there is, and below it the commands that have it."""
    found: dict[str, list[str]] = {}
    parsers = [build_parser()]
    for parser in parsers:  # which grows
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += dict.fromkeys(action.choices.values())
            if not isinstance(action, argparse._HelpAction):
                found.setdefault(row(action), []).append(parser.prog.removeprefix("byheart").strip() or "byheart")
    return [line for option, commands in found.items() for line in (option, f"    {', '.join(commands)}")]


def test_every_option_is_as_the_table_has_it() -> None:
    there = TABLE.read_text(encoding="utf-8").splitlines()
    assert len(there) > 300
    assert table() == there


if __name__ == "__main__":
    print("\n".join(table()))
