"""The tables of a store file, and how an older file becomes one of today.

A migration is a list of statements, and perhaps a function for what they cannot say, and never changes once it was
published; a file says in `migrations` which it has had. They go forward only: a file with one that is not known here
was written by a newer byheart, and is refused. What is done around a migration, its backup among it, is in
`byheart.storage.migrating`.

Names are those of the schema for claims that the store follows, where they fit: `claims`, `claim_vectors`. Its other
tables (observations, entities, relations, evidences, feedbacks, active_contexts, policies, events) come by later
migrations, with what uses them; nothing here takes their names.

What is put is only ever appended, under the next number of the store's one sequence: the number of a row is also the
time of the change. What is removed or replaced is blanked where it stands, with zeros of the same length, and the row
stays until the file is compacted. The reason is erasure: SQLite zeroes what it frees (`secure_delete`), but where it
splits or joins pages it moves rows, and leaves copies behind that a later removal does not reach. Rows that are
appended and blanked never move. So no text, id, vector or checksum stands in an index, whose entries do move.
"""
# docs/sources.md: B1.17.

import json
import sqlite3
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from ..errors import CorruptStore, UnsupportedFormat
from .beside import EMPTY_FILE
from .connection import fetched
from .rows import EMPTY, checksum, minus, plus, sound, total

APPLICATION_ID: Final = 0x62796874  # "byht": what `file` shows, and what tells a store from another SQLite file

MIGRATIONS: Final = (
    (
        "CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)",
        # One row. sequence: the last number given out. records, digest: how many rows of claims are not blank, and the
        # sum of their checksums, by which a row that was lost or came back is noticed; models: the same sum of that
        # table. blank: bytes of blanked rows.
        # floor: changes up to this number are no longer told apart. unsettled: rows have moved; vacuum before erasing.
        "CREATE TABLE state (only INTEGER PRIMARY KEY CHECK (only = 1), sequence INTEGER NOT NULL,"
        " records INTEGER NOT NULL, digest BLOB NOT NULL, models BLOB NOT NULL, blank INTEGER NOT NULL,"
        " floor INTEGER NOT NULL, unsettled INTEGER NOT NULL, checksum BLOB NOT NULL)",
        # A whole record as canonical JSON. tenant and id stand beside it so that keys can be read without it.
        "CREATE TABLE claims (number INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL,"
        " content TEXT NOT NULL, checksum BLOB NOT NULL)",
        # The rows of claims that are not blank, and when they end, if they do. A second witness beside their own page:
        # where one of the two was lost or came back, the other says so.
        "CREATE TABLE live_claims (claim INTEGER PRIMARY KEY, expires_at REAL, checksum BLOB NOT NULL)",
        "CREATE INDEX live_claims_by_end ON live_claims (expires_at) WHERE expires_at IS NOT NULL",
        # Which record was removed by which change, as numbers: no id outlives its record.
        "CREATE TABLE removals (number INTEGER PRIMARY KEY, claim INTEGER NOT NULL, checksum BLOB NOT NULL)",
        # The embedders whose vectors are kept, with count and digest as in state.
        "CREATE TABLE models (number INTEGER PRIMARY KEY, model TEXT NOT NULL UNIQUE, active INTEGER NOT NULL,"
        " vectors INTEGER NOT NULL, digest BLOB NOT NULL, checksum BLOB NOT NULL)",
        "CREATE TABLE claim_vectors (number INTEGER PRIMARY KEY, claim INTEGER NOT NULL, model INTEGER NOT NULL,"
        " embedding BLOB NOT NULL, checksum BLOB NOT NULL)",
        "CREATE INDEX claim_vectors_by_claim ON claim_vectors (claim, model)",
        # Not used: every tier is made of the whole vector. It stays since a migration that was published never changes.
        "CREATE TABLE tier_dirty (claim INTEGER NOT NULL, dimensions INTEGER NOT NULL, created_at REAL NOT NULL,"
        " checksum BLOB NOT NULL, PRIMARY KEY (claim, dimensions)) WITHOUT ROWID",
    ),
    (
        # In which cell a record lies: with tenant and id, its key. Blanked with them.
        "ALTER TABLE claims ADD COLUMN scope TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE claims ADD COLUMN boundary_class TEXT NOT NULL DEFAULT ''",
    ),
)
VERSION: Final = len(MIGRATIONS)
STATE: Final = "sequence, records, digest, models, blank, floor, unsettled, checksum"


