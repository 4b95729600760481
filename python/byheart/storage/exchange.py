"""Records as a text file, and back: one a line (`byheart.storage.jsonl`), the same bytes for the same records.

Vectors are left out: they can be made again, and belong to the embedder that made them.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..errors import InvalidArgument
from ..records import Record
from . import Store, by_id, key_of
from .connection import application_of
from .encoding import encode
from .jsonl import JsonlStore
from .lines import header
from .opening import check_nameable
from .schema import APPLICATION_ID
from .text_file import told, write_whole

_DURABLE: Final = (".db", ".db3", ".sqlite", ".sqlite3")
"""How names of durable memories end: a text file of that name would be taken for a damaged one."""


def write_jsonl(records: Sequence[Record], path: str | os.PathLike[str]) -> int:
    """Write complete records into a new file, private to its owner; return how many.

    Raises:
        InvalidArgument: the file is there already, or a link is, or its folder is not; or its name is that of a durable
            memory.
        StoreError: it cannot be written; nothing is left.

    """
    check_nameable(path)
    if os.fspath(path).lower().endswith(_DURABLE):
        raise InvalidArgument(
            f"export: {path} would be text, and is called a durable memory; name it as all.jsonl, or copy the memory"
            f" by `byheart backup {path}` (Memory.backup)"
        )
    place = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow a link, which is refused
    lines = _lines(records)
    with told(place):
        if not place.parent.is_dir():
            raise InvalidArgument(f"export: the folder of {path} does not exist; make it, or name another")
        try:
            if os.path.lexists(place):
                raise FileExistsError
            write_whole(place, lines, len(lines), new=True)
        except FileExistsError:
            raise InvalidArgument(f"export: {path} exists; name a new file") from None
    return len(records)


def as_jsonl(records: Sequence[Record]) -> bytes:
    """Return what `write_jsonl` would write."""
    lines = _lines(records)
    return b"".join([header(len(lines)), *lines])


def _lines(records: Sequence[Record]) -> list[bytes]:
    lines = {key_of(record): encode(record) for record in records}
    return [f"{lines[key]}\n".encode() for key in sorted(lines, key=by_id)]


def read_jsonl(path: str | os.PathLike[str]) -> list[Record]:
    """Return the records of a file that `write_jsonl` wrote.

    Raises:
        InvalidArgument: there is no such file, it is a device or a pipe, or a memory of another form.
        CorruptRecord: a line is no record; names it.
        StoreError: it cannot be read.

    """
    check_nameable(path)
    place = Path(path)
    with told(place):
        if not place.exists():
            raise InvalidArgument(f"import: {path} does not exist")
        if not place.is_file() and not place.is_dir():  # a pipe or a device, which may have no end
            raise InvalidArgument(f"import: {path} is no regular file; write the records into one, and import that")
        written = place.is_file() and place.stat().st_size > 0
    application = application_of(Path(os.path.realpath(place))) if written else None
    if application not in (None, -1, APPLICATION_ID):
        raise InvalidArgument(f"import: {path} is a database of another program, and no file of records")
    if application is not None:
        raise InvalidArgument(
            f"import: {path} is a memory, not a file of records; have it written by its export_to('all.jsonl') or by"
            f" `byheart export all.jsonl -m {place.name}`, then import that file"
        )
    return JsonlStore(path).load()


def export_jsonl(store: Store, path: str | os.PathLike[str]) -> int:
    """Write every record of a store into a new file, private to its owner; return how many.

    Raises:
        InvalidArgument: the file is there already, or its folder is not.
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
