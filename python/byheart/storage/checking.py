"""The check of a store file: every row is read, and what is not as it was written is named."""

import sqlite3
from collections.abc import Iterator
from itertools import chain
from typing import Final

from ..errors import CorruptRecord
from . import Key, Problem
from .reading import Claims, read_claims
from .rows import EMPTY, live, readable, sound
from .schema import noted_wrong
from .vectors import read_models, vectors_of

WAY_OUT: Final = "no repair mends that; export_to (`byheart export FILE`) writes what can be read into a new file"
"""What to do about pages of a file that are damaged."""

_MOST: Final = 100  # findings of SQLite itself that are asked for


def check(connection: sqlite3.Connection, where: str) -> list[Problem]:
    """Return every problem of a store; the caller has begun a transaction."""
    found: list[Problem] = []
    try:
        findings = connection.execute(f"PRAGMA integrity_check({_MOST})").fetchall()
        found += [Problem("file", f"{where}: {readable(row[0])}") for row in findings if row[0] != b"ok"]
        if noted_wrong(connection):
            found.append(Problem("migrations", f"{where}: the list of its migrations is damaged; its tables are sound"))
        claims = read_claims(connection, where)
        found += claims.problems(where)
        found += chain(_blanks(connection, where), _living(connection, where, claims))
        found += chain(_vectors(connection, where, claims), _numbers(connection, where))
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        found.append(Problem("file", f"{where}: pages of the file are damaged ({readable(str(error))}); {WAY_OUT}"))
    except CorruptRecord as error:
        found.append(Problem("file", str(error)))
    return found


def _blanks(connection: sqlite3.Connection, where: str) -> Iterator[Problem]:
    """Look for rows that count as blank and are not."""
    tables = {"claims": "tenant, id, content, scope, boundary_class", "claim_vectors": "embedding"}
    for table, columns in tables.items():
        for number, *values in connection.execute(
            f"SELECT number, {columns} FROM {table} WHERE checksum = ?", (EMPTY,)
        ):
            if any(not isinstance(value, bytes) or value.strip(b"\0") for value in values):
                yield Problem(table, f"{where}: row {number} of {table} was removed, and is not empty")


def _living(connection: sqlite3.Connection, where: str, claims: Claims) -> Iterator[Problem]:
    """Compare which records live, and until when, with what they say themselves."""
    noted = {}
    for claim, expires_at, stored in connection.execute("SELECT claim, expires_at, checksum FROM live_claims"):
        if sound("live_claims", live(claim, expires_at), stored):
            noted[claim] = expires_at
        else:
            yield Problem("live_claims", f"{where}: the note of claim {claim!r} is damaged")
    for key, row in claims.sound.items():
        if row.number not in noted:
            yield Problem("live_claims", f"{where}: record {key.id!r} is not noted", key)
        elif noted.pop(row.number) != row.record(where).expires_at:
            yield Problem("live_claims", f"{where}: record {key.id!r} ends at another time than noted", key)
    for claim in noted.keys() - {row.number for row in claims.damaged}:
        yield Problem("live_claims", f"{where}: claim {claim} is noted, and cannot be found")


def _vectors(connection: sqlite3.Connection, where: str, claims: Claims) -> Iterator[Problem]:
    keys: dict[int, Key] = {row.number: key for key, row in claims.sound.items()}
    known = keys.keys() | {row.number for row in claims.damaged}
    models = read_models(connection, where)
    for model in models.values():
        vectors, wrong = vectors_of(connection, model, where)
        yield from (Problem("claim_vectors", message) for message in wrong)
        for claim in vectors.keys() - known:
            yield Problem("claim_vectors", f"{where}: a vector is of claim {claim}, which does not exist")
    numbers = {model.number for model in models.values()}
    for (model_number,) in connection.execute("SELECT DISTINCT model FROM claim_vectors WHERE checksum <> ?", (EMPTY,)):
        if model_number not in numbers:
            yield Problem("claim_vectors", f"{where}: vectors are of model {model_number}, which does not exist")


def _numbers(connection: sqlite3.Connection, where: str) -> Iterator[Problem]:
    """Look at the table that holds nothing but numbers."""
    for *values, stored in connection.execute("SELECT number, claim, checksum FROM removals"):
        if not sound("removals", values, stored):
            yield Problem("removals", f"{where}: row {values[0]!r} of removals is damaged")
