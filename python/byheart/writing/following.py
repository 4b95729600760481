"""The following of sources: what a file says now beside what it said at its last import, record by record.

A record keeps in its provenance, under `file_said`, a digest of each thing that its file said. So three things are told
apart: what the file said, what it says now, and what somebody has put on the record since.

- A chunk whose digests are the same stays the record that it is, wherever it stands in the file now.
- Else, of each field: where the file changed it, the file wins; what the file leaves as it was stays as it was put.
- A text that lies in another cell is that record, whichever of the files says it now, and however often: it stays as it
  is, but for where it stands, and counts as unchanged. It is never remembered anew.
- If a file does not say what lies in another cell any more, or says it amid something new, nobody can tell what of that
  belongs where: the file is left as it was.

`byheart.writing.pairing` tells which record is which.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, Final

from ..light.classes import dataclass
from ..records import Record
from ..storage import key_of
from ..validation import CLASSES
from .elsewhere import Elsewhere
from .pairing import Pair, Pairing, is_head, is_made, is_unit, source_of
from .said import APART, PLACED, SAID, TOGETHER, Digests, said, said_before, text_of

Cell = tuple[str, str]
_NOT_MERGED: Final = APART | {"created_at", "updated_at", "archived_by"}
_NAMES: Final = tuple(each.name for each in fields(Record))
_OF_PLACES: Final = frozenset(
    {"chunk_id", "chunk_index", "chunk_type", "char_start", "char_end", "page", "unit_index", "line"}
)
"""What the provenance of an import says of a place in a source: of the place before, in a source of another kind, none
of it is kept."""


@dataclass(slots=True)
class Followed:
    """What becomes of the records of an import.

    Attributes:
        put: what is written.
        gone: what goes, as it is stored.
        remembered, unchanged: how many records are new or replaced, and how many stay.
        elsewhere: of the latter, how many lie in another cell than that of the import, by source.
        refused: the sources that are left as they were, and why.

    """

    put: list[Record] = field(default_factory=list)
    gone: list[Record] = field(default_factory=list)
    remembered: int = 0
    unchanged: int = 0
    elsewhere: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Following:
    """The comparison of what sources say now with what is stored of them.

    Attributes:
        cell: of the import: scope and class.
        now: the time of the call.

    """

    cell: Cell
    now: float

    def follow(
        self,
        sources: Mapping[str, Sequence[Record]],
        stored: Sequence[Record],
        beside: Collection[str] = (),
        is_taken: Callable[[str], bool] = lambda id: False,
    ) -> Followed:
        """Return what becomes of the records of sources.

        Args:
            sources: what each says now, by its name.
            stored: what these said before, and what was said by others.
            beside: of the others those that are left as they are; what was said by the rest, whose files are gone, may
                be taken over.
            is_taken: tells whether an id is some record's.

        """
        done = Followed()
        pairing = Pairing(sources, stored, self.cell, beside, is_taken)
        pairs = pairing.pairs()
        met = {id(pair.old) for its in pairs.values() for pair in its if not pair.again}
        left = [old for old in pairing.away if id(old) not in met]
        strict = CLASSES[CLASSES.index(self.cell[1]) :]
        elsewhere = Elsewhere(
            (old for old in pairing.away if not is_unit(old) and key_of(old).cell[1] in strict),
            (old for old in pairing.olds if not is_unit(old) and not pairing.is_away(old)),
        )
        kept: set[str] = set()
        for name, its in pairs.items():
            origins = {name, *(source_of(pair.old) for pair in its if pair.old is not None and not pair.again)}
            reason = self._one(name, its, [old for old in left if source_of(old) in origins], pairing, elsewhere, done)
            if reason is not None:
                done.refused[name] = reason
                kept |= origins
        done.gone = [
            old
            for old in pairing.olds
            if not pairing.is_away(old)
            and id(old) not in met
            and source_of(old) in sources
            and source_of(old) not in kept
        ]
        return done

    def _one(
        self,
        name: str,
        pairs: Sequence[Pair],
        left: Sequence[Record],
        pairing: Pairing,
        elsewhere: Elsewhere,
        done: Followed,
    ) -> str | None:
        """Add what becomes of one source's records; return why it is left as it was, if it is.

        `left` is what lies in other cells of the files from which it came, and is said by no file any more.
        """
        written: list[Record] = []
        fresh: list[Record] = []
        held: Record | None = None
        lie_there = 0
        for record, old, again in pairs:
            away = old is not None and pairing.is_away(old)
            digests = said(record)
            if old is not None and (away or said_before(old, digests) == digests):
                if away and not _says(old, digests, by_text=again or is_head(record)):
                    return _moved(old)
                lie_there += away
                placed = old if again else _placed(record, old, away)
                written += [placed] if placed is not old else []
                continue
            fresh.append(self._marked(record, digests) if old is None else self._merged(record, old, digests))
            held = held or elsewhere.held_by(fresh[-1].text, "" if old is None else old.text)
        if fresh and any(is_made(old) or _says_it(old, fresh) for old in left):
            return _moved(left[0])
        if held is not None:
            return _held(held)
        done.put += [*written, *fresh]
        done.remembered += len(fresh)
        done.unchanged += len(pairs) - len(fresh)
        if lie_there:
            done.elsewhere[name] = lie_there
        return None

    def _marked(self, record: Record, digests: Digests) -> Record:
        return replace(record, provenance={**record.provenance, SAID: dict(digests)})

    def _merged(self, record: Record, old: Record, digests: Digests) -> Record:
        """Return a record in the place of another one, with what was put on that one and is not the file's."""
        was, holds = said_before(old, digests), said(old)

        def stays(name: str) -> bool:
            return was.get(name) == digests.get(name) or (name not in digests and holds.get(name) != was.get(name))

        factless = record.ku_type not in (None, "atomic")
        carried = {
            name: getattr(old, name)
            for name in _NAMES
            if name not in _NOT_MERGED
            and not (name in PLACED and "chunk_id" in record.provenance)
            and not (factless and TOGETHER.get(name, name) == "subject")
            and stays(TOGETHER.get(name, name))
        }
        names = dict.fromkeys((*record.metadata, *old.metadata))
        metadata = {name: _of(record, old, name, stays) for name in names}
        merged = replace(
            record, **carried, metadata={name: value for name, value in metadata.items() if value is not _GONE}
        )
        retitled = replace(old, topic=merged.topic)  # headings above a text do not make a new one of it
        if (merged.text, merged.content_hash()) == (old.text, retitled.content_hash()):
            created_at, updated_at = record.created_at or old.created_at, record.updated_at or self.now
            merged = replace(merged, archived_by=old.archived_by, created_at=created_at, updated_at=updated_at)
        return self._marked(replace(merged, provenance=_provenance(record, old)), digests)


