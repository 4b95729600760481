"""States: where somebody lives or works, how much they weigh, how old they are, with whom they are, and what they have.

"I moved to Uppsala" changes what "I live in Solna" says, in which no word is the same. Both are of one holder: "My
brother moved to Bonn" changes nothing of it. A guess, read of closed tables (`state_forms`); what follows links
records, and hides none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from ..knowledge import lowered
from ..light.expressions import expression
from . import states_japanese
from .asking import sentences, unlabelled
from .calendar_words import MONTHS, SHORT_MONTHS
from .chatter import states
from .letters import runs_within, surely_lacks
from .state_expressions import OF, form_of
from .state_forms import NOW, SPEAKER, STATES, THING, State
from .stating import DAYS

MOST_CHARACTERS: Final = 240
_MOST_SENTENCE: Final = 120  # characters
_WE: Final = "we"
_LIVE: Final = "live"
_COUNTED: Final = frozenset({"weigh", "age", "earn"})  # what is said of them has a number
_LEFT: Final = frozenset({"work", "partner"})
"""Who left somebody by name, be that a firm or a person, is with neither of them."""
_YEAR: Final = expression(r"\b(?:19|20)\d\d\b")
_PRONOUNS = "it he she they you this that there who what er sie es il elle ils elles lui lei ele ela él ella"
_NOBODY: Final = frozenset(_PRONOUNS.split())
WORD: Final = expression(r"[^\W_][\w'-]*")
_PROGRAMS_SAID = """gmail teams slack zoom discord whatsapp signal telegram linux ubuntu debian fedora windows mac macos
    ios android iphone firefox chrome safari outlook notion obsidian github gitlab aws azure gcp kubernetes python rust
    java typescript postgres sqlite mysql vim emacs vscode spotify netflix"""
_PROGRAMS: Final = frozenset(_PROGRAMS_SAID.split())
"""Names that one moves to without living there."""
_PARTICLES_SAID = "a an the my our and of with to in at for"
_PARTICLES: Final = frozenset(_PARTICLES_SAID.split())


def change_in(text: str) -> State | None:
    """Return the state that a text says is another one now; None if it says nothing of that kind.

    >>> change_in("I moved to Uppsala last week.")
    State(name='live', holder='i', said=('uppsala',), is_over=False)
    >>> change_in("My brother moved to Bonn."), change_in("I moved the sofa to the cellar.")
    (State(name='live', holder='brother', said=('bonn',), is_over=False), None)
    """
    if len(text) > MOST_CHARACTERS:
        return None
    if states_japanese.is_japanese(text):
        return states_japanese.change_in(text)
    if surely_lacks(text, _runs_of_signs()):  # as most texts
        return None
    words = {word.strip(".,:;!?()") for word in text.lower().split()}
    if not _signs(counted=False).isdisjoint(words):
        return _change_in(text)
    may_count = not _signs(counted=True).isdisjoint(words) and any(map(str.isdecimal, text))  # mostly none of both
    return _change_in(text) if may_count else None


@lru_cache(maxsize=256)  # a change is compared with each statement beside it
def _change_in(text: str) -> State | None:
    for sentence in _sentences(text):
        words = set(WORD.findall(lowered(sentence)))
        if _YEAR.search(sentence):
            continue  # of the past, as far as anybody knows
        for name, kind in _kinds(words):
            found = _read(name, sentence, kind)
            if found is not None and states(sentence):
                return found
    return None


def _kinds(words: set[str]) -> Iterator[tuple[str, str]]:
    """Give the states, and the kinds of forms, in which a sentence of such words may tell a change."""
    counts = any(word[0].isdecimal() for word in words)
    anew = not NOW.isdisjoint(words)
    for name, (signs, known) in _words_of_states().items():
        if name in _COUNTED and not counts:
            continue
        if not signs.isdisjoint(words):
            yield name, "changing"
        if anew and name != THING and not known.isdisjoint(words):
            yield name, "anew"


@cache
def _words_of_states() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return of each state the words of a change, and those that say it."""
    return {name: (frozenset(form.signs.split()), frozenset(form.words.split())) for name, form in STATES.items()}


@lru_cache(maxsize=256)
def states_in(text: str) -> tuple[State, ...]:
    """Return the states that a text says.

    >>> states_in("I live in Solna and have a cat."), states_in("It rains.")
    ((State(name='live', holder='i', said=('solna and have a cat',), is_over=False),), ())
    """
    if len(text) > MOST_CHARACTERS:
        return ()
    if states_japanese.is_japanese(text):
        return states_japanese.states_in(text)
    found = [_read(name, each, "saying") for each in _sentences(text) if states(each) for name in STATES]
    return tuple(each for each in [*found, change_in(text)] if each is not None)


