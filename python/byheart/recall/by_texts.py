"""Texts that decide about an answer which a pass of the core has made: where they may move a row, the stages run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from .._core import Absolute
from ..ranking.asked_first import LOOKED_AT, Rules, Told
from ..ranking.candidates import RowKey
from ..ranking.property_said import LOOKED_AT as PROPERTY_LOOKED_AT
from ..ranking.property_said import text_of
from ..records import Record

if TYPE_CHECKING:
    from .queries import Queries


def texts_decide(found: Absolute | None, queries: Queries) -> bool:
    """Return whether two rows are linked that fit as well, and the texts decide which of them answers the question."""
    if found is None or not found.may_answer_less:
        return False
    from ..patterns.replacing import narrows  # its patterns are compiled where something is linked

    return narrows(queries.question.text)


def asked_first(
    queries: Queries,
    found: Absolute,
    held: Sequence[Record],
    wide: Callable[[], Absolute | None],
    *,
    certain: bool,
) -> bool:
    """Return whether texts may put one of the first rows before another one (`ranking.asked_first`).

    Args:
        queries: what the legs ask.
        found: the answer, which may have fewer rows than are looked at.
        held: its records.
        wide: makes an answer of the same with as many.
        certain: whether no row behind those of the proposal may come among them.

    """
    if len(found.keys) < LOOKED_AT and found.dropped:
        more = wide()
        if more is None or more.later or not (certain or more.is_certain):
            return True
        read = [record for record in queries.sources.read(more.keys) if record is not None]
        if len(read) < len(more.keys):
            return True
        found, held = more, read
    rows = map(Told, found.keys[:LOOKED_AT], found.scores, held)
    return Rules(queries.question.text).moves(list(rows))


def may_lack_a_property(found: Absolute, held: Sequence[Record], question: str) -> bool:
    """Return whether a question asks for a property that none of the first rows says (`ranking.property_said`).

    The stages look at more rows, and at duplicates; rows that are linked may stand before where their scores put them.
    """
    from ..patterns.properties import property_asked  # its patterns are compiled for the first question

    asked = property_asked(question)
    if asked is None:
        return False
    if sum(why not in ("k", "nothing") for _, why, *_ in found.dropped) > PROPERTY_LOOKED_AT - LOOKED_AT:
        return True
    return not asked.is_said_plainly([text_of(record) for record in held[:LOOKED_AT] if not record.near_duplicates])


def goes_before(records: Mapping[RowKey, Record], later: Sequence[tuple[str, str]], question: str) -> bool:
    """Return whether the text of a row says that it goes before another one that it was told later than."""
    from ..patterns.replacing import holding_later  # its patterns are compiled where something was told later

    holds = holding_later(question)
    return any(holds(records[one].text, records[key].text) for one, key in later)


def changes(held: Sequence[Record], question: str) -> bool:
    """Return whether a hit says that something has changed, so that the texts decide if that is asked for."""
    linked = [record.text for record in held if record.near_duplicates]
    if not linked:
        return False
    from ..patterns.replacing import asks_for_a_thing  # its patterns are compiled where something is linked
    from ..patterns.states import change_in
    from ..patterns.updating import is_change

    return any(change_in(text) for text in linked) or (asks_for_a_thing(question) and any(map(is_change, linked)))
