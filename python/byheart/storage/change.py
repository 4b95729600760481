"""One change of a store: the rows that it appends and blanks. The transaction around it is the caller's.

Several writes may share a change: each begins with `begin`, and sees what those before it have put.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ..errors import CorruptRecord, InvalidArgument
from ..records import Record
from . import Changes, Key, Vectors, key_of
from .reading import AT_ONCE, COLUMNS, Directory, State, claims_at
from .rows import EMPTY, ClaimRow, checksum, live, minus, plus, readable, sound, total
from .vectors import Model, read_models

_TEXTS: Final = ("tenant", "id", "content", "scope", "boundary_class")  # of a row of claims: what erasing blanks


class Change:
    """What writes do to the tables; nothing stands until `finish` was called and the transaction committed."""

    def __init__(self, connection: sqlite3.Connection, state: State, directory: Directory, where: str) -> None:
        """Start from what the file says now; the directory is up to date, and is not changed here."""
        self.state, self.started_at = state, state.sequence
        self.put_at: dict[Key, int] = {}
        self.stored: dict[Key, tuple[Record, int]] = {}  # what is put, and how many letters it takes
        self.removed: list[tuple[int, Key]] = []
        self._connection, self._known, self._where = connection, directory.numbers, where
        self._gone: set[Key] = set()
        self._own: set[Key] = set()
        self._embedded: set[Key] = set()
        self.meanwhile: list[Callable[[], None]] = []  # what writers do while they wait
        self._claims: list[tuple[int | str | bytes, ...]] = []  # rows that are put, and not yet written
        self._living: list[tuple[int, float | None, bytes]] = []
        self.finished = False  # until then it is certain that nothing of it stands
        self._models = read_models(connection, where, state)

    @property
    def empty(self) -> bool:
        """Whether nothing was changed."""
        return self.state.sequence == self.started_at

    def touched(self) -> frozenset[Key]:
        """Return the keys whose records or vectors are not what they were."""
        return frozenset(self._embedded.union(self.put_at, (key for _, key in self.removed)))

    def begin(self) -> None:
        """Begin the next of several writes."""
        self._own = set()

    def holds(self, records: Sequence[Record], kept: Mapping[int, Record]) -> bool:
        """Return whether each of these records is stored as it is here; `kept` are some that were read, by row.

        Raises:
            CorruptRecord: one of them is damaged.

        """
        numbers = [self._number_of(key_of(record)) for record in records]
        if None in numbers:
            return False
        # A row is never changed: one that said this says it still, if it is the one that the key names.
        unsure = [(n, record) for n, record in zip(numbers, records, strict=True) if n is None or kept.get(n) != record]
        wanted, records = [n for n, _ in unsure if n is not None], [record for _, record in unsure]
        found: dict[int, ClaimRow] = {}
        self._flush()
        for start in range(0, len(wanted), AT_ONCE):
            found.update(claims_at(self._connection, wanted[start : start + AT_ONCE]))
        return all(
            number in found and found[number].record(self._where) == record
            for number, record in zip(wanted, records, strict=True)
        )

    def lacks(self, keys: Sequence[Key]) -> bool:
        """Return whether nothing is stored under any of these keys."""
        return all(self._number_of(key) is None for key in keys)

    def put_since(self, sequence: int) -> Changes:
        """Return what was put after a change, by anybody, and is there."""
        if sequence == self.state.sequence:
            return Changes(sequence, frozenset())
        self._flush()
        query = f"SELECT {', '.join(Key._fields)} FROM claims WHERE number > ? AND checksum <> ?"
        rows = self._connection.execute(query, (sequence, EMPTY)).fetchall()
        return Changes(self.state.sequence, frozenset(Key(*map(readable, row)) for row in rows))

    def put(self, key: Key, record: Record, content: str) -> None:
        """Put a record, which is stored as this content, in the place of an older one if there is one."""
        old = self._number_of(key)
        if old is not None:
            self._blank_claim(old, key)
        number = self._next()
        values = (key.tenant, key.id, content, key.scope, key.boundary_class)
        stored = checksum("claims", number, *(value.encode() for value in values))
        self._claims.append((number, *values, stored))
        self.state.records += 1
        self.state.digest = plus(self.state.digest, stored)
        stored = checksum("live_claims", *live(number, record.expires_at))
        self._living.append((number, record.expires_at, stored))
        self.put_at[key], self.stored[key] = number, (record, len(content))
        self._own.add(key)

    def remove(self, key: Key) -> None:
        """Remove a record; one that is not there is passed over."""
        old = self._number_of(key)
        if old is None:
            return
        self._blank_claim(old, key)
        number = self._next()
        self._run("INSERT INTO removals VALUES (?, ?, ?)", number, old, checksum("removals", number, old))
        self.put_at.pop(key, None)
        self.stored.pop(key, None)
        self._gone.add(key)
        self.removed.append((number, key))

    def keep(self, vectors: Vectors) -> None:
        """Keep vectors, in the place of older ones of the same model."""
        rows = self._applicable(vectors)
        if not rows:
            return
        model = self._model(vectors.model)
        new = {self.put_at.get(key) for key in self._own}  # which have no vectors yet
        added = []
        for claim, embedding in rows.items():
            if claim not in new:
                self._blank_vectors("claim = ? AND model = ?", claim, model.number)
            number = self._next()
            stored = checksum("claim_vectors", number, claim, model.number, embedding)
            added.append((number, claim, model.number, embedding, stored))
            model.vectors += 1
            model.digest = plus(model.digest, stored)
        self._connection.executemany("INSERT INTO claim_vectors VALUES (?, ?, ?, ?, ?)", added)

    def _applicable(self, vectors: Vectors) -> dict[int, bytes]:
        """Return the vectors by the number of their claim; those of records that are gone, or newer, are left out."""
        rows = {}
        for key, embedding in vectors.rows.items():
            if not isinstance(embedding, bytes) or not embedding or len(embedding) % 4:
                raise InvalidArgument(f"vectors: that of record {key.id!r} is not bytes of float32s")
            claim = self._number_of(key)
            newer = vectors.as_of is not None and key not in self._own and (claim or 0) > vectors.as_of
            if claim is not None and not newer:
                rows[claim] = embedding
                self._embedded.add(key)
        return rows

    def adopt(self, name: str) -> None:
        """Make a model the active one, and drop the vectors of all others."""
        found = self._models.get(name)
        if found is not None and found.active and len(self._models) == 1:
            return
        for other in [known for known in self._models if known != name]:
            self._blank_vectors("model = ?", self._models[other].number)
            self._run("DELETE FROM models WHERE number = ?", self._models.pop(other).number)
        self._model(name).active = 1
        self.state.floor = self._next()  # what every index of vectors held is void: nobody can follow

    def adopt_unless_kept(self, name: str) -> bool:
        """Make a model the active one unless vectors of another are kept, and return whether it is."""
        if any(model.vectors for other, model in self._models.items() if other != name):
            return False
        self.adopt(name)
        return True

    def finish(self) -> None:
        """Write the rows that wait, and those that count."""
        self._flush()
        self.state.models = EMPTY
        for model in self._models.values():
            change = "UPDATE models SET active = ?, vectors = ?, digest = ?, checksum = ? WHERE number = ?"
            stored = checksum("models", *model.values())
            self._run(change, model.active, model.vectors, model.digest, stored, model.number)
            self.state.models = plus(self.state.models, stored)
        write_state(self._connection, self.state)
        self.finished = True

    def _flush(self) -> None:
        """Write the rows that wait, in one call for each table: it takes a third of the time of a call for each row."""
        if self._claims:
            self._connection.executemany(f"INSERT INTO claims ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", self._claims)
            self._connection.executemany("INSERT INTO live_claims VALUES (?, ?, ?)", self._living)
            self._claims, self._living = [], []

    def _number_of(self, key: Key) -> int | None:
        if key in self.put_at:
            return self.put_at[key]
        return None if key in self._gone else self._known.get(key)

    def _next(self) -> int:
        self.state.sequence += 1
        return self.state.sequence

    def _run(self, statement: str, *values: int | float | str | bytes | None) -> None:
        self._connection.execute(statement, values)

    def _model(self, name: str) -> Model:
        """Return the row of a model, which is made if it is new."""
        found = self._models.get(name)
        if found is None:
            found = self._models[name] = Model(self._next(), name.encode(), 0, 0, EMPTY)
            self._run("INSERT INTO models VALUES (?, ?, 0, 0, ?, ?)", found.number, name, EMPTY, EMPTY)
        return found

    def _blank_claim(self, number: int, key: Key) -> None:
        """Blank a record, and drop what hangs on it; a damaged one can be blanked too, a missing one cannot."""
        self._flush()
        row = claims_at(self._connection, [number]).get(number)
        if row is None:
            raise CorruptRecord(
                f"{self._where}: record {key.id!r} of tenant {key.tenant!r} (claim {number}) is missing"
            )
        if self._lives(number):  # or it came back from the past, and is not among those that were counted
            self.state.records -= 1
            self.state.digest = minus(self.state.digest, self._counted(row))
        self.state.blank += sum(len(value) for value in row.values if isinstance(value, bytes))
        blanks = ", ".join(f"{name} = zeroblob(length(CAST({name} AS BLOB)))" for name in _TEXTS)
        self._run(f"UPDATE claims SET {blanks}, checksum = ? WHERE number = ?", EMPTY, number)
        self._run("DELETE FROM live_claims WHERE claim = ?", number)
        self._blank_vectors("claim = ?", number)

    def _lives(self, number: int) -> bool:
        query = "SELECT claim, expires_at, checksum FROM live_claims WHERE claim = ?"
        found = self._connection.execute(query, (number,)).fetchone()
        return found is not None and sound("live_claims", live(found[0], found[1]), found[2])

    def _counted(self, row: ClaimRow) -> bytes:
        """Return the checksum with which a row was counted; of a damaged one, what the other rows leave over."""
        if row.sound:
            return bytes(row.checksum)
        others = self._connection.execute("SELECT checksum FROM claims WHERE number <> ?", (row.number,)).fetchall()
        left_over = minus(self.state.digest, total([other[0] for other in others if isinstance(other[0], bytes)]))
        if left_over == row.checksum or sound("claims", row.values, left_over):
            return left_over
        return row.checksum if isinstance(row.checksum, bytes) else EMPTY

    def _blank_vectors(self, which: str, *values: int) -> None:
        """Blank the vectors that a condition names."""
        by_number = {model.number: model for model in self._models.values()}
        query = f"SELECT number, model, length(embedding), checksum FROM claim_vectors WHERE {which} AND checksum <> ?"
        for number, model, size, stored in self._connection.execute(query, (*values, EMPTY)).fetchall():
            if model in by_number and isinstance(stored, bytes):
                by_number[model].vectors -= 1
                by_number[model].digest = minus(by_number[model].digest, stored)
            self._run(
                "UPDATE claim_vectors SET embedding = zeroblob(length(embedding)), checksum = ? WHERE number = ?",
                EMPTY,
                number,
            )
            self.state.blank += size or 0


def write_state(connection: sqlite3.Connection, state: State) -> None:
    """Write the one row of state."""
    connection.execute(
        "UPDATE state SET sequence = ?, records = ?, digest = ?, models = ?, blank = ?, floor = ?, unsettled = ?,"
        " checksum = ?",
        (*state.values(), checksum("state", *state.values())),
    )