def changes_state(newer: str, older: str) -> bool:
    """Return whether a text says that a state is another one now, which an older one says otherwise.

    >>> changes_state("I moved to Uppsala.", "I live in Solna."), changes_state("Miso died.", "My cat is called Miso.")
    (True, True)
    >>> changes_state("My brother moved to Bonn.", "I live in Solna.")
    False
    >>> changes_state("I moved to Rome.", "I live in Rome.")
    False
    """
    return changed_by(newer, older) is not None


def changed_by(newer: str, older: str) -> tuple[State, State] | None:
    """Return the state that a text says, and the one that it changes, which an older one says; None if it does not.

    >>> [state.said for state in changed_by("I moved to Uppsala.", "I live in Solna.")]
    [('uppsala',), ('solna',)]
    """
    new = change_in(newer)
    return None if new is None else next(((new, old) for old in states_in(older) if _differs(new, old)), None)


def _differs(new: State, old: State) -> bool:
    if new.name != old.name and not (new.is_over and {new.name, old.name} == _LEFT):
        return False
    if new.name == THING:
        named = new.holder in (SPEAKER, _WE) or len(new.said) == 1 or new.said[0] == "the"  # not of "her cat"
        return named and new.said[-1] in old.said
    ours, theirs = set(new.holder.split()), set(old.holder.split())
    if new.name == _LIVE and new.holder == _WE and old.holder == SPEAKER:
        theirs = ours  # who says that "we moved" has moved
    is_same = f"{old.said[0]} ".startswith(f"{new.said[0]} ")
    return (ours <= theirs or theirs <= ours) and is_same == new.is_over


def words_beside(text: str) -> str:
    """Return words by which older statements of a state are found that a text changes; "" if it changes none.

    >>> words_beside("My daughter turned 5.").split()[-1], words_beside("It rains.")
    ('daughter', '')
    """
    new = change_in(text)
    if new is None or new.name == THING:
        return ""
    words = states_japanese.WORDS[new.name] if states_japanese.is_japanese(text) else STATES[new.name].words
    return f"{words} {new.holder}"


def _sentences(text: str) -> Iterator[str]:
    """Give the sentences of a text, with capitals for names where one has none at all."""
    for part in sentences(unlabelled(text.replace("\u2019", "'"))):
        if len(part) <= _MOST_SENTENCE:
            yield _capitalised(part) if part == part.lower() else part


def _capitalised(text: str) -> str:
    return WORD.sub(lambda word: word[0] if word[0] in _PARTICLES else word[0][0].upper() + word[0][1:], text)


def _read(name: str, sentence: str, kind: str) -> State | None:
    """Return what a sentence says of a state, in its forms of one kind."""
    found = form_of(name, kind, sentence).match(sentence)
    if found is None:
        return None
    said = {group.rstrip("0123456789"): text for group, text in found.groupdict().items() if text is not None}
    who = lowered(said.get("who", ""))
    holder = re.sub(rf"^{OF}\ ", "", who) if who else _WE if "we" in said else SPEAKER if "i" in said else ""
    if holder in _NOBODY or (not holder and name != THING):
        return None
    thing = next((said[kind] for kind in ("t", "g", "f") if kind in said), None)
    if thing is not None:
        words = WORD.findall(lowered(f"{said.get('kind', '')} {thing}"))
        return State(name, holder, tuple(words[:1] if "f" in said else words))
    value = lowered(next(said[kind] for kind in ("v", "a", "n", "o", "s", "l", "m", "j") if kind in said)).strip()
    first = value.split(" ")[0]
    if first in DAYS or first in MONTHS or first in SHORT_MONTHS or (name == _LIVE and first in _PROGRAMS):
        return None
    return State(name, holder, (value,), not said.keys().isdisjoint(("o", "l")))


@cache
def _signs(*, counted: bool) -> frozenset[str]:
    """Return words of which a change has one: of states that are told in numbers, or of the others."""
    found = [forms.signs.split() for name, forms in STATES.items() if (name in _COUNTED) == counted]
    return NOW.union(*found)


@cache
def _runs_of_signs() -> frozenset[str]:
    """Return what a text has that says a change of any state."""
    return runs_within(_signs(counted=False) | _signs(counted=True))