def is_store(head: bytes) -> bool:
    """Return whether a file begins as a store does, or holds nothing yet."""
    return not head or (head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION_ID.to_bytes(4, "big"))


def version_of(connection: sqlite3.Connection, where: str) -> int:
    """Return how many migrations a file has had: its tables say so, also where the list of them is damaged.

    Raises:
        CorruptStore: not a store, or one whose tables are not as they were made.
        UnsupportedFormat: a newer byheart wrote it.

    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID and connection.execute("PRAGMA page_count").fetchone() == (0,):
        raise CorruptStore(f"{where}: {EMPTY_FILE}")
    if application != APPLICATION_ID:
        raise CorruptStore(f"{where}: not a memory file of byheart, or its first page is damaged; it is left as it is")
    found = _noted(connection)
    if found and isinstance(found[-1], int) and found[-1] > VERSION and found == list(range(1, len(found) + 1)):
        raise UnsupportedFormat(
            f"{where}: written by a newer byheart (format version {found[-1]}; this one reads {VERSION})"
        )
    tables = _tables(connection)
    made = next((number for number in range(VERSION, 0, -1) if tables == _made_by(MIGRATIONS[:number])), None)
    if made is None:
        raise CorruptStore(f"{where}: its tables are not those of a memory file")
    return made


def _noted(connection: sqlite3.Connection) -> list[Any] | None:
    """Return the migrations that a file says it has had; None where their pages are damaged."""
    rows = fetched(connection, "SELECT version FROM migrations ORDER BY version")
    return None if rows is None else [row[0] for row in rows]


def noted_wrong(connection: sqlite3.Connection) -> bool:
    """Return whether the list of a file's migrations is not that of its tables."""
    return _noted(connection) != list(range(1, VERSION + 1))


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Apply what a file with this many migrations lacks; the caller has begun a transaction."""
    if version == 0:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for number, step in enumerate(MIGRATIONS[version:], start=version + 1):
        for statement in step:
            connection.execute(statement)
        applied_at = datetime.now(UTC).isoformat(timespec="microseconds")  # files are told apart by it, too
        connection.execute("INSERT INTO migrations VALUES (?, ?)", (number, applied_at))
    if version == 0:
        state = (0, 0, EMPTY, EMPTY, 0, 0, 0)
        connection.execute("INSERT INTO state VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)", (*state, checksum("state", *state)))
    elif version < 2:
        name_cells(connection)


def name_cells(connection: sqlite3.Connection) -> None:
    """Write beside each sound record in which cell it lies, as the second migration wants it.

    A damaged row stays as it is, and is damaged as before; so does the sum of what was counted differ as before. Rows
    have moved, so the file has to be rewritten before anything is erased from it.
    """
    added, gone, last = [], [], 0
    query = "SELECT number, tenant, id, content, checksum FROM claims WHERE number > ? AND checksum <> ? LIMIT 1000"
    while rows := connection.execute(query, (last, EMPTY)).fetchall():
        last = rows[-1][0]
        for number, tenant, id, content, stored in rows:
            if not sound("claims", (number, tenant, id, content), stored):
                continue
            record = json.loads(content)
            scope, boundary_class = record["scope"], record["boundary_class"]
            new = checksum("claims", number, tenant, id, content, scope.encode(), boundary_class.encode())
            change = "UPDATE claims SET scope = ?, boundary_class = ?, checksum = ? WHERE number = ?"
            connection.execute(change, (scope, boundary_class, new, number))
            added.append(new)
            gone.append(stored)
    row = connection.execute(f"SELECT {STATE} FROM state").fetchone()
    if row is None or not sound("state", row[:-1], row[-1]):
        return  # whoever reads the file says so
    sequence, records, digest, models, blank, floor, _, _ = row
    values = (sequence, records, minus(plus(digest, total(added)), total(gone)), models, blank, floor, 1)
    connection.execute(
        "UPDATE state SET digest = ?, unsettled = 1, checksum = ?", (values[2], checksum("state", *values))
    )


def _tables(connection: sqlite3.Connection) -> list[str]:
    """Return the statements that make the tables and indexes of a file, as it has them."""
    return sorted(_text(row[0]) for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))


@cache
def _made_by(migrations: tuple[tuple[str, ...], ...]) -> list[str]:
    """Return what `_tables` says of a file that has had these migrations and nothing else."""
    connection = sqlite3.connect(":memory:")
    try:
        for step in migrations:
            for statement in step:
                connection.execute(statement)
        return _tables(connection)
    finally:
        connection.close()


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
