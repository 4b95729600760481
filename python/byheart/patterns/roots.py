"""Words of one root, which no stemmer brings together: who is "allergic" has an allergy, who was born has a birthday.

They are English, as the stems are: verbs and adjectives of everyday notes with their nouns, each of which says the
others. Left out are those of which one means something else more often ("live" and "life", "sign" and "signature").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from .._core import porter_stem

ROOTS: Final = """
allergic allergy; born birth birthday; marry wedding; weigh weight; tall height; choose choice; fly flight;
grow growth; lose loss; sell sale; describe description; decide decision; prescribe prescription;
subscribe subscription; deliver delivery; recover recovery; injure injury; apply application; treat treatment;
ship shipment; fail failure; expire expiry; extend extension; permit permission; admit admission;
pregnant pregnancy; hungry hunger; thirsty thirst; depart departure; receive receipt; explain explanation;
complain complaint; intend intention; believe belief; employ employer;
succeed success; asthmatic asthma; anxious anxiety
"""
"""Words of one root, in sets; a semicolon parts them."""


def inflected(word: str) -> tuple[str, ...]:
    """Return the regular forms of a word, if it is a verb, beside itself and its plural.

    >>> inflected("describe"), inflected("apply"), inflected("weigh")
    (('described', 'describing'), ('applied', 'applying'), ('weighed', 'weighing'))
    """
    if word.endswith("e"):
        return f"{word}d", f"{word[:-1]}ing"
    stem = f"{word[:-1]}i" if word[-1] == "y" and word[-2] not in "aeiou" else word
    return f"{stem}ed", f"{word}ing"


def of_one_root(stems: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words that are of one root with some, by their stems.

    >>> sorted(of_one_root([porter_stem("flight")])), sorted(of_one_root(["train"]))
    (['fly'], [])
    """
    known = _others()
    return frozenset(other for stem in stems for other in known.get(stem, ()))


@lru_cache(maxsize=1)
def _others() -> Mapping[str, tuple[str, ...]]:
    roots = [tuple(dict.fromkeys(map(porter_stem, root.split()))) for root in ROOTS.split(";")]
    return {stem: tuple(each for each in root if each != stem) for root in roots for stem in root}


def words_of_one_root(text: str) -> str:
    """Return the words that are of one root with those of a text, in their regular forms; "" if none is.

    >>> words_of_one_root("The flight is at 9:40."), words_of_one_root("It rains.")
    ('fly flied flying', '')
    """
    known = _words()
    found = [known.get(porter_stem(word.strip(".,:;!?()").lower()), "") for word in text.split()]
    return " ".join(dict.fromkeys(filter(None, found)))


@lru_cache(maxsize=1)
def _words() -> Mapping[str, str]:
    return {
        porter_stem(word): " ".join(form for other in root if other != word for form in (other, *inflected(other)))
        for root in map(str.split, ROOTS.split(";"))
        for word in root
    }
