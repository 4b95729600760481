"""The reading of a word that no record holds, by its definition: as the nearest term, or as compound words.

The edits are three of four that make most misspelled words (Damerau, 1964, "A technique for computer detection and
correction of spelling errors"): insertions, deletions, and swaps of two letters that stand side by side. The fourth,
another letter in one's place, is two edits here: it makes another word of one as often as an error, "state" of "stage".
"""

from __future__ import annotations

from collections.abc import Mapping


def edits(one: str, other: str) -> int:
    """Return the fewest edits that make one word another, none of which looks at a letter that one before it changed.

    >>> edits("arguement", "argument"), edits("obejct", "object"), edits("state", "stage"), edits("ca", "abc")
    (1, 1, 2, 3)
    """
    table = [[at + place for place in range(len(other) + 1)] for at in range(len(one) + 1)]
    for at in range(1, len(one) + 1):
        for place in range(1, len(other) + 1):
            table[at][place] = min(table[at - 1][place], table[at][place - 1]) + 1
            if one[at - 1] == other[place - 1]:
                table[at][place] = min(table[at][place], table[at - 1][place - 1])
            if at > 1 and place > 1 and one[at - 2 : at] == other[place - 2 : place][::-1]:
                table[at][place] = min(table[at][place], table[at - 2][place - 2] + 1)
    return table[-1][-1]


def nearest(term: str, held: Mapping[str, int]) -> str | None:
    """Return how a term of a question is read: None if it is held, too short, no word, or if none is near.

    Args:
        term: the term.
        held: how often each term is held: by so many records, and as a part of a name by so many.

    >>> held = {"argument": 3, "argent": 1, "augment": 9, "stem": 1}
    >>> nearest("arguement", held), nearest("argument", held), nearest("step", held), nearest("arguments", held)
    ('argument', None, None, 'argument')

    """
    if term in held or not 5 <= len(term) <= 32 or not term.isalpha():
        return None
    most = 1 if len(term) < 9 else 2
    near = [
        (edits(term, other), -count, other.encode())
        for other, count in held.items()
        if other[:1] == term[0] and edits(term, other) <= most
    ]
    return min(near)[2].decode() if near else None


def compounds(term: str, held: Mapping[str, int]) -> list[str]:
    """Return compound words that begin or end with a term which is not held, those that are held most often first.

    Args:
        term: the term, of four letters at least.
        held: as of `nearest`.

    >>> compounds("termin", {"zahnarzttermin": 1, "terminplan": 3, "termine": 2}), compounds("tee", {"teekanne": 1})
    (['terminplan', 'zahnarzttermin'], [])

    """
    if term in held or len(term) < 4 or not term.isalpha():
        return []
    found = [
        (-count, other.encode())
        for other, count in held.items()
        if other.isalpha() and len(other) >= len(term) + 3 and (other.startswith(term) or other.endswith(term))
    ]
    return [other.decode() for _, other in sorted(found)]
