"""A memory in one text file: a header line, then one record a line as JSON. The command line keeps its memory so.

Laws: a write is all or nothing (a new file beside the old one, synced, then put in its place); the bytes depend on the
records alone, not on the order in which they came; a line that cannot be read is an error, never skipped.

Several processes may use one file. Each write takes a lock, and where another process has written since this one last
looked, the file is read again and the change is applied to what it holds now: nothing another process wrote is lost,
and for one record the last write stands. Whoever asks for `sequence` or `changes` takes in what others wrote; until
then, what was read stays as it was, and so does what `get` returns.

Not for: memories that are written to many times a second. Each write costs time in proportion to the whole file.
"""

import json
import os
import stat
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import BinaryIO, Final

from ..errors import CorruptRecord, ReadOnlyStore, StoreBusy, UnsupportedFormat
from ..records import Record
from . import Changes, Key, Since, Vectors, by_id, key_of
from .beside import LOCK, NEW, begins_with, beside, clear, create, put_in_place
from .encoding import decode, encode, parse
from .locking import hold, hold_if_there, sync_folder
from .log import Log

FORMAT: Final = "byheart-jsonl"
VERSION: Final = 1
_BEGINNING: Final = b'{"format": "byheart-jsonl"'

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
        self._records: dict[Key, Record] = {}  # what the file held when it was read last
        self._lines: dict[Key, str] = {}  # its lines
        self._seen: _Signature | None = None  # the file that `_lines` are of
        self._held = _Held()  # that file
        self._log = Log()  # of the changes that this process has seen
        self._turn = RLock()
        self._unsure = False  # whether a write was broken off: done or not, the file says
        _OPEN.add(self)

    def load(self) -> list[Record]:
        """Return all records, in the order of the file; none if there is no file yet.

        Raises:
            CorruptRecord: a line is no complete record, or lines are missing; names the file and the line.
            UnsupportedFormat: a newer version of byheart wrote the file.

        """
        with self._turn:
            if self._unsure or self._seen is None or self._now() != self._seen:
                self._read_file()
            return list(self._records.values())

    def sequence(self) -> int:
        """Return the number of the last change that this process has seen, having looked at the file. Errors as above.

        Numbers are of this store alone: they tell changes apart as long as it is open.
        """
        if self._unsure or self._now() != self._seen:
            with self._turn:
                if self._unsure or self._now() != self._seen:
                    self._read_file()
        return self._log.sequence

    def changes(self, since: int) -> Changes:
        """Return the keys whose records changed after a sequence, whoever changed them."""
        self.sequence()
        with self._turn:
            return self._log.changes(since)

    def get(self, keys: Sequence[Key]) -> list[Record | None]:
        """Return the records of these keys as they were read last, None where there is none."""
        if self._unsure:
            self._settle()
        return [self._records.get(key) for key in keys]

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
        since: Since | None = None,
    ) -> bool:
        """Write as `write` does if the file holds these records as they are here, and not these keys; return whether.

        Nor may anything have been put since that matters. Vectors are passed over: a text file keeps none. Errors as
        in `write`.
        """
        if self.read_only:
            raise ReadOnlyStore(f"{self.path}: was opened for reading")
        changes: _Changes = {**dict.fromkeys(remove), **{key_of(record): encode(record) for record in put}}
        with hold(beside(self.path, LOCK), self.lock_seconds), hold_if_there(*self._older_lock()), self._turn:
            if self._unsure or self._now() != self._seen:
                self._read_file()
            if not self._stands(expected, absent, since):
                return False
            self._unsure = True
            lines = {key: line for key, line in self._lines.items() if key not in changes}
            lines.update((key, line) for key, line in changes.items() if line is not None)
            if self._seen is None or lines != self._lines:
                self._replace(lines)
            for key in remove:
                self._records.pop(key, None)
            self._records.update((key_of(record), record) for record in put)
            self._log.note(changes)
            self._unsure = False
        return True

    def _settle(self) -> None:
        """Know as the file has it what a write was about that was broken off."""
        with self._turn:
            if self._unsure:  # by another thread that is done by now
                self._read_file()

    def _older_lock(self) -> tuple[Path, float]:
        """Return the lock that builds before this one took, and how long to wait for it; it is never made."""
        return beside(self.path, ".lock"), self.lock_seconds

    def close(self) -> None:
        """Let go of the file; no lock is held between calls."""
        with self._turn:
            self._held.let_go()
            self._seen = None

    def _stands(self, expected: Sequence[Record], absent: Sequence[Key], since: Since | None) -> bool:
        """Return whether the file, as it was read last, is what a writer expects it to be."""
        if any(self._records.get(key_of(record)) != record for record in expected):
            return False
        if any(key in self._lines for key in absent):
            return False
        if since is None or since.sequence == self._log.sequence:
            return True
        changed = self._log.changes(since.sequence)
        there = None if changed.keys is None else changed.keys & self._lines.keys()
        return since.spared(Changes(changed.sequence, there))

    def _now(self) -> _Signature | None:
        """Return the signature of the file as it is now; None if there is none."""
        try:
            return _signature(self.path.stat())
        except FileNotFoundError:
            return None

    def _read_file(self) -> None:
        """Read and check the whole file, and note what is another than before; the caller has the turn."""
        lines: dict[Key, str] = {}
        records: dict[Key, Record] = {}
        seen = None
        try:
            with self.path.open("rb") as file:
                seen = self._held.take(file.fileno())
                records = {key_of(record): record for record in self._read_lines(file, lines)}
        except FileNotFoundError:
            pass
        before, self._records, self._lines, self._seen = self._lines, records, lines, seen
        changed = [key for key in before.keys() | lines.keys() if before.get(key) != lines.get(key)]
        if self._unsure:  # what was told of the lines before need not be what the file held then
            self._log.note_all()
            self._unsure = False
        elif changed:
            self._log.note(changed)

    def _read_lines(self, file: BinaryIO, lines: dict[Key, str]) -> Iterator[Record]:
        """Yield each record and note its line, checking the header, every line and their number."""
        promised = self._read_header(file.readline())
        known = {} if self._unsure else {line: key for key, line in self._lines.items()}
        for number, raw in enumerate(file, start=2):
            where = f"{self.path}, line {number}"
            if not raw.endswith(b"\n"):
                raise CorruptRecord(f"{where}: the line is cut off")
            line, record = self._read_line(raw, where, known)
            key = key_of(record)
            if key in lines:
                raise CorruptRecord(
                    f"{where}: a second record with the id {record.id!r} in scope {key.scope!r},"
                    f" class {key.boundary_class!r}"
                )
            lines[key] = line
            yield record
        if promised is not None and promised != len(lines):
            raise CorruptRecord(
                f"{self.path}: {len(lines)} records, but line 1 says {promised}; lines were lost or added"
                ' (if you edited the file on purpose, take "records" out of line 1)'
            )

    def _read_line(self, raw: bytes, where: str, known: dict[str, Key]) -> tuple[str, Record]:
        """Return a line as text and the record that it describes; one that was read before is not parsed again."""
        old = known.get(raw[:-1].decode(errors="replace"))
        if old is not None:
            return self._lines[old], self._records[old]
        line, value = parse(raw, where)
        return line, decode(value, where)

    def _read_header(self, raw: bytes) -> int | None:
        """Check line 1; return how many records it promises, or None if it does not say."""
        where = f"{self.path}, line 1"
        _, header = parse(raw, where) if raw else ("", {})
        version, promised = header.get("version"), header.get("records")
        if header.get("format") != FORMAT or type(version) is not int or version < 1:
            raise CorruptRecord(f"{where}: not a memory file of byheart (no {FORMAT} header); it is left as it is")
        if version > VERSION:
            raise UnsupportedFormat(
                f"{self.path}: written by a newer byheart (format version {version}; this one reads {VERSION})"
            )
        if promised is not None and type(promised) is not int:
            raise CorruptRecord(f'{where}: "records" must be a whole number')
        return promised

    def _replace(self, lines: dict[Key, str]) -> None:
        """Write the whole file anew beside the old one and put it in its place; the caller holds the lock."""
        in_order = (lines[key] for key in sorted(lines, key=by_id))
        try:
            seen = write_whole(self.path, in_order, len(lines), new=self._seen is None, signed=self._held.take)
        except FileExistsError:
            raise StoreBusy(f"{self.path}: another program has made it meanwhile; try again") from None
        self._lines, self._seen = lines, seen


