"""The backup of a memory in use: the verb, and what it says that it did."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..errors import BoundaryViolation, InvalidArgument, StoreError
from ..frozen import Document
from ..index import selection as selecting
from ..light.classes import dataclass
from ..records import Record
from ..storage import Vectors, is_text
from .engine import Engine, Handle

if TYPE_CHECKING:
    from pathlib import Path

    from ..storage.backing_up import Made


@dataclass(frozen=True, slots=True)
class BackupReceipt(Document):
    """What `Memory.backup` did.

    Attributes:
        path: the backup, as a whole path.
        records: how many records it holds, of all tenants, archived ones too.
        bytes: how large it is.
        replaced: whether an older backup lay there.
        damaged: what SQLite first finds wrong with the file, which was copied as it is; None if that is nothing.

    """

    path: str
    records: int
    bytes: int
    replaced: bool = False
    damaged: str | None = None


def backup(self: Handle, target: str | os.PathLike[str]) -> BackupReceipt:
    """Write a copy of the whole memory, as of one moment, while it is in use; it is durable when the call returns.

    The copy is a file that opens as a memory and gives the same answers: a SQLite file of a SQLite file (copied by
    SQLite's online backup, vectors and history too), a text file of a text file, and of a memory in this process
    whichever the target's name says. Saved indexes are not copied; they are made anew. Who writes meanwhile loses
    nothing: what was acknowledged before the call is in it, and what comes later waits for a moment, or comes after.
    What is damaged is copied as it is: the receipt says so where SQLite finds it, and `check` of the copy names all.

    What is forgotten after a backup is still in it: forget there too, or remove the file, and the folder
    `TARGET.byheart-indexes` if the backup was ever opened. A backup that is replaced loses its saved indexes.

    Args:
        target: a new file in a folder that is there; or an older backup of this memory that nothing was written to
            since, as its content says, which is replaced once the new one is whole. No link is followed.

    Raises:
        BoundaryViolation: the memory was opened with a boundary or a policy, and the copy would hold what it may not
            see; `export_to` writes what it may.
        InvalidArgument: there is no such folder, or the name is the memory's own, or of another kind of file.
        StoreError: something else lies there, or the file cannot be written. What was there stays as it was.
        StoreBusy: another process is writing a backup there, or to the memory, and has not finished in time.

    >>> import tempfile, pathlib
    >>> from byheart import Memory
    >>> with tempfile.TemporaryDirectory() as folder, Memory(pathlib.Path(folder) / "memory.db") as memory:
    ...     id = memory.remember("Steep the tea for three minutes.", id="tea")
    ...     done = memory.backup(pathlib.Path(folder) / "backup.db")
    ...     with Memory(done.path) as copy:
    ...         done.records, copy.records() == memory.records()
    (1, True)

    """
    from ..storage.backing_up import place_of

    engine = self._engine
    if engine.governed.given or not engine.reach.sees_all:
        raise BoundaryViolation(
            "backup: it would hold what this memory may not see; open the memory without a boundary and without a"
            " policy for that, or write what it may see by export_to"
        )
    if engine.closed:
        raise StoreError("backup: the memory is closed; open it again")
    source: Path | None = getattr(engine.store, "path", None)
    place = place_of(target, source)
    if source is not None and is_text(source) != is_text(place):
        kind = "a text file, whose name ends in .jsonl" if is_text(source) else "no text file; use export_to for one"
        raise InvalidArgument(f"target: {place} is of another kind than the memory, which is {kind}")
    made = engine.store.back_up(place) if hasattr(engine.store, "back_up") else _written(engine, place)
    if made.replaced:
        _erase_saved(place)
    return BackupReceipt(str(place), made.records, place.stat().st_size, made.replaced, made.damaged)


def _erase_saved(place: Path) -> None:
    """Remove the saved indexes of a backup that was replaced: they hold what it held, be that forgotten since.

    Raises:
        StoreError: they cannot be removed.

    """
    from ..index.generations import Generations
    from ..storage.beside import INDEXES, beside

    folder = beside(place, INDEXES)
    if not folder.is_dir() or folder.is_symlink():
        return
    try:
        Generations(folder, "", [], None).erase(marked=True)
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror or error}; saved indexes of the older backup are left") from error


def _written(engine: Engine, place: Path) -> Made:
    """Return what came of a backup of a store that has no file of ours: its records and vectors in a new one."""
    from ..storage.backing_up import write_new

    store = engine.store

    def read() -> tuple[list[Record], Vectors | None]:
        model = store.model()
        return list(store.load()), None if model is None else Vectors(model, dict(store.vectors(model)))

    records, vectors = selecting.at_once(engine.indexes, read)
    return write_new(records, vectors, place, text=is_text(place))
