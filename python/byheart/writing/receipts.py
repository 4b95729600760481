"""Receipts of what was remembered, and of what was removed. Imported on use."""

from __future__ import annotations

from ..frozen import Document
from ..light.classes import dataclass
from ..words import Remembered


@dataclass(frozen=True, slots=True)
class RememberReceipt(Document):
    """What `Memory.remember` did with one record.

    Attributes:
        id: of the record.
        status: "new"; "same": it was said before, and counts that; "replaced": it took the place of the one with its
            id.
        seen_count: how often it was said.
        superseded: ids of the records in whose place it stands now.
        superseded_by: the record that stands in its own, where it tells of an earlier time than that one; mostly None.
        near_duplicates: ids of records that say nearly the same with another value: shown beside it, and not hidden.

    """

    id: str
    status: Remembered
    seen_count: int = 1
    superseded: tuple[str, ...] = ()
    superseded_by: str | None = None
    near_duplicates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgetReceipt(Document):
    """What `Memory.forget` or `Memory.purge` did.

    Attributes:
        ids: the records that were removed, as asked, and observations.
        missing: which of the ids asked for were not there.
        files: the index files that went with them; none are named to a memory that was opened with a boundary, since
            their names count what others changed.
        summaries: records that were removed besides, since they said in other words what these said.
        released: what those summaries, or records among `ids`, stood for beside them: archived before, found again.
        copies: durable copies of turns that were removed with the turns, and turns that were removed with their copies,
            which said the same; observations that a claim was made of which went; where users were forgotten, also what
            says that it was made of what went, and is no other user's.
        untouched: where users were forgotten, what lies inside the boundary and stays, though it may speak of what
            went: what the filter lets through in other cells than the one asked for; nobody's records in their
            sessions, such as an assistant's turns; and other records that name what went. What lies outside a boundary
            that the call names is not told, though the memory may see it. Elsewhere, the turn of a durable copy that
            was forgotten without it.
        damaged: where a filter was given, what is set aside inside the boundary since it is damaged: no filter can look
            at it, and its words lie there still. Its id, or `Memory.check(repair=True)`, removes it.
        reinstated: records in whose place one that went stood, and none stands now: they are found again.
        several: ids that more than one record bore, all of which are removed, each with the cells (scope and class)
            where these lay. Such an id stands in `ids` once for each.

    """

    ids: tuple[str, ...]
    missing: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    several: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    untouched: tuple[str, ...] = ()
    reinstated: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
