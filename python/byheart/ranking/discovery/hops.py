"""The third step of discovery: one hop along the links of what the second pass kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from ...errors import InvalidArgument
from ...light.classes import dataclass
from ...records import Record
from ...validation import check_between, check_number, shortly
from ..algebra import Stage, StageContext
from ..candidates import Candidates, Dropped, RowKey
from .formulas import HOP_DECAY, HOP_FLOOR

_NAMED = 8  # of ids in a note


@dataclass(frozen=True, slots=True)
class Hops(Stage):
    """Adds the records that the rows link to, scored by their best parent times a decay.

    One hop and no further, so links may go round. What is a row already stays as it is; a link to an invariant, or to
    nothing inside the boundary, is noted. A record that an earlier stage dropped may come back through a link.

    Attributes:
        decay: between 0 and 1, both exclusive.
        floor: theta_hop, 0 to 1: added is what scores at least this.

    """

    # docs/sources.md: A1.7.6.

    name: ClassVar[str] = "hops"
    inputs: ClassVar[tuple[str, ...]] = ("score",)

    decay: float = HOP_DECAY
    floor: float = HOP_FLOOR

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not 0.0 < check_number("decay", self.decay) < 1.0:
            raise InvalidArgument(f"decay: is {shortly(self.decay)}; it must lie between 0 and 1, both exclusive")
        check_between("floor", self.floor, 0.0, 1.0)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the rows that were linked to, in the order of scores."""
        parents = _parents(table, context.records)
        found = context.related(tuple(parents)) if parents else {}
        missing = [id for id in parents if id not in found]
        given = [id for id in parents if id in found and found[id].invariant]
        table = _noted(_noted(table, "what is not there", missing), "invariants, which are given anyway", given)
        added: list[str] = []
        weak: dict[str, str] = {}
        for id in (id for id in parents if id in found and not found[id].invariant):
            parent, best = parents[id]
            if best * self.decay >= self.floor:
                added.append(id)
            else:
                weak[id] = f"hop score too low ({best * self.decay:.4f} < {self.floor:g}, linked from {parent})"
        rows = [context.row_of(id) for id in added]
        return self._with_rows(_dropped(table, weak, added), rows, added, parents).sorted_by_score()

    def _with_rows(
        self, table: Candidates, rows: list[RowKey], added: list[str], parents: Mapping[str, tuple[str, float]]
    ) -> Candidates:
        """Return the table with these rows at its end; their columns hold what their score is made of."""
        if not added:
            return table
        before = (None,) * len(table.keys)
        table = table.with_rows(rows)
        table = table.scored("hop_parent", "add", (*before, *(parents[id][1] for id in added)))
        return table.scored("hop_decay", "multiply", (*before, *(self.decay for _ in added)))


def _parents(table: Candidates, records: Mapping[Any, Record]) -> dict[str, tuple[str, float]]:
    """Return the best parent and its score by what the rows link to, without the rows themselves; ties by id."""
    rows = set(table.ids)
    found: dict[str, tuple[str, float]] = {}
    ordered = table.sorted_by_score()
    for key, id, score in zip(ordered.keys, ordered.ids, ordered.scores(), strict=True):
        record = records.get(key)
        for target in record.links if record is not None else ():
            if target not in rows:
                found.setdefault(target, (id, score))
    return found


def _noted(table: Candidates, what: str, ids: list[str]) -> Candidates:
    if not ids:
        return table
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return table.with_note(f"links to {what}: {', '.join(sorted(ids)[:_NAMED])}{more}")


def _dropped(table: Candidates, weak: Mapping[str, str], added: Iterable[str]) -> Candidates:
    """Return the table with what was dropped so far, without what comes back, and with the second reason of others."""
    back = set(added)
    left = [drop for drop in table.dropped if drop.id not in back]
    known = {drop.id for drop in left}
    twice = [Dropped(id, f"{reason}; {weak[id]}") if id in weak else Dropped(id, reason) for id, reason in left]
    new = [Dropped(id, reason) for id, reason in sorted(weak.items()) if id not in known]
    return replace(table, dropped=(*twice, *new))
