"""Words of one root, which no stemmer brings together: who is "allergic" has an allergy, who was born has a birthday.

They are English, as the stems are: verbs and adjectives of everyday notes with their nouns, each of which says the
others. Left out are those of which one means something else more often ("live" and "life", "sign" and "signature").
"""

from __future__ import annotations

from typing import Final

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
