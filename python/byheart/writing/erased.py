"""The receipt of an erasure: what went, what went along with it, and what is found again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..boundary import Boundary
from ..records import Record
from ..storage import Key, by_id, is_reserved, key_of
from ..validation import normal_forms
from .lineage import Removal

if TYPE_CHECKING:
    from .receipts import ForgetReceipt


def observation_id(row: Record) -> str:
    """Return by which id an observation is known that is stored as this row."""
    return known_id(key_of(row))


def known_id(key: Key) -> str:
    """Return by which id a record is known, or an observation."""
    return key.id.partition("/")[2] if is_reserved(key) else key.id


def receipt_of(
    found: Sequence[tuple[Boundary, Removal]],
    wanted: Sequence[str],
    freed: Sequence[tuple[Record, Record]] = (),
    observed: Sequence[Record] = (),
    dropped: Sequence[Key] = (),
) -> ForgetReceipt:
    """Return what to say of removals; of the ids asked for, those that nothing had are missing.

    `dropped`: of the journal, observations that went by themselves among them.
    """
    from .receipts import ForgetReceipt

    asked = [key for _, each in found for key in each.asked]
    ids = list(map(known_id, asked))
    cells: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for key in sorted(asked, key=by_id):
        if not is_reserved(key):
            cells.setdefault(key.name, []).append(key.cell)
    rows = list(map(observation_id, observed))
    with_claims = sorted(set(map(known_id, dropped)).difference(rows))
    gone = {*ids, *rows}
    return ForgetReceipt(
        tuple(sorted([*ids, *rows])),
        tuple(id for id in wanted if gone.isdisjoint(normal_forms(id))),
        summaries=tuple(sorted(key.id for _, each in found for key in each.summaries)),
        copies=tuple(sorted([*(key.id for _, each in found for key in each.copies), *with_claims])),
        released=tuple(sorted(_released(found, freed))),
        several=tuple((id, tuple(own)) for (_, id), own in cells.items() if len(own) > 1),
        untouched=tuple(sorted(key.id for _, each in found for key in each.untouched)),
        damaged=tuple(sorted(known_id(key) for _, each in found for key in each.damaged)),
        reinstated=tuple(sorted(new.id or "" for old, new in freed if old.superseded_by and not new.superseded_by)),
    )


def _released(found: Sequence[tuple[Boundary, Removal]], freed: Sequence[tuple[Record, Record]]) -> Iterator[str]:
    """Give the ids of what is found again, each once: what was archived for summaries that go, or for others."""
    archived = [record for _, each in found for record in each.archived]
    archived += [old for old, new in freed if old.archived_by is not None and new.archived_by is None]
    return (key.id for key in set(map(key_of, archived)))
