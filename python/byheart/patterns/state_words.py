"""Verbs of states: who "moved to Bonn" lives there, and who "joined Acme" or has it for an employer works there.

People ask "Where do I live?" and have told it in other words. A text that says such a state in one of its forms
(`states`) says the verb of it beside itself, as "cello" says "instrument".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .letters import runs_within, surely_lacks
from .state_forms import STATES
from .states import change_in, states_in

_VERBS: Final[Mapping[str, tuple[str, ...]]] = {"live": ("live",), "work": ("work", "job")}
_MOST_CHARACTERS: Final = 120
"""A longer text says more, and is found by that."""
_NOUNS_SAID: Final = "home address flat apartment house based reside resides employer company workplace employed"
_NOUNS: Final = frozenset(_NOUNS_SAID.split())
_SIGNS: Final = _NOUNS.union(*(STATES[name].signs.split() for name in _VERBS)) - {"now", "left", "quit"}
_RUNS: Final = runs_within(_SIGNS)
_NONE: Final[Mapping[str, str]] = {}


def state_words(text: str) -> Mapping[str, str]:
    """Return the verbs of the states that a text says in other words, each with the word that tells it.

    >>> state_words("I moved to Bonn in May."), state_words("I moved the sofa."), state_words("My employer is Acme.")
    ({'live': 'moved'}, {}, {'work': 'employer', 'job': 'employer'})
    """
    if len(text) > _MOST_CHARACTERS:
        return _NONE
    if surely_lacks(text, _RUNS):
        return _NONE
    words = [word.strip(".,:;!?()") for word in text.lower().split()]
    sign = next((word for word in words if word in _SIGNS), None)
    if sign is None:  # as of most texts
        return _NONE
    changed = change_in(text)
    found = [changed] if changed is not None else [] if _NOUNS.isdisjoint(words) else list(states_in(text))
    return {verb: sign for state in found if not state.is_over for verb in _VERBS.get(state.name, ())}
