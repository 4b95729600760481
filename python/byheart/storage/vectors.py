"""The vectors of a store file and their models, as they are read and checked."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from ..errors import CorruptStore
from ..light.classes import dataclass
from . import Key
from .numbering import part_of
from .reading import AT_ONCE, Directory, State, claims_at, read_claims, read_state
from .rows import EMPTY, plus, readable, sound, total
from .session import Session

_REPAIRED: Final = "`byheart check --repair` drops the vectors of damaged models, and embed() makes them again"


@dataclass(slots=True)
class Model:
    """A row of models."""

    number: int
    model: bytes
    active: int
    vectors: int
    digest: bytes

    def values(self) -> tuple[int | bytes, ...]:
        """Return what the checksum is of."""
        return self.number, self.model, self.active, self.vectors, self.digest


def read_models(connection: sqlite3.Connection, where: str, state: State | None = None) -> dict[str, Model]:
    """Return the models of a store by name; the caller has begun a transaction.

    Args:
        connection: with the transaction.
        where: the file's name.
        state: what the transaction reads of it; None: it is read.

    Raises:
        CorruptStore: a row is damaged or missing.

    """
    models, digest = {}, EMPTY
    for *values, stored in connection.execute("SELECT number, model, active, vectors, digest, checksum FROM models"):
        if not sound("models", values, stored):
            raise CorruptStore(f"{where}: the row of model {readable(values[1])!r} is damaged; {_REPAIRED}")
        models[values[1].decode()] = Model(*values)
        digest = plus(digest, stored)
    state = state or read_state(connection, where)
    if digest != state.models and not state.damaged:
        raise CorruptStore(f"{where}: the rows of its models are not those that were written last; {_REPAIRED}")
    return models


def vectors_of(
    connection: sqlite3.Connection, model: Model, where: str, claims: Sequence[int] | None = None
) -> tuple[Mapping[int, bytes], list[str]]:
    """Return the vectors of a model by the number of their claim, and what is wrong with the others.

    With `claims` only those of these are looked at; that none is missing is then not checked.
    """
    query = "SELECT number, claim, model, embedding, checksum FROM claim_vectors WHERE model = ? AND checksum <> ?"
    if claims is None:
        rows = connection.execute(query, (model.number, EMPTY)).fetchall()
    else:
        query += " AND claim = ?"
        rows = [row for claim in claims for row in connection.execute(query, (model.number, EMPTY, claim))]
    found, wrong = {}, []
    for *values, stored in rows:
        if sound("claim_vectors", values, stored):
            found[values[1]] = values[3]
        else:
            wrong.append(f"{where}: a vector of claim {readable(values[1])} is damaged; embed the record again")
    if claims is not None or wrong:
        return found, wrong
    if len(rows) != model.vectors or total([row[4] for row in rows]) != model.digest:
        wrong.append(f"{where}: the vectors are not all those that were written; embed the records again")
    return found, wrong


def read_vectors(
    connection: sqlite3.Connection, directory: Directory, where: str, name: str, asked: Sequence[Key] | None
) -> tuple[Mapping[int, bytes], list[str], dict[int, Key]]:
    """Return the vectors of a model by the number of their claim, what is wrong with others, and whose claims they are.

    Args:
        connection: with a transaction that the caller has begun; the directory is as of that.
        directory: of the file; it learns all rows where a damaged one could lend its vector to another record.
        where: the file's name.
        name: of the model; of one that is unknown there are none.
        asked: of these records; None: of all that have one.

    """
    if not directory.looked_at and asked is None:  # or a damaged row could lend its vector to another record
        directory.learn(read_claims(connection, where), where)
    model = read_models(connection, where).get(name)
    if model is None:
        return {}, [], {}
    known = directory.numbers
    if asked is None:
        every = [(Key._make(key), number) for key, number in known.items()]
    else:
        every = [(key, number) for key in asked if (number := known.get(key)) is not None]
    named = {number: key for key, number in every if number not in directory.damaged}
    unsound = set(directory.damaged)
    if not directory.looked_at:  # likewise, of these alone
        unsound |= named.keys() - (named := _sound(connection, named)).keys()
    found, wrong = vectors_of(connection, model, where, None if asked is None else [*named, *unsound])
    wrong += [f"{where}: the record of a vector is damaged" for _ in unsound & found.keys()]
    return found, wrong, named


def _sound(connection: sqlite3.Connection, named: Mapping[int, Key]) -> dict[int, Key]:
    """Return those of some rows that are as they were written, by their numbers."""
    wanted, found = list(named), dict[int, Key]()
    for start in range(0, len(wanted), AT_ONCE):
        rows = claims_at(connection, wanted[start : start + AT_ONCE])
        found.update((number, named[number]) for number, row in rows.items() if row.sound)
    return found


Take = Callable[[Iterable[tuple[Any, ...]]], int | None]  # returns the number of the last row; None if there was none


def in_parts(session: Session, model: int, take: Take) -> None:
    """Have the vectors of a model taken as they lie there, some at a time; others may write between two parts."""
    last: int | None = 0
    while last is not None:
        last = session.read(lambda connection: take(part_of(connection, model, last or 0)))  # noqa: B023
