"""Candidates of a context that were said later than others, and otherwise: they come first, or neither is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from ..knowledge import lowered
from ..light.expressions import expression
from ..ranking.asked_first import LOOKED_AT
from ..ranking.near_pairs import ABOUT_AS_WELL
from ..ranking.text_rules import is_later
from ..ranking.told_rows import Told
from ..records import Record
from ..retrieval import sameness
from ..storage import Key, key_of
from .candidates import Candidate, turn_of
from .turn_names import durable_id

_WORD: Final = expression(r"\w+")


def newer_ones(candidates: Sequence[Candidate]) -> dict[int, list[int]]:
    """Return of each place whose record is linked with newer ones of the candidates the places of these.

    Linked is what says nearly the same, or of the same that it has changed.

    >>> cell = {"tenant": "t", "scope": "s", "boundary_class": "internal"}
    >>> old = Record(text="The code is 4821.", id="a", created_at=1, **cell)
    >>> new = Record(text="The code is 9035.", id="b", created_at=2, near_duplicates=["a"], **cell)
    >>> newer_ones([Candidate(new, 0.9), Candidate(old, 0.8)])
    {1: [0]}

    """
    places = _places(candidates) if any(each.record.near_duplicates for each in candidates) else {}
    found: dict[int, list[int]] = {}
    for at, candidate in enumerate(candidates):
        record = candidate.record
        for id in record.near_duplicates:
            other = places.get(key_of(record)._replace(id=id))
            if other in (None, at) or _said(candidates[other].record) == _said(record):
                continue
            old, new = (other, at) if _said(candidates[other].record) < _said(record) else (at, other)
            if new not in found.setdefault(old, []):
                found[old].append(new)
    for old, new in (*_newer_of_form(candidates), *_told_later(candidates)):
        if new not in found.setdefault(old, []):
            found[old].append(new)
    return found


def _places(candidates: Sequence[Candidate]) -> dict[Key, int]:
    """Return where each record stands; a turn stands for its durable copy too, where that does not, and a copy for it.

    Of the two one is shown, and links may name the other.
    """
    places = {key_of(candidate.record): at for at, candidate in enumerate(candidates)}
    for at, candidate in enumerate(candidates):
        key = key_of(candidate.record)
        places.setdefault(key._replace(id=turn_of(candidate.record) or durable_id(key.id)), at)
    return places


def _newer_of_form(candidates: Sequence[Candidate]) -> Iterator[tuple[int, int]]:
    """Give the places of hits, each with the next newer one that says the same with another value, and with the newest.

    They fit the question about as well: few of very many are linked.
    """
    forms: dict[tuple[object, ...], list[int]] = {}
    for at, candidate in enumerate(candidates):
        if candidate.score is not None and (begins := sameness.opening_mark(candidate.record)) is not None:
            forms.setdefault((key_of(candidate.record).cell, begins), []).append(at)
    for places in forms.values():
        places.sort(key=lambda at: _said(candidates[at].record))
        for place, old in enumerate(places[:-1]):
            for new in dict.fromkeys((places[place + 1], places[-1])):
                if _goes_before(candidates[new], candidates[old]):
                    yield old, new


def _told_later(candidates: Sequence[Candidate]) -> Iterator[tuple[int, int]]:
    """Give the places of hits, each with those that were told later and that the recall put before it."""
    if any(each.later for each in candidates):
        places = {key_of(each.record): at for at, each in enumerate(candidates)}
        for at, each in enumerate(candidates):
            yield from ((at, places[key]) for key in each.later if key in places)


def behind_later(
    candidates: Sequence[Candidate], hits: Sequence[tuple[Record, float]], question: str
) -> list[Candidate]:
    """Return candidates, each with the hits that were told later, stand before it, and answer the question anew.

    So does what the recall put there by its text, and what stands there by its own score.

    >>> cell = {"tenant": "t", "scope": "s", "boundary_class": "internal"}
    >>> old = Record(text="My shoe size is 42.", id="a", created_at=1, **cell)
    >>> new = Record(text="My shoe size is 43 now.", id="b", created_at=86_400, **cell)
    >>> found = [Candidate(old, 0.9), Candidate(new, 0.8)]
    >>> found = behind_later(found, [(new, 0.8), (old, 0.9)], "What is my shoe size?")
    >>> [key.id for key in found[0].later], found[1].later
    (['b'], ())
    """
    later: dict[Key, list[Key]] = {}
    pairs = combinations(hits[:LOOKED_AT], 2)
    before = [(new, old, less < more) for (new, less), (old, more) in pairs if _said(new) > _said(old)]
    if before:
        from ..patterns.renewing import renews  # compiled where something was told later
        from ..patterns.replacing import holding_later
        from ..patterns.told_anew import told_anew

        holds, anew, renewed = holding_later(question), told_anew(question), renews(question)
        for new, old, moved in before:
            both = new.text, old.text
            is_anew = anew is not None and (anew(*both) or anew.without_the_verb(*both)) and _are_notes(new, old)
            is_renewed = renewed is not None and _is_later(new, old) and renewed(*both)
            if (moved and holds(*both)) or is_anew or is_renewed:
                later.setdefault(key_of(old), []).append(key_of(new))
    if not later:
        return list(candidates)
    return [each.behind(tuple(later.get(key_of(each.record), ()))) for each in candidates]


def _are_notes(new: Record, old: Record) -> bool:
    """Return whether two records are what may be told anew: nobody's turns, the newer one clearly later."""
    return old.session_id is None and new.speaker is None and old.speaker is None and _is_later(new, old)