class _Held:
    """The file that was read last, kept open: as long as it is, no file that takes its place has the same number.

    Without this two files that were written in one tick of the clock could not be told apart. Where an open file cannot
    be replaced (Windows), none is held; there the clock has ticks enough.
    """

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def take(self, descriptor: int) -> _Signature:
        """Hold this file in the place of the one before, and return its signature."""
        self.let_go()
        if os.name == "posix":
            self._descriptor = os.dup(descriptor)
        return _signature_of(descriptor)

    def let_go(self) -> None:
        """Hold nothing."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    __del__ = let_go


def _signature_of(descriptor: int) -> _Signature:
    return _signature(os.fstat(descriptor))


def write_whole(
    path: Path, lines: Iterable[str], number: int, *, new: bool, signed: Callable[[int], _Signature] = _signature_of
) -> _Signature:
    """Write a file of so many lines beside its place and put it there, durable on return; return its signature.

    Args:
        path: the place.
        lines: of the records, in order.
        number: how many they are.
        new: whether there is no file yet; one that comes to be meanwhile is not replaced.
        signed: returns the signature of the file behind a descriptor.

    Raises:
        FileExistsError: it was to be new, and is there.
        StoreError: another's file has the name that is needed beside it.

    """
    header = json.dumps({"format": FORMAT, "version": VERSION, "records": number})
    temporary = beside(path, NEW)
    clear(temporary, begins_with(_BEGINNING))  # left by a process that died
    descriptor = create(temporary)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(f"{line}\n".encode() for line in chain([header], lines))
            file.flush()
            os.fsync(descriptor)
            seen = signed(descriptor)
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


_OPEN: weakref.WeakSet[JsonlStore] = weakref.WeakSet()


def _after_fork() -> None:
    """Give a child turns of its own: one that another thread had at the fork would never be given back."""
    for store in list(_OPEN):
        store._turn = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
