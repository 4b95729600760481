"""A memory in one text file: a header line, then one record a line as JSON. The command line keeps its memory so.

Laws: a write is all or nothing (a new file beside the old one, synced, then put in its place); the bytes depend on the
records alone, not on the order in which they came; a line that cannot be read is named, and stays as it is until its
record is forgotten or the file is repaired (`byheart.storage.lines`).

Several processes may use one file. Each write takes a lock, and where another process has written since this one last
looked, the file is read again and the change is applied to what it holds now: nothing another process wrote is lost,
and for one record the last write stands. What others wrote is seen when the file is opened anew, not by a memory that
is already open: its answers stay those of the records that it has indexed, and of those that it meets in a write.

Not for: memories that are written to many times a second. Each write costs time in proportion to the whole file.
"""

import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final

from ..errors import CorruptRecord, ReadOnlyStore, StoreBusy
from ..records import Record
from . import Key, Problem, Vectors, by_id, key_of
from .beside import LOCK, NEW, begins_with, beside, clear, create, put_in_place
from .encoding import decode, encode
from .lines import FORMAT, DamagedLine, Lines, header, read_lines
from .locking import hold, hold_if_there, sync_folder

_BEGINNING: Final = f'{{"format": "{FORMAT}"'.encode()

_Signature = tuple[int, int, int]
_Changes = dict[Key, str | None]  # the line that a record gets; None: it goes


