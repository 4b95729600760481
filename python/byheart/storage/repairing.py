"""The repair of a store file: what is damaged is removed, what is sound is counted anew, and all of it is one change.

It is asked for by name and never done by the way: until then a damaged row lies where it lay, and may be looked at.
"""

import sqlite3

from .change import write_state
from .reading import read_claims, read_state
from .rows import EMPTY, ClaimRow, checksum, live, plus, sound, total
from .vectors import Model


def repair(connection: sqlite3.Connection, where: str) -> None:
    """Remove what is not as it was written; the caller has begun a transaction that writes.

    Where the row that counts is damaged nobody knows what is missing: what is there is counted.
    """
    state = read_state(connection, where)
    claims = read_claims(connection, where)
    kept = list(claims.sound.values())
    numbers = {row.number for row in kept}
    for (number,) in connection.execute("SELECT number FROM claims").fetchall():
        if number not in numbers:  # damaged, blank, or blank and not empty
            connection.execute("DELETE FROM claims WHERE number = ?", (number,))
    _note_living(connection, where, kept)
    connection.execute("DELETE FROM removals")
    state.models = _count_vectors(connection, numbers)
    state.records, state.digest = len(kept), total([row.checksum for row in kept])
    state.sequence += 1
    state.floor, state.blank, state.unsettled = state.sequence, 0, 1  # nobody can follow; rows have moved
    connection.execute("INSERT OR IGNORE INTO state VALUES (1, 0, 0, ?, ?, 0, 0, 0, ?)", (EMPTY, EMPTY, EMPTY))
    write_state(connection, state)


def _note_living(connection: sqlite3.Connection, where: str, rows: list[ClaimRow]) -> None:
    connection.execute("DELETE FROM live_claims")
    for row in rows:
        expires_at = row.record(where).expires_at
        stored = checksum("live_claims", *live(row.number, expires_at))
        connection.execute("INSERT INTO live_claims VALUES (?, ?, ?)", (row.number, expires_at, stored))


def _count_vectors(connection: sqlite3.Connection, claims: set[int]) -> bytes:
    """Keep the vectors that are sound, of records and models that are; return the digest of the models."""
    models: dict[int, Model] = {}
    for *values, stored in connection.execute("SELECT number, model, active, vectors, digest, checksum FROM models"):
        if sound("models", values, stored):
            models[values[0]] = Model(values[0], values[1], values[2], 0, EMPTY)
    seen: set[tuple[int, int]] = set()
    rows = connection.execute("SELECT number, claim, model, embedding, checksum FROM claim_vectors").fetchall()
    for *values, stored in reversed(rows):  # of two with one record and model, the later one stands
        number, claim, model, _ = values
        if claim not in claims or model not in models or (claim, model) in seen or not _whole(values, stored):
            connection.execute("DELETE FROM claim_vectors WHERE number = ?", (number,))
            continue
        seen.add((claim, model))
        models[model].vectors += 1
        models[model].digest = plus(models[model].digest, stored)
    connection.execute("DELETE FROM models")
    digest = EMPTY
    for model in models.values():
        stored = checksum("models", *model.values())
        row = (model.number, model.model.decode(), model.active, model.vectors, model.digest, stored)
        connection.execute("INSERT INTO models VALUES (?, ?, ?, ?, ?, ?)", row)
        digest = plus(digest, stored)
    return digest


def _whole(values: list[object], stored: object) -> bool:
    return stored != EMPTY and sound("claim_vectors", values, stored)
