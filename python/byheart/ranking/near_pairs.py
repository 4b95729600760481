"""Two near-duplicates: whether the newer one fits as well, says plainly what has changed, and gives what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..boundary import id_of
from .algebra import StageContext
from .candidates import RowKey
from .near_groups import Newness

ABOUT_AS_WELL = 0.9
"""A newer one goes before a row if it has this share of the row's score, or of what the row says itself: then it lacks
no word of the question."""
FAIRLY = 0.1
"""What says that something changed goes before what it updates if it has this share of its score."""
IN_QUESTION = 0.5
"""And if that one has this share of the best score: further down nobody asks what is the latest."""


def least_in_question(scores: Iterable[float]) -> float:
    """Return which score a row has to have that somebody may ask for: half of the best."""
    best = max(scores, default=0.0)
    return IN_QUESTION * best if best > 0.0 else float("-inf")


def fits_as_well(scores: Mapping[RowKey, float], one: RowKey, key: RowKey) -> bool:
    """Return whether one row fits about as well as another, by scores."""
    return scores[key] > 0.0 and scores[one] >= ABOUT_AS_WELL * scores[key]


def changing(
    scores: Mapping[RowKey, float], links: Mapping[RowKey, set[RowKey]], at: Newness, context: StageContext
) -> Callable[[RowKey, RowKey], bool]:
    """Return what tells whether a newer row says plainly that what another one says has changed, and fits fairly."""
    least = least_in_question(scores.values())

    def changed(one: RowKey, key: RowKey) -> bool:
        if one not in links.get(key, ()) and key not in links.get(one, ()):
            return False
        old = scores[key]
        if not (at[one] > at[key] and old > 0.0 and old >= least):
            return False
        texts = _texts(one, key, context)
        return texts is not None and has_changed(*texts, context.query, fairly=scores[one] >= FAIRLY * old)

    return changed


def stating_anew(changed: Callable[[RowKey, RowKey], bool], context: StageContext) -> Callable[[RowKey, RowKey], bool]:
    """Return what tells whether a row that no search found says that a state is another one now, and is asked for.

    So does a correction in a few words, which shares none with what it corrects, and what speaks by its name of
    something of which the question says what it is: of the babysitter as "Jana".
    """

    def stating(one: RowKey, key: RowKey) -> bool:
        if not changed(one, key):
            return False
        texts = _texts(one, key, context)
        return texts is not None and states_anew(*texts)

    return stating


def answering(
    scores: Mapping[RowKey, float], links: Mapping[RowKey, set[RowKey]], at: Newness, context: StageContext
) -> Callable[[RowKey, RowKey], bool]:
    """Return what tells whether the newer of two rows answers what the older one does: a change need not.

    It is looked at where somebody may ask for one of the two.
    """
    kept: dict[tuple[RowKey, RowKey], bool] = {}
    least = least_in_question(scores.values())

    def answers(one: RowKey, other: RowKey) -> bool:
        if at[one] == at[other] or (one not in links.get(other, ()) and other not in links.get(one, ())):
            return True
        if scores[one] < least and scores[other] < least:
            return True
        pair = (one, other) if at[one] > at[other] else (other, one)
        if pair not in kept:
            texts = _texts(*pair, context)
            kept[pair] = texts is None or answers_as_much(*texts, context.query)
        return kept[pair]

    return answers


def has_changed(newer: str, older: str, question: str, *, fairly: bool) -> bool:
    """Return whether a text says plainly that what an older one says has changed, and is asked for.

    It is if it fits the question `fairly`, or says that a state is another one, corrects in a few words, or speaks of
    something by its name.
    """
    from ..patterns.another import begins_with_another
    from ..patterns.correcting import corrects
    from ..patterns.exchanging import exchanges
    from ..patterns.replacing import takes_the_place  # its patterns are compiled where something says so
    from ..patterns.states import changes_state
    from ..patterns.updating import speaks_by_name

    fits = fairly or changes_state(newer, older) or corrects(newer, older)
    fits = fits or speaks_by_name(newer, older) or bool(exchanges(newer, older))
    return fits and not begins_with_another(newer, older, question) and takes_the_place(newer, older, question)


def states_anew(newer: str, older: str) -> bool:
    """Return whether a text, which has changed something, says that a state is another one, corrects, or names it."""
    from ..patterns.correcting import corrects
    from ..patterns.exchanging import exchanges
    from ..patterns.states import changes_state
    from ..patterns.updating import speaks_by_name

    if changes_state(newer, older) or corrects(newer, older):
        return True
    return speaks_by_name(newer, older) or bool(exchanges(newer, older))


def answers_as_much(newer: str, older: str, question: str) -> bool:
    """Return whether the newer of two texts answers what the older one does: a change need not."""
    from ..patterns.replacing import answers_too

    return answers_too(newer, older, question)


def _texts(one: RowKey, key: RowKey, context: StageContext) -> tuple[str, str] | None:
    """Return the texts of two rows, as far as both are there."""
    told = context.related([id_of(one), id_of(key)])
    newer, older = (told.get(id_of(row)) if context.row_of(id_of(row)) == row else None for row in (one, key))
    return None if newer is None or older is None else (newer.text, older.text)
