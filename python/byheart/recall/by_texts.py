"""Texts that decide about an answer which a pass of the core makes: the order of its rows, and how strong it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from .._core import Absolute
from ..ranking.algebra import StageContext
from ..ranking.asked_first import LOOKED_AT, Rules
from ..ranking.candidates import Candidates, RowKey
from ..ranking.near_pairs import answers_as_much, has_changed, states_anew
from ..ranking.near_rows import said_last
from ..ranking.property_said import FIRST, NEARLY, asked_for, text_of, unsaid
from ..ranking.property_said import LOOKED_AT as PROPERTY_LOOKED_AT
from ..ranking.told_rows import Told
from ..records import Record
from .on_demand import Records

if TYPE_CHECKING:
    from ..patterns.codes_asked import CodeAsked
    from ..patterns.properties import Property
    from .queries import Queries


class Texts:
    """What the texts of rows say of each other that are linked, and what rows name that no search found.

    The pass asks it as the stages ask `ranking.near_pairs` and `ranking.near_rows`: of few rows, and of most questions
    nothing.
    """

    def __init__(self, queries: Queries) -> None:
        self._queries, self._question = queries, queries.question.text
        self._records = Records(queries.sources.read)

    def brought_in(self, ids: Sequence[str], naming: Sequence[str]) -> list[tuple[int, float]] | None:
        """Return which of some ids may be found and name one of `naming`, by place, and when each was said last.

        None where the row of one is known by more than its id, or may be an invariant.
        """
        if any(each.id in ids for each in self._queries.sources.invariants):
            return None
        rows = self._queries.rows_named(ids)
        if any(id != row for id, row in rows.items()):
            return None
        records = zip(rows, self._records.load(list(rows)), strict=True)
        places = {id: place for place, id in enumerate(ids)}
        return [
            (places[id], said_last(record.seen_at, record.created_at))
            for id, record in records
            if record is not None and not set(naming).isdisjoint(record.near_duplicates)
        ]

    def has_changed(self, newer: RowKey, older: RowKey, fairly: bool) -> bool:
        """Return whether the newer row takes the place of the older one; `fairly`: it fits the question fairly."""
        texts = self._texts(newer, older)
        return texts is not None and has_changed(*texts, self._question, fairly=fairly)

    def states_anew(self, newer: RowKey, older: RowKey) -> bool:
        """Return whether the newer row, which has changed something, says that a state is another one now."""
        texts = self._texts(newer, older)
        return texts is not None and states_anew(*texts)

    def answers_too(self, newer: RowKey, older: RowKey) -> bool:
        """Return whether the newer row answers the question as the older one does."""
        texts = self._texts(newer, older)
        return texts is None or answers_as_much(*texts, self._question)

    def related(self, rows: Sequence[RowKey]) -> dict[RowKey, Record]:
        """Return the records of rows that were found, as far as they are there."""
        records = zip(rows, self._records.load(rows), strict=True)
        return {row: record for row, record in records if record is not None}

    def _texts(self, newer: RowKey, older: RowKey) -> tuple[str, str] | None:
        one, other = self._records.load((newer, older))
        return None if one is None or other is None else (one.text, other.text)


def asked_first(
    found: Absolute, held: Sequence[Record], question: str, moment: Callable[[], float] | None = None
) -> Sequence[int] | None:
    """Return the order in which the texts of an answer put its rows (`ranking.asked_first`), by their places.

    None where all rows decide that, and not the first alone.
    """
    rules, rows = Rules(question, moment=moment), list(map(Told, found.keys[:LOOKED_AT], found.scores, held))
    if rules.order is not None:
        is_said_again = any(why == "repeats" for _, why, _ in found.dropped)  # the first of these is asked for
        return None if is_said_again or rules.moves(rows) else range(len(held))
    places = {row.key: place for place, row in enumerate(rows)}
    return [*(places[row.key] for row in rules.arranged(rows)[0]), *range(len(rows), len(held))]


def may_lack_a_property(found: Absolute, held: Sequence[Record], question: str) -> bool:
    """Return whether a question asks for a property or code that none of the first rows says (`ranking.property_said`).

    The stages look at more rows, and at duplicates; rows that are linked may stand before where their scores put them.
    """
    asked = asked_for(question)
    if not asked:
        return False
    if sum(why not in ("k", "nothing") for _, why, *_ in found.dropped) > PROPERTY_LOOKED_AT - LOOKED_AT:
        return True
    texts = [text_of(record) for record in held[:LOOKED_AT] if not record.near_duplicates]
    return not all(each.is_said_plainly(texts) for each in asked)


def property_unsaid(found: Absolute, texts: Texts, question: str) -> Property | CodeAsked | None:
    """Return the property or code that a question asks for, if no row says it; `found` is of all rows."""
    table = Candidates(found.by_score(PROPERTY_LOOKED_AT), {})
    context = StageContext(now=0.0, k=0, query=question, related=texts.related)
    return next((each for each in asked_for(question) if table.keys and unsaid(each, table, context) is not None), None)


def may_lack_a_kind(found: Absolute, held: Sequence[Record], texts: Texts, question: str) -> bool:
    """Return whether a question seeks a kind of answer that the best rows may not hold (`ranking.property_said`).

    Mostly the best one may. Rows that are linked may have other scores than the stage saw.
    """
    from ..patterns.answers_sought import may_hold, sought  # its patterns are compiled for the first question
    from ..patterns.properties import property_asked

    asked, first = sought(question), found.by_score(FIRST)
    if asked is None or not first or property_asked(question) is not None:
        return False
    known = dict(zip(found.keys, held, strict=False))
    best = known.get(first[0]) or texts.related(first[:1]).get(first[0])
    if best is not None and may_hold(asked, text_of(best), question):
        return False
    scores = {key: score for key, score in zip(found.keys, found.scores, strict=True) if key in first}
    least = NEARLY * scores.get(first[0], inf) if best is not None and not best.near_duplicates else inf
    rows = [known[key] for key, score in scores.items() if key in known and score >= least]
    return not any(may_hold(asked, text_of(each), question) for each in rows if not each.near_duplicates)


def goes_before(records: Mapping[RowKey, Record], later: Sequence[tuple[str, str]], question: str) -> bool:
    """Return whether the text of a row says that it goes before another one that it was told later than."""
    from ..patterns.replacing import holding_later  # its patterns are compiled where something was told later

    holds = holding_later(question)
    return any(holds(records[one].text, records[key].text) for one, key in later)
