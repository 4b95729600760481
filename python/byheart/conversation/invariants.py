"""Invariants: what stands in every context, whatever is asked.

Given by the author when a memory is opened, kept in this process, and never stored, indexed or searched: they and what
is stored have no id in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..boundary import Boundary
from ..errors import InvalidArgument, InvariantBudgetError
from ..records import Record
from ..storage import key_of
from ..validation import MAX_ITEMS, counted
from ..writing.completion import Completion, as_record

Given = str | Record | Mapping[str, Any]


def completed(given: Iterable[Given], completion: Completion, exists: Callable[[str, str], bool]) -> tuple[Record, ...]:
    """Return invariants as records, in the order of their author.

    What they lack is filled in as for other records, but for times: without one they have none, so that equal
    invariants give equal contexts.

    Args:
        given: texts, records or mappings.
        completion: what they lack, and what they must lie in.
        exists: whether the store has a record of this tenant with this id.

    Raises:
        InvalidArgument: the store has a record with the id of one, or one has an end: they hold for every context.
        BoundaryViolation, DuplicateId, UnknownField, LimitExceeded, TypeError: as for other records.

    """
    if isinstance(given, (str, Mapping, Record)):
        raise TypeError("invariants must be a list of texts or records, not one of them")
    own = counted("invariants", given, MAX_ITEMS)
    records = [as_record(value, {}).completed(invariant=False) for value in own]
    complete = completion.complete(records, 0.0, exists)
    for record in complete:
        if record.expires_at is not None:
            raise InvalidArgument(f"invariants: {record.id!r} expires, and an invariant does not; leave expires_at out")
        if exists(record.tenant or "", record.id or ""):
            raise InvalidArgument(f"invariants: the store has a record with the id {record.id!r}; use another one")
    times = [record.created_at for record in records]
    return tuple(
        record.completed(invariant=True, created_at=time) for record, time in zip(complete, times, strict=True)
    )


def names(invariants: Iterable[Record]) -> frozenset[tuple[str, str]]:
    """Return tenant and id of each: no record that is stored has them, in any cell."""
    return frozenset(key_of(record).name for record in invariants)


def inside(invariants: Iterable[Record], boundary: Boundary) -> tuple[Record, ...]:
    """Return those that lie inside a boundary."""
    return tuple(
        record
        for record in invariants
        if record.tenant == boundary.tenant and boundary.holds(record.scope or "", record.boundary_class or "")
    )


def check_budget(invariants: Iterable[Record], budget: float) -> None:
    """Refuse invariants that no context of this budget can hold, by the host's estimate.

    Raises:
        InvariantBudgetError: those of a tenant cost more.
        InvalidArgument, TypeError: the budget is none.

    """
    from ..ranking.budget import exactly
    from ..ranking.tokens import HostTokens  # on use, as below: most memories have no budget

    exactly("context_budget", budget)
    costs: dict[str, list[float]] = {}
    for record in invariants:
        costs.setdefault(record.tenant or "", []).append(HostTokens().count(record.text))
    for own in costs.values() or [[]]:
        check_fit(own, budget)


def check_fit(costs: list[float], budget: float) -> None:
    """Refuse a budget that the costs of invariants exceed.

    Raises:
        InvariantBudgetError: they do.

    >>> check_fit([2, 2], 3)
    Traceback (most recent call last):
    ...
    byheart.errors.InvariantBudgetError: the invariants cost 4 tokens and the budget is 3; shorten them, or raise it

    """
    from ..ranking.budget import fit, total

    if len(fit(costs, budget).accepted) < len(costs):
        raise InvariantBudgetError(
            f"the invariants cost {total(costs)} tokens and the budget is {budget}; shorten them, or raise it"
        )