def _is_later(new: Record, old: Record) -> bool:
    """Return whether a record was told clearly later than another one, by the same user, and not found in a file."""
    return is_later(*(Told(key_of(each).id, 0.0, each) for each in (new, old)))


def _goes_before(new: Candidate, old: Candidate) -> bool:
    """Return whether a hit was said later than another one of its form, and fits about as well."""
    is_newer = _said(new.record) > _said(old.record) and (new.score or 0.0) >= ABOUT_AS_WELL * (old.score or 0.0)
    return is_newer and sameness.differ_in_value(new.record, old.record)


def _said(record: Record) -> float:
    return record.seen_at or record.created_at or 0.0


def newer_first(
    candidates: Sequence[Candidate], hits: Sequence[tuple[Record, float]]
) -> tuple[list[Candidate], dict[int, list[int]]]:
    """Return candidates, each right before the older ones that it is linked with if it is a better hit than these.

    And of each place the places of those newer ones, as `newer_ones` tells them, where they stand now.
    """
    newer = newer_ones(candidates)
    if not newer:
        return list(candidates), newer
    places = {key_of(record): place for place, (record, _) in enumerate(hits)}
    found = [places.get(key_of(candidate.record), len(hits)) for candidate in candidates]
    ordered: dict[int, int] = {}
    for at in range(len(candidates)):
        waiting = [at]  # each for what goes before it: what is newer still
        while waiting:
            last = waiting[-1]
            first = [one for one in newer.get(last, ()) if found[one] < found[last] and one not in ordered]
            if first:
                waiting.append(min(first, key=found.__getitem__))
            else:
                ordered.setdefault(waiting.pop(), len(ordered))
    moved = {ordered[old]: [ordered[new] for new in ones] for old, ones in newer.items()}
    return [candidates[at] for at in ordered], moved


def told_along(
    candidates: Sequence[Candidate], newer: Mapping[int, Sequence[int]], question: str
) -> dict[int, list[int]]:
    """Return of places those of later hits that say the same with another value: without them the older is not told.

    Who asks for the dentist, and names the older one's own word, is told no barber beside; but whether something is
    enabled says the newer one, too, which says that it is not.
    """
    found: dict[int, list[int]] = {}
    for at, places in newer.items():
        for place in places:
            one, other = candidates[at].record, candidates[place].record
            if place < at or candidates[place].beside is not None or not sameness.differ_in_value(one, other):
                continue
            if not _is_named(one.text, other.text, question):
                found.setdefault(at, []).append(place)
    return found


def _is_named(older: str, newer: str, question: str) -> bool:
    """Return whether a question that asks for more than yes or no has a word of one text that the other one lacks."""
    from ..patterns.replacing import asks_whether  # compiled where something was told anew

    old, new, asked = (set(_WORD.findall(lowered(text))) for text in (older, newer, question))
    return not asked.isdisjoint(old - new) and not asks_whether(question)