_GONE: Final = object()


def _of(record: Record, old: Record, name: str, stays: Any) -> Any:
    """Return a value of the metadata, by the same rule as fields; `_GONE` where there is none."""
    return (old if stays(f"metadata.{name}") else record).metadata.get(name, _GONE)


def _provenance(record: Record, old: Record) -> dict[str, Any]:
    """Return where a record comes from: as the file has it, beside what was put there by hand."""
    kept = {name: value for name, value in old.provenance.items() if name not in _OF_PLACES}
    told = {name: value for name, value in record.provenance.items() if name != SAID}
    return {**kept, **told}


def _placed(record: Record, old: Record, away: bool) -> Record:
    """Return a stored record where it stands in its file now; itself if it stands where it did."""
    places = {name: getattr(record, name) for name in PLACED} if "chunk_id" in record.provenance and not away else {}
    placed = old.completed(provenance=_provenance(record, old), **places)
    return old if placed == old else placed


def _says(old: Record, now: Digests, *, by_text: bool) -> bool:
    """Return whether a stored record's file said what is said now, or a text the same."""
    before = said_before(old, now)
    return text_of(before) == text_of(now) is not None if by_text and text_of(now) else before == now


def _says_it(old: Record, fresh: Sequence[Record]) -> bool:
    """Return whether one of some new records says what a stored one's file said."""
    return any(said_before(old, now := each.provenance[SAID]) == now for each in fresh)


def _moved(old: Record) -> str:
    return f"its record {_there(old)}, and the file does not say that any more; {_WAY_OUT.format(*key_of(old).cell)}"


def _held(old: Record) -> str:
    return f"among what is new of it is all of the record {_there(old)}; {_WAY_OUT.format(*key_of(old).cell)}"


def _there(old: Record) -> str:
    scope, boundary_class = key_of(old).cell
    return f"{old.id!r}, which lies in {scope}/{boundary_class}"


_WAY_OUT: Final = "what is new of it may belong there: import it with --scope {} --class {}, or forget that record"
