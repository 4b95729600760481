"""The records of one tenant and the indexes over them: caches of what the records say.

A tenant is a store of its own. Ids, terms and statistics of different tenants never meet, so nothing of one can show in
an answer to another. Which records there are, where they lie and what filters ask of them is kept once, in the core,
for the retrievers that are ours; a retriever of somebody else's has an index of its own beside it.

A record is known by its row: its id, or id and cell where several cells have the id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from .._core import Analyzer
from .._core import Partition as CorePartition
from ..boundary import SEPARATOR, Boundary, cell_key, id_of
from ..errors import CorruptIndex
from ..records import Record
from ..retrieval import dense, hypervector, lexical, protocol, sameness, symbolic
from ..retrieval.filter.canonical import Canonical, all_of, negated
from ..retrieval.protocol import Batch, Settings
from ..storage.protocol import Key
from ..validation import normal_forms
from . import standing, whose
from .cells import NOBODY, Cell, Cells, Inside, Size
from .figures import Figures
from .others import Others
from .taken_in import Made, fields_of, hypervectors_of, taken_in

_CHUNK = 4_096
_KEPT_NAMES = 4_096  # rows whose keys are remembered
_COLUMNS = ("updated_at", "accessed_at", "valid_from", "valid_to", "importance", "confidence", "utility", "quality",
            "authority", "decay_rate", "access_count", "seen_count", "seen_at", "superseded_at", "superseded_from",
            "superseded_to", standing.SAID_SINCE, whose.LENGTH, whose.TEXT_MARK)  # fmt: skip
_ORDERED = ("created_at", "expires_at", *sameness.MARKS)
_NUMBERS = (*_COLUMNS, *_ORDERED)
_END = "expires_at"
_CORE = "partition"  # what the core's part of a saved generation is called

_KEPT_BOUNDARIES = 64  # boundaries of which is remembered what lies inside

Read = Callable[[Sequence[str]], Sequence[Record | None]]


class Partition:
    """The directory of a tenant's records, and the indexes over it by retriever.

    A lazy retriever's index is made when it is first asked for; memories that never ask for it pay nothing. So are
    hypervectors beside vectors: they are half a kilobyte for each record, and hardly ever asked where vectors answer.

    Attributes:
        settings: what the indexes are made with.
        core: the part of it that is in the core.
        figures: what is counted over its records.
        indexes: of retrievers that are not ours, by name.
        lent: whether the store keeps vectors in this process anyway, so that the index holds no second copy of them.

    """

    def __init__(
        self,
        analyzer: Analyzer,
        preset: str,
        encoder: str,
        vocabulary: Any = None,
        dimensions: int | None = None,
    ) -> None:
        """Start empty; `dimensions` is the width of the embeddings, None without an embedder."""
        self.settings = Settings(analyzer, preset, encoder, vocabulary, dimensions)
        self._vocabulary = symbolic.vocabulary_of(self.settings)
        self.core = CorePartition(
            lexical.new_index(preset, analyzer),
            hypervector.new_index(),
            None if dimensions is None else dense.new_index(dimensions),
            columns=_COLUMNS,
            ordered=_ORDERED,
            end=_END,
        )
        self.core.defer(dimensions is not None)
        self.lent = False
        self.indexes = Others(self.settings)
        self._learnt_facts = False  # whether all that is stored was learnt: others may ask while one learns
        self.figures = Figures(self.core)
        self._cells = Cells()
        self._names: tuple[int, dict[str, Any]] = (-1, {})
        self._insides: tuple[int, dict[Boundary, Inside]] = (-1, {})

    # ---- which records there are

    @property
    def version(self) -> int:
        """How often the records have changed: another number, other records."""
        return self.figures.version

    def __contains__(self, row: str) -> bool:
        """Return whether a record is known by this row."""
        return self.cell_of(row) is not None

    def __len__(self) -> int:
        """Return how many records are known, archived ones too."""
        return len(self.core)

    def rows_of(self, id: str) -> list[str]:
        """Return the rows of the records with this id, in the order of their cells; mostly the id itself."""
        return self.core.rows_of(id)

    def rows_named(self, id: str, admits: Callable[[str], bool]) -> list[str]:
        """Return those rows of an id that are admitted; without one, of an id of the same characters in another form.

        What is not admitted decides nothing: who sees a part is answered as if there were nothing else.
        """
        named = ([row for row in self.rows_of(form) if admits(row)] for form in normal_forms(id))
        return next(filter(None, named), [])

    def places(self, rows: Sequence[str]) -> list[tuple[str, Cell] | None]:
        """Return id and cell of each row; None where a row is not known."""
        return [None if place is None else (place[0], _cell(place[1])) for place in self.core.places(rows)]

    def ids_by_cell(self) -> dict[Cell, set[str]]:
        """Return the ids of all records, archived ones too, by scope and class."""
        found = {cell: self.core.rows(None, [cell_key(*cell)]) for cell in self.sizes()}
        return {
            cell: set(map(id_of, rows) if SEPARATOR in "".join(rows) else rows) for cell, rows in found.items() if rows
        }

    def names(self) -> dict[str, Any]:
        """Return what the caller has noted of rows that are there, at this version of the records: a table to fill."""
        version, names = self._names
        if version != self.figures.version or len(names) > _KEPT_NAMES:
            names = {}
            self._names = self.figures.version, names
        return names

    def cell_of(self, row: str) -> Cell | None:
        """Return scope and class of a record."""
        [place] = self.core.places([row])
        return None if place is None else _cell(place[1])

    def rows(self, filter: Canonical | None = None, cells: Sequence[str] | None = None) -> list[str]:
        """Return the rows of the records that pass a filter, archived ones too, in order of their ids."""
        return self.core.rows(filter, cells)

    def rows_in(self, boundary: Boundary, filter: Canonical | None = None) -> list[str]:
        """Return the rows inside a boundary that pass a filter, archived ones too, in order of their ids."""
        return self.core.rows(filter, self.all_cells_in(boundary))

    def count_in(self, boundary: Boundary, filter: Canonical | None = None) -> int:
        """Return how many records inside a boundary pass a filter, archived ones too."""
        return self.core.count(filter, self.all_cells_in(boundary))

    def counts_in(self, boundary: Boundary, field: str, filter: Canonical | None = None) -> list[tuple[Any, int]]:
        """Return how many records inside a boundary that pass a filter have each value of a field, in its order."""
        return self.core.counts(field, filter, self.all_cells_in(boundary))

    def column_in(self, boundary: Boundary, name: str, filter: Canonical | None = None) -> list[float]:
        """Return the numbers that the records inside a boundary that pass a filter have in a column."""
        return [number for number in self.column_of(name, self.rows_in(boundary, filter)) if number is not None]

    def column_of(self, name: str, rows: Sequence[str]) -> list[float | None]:
        """Return the numbers that known rows have in a column, None for those without one."""
        places = [place for place in self.core.places(rows) if place is not None]
        return self.core.column(name, [id for id, _ in places], [cell for _, cell in places])

    def sizes(self) -> Mapping[Cell, Size]:
        """Return of each cell how many records can be found, and how many are archived."""
        return self._cells.all()

    def sizes_in(self, boundary: Boundary) -> dict[Cell, Size]:
        """Return the sizes of the cells inside a boundary, in order; what lies outside costs no time."""
        return dict(self._cells.inside(boundary))

    def inside(self, boundary: Boundary) -> Inside:
        """Return what lies inside a boundary, counted once for each version of the records."""
        version, held = self._insides
        if version != self.figures.version or len(held) > _KEPT_BOUNDARIES:
            version, held = self._insides = self.figures.version, {}
        found = held.get(boundary)
        if found is None:
            found = held[boundary] = self._inside(self.cells_in(boundary), self.records_in(boundary))
        return found

    def whole(self, boundary: Boundary) -> Inside:
        """Return what lies inside a boundary, archived records too."""
        return self._inside(self.all_cells_in(boundary), self.records_in(boundary))

    def _inside(self, cells: list[str], records: int) -> Inside:
        dated, superseded = (self.core.count(said, cells) > 0 for said in (standing.DATED, standing.SUPERSEDED))
        return Inside(cells, records, self.any_ends_in(cells), self.without_vector(cells), dated, superseded)

    def cells_in(self, boundary: Boundary) -> list[str]:
        """Return the keys of the cells that lie inside a boundary and hold records that can be found."""
        return [cell_key(*cell) for cell, size in self._cells.inside(boundary) if size.active]

    def all_cells_in(self, boundary: Boundary) -> list[str]:
        """Return the keys of the cells that lie inside a boundary and hold any record."""
        return [cell_key(*cell) for cell, _ in self._cells.inside(boundary)]

    def records_in(self, boundary: Boundary) -> int:
        """Return how many records that can be found lie inside a boundary."""
        return sum(size.active for _, size in self._cells.inside(boundary))

    def _count_again(self, cells: Iterable[Cell]) -> None:
        """Have the sizes of cells follow a change of their records."""
        changed = {cell: cell_key(*cell) for cell in cells}
        now = self.core.sizes(list(changed.values()))
        self._cells.changed({cell: now.get(key, NOBODY) for cell, key in changed.items()})

    def any_ends_in(self, cells: Sequence[str]) -> bool:
        """Return whether a record ever ends, in cells given by their keys."""
        return self.core.any_ends(cells)

    def findable(self, row: str, cells: Sequence[str]) -> bool:
        """Return whether a record lies in one of these cells and is not archived."""
        cell = self.cell_of(row)
        return cell is not None and cell_key(*cell) in cells and self.core.is_active(row)

    def is_archived(self, row: str) -> bool:
        """Return whether a record is known and found by nothing."""
        return row in self and not self.core.is_active(row)

    def passes(self, row: str, filter: Canonical | None, now: float | None) -> bool:
        """Return whether a record passes a filter and has not ended."""
        [place] = self.core.places([row])
        if place is None:
            return False
        asked: list[Canonical] = [whose.one_of([place[0]])]
        asked += [] if filter is None else [filter]
        asked += [] if now is None else [negated(whose.over(now))]
        return self.core.count(all_of(asked), [place[1]]) > 0

    def beside(self, rows: Sequence[str], leg: Mapping[str, Any]) -> list[tuple[list[str], list[str]]]:
        """Return what was told right before each record and right after it, the nearest first (`retrieval.words`)."""
        return self.core.beside(rows, dict(leg))

    def numbers(self, row: str) -> list[float | None]:
        """Return the times and numbers that the directory has of a record; None where it has none."""
        [place] = self.core.places([row])
        return [] if place is None else [self.core.column(name, [place[0]], place[1])[0] for name in _NUMBERS]

    def values(self, field: str, row: str) -> list[Any]:
        """Return the values that a record has in a field of the directory."""
        return self.core.values(field, row)

    def hashes(self, rows: Sequence[str]) -> dict[str, str]:
        """Return the content hashes of records, as far as these are there."""
        found = zip(rows, self.core.hashes(rows), strict=True)
        return {row: hash.hex() for row, hash in found if hash is not None}

    def vectors(self, rows: Sequence[str]) -> list[Any | None]:
        """Return the unit vector of each record; None without one."""
        if self.settings.dimensions is None:
            return [None] * len(rows)
        import numpy as np  # on use: `import byheart` stays light

        data, held = self.core.vectors(rows)
        found = iter(np.frombuffer(data, "<f4").reshape(-1, self.settings.dimensions))
        return [next(found) if there else None for there in held]

    def without_vector(self, cells: Sequence[str]) -> int:
        """Return how many records of cells have no vector, if there is an index of vectors."""
        return self.core.without_vector(cells)

    def lacking(self, cells: Sequence[str]) -> int:
        """Return how many records of cells lack a vector that can be given them: one of zeros is one, and is final."""
        blank = self.core.without_vector(cells)
        return blank and blank - self.core.count(whose.OF_ZEROS, cells, blank=True)

    # ---- changes

    def make(self, records: Sequence[Record], embeddings: Sequence[bytes | None]) -> Made:
        """Return what is put of records, which may be made beside whoever reads or writes: nothing is put."""
        deferred = self.core.deferred
        said = taken_in(records, embeddings, self.settings, deferred=deferred)
        return Made(records, embeddings, deferred, said, fields_of(records, self._vocabulary, embeddings))

    def put(self, records: Sequence[Record], embeddings: Sequence[bytes | None] = (), made: Made | None = None) -> None:
        """Index complete records and their embeddings; those with the same ids in the same cells are replaced.

        Archived records are known, and found by nothing. What was `made` of these is not made again.
        """
        vectors = list(embeddings or [None] * len(records))
        archived = [record for record in records if record.archived_by is not None]
        active = [pair for pair in zip(records, vectors, strict=True) if pair[0].archived_by is None]
        self.figures.version += 1
        if archived:
            ids, cells = _keys(archived)
            if self.indexes:
                self.indexes.remove(self._known(ids))
            self.core.archive(ids, fields_of(archived, self._vocabulary), cells)
        if active:
            self._put([record for record, _ in active], [vector for _, vector in active], made)
        self._count_again([(record.scope or "", record.boundary_class or "") for record in records])
        self.figures.version += 1

    def _put(self, records: Sequence[Record], embeddings: Sequence[bytes | None], made: Made | None) -> None:
        ids, cells = _keys(records)
        settings = self.settings
        facts = [symbolic.known_fact(record, settings) for record in records] if self.core.knows_facts else None
        if made is None or not made.is_of(records, embeddings, deferred=self.core.deferred):
            made = self.make(records, embeddings)
        self.core.put(
            ids,
            [each.document for each in made.said],
            made.fields,
            cells,
            labels=[record.role for record in records],
            hypervectors=None if made.deferred else [each.hypervectors for each in made.said],
            embeddings=None if settings.dimensions is None else embeddings,
            lent=self.lent,
            facts=facts,
            hashes=[each.hash for each in made.said],
        )
        if self.indexes:
            self.indexes.put(Batch(self._known(ids), records, cells, embeddings))

    def bearing(self, mark: str, number: float, limit: int) -> list[str] | None:
        """Return the rows of the records with a mark, archived ones too; None if there are more than `limit`."""
        return self.core.bearing(mark, number, limit)

    def _known(self, ids: Iterable[str]) -> list[str]:
        return [row for id in ids for row in self.core.rows_of(id)]

    def remove(self, keys: Iterable[tuple[str, Cell]]) -> None:
        """Take records out, named by id and cell; unknown ones are ignored."""
        known = list(keys)
        if not known:
            return
        self.figures.version += 1
        ids = [id for id, _ in known]
        if self.indexes:
            self.indexes.remove(self._known(ids))
        self.core.remove(ids, [cell_key(*cell) for _, cell in known])
        self._count_again(cell for _, cell in known)
        self.figures.version += 1

    def knows(self, name: str) -> bool:
        """Return whether a retriever that has an index has it here."""
        if name == symbolic.NAME:
            return self._learnt_facts
        if name == hypervector.NAME:
            return not self.core.deferred
        return protocol.is_ours(name) or not protocol.has_index(name) or name in self.indexes

    def learn(self, name: str, read: Read) -> None:
        """Make the index of a retriever from the records as they are stored, unless that was done."""
        if self.knows(name):
            return
        if name == symbolic.NAME:
            self.core.begin_facts(symbolic.new_index(self.settings))
        retriever = protocol.get(name)
        index = None if name == symbolic.NAME else retriever.new_index(self.settings)
        rows = self.rows(whose.ACTIVE)
        for start in range(0, len(rows), _CHUNK):
            stored = zip(rows[start : start + _CHUNK], read(rows[start : start + _CHUNK]), strict=True)
            there = [(row, record) for row, record in stored if record is not None]
            if name == symbolic.NAME:
                self._learn_facts([record for _, record in there])
            else:
                records = [record for _, record in there]
                batch = Batch([row for row, _ in there], records, _keys(records)[1], [None] * len(records))
                retriever.put(index, batch, self.settings)
        if index is not None:
            self.indexes[name] = index
        else:
            self._learnt_facts = True

    def encode(self, read: Read, embeddings: Callable[[Sequence[str]], Mapping[str, bytes]]) -> None:
        """Make the hypervectors of the records as they are stored, unless that was done.

        Args:
            read: gives the records of rows.
            embeddings: gives the stored vectors of rows, where hypervectors are made of them.

        """
        if not self.core.deferred:
            return
        active = self.rows(whose.ACTIVE)
        of_vectors = self.settings.encoder == hypervector.EMBEDDING
        for start in range(0, len(active), _CHUNK):
            some = active[start : start + _CHUNK]
            vectors = embeddings(some) if of_vectors else {}
            there = [(row, record) for row, record in zip(some, read(some), strict=True) if record is not None]
            ids, cells = _keys([record for _, record in there])
            made = [hypervectors_of(record, vectors.get(row), self.settings) for row, record in there]
            self.core.encode(ids, made, cells)
        self.core.defer(False)

    def _learn_facts(self, records: Sequence[Record]) -> None:
        stated = [(record, symbolic.known_fact(record, self.settings)) for record in records]
        named = [(record, fact) for record, fact in stated if fact is not None]
        if named:
            ids, cells = _keys([record for record, _ in named])
            self.core.learn(ids, [fact for _, fact in named], cells)

    # ---- saved and restored

    def sections(self, *, vectors: bool = True) -> Iterator[tuple[str, bytes]]:
        """Give what `restore` makes the same partition of; lazy indexes are made anew when they are asked for.

        Without `vectors` it awaits those then (`come`): they are not written a second time.
        """
        yield _CORE, self.core.to_bytes(vectors=vectors)
        yield from self.indexes.sections()

    def restore(self, sections: Mapping[str, bytes]) -> None:
        """Become the partition that gave these sections; this one must be empty and have the same settings.

        Raises:
            CorruptIndex, UnsupportedFormat: a section is missing, damaged, or says something else than the others.

        """
        try:
            core = CorePartition.from_bytes(sections[_CORE])
            self.indexes.restore(sections)
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise CorruptIndex(f"index generation: a section is missing or unreadable ({error})") from error
        if not core.is_like(self.core):
            raise CorruptIndex("index generation: a section is of other settings")
        self.core = self.figures.core = core
        self._learnt_facts = False
        self._cells.reset({_cell(key): size for key, size in core.sizes().items()})
        self.figures.version += 1

    def come(self, vectors: Sequence[tuple[Key, bytes]]) -> None:
        """Take in stored vectors that are awaited; those that are others than were indexed are passed over."""
        cells = [cell_key(key.scope, key.boundary_class) for key, _ in vectors]
        self.core.come([key.id for key, _ in vectors], [vector for _, vector in vectors], cells)

    def wait_no_longer(self) -> list[tuple[str, Cell]]:
        """Return id and cell of the records whose vectors were awaited, and did not come: they have none now."""
        return [(id, _cell(key)) for id, key in self.core.wait_no_longer()]


@lru_cache(maxsize=4_096)
def _cell(key: str) -> Cell:
    scope, _, boundary_class = key.partition(SEPARATOR)
    return scope, boundary_class


def _keys(records: Sequence[Record]) -> tuple[list[str], list[str]]:
    """Return the ids of complete records, and the keys of their cells."""
    ids = [record.id or "" for record in records]
    return ids, [cell_key(record.scope or "", record.boundary_class or "") for record in records]
