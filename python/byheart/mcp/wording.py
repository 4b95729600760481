"""Errors and notes of the package in the words of a tool's caller: its own arguments in place of Python's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

IN_WORDS: Final = {
    "name one of them by cell=": 'name one of them by "cell"',
    "operators=False": '"operators": false',
    "(Memory.embed makes them)": "(whoever runs the server makes them: `byheart embed`)",
}
"""What errors and notes say, and how it is said here."""

_NOTES, _CHARACTERS = 4, 300  # so much is read by a model; programs get all of it


def in_words(said: str) -> str:
    """Return what an error or a note says, with the arguments of a tool in place of Python's.

    >>> print(in_words("'-m' left out 1 record; operators=False takes marks as text"))
    '-m' left out 1 record; "operators": false takes marks as text
    """
    for argument, own in IN_WORDS.items():
        said = said.replace(argument, own)
    return said


def nothing_found(notes: Sequence[str]) -> str:
    """Return the text that tells a model that there are no hits, and the reason where it is known.

    >>> print(nothing_found(["no word of the question is searched for"]))
    nothing was found
    no word of the question is searched for
    """
    short = (note if len(note) <= _CHARACTERS else f"{note[:_CHARACTERS]} …" for note in notes[:_NOTES])
    return "\n".join(("nothing was found", *short))