class JsonlStore:
    """The records of one memory file; a `byheart.storage.Store`.

    Args:
        path: the file; the first write creates it, private to its owner. A link is followed.
        lock_seconds: how long a write waits for another process that is writing.
        read_only: refuse to write, and to be opened without a file.

    >>> import tempfile, byheart
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "memory.jsonl"
    ...     id = byheart.Memory(store=JsonlStore(path)).remember("Steep the tea for three minutes.", id="tea")
    ...     byheart.Memory(store=JsonlStore(path)).recall("how long must tea steep?").hits[0].id
    'tea'

    """

    def __init__(self, path: str | os.PathLike[str], *, lock_seconds: float = 10.0, read_only: bool = False) -> None:
        self.path = Path(os.path.realpath(path))
        self.lock_seconds, self.read_only = lock_seconds, read_only
        if read_only and not self.path.exists():
            raise ReadOnlyStore(f"{self.path}: does not exist, and was to be opened for reading")
        self._records: dict[Key, Record] = {}  # what was loaded and written here
        self._file = Lines()  # what the file holds
        self._seen: _Signature | None = None  # the file that `_lines` are of
        self._unsure: set[Key] = set()  # what a write was about that was broken off: done or not, the file says

    def load(self, damaged: list[Problem] | None = None) -> list[Record]:
        """Return all records, in the order of the file; none if there is no file yet.

        Args:
            damaged: takes what is wrong; the records that are sound are returned all the same.

        Raises:
            CorruptRecord: it is no memory file; or a line is no complete record, or lines are missing, and no list was
                given. Names the file and the line.
            UnsupportedFormat: a newer version of byheart wrote the file.

        """
        self._read_file()
        problems = self._file.problems()
        if damaged is not None:
            damaged.extend(problems)
        elif problems:
            raise CorruptRecord(problems[0].message)
        self._records = {key_of(record): record for record in self._file.records}
        self._unsure.clear()
        return list(self._records.values())

    def get(self, keys: Sequence[Key], damaged: list[Problem] | None = None) -> list[Record | None]:
        """Return the records of these keys, None where there is none; the file is not read.

        Args:
            keys: of the records.
            damaged: takes what is known to be damaged of them.

        """
        if self._unsure:
            self._settle()
        if damaged is not None and self._file.damaged:
            asked = set(keys).difference(self._records)
            damaged.extend(line.problem for line in self._file.damaged if line.problem.key in asked)
        return [self._records.get(key) for key in keys]

    def check(self) -> list[Problem]:
        """Return everything in the file that is not as it was written; an empty list if all is well."""
        return self._read_now().problems()

    def repair(self) -> list[Problem]:
        """Remove the damaged lines for good, and count the others anew; return what was wrong. Errors as in `write`."""
        self._check_writable()
        with self._alone():
            self._read_file()
            found = self._file.problems()
            if found:
                self._replace(self._file.lines, [], 0)
        return found

    def write(self, put: Sequence[Record], remove: Sequence[Key]) -> None:
        """Remove the keys (unknown ones are passed over), then put the records: all or nothing, durable on return.

        Raises:
            StoreBusy: another process is writing and has not finished in time; names it.
            CorruptRecord: another process changed the file, and it cannot be read.

        """
        self.write_if([], put, remove)

    def write_if(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None = None,
        absent: Sequence[Key] = (),
    ) -> bool:
        """Write as `write` does if the file holds these records as they are here, and not these keys; return whether.

        Vectors are passed over: a text file keeps none. Errors as in `write`.
        """
        self._check_writable()
        changes: _Changes = {**dict.fromkeys(remove), **{key_of(record): encode(record) for record in put}}
        self._unsure.update(changes)
        done = self._commit(changes, expected, absent)
        if done:
            for key in remove:
                self._records.pop(key, None)
            self._records.update((key_of(record), record) for record in put)
        else:
            self._look_again([*map(key_of, expected), *absent])
        self._unsure.clear()
        return done

    def _settle(self) -> None:
        """Know as the file has it what a write was about that was broken off."""
        if self._now() != self._seen:
            self._read_file()
        self._look_again(self._unsure)
        self._unsure.clear()

    def close(self) -> None:
        """Do nothing: no file or lock is held between calls."""

    def _commit(self, changes: _Changes, expected: Sequence[Record], absent: Sequence[Key]) -> bool:
        """Apply changes to what the file holds now, if it holds these records and not these keys; return whether."""
        with self._alone():
            if self._now() != self._seen:
                self._read_file()
            now = self._file
            known = now.lines.keys() | {line.problem.key for line in now.damaged}
            if not all(map(self._holds, expected)) or any(key in known for key in absent):
                return False
            lines = {key: line for key, line in now.lines.items() if key not in changes}
            lines.update((key, line) for key, line in changes.items() if line is not None)
            damaged = [line for line in now.damaged if line.problem.key not in changes]
            if self._seen is None or lines != now.lines or damaged != now.damaged:
                self._replace(lines, damaged, now.lost)
        return True

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of the file."""
        with hold(beside(self.path, LOCK), self.lock_seconds), hold_if_there(*self._older_lock()):
            yield

    def _check_writable(self) -> None:
        if self.read_only:
            raise ReadOnlyStore(f"{self.path}: was opened for reading")

    def _older_lock(self) -> tuple[Path, float]:
        """Return the lock that builds before this one took, and how long to wait for it; it is never made."""
        return beside(self.path, ".lock"), self.lock_seconds

    def _look_again(self, keys: Iterable[Key]) -> None:
        """Know these records as the file has them: what the caller knew of them is out of date."""
        for key in keys:
            line = self._file.lines.get(key)
            if line is None:
                self._records.pop(key, None)
            else:
                self._records[key] = decode(json.loads(line), str(self.path))

    def _holds(self, record: Record) -> bool:
        """Return whether the lines that were read last say what a record does; a person may have written one."""
        line = self._file.lines.get(key_of(record))
        return line is not None and decode(json.loads(line), str(self.path)) == record

    def _now(self) -> _Signature | None:
        """Return the signature of the file as it is now; None if there is none."""
        try:
            return _signature(self.path.stat())
        except FileNotFoundError:
            return None

    def _read_file(self) -> None:
        """Read and check the whole file, and remember its lines."""
        self._seen, self._file = None, Lines()
        self._read_now(remember=True)

    def _read_now(self, *, remember: bool = False) -> Lines:
        """Return what the file holds now."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return Lines()
        with file:
            seen = _signature(os.fstat(file.fileno()))
            found = read_lines(str(self.path), file)
        if remember:
            self._file, self._seen = found, seen
        return found

    def _replace(self, lines: dict[Key, str], damaged: Sequence[DamagedLine], lost: int) -> None:
        """Write the whole file anew beside the old one and put it in its place; the caller holds the lock."""
        raws = [*(f"{lines[key]}\n".encode() for key in sorted(lines, key=by_id)), *map(_whole_line, damaged)]
        try:
            seen = write_whole(self.path, raws, len(raws) + lost, new=self._seen is None)
        except FileExistsError:
            raise StoreBusy(f"{self.path}: another program has made it meanwhile; try again") from None
        self._file.lines, self._file.damaged, self._file.lost, self._seen = lines, list(damaged), lost, seen
        if not lost:
            self._file.miscounted = None


def _whole_line(line: DamagedLine) -> bytes:
    return line.raw if line.raw.endswith(b"\n") else line.raw + b"\n"


def write_whole(path: Path, lines: Iterable[bytes], number: int, *, new: bool) -> _Signature:
    """Write a file of lines beside its place and put it there, durable on return; return its signature.

    Args:
        path: the place.
        lines: in order.
        number: how many they are to be, as its first line says.
        new: whether there is no file yet; one that comes to be meanwhile is not replaced.

    Raises:
        FileExistsError: it was to be new, and is there.
        StoreError: another's file has the name that is needed beside it.

    """
    temporary = beside(path, NEW)
    clear(temporary, begins_with(_BEGINNING))  # left by a process that died
    descriptor = create(temporary)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chain([header(number)], lines))
            file.flush()
            os.fsync(descriptor)
            seen = _signature(os.fstat(descriptor))
        if new:
            put_in_place(temporary, path)
        else:
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))  # whoever opened it to a group meant it
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
    return seen


def _signature(status: os.stat_result) -> _Signature:
    """Return what tells one version of the file from the next: each write makes a new file."""
    return status.st_ino, status.st_mtime_ns, status.st_size
