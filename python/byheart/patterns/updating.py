"""Updates: whether one statement says of the same thing what another says no more, in words of its own.

"The wedding was moved to the 21st of June" updates "The wedding is on the 12th of June": both speak first of the same
thing, and the newer one says plainly that something changed, or gives another value. `sameness` finds statements that
differ in one place; this is wider, and a guess too: what follows links records, and hides none. What a statement says
is read by `saying`; whether it answers a question in the place of another one, `replacing` tells.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import Final

from ..knowledge import lowered
from .exchanging import exchanges, may_exchange
from .leaving import may_leave, takes_over
from .roots import of_one_root
from .saying import Said, may_change, said, statement, stems
from .states import change_in, changes_state
from .successors import HOLDS_NOW, holder_in, may_say_anew, put_out
from .times import PARTS_OF_DAY

_FEW: Final = 3  # words: what speaks of no more is of one thing
MOST_CHARACTERS: Final = 240
"""A longer text says too much to update one thing."""


@lru_cache(maxsize=2048)  # the same texts are found again and again
def is_change(text: str) -> bool:
    """Return whether a text says plainly that something is no more as it was: "new" and "now" alone do not.

    >>> is_change("The wedding was moved to the 21st."), is_change("I have 3 new plants now.")
    (True, False)
    """
    if len(text) > MOST_CHARACTERS:
        return False
    if (may_change(text) or _is_held_anew(text)) and said(text).changes:
        return True
    return change_in(text) is not None or may_leave(text) or may_exchange(text)


def _is_held_anew(text: str) -> bool:
    if not may_say_anew(text):
        return False
    held = holder_in(statement(text))
    return held is not None and held.is_new


def states_change(text: str) -> bool:
    """Return whether a text is one statement that says plainly that something is no more as it was.

    >>> states_change("Great! The gate code was changed to 9035."), states_change("Was the gate code changed?")
    (True, False)
    """
    if not is_change(text):
        return False
    if said(statement(text)).changes or change_in(text) is not None:
        return True
    return may_leave(text) or may_exchange(text)


def may_update(text: str) -> bool:
    """Return whether a text is one statement, which alone may update another.

    >>> may_update("Wow! The gate code is 9035 now."), may_update("The gate code is 9035. The key is under the mat.")
    (True, False)
    """
    return len(text) <= MOST_CHARACTERS and (bool(said(statement(text)).about) or change_in(text) is not None)


def values_of(text: str) -> frozenset[str]:
    """Return the numbers, days and months that a text gives.

    >>> sorted(values_of("It was moved to the 21st of June, at 7:40."))
    ['21', '7:40', 'june']
    """
    return said(text).values


def updates(newer: str, older: str) -> bool:
    """Return whether a text says otherwise what an older one says.

    >>> updates("The gate code has been changed to 9035.", "The gate code is 4821.")
    True
    >>> updates("The wedding will be on the 21st of June.", "The wedding is on the 12th of June.")
    True
    >>> updates("I moved to Uppsala last week.", "I live in Solna.")
    True
    >>> updates("The florist was changed to Anna's.", "The gate code is 4821.")
    False
    >>> updates("My mother's birthday is on 3 May.", "My father's birthday is on 9 July.")
    False

    """
    if max(len(newer), len(older)) > MOST_CHARACTERS:
        return False
    if changes_state(newer, older) or takes_over(newer, older) or exchanges(newer, older):
        return True
    new = said(statement(newer))
    ours = set(new.about)
    if older.isascii():  # by their words, most speak of something else
        words = stems(older)
        if (ours.isdisjoint(words | of_one_root(words))) if new.changes else ours - new.names - words:
            return False
    old = said(statement(older))
    theirs = set(old.about).union(of_one_root(old.about) & ours if new.changes else ())
    shared = ours & theirs
    if not shared:
        return False
    if new.values and not (new.amounts or old.values or HOLDS_NOW in new.changes) and old.names - ours:
        return False  # it gives a time alone, of what another statement gives the name of
    values_differ = new.values - old.values and old.values - new.values
    if succeeds(new, old):
        return True
    if new.changes - {HOLDS_NOW}:
        says_more = new.values - old.values or ours - theirs or new.changes - old.changes
        # "the Rome flight" is not "my Oslo flight"
        others = new.names.intersection(new.subject) - theirs and old.names - ours
        is_spoken_of = len(shared) > 1 or old.about[0] in shared or len(theirs - old.names - PARTS_OF_DAY) <= _FEW
        of_one_thing = values_differ and not others and not ours - new.names - theirs - PARTS_OF_DAY
        of_one_thing = of_one_thing and is_spoken_of and not _changes_another(new, newer, theirs)
        is_moved_whole = values_differ and new.object in theirs and theirs - old.names <= ours  # "moved the bins"
        alike = new.about[0] == old.about[0] or len(shared) > 1 or of_one_thing or is_moved_whole
        begins = new.about[0] in theirs or new.object in theirs
        spoken_of = begins and 2 * len(shared) >= min(len(ours - new.names), len(theirs - old.names))
        left = put_out_by(newer)
        exchanged = left and left <= theirs | old.values and bool(shared - left)
        part_of_it = exchanged or (
            values_differ and not others and old.about[0] in new.subject[:2]
        )  # "the departure of the train"
        return bool(says_more and ((alike and (spoken_of or of_one_thing)) or part_of_it))
    own, other = ours - new.names - shared, theirs - old.names - shared
    differ = values_differ or (ours - theirs and theirs - ours)
    return bool(differ and not own and not other and new.about[0] == old.about[0])


def _changes_another(new: Said, newer: str, theirs: Set[str]) -> bool:
    """Return whether a statement says of something by its name that it was changed: "changed DB_POOL_SIZE to 35"."""
    if new.object not in new.names - theirs:
        return False
    plain = lowered(statement(newer))
    behind = (plain.partition(f"{change} ")[2].split() for change in new.changes)
    return any(words and new.object in said(f"of {words[0]}").about for words in behind)


def speaks_by_name(newer: str, older: str) -> bool:
    """Return whether a statement speaks of somebody or something by a name that an older one gives.

    >>> speaks_by_name("Jana raised her rate to 16 euros.", "Our babysitter Jana charges 14 euros an hour.")
    True
    >>> speaks_by_name("The sitter raised her rate to 16 euros.", "Our babysitter Jana charges 14 euros an hour.")
    False
    """
    first = said(statement(newer)).subject[:1]
    return bool(first) and first[0] in said(older).names


def put_out_by(text: str) -> frozenset[str]:
    """Return the words and values of what a text says is exchanged for something else.

    >>> sorted(put_out_by("Production was upgraded from Postgres 14.9 to Postgres 16.3."))
    ['14.9', 'postgr']
    """
    plain = lowered(statement(text))
    left = said(put_out(plain) or "")
    return left.values.union(left.about)


def succeeds(new: Said, old: Said) -> bool:
    """Return whether one statement says who holds a role now, and another one nothing but who held it.

    >>> succeeds(said("Tomasz is the new release manager."), said("The release manager is Lena."))
    True
    >>> succeeds(said("Tomasz is the new release manager."), said("The release manager left."))
    False
    """
    if HOLDS_NOW not in new.changes:
        return False
    role, theirs, ours = set(new.subject), set(old.about), set(new.about)
    return bool(role <= theirs and theirs - old.names <= role and old.names - ours and new.names - theirs)


def says_more(text: str, known: str) -> bool:
    """Return whether a text says a word, a value or a change that a known one does not.

    >>> says_more("My flight leaves at 7:40.", "My flight to Oslo leaves at 7:40 on Friday.")
    False
    >>> says_more("My flight leaves at 9:15.", "My flight to Oslo leaves at 7:40 on Friday.")
    True

    """
    new, old = said(text), said(known)
    return bool(set(new.about) - set(old.about) or new.values - old.values or new.changes - old.changes)
