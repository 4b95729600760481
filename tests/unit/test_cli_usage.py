"""Usage errors of the command line: what is allowed, and how to write what begins with a dash."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from byheart.cli import main
from byheart.cli.parser import build_parser

SAID = [
    (
        ("remember", "x", "--importance", "high"),
        "argument --importance: 'high' is no number; give one from 0 to 1 (see",
    ),
    (("remember", "x", "--utility", "high"), "argument --utility: 'high' is no number; give one, such as 0.5 (see"),
    (("remember", "x", "--access-count", "2.5"), "--access-count: '2.5' is no number; give a whole number (see"),
    (("recall", "x", "--min-strength", "high"), "--min-strength: 'high' is no number; give one from 0 to 1 (see"),
    (("recall", "x", "-k", "few"), "argument -k: 'few' is no number; give a whole number from 1 to 100000 (see"),
    (("context", "x", "--budget", "big"), "--budget: 'big' is no number; give one that is at least 0 (see"),
    (("list", "--limit", "x"), "--limit: 'x' is no number; give a whole number, at least 1 (see"),
    (
        ("list", "--order-by", "-created_at"),
        "--order-by: expected one argument; one that begins with a dash is joined to it: --order-by=-created_at (see",
    ),
    (("recall", "x", "--session", "--json"), "argument --session: expected one argument (see"),
    (("recall", "x", "--session"), "argument --session: expected one argument (see"),
    (
        ("recall", "-decaf"),
        "required: QUERY; there is no option '-decaf', and a text that begins with a dash goes behind -- (see",
    ),
    (("recall", "--json"), "required: QUERY (see"),
    (("recall", "-k5"), "required: QUERY (see"),
    (("recall", "--session=s", "-k", "5", "--"), "required: QUERY (see"),
    (
        ("recall", "x", "--act", "fly"),
        "argument --act: there is no 'fly' (one of compare, explain, recommend, diagnose, implement, verify, define, "
        "evaluate, identify, describe) (see",
    ),
    (("recall", "x", "--nope"), "byheart recall: there is no option '--nope' (see"),
    (("recall", "x", "--sesion", "s"), "there is no option '--sesion'; did you mean '--session'? (see"),
    (("completion",), "required: SHELL (see"),
    (("completion", "zhs"), "argument SHELL: there is no 'zhs' (one of bash, zsh, fish); did you mean 'zsh'? (see"),
    (("models", "assemble", "/proc/x"), "byheart: /proc/x: cannot be made (No such file or directory)\n"),
]


@pytest.mark.parametrize(("words", "said"), SAID, ids=[" ".join(words) for words, _ in SAID])
def test_a_command_line_that_cannot_be_taken_is_told_what_is_allowed(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    try:
        code = main(words)
    except SystemExit as error:
        code = int(error.code or 0)
    printed = capsys.readouterr()
    assert code == 2 and not printed.out and said in printed.err


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from actions(below)


def test_no_number_is_read_by_python_alone_which_says_nothing_of_what_is_allowed() -> None:
    found = list(actions(build_parser()))
    assert len(found) > 300 and not [action.dest for action in found if action.type in (int, float)]
