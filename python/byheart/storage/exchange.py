"""Records as a text file, and back: one a line (`byheart.storage.jsonl`), the same bytes for the same records.

Vectors are left out: they can be made again, and belong to the embedder that made them.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from ..errors import InvalidArgument
from ..records import Record
from . import Store
from .jsonl import JsonlStore


def write_jsonl(records: Sequence[Record], path: str | os.PathLike[str]) -> int:
    """Write complete records into a new file, private to its owner; return how many.

    Raises:
        InvalidArgument: the file is there already.
        OSError: it cannot be written; nothing is left.

    """
    if Path(path).exists():
        raise InvalidArgument(f"export: {path} exists; name a new file")
    file = JsonlStore(path)
    try:
        file.write(records, [])
    finally:  # nobody else writes to a file that was not there
        file.path.with_name(file.path.name + ".lock").unlink(missing_ok=True)
    return len(records)


def read_jsonl(path: str | os.PathLike[str]) -> list[Record]:
    """Return the records of a file that `write_jsonl` wrote.

    Raises:
        InvalidArgument: there is no such file.
        CorruptRecord: a line is no record; names it.

    """
    if not Path(path).exists():
        raise InvalidArgument(f"import: {path} does not exist")
    return JsonlStore(path).load()


def export_jsonl(store: Store, path: str | os.PathLike[str]) -> int:
    """Write every record of a store into a new file, private to its owner; return how many.

    Raises:
        InvalidArgument: the file is there already.
        CorruptRecord: a record of the store is damaged; nothing is written.

    >>> import tempfile
    >>> from byheart.storage.sqlite import SqliteStore
    >>> with tempfile.TemporaryDirectory() as name, SqliteStore(Path(name) / "memory.db") as store:
    ...     store.write([Record(id="tea", text="Three minutes.", tenant="t", scope="s", boundary_class="public")], [])
    ...     export_jsonl(store, Path(name) / "memory.jsonl"), import_jsonl(store, Path(name) / "memory.jsonl")
    (1, 1)

    """
    return write_jsonl(list(store.load()), path)


def import_jsonl(store: Store, path: str | os.PathLike[str]) -> int:
    """Put every record of a file into a store, all or none; return how many. A record with a known id is replaced.

    Raises:
        InvalidArgument, CorruptRecord: as in `read_jsonl`.

    """
    records = read_jsonl(path)
    store.write(records, [])
    return len(records)
