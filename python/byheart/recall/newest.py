"""The newest of very many statements of one form: "I weigh 79.4 kg today", of every day of a year.

A search of words gives its best hundred, and of equal ones those whose names come first. Where so many hold the
question's words equally that they fill half of it, the newest of their form are asked for, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ..boundary import id_of
from ..profiles.profile import Leg
from ..ranking.features import FORM
from ..retrieval.filter.canonical import Canonical, all_of, membership

if TYPE_CHECKING:
    from .legs import Legs
    from .plan import Plan
    from .queries import Queries

MOST_FORMS: Final = 4
"""Of so many forms the newest are looked for: of those that most of the equal ones have."""
MOST_OF_ONE: Final = 10_000
"""A form that more records have is no statement that somebody repeats."""


def fills(hits: Sequence[tuple[str, float]], pool: int) -> bool:
    """Return whether equal hits take half of a pool, so that there may be as many behind them.

    >>> fills([("a", 2.0), ("b", 1.0), ("c", 1.0)], 3), fills([("a", 2.0), ("b", 2.0), ("c", 1.0)], 3)
    (True, False)

    """
    return len(hits) == pool and hits[-1][1] > 0.0 and hits[pool // 2][1] == hits[-1][1]


def forms_that_fill(hits: Sequence[tuple[str, float]], forms: Sequence[float | None], pool: int) -> tuple[float, ...]:
    """Return the forms of equal hits that take half of a pool, those that most of them have; of others none.

    Args:
        hits: of a search of words, the best first.
        forms: how each begins that is a statement; None or NaN of others.
        pool: the most hits.

    """
    if not fills(hits, pool):
        return ()
    least = hits[-1][1]
    tied = [form for (_, score), form in zip(hits, forms, strict=True) if score == least]
    counted = Counter(form for form in tied if form is not None and form == form)
    return tuple(form for form, count in counted.most_common(MOST_FORMS) if count > 1)


def with_newest(legs: Legs, plan: Plan) -> None:
    """Ask for the newest of the forms whose records fill the search of words."""
    asked = next((leg for leg in legs.queries.profile.legs if leg.retriever == "words"), None)
    hits = legs.lists.get("words", ())
    if asked is None or FORM not in plan.columns or not fills(hits, asked.pool):
        return
    held = legs.held([row for row, _ in hits], (FORM,))
    forms = () if held is None else forms_that_fill(hits, held[FORM], asked.pool)
    found = _newest(legs.queries, forms, {row for row, _ in hits}, asked)
    if found is not None:
        legs.ask_within(asked, found)


def _newest(queries: Queries, forms: Sequence[float], known: set[str], leg: Leg) -> Canonical | None:
    """Return what the newest records of some forms pass that are not known yet; None where there are none."""
    partition, newest = queries.sources.partition, set[str]()
    for form in forms:
        alike = [("range", FORM, form, True, form, True)]
        if partition.core.count(all_of(alike), queries.cells) > MOST_OF_ONE:
            continue
        rows = sorted(queries.selection.both(all_of(alike)).rows(partition.core, queries.cells))
        made, seen = (partition.column_of(name, rows) for name in ("created_at", "seen_at"))
        at = {row: again or first or 0.0 for row, first, again in zip(rows, made, seen, strict=True)}
        newest.update(sorted(rows, key=lambda row: -at[row])[: leg.pool])
    newest -= known
    return membership("id", sorted(map(id_of, newest))) if newest else None
