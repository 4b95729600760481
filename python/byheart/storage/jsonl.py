"""A memory in one text file: a header line, then one record a line as JSON. The command line keeps its memory so.

Laws: a write is all or nothing (a new file beside the old one, synced, then put in its place); the bytes depend on the
records alone, not on the order in which they came; a line that cannot be read is named, and stays as it is until its
record is forgotten or the file is repaired (`byheart.storage.lines`).

Several processes may use one file. Each write takes a lock, and where another process has written since this one last
looked, the file is read again and the change is applied to what it holds now: nothing another process wrote is lost,
and for one record the last write stands. Whoever asks for `sequence` or `changes` takes in what others wrote; until
then, what was read stays as it was, and so does what `get` returns.

A line bears no checksum: people edit the file by hand, and an edit is no damage. What still reads as a record counts as
one, so that a flipped bit inside a text goes unnoticed here; the durable file notices it.

Not for: memories that are written to many times a second. Each write costs time in proportion to the whole file.
"""

import os
import stat
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager
from copy import copy
from itertools import chain
from pathlib import Path
from threading import Lock, RLock
from typing import Final

from ..errors import ByheartError, CorruptRecord, ReadOnlyStore, StoreBusy, StoreError, UnsupportedFormat
from ..records import Record
from . import Changes, Key, Outcome, Problem, Since, Vectors, Write, key_of
from .backing_up import Made, write_lines
from .beside import LOCK, NEW, begins_with, beside, clear, create, put_in_place
from .delay import Delay, Delayed, Durability, can_wait, check_durability
from .encoding import encode
from .lines import FORMAT, Lines, header, read_lines
from .locking import hold, hold_if_there, make_folder, sync_folder
from .log import Log
from .reserved import is_reserved

_BEGINNING: Final = f'{{"format": "{FORMAT}"'.encode()

_Signature = tuple[int, int, int]


class JsonlStore(Delayed):
    """The records of one memory file; a `byheart.storage.Store`.

    Args:
        path: the file; the first write creates it, private to its owner. A link is followed.
        lock_seconds: how long a write waits for another process that is writing.
        read_only: refuse to write, and to be opened without a file.
        durability: "full" returns from a write once it is on the medium; "normal" once it is part of a file whose
            writing begins at most 50 ms later (`byheart.storage.delay`), several writes in one. What removes or
            replaces what was said returns once that is gone, in any case.

    >>> import tempfile, byheart
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "memory.jsonl"
    ...     id = byheart.Memory(store=JsonlStore(path)).remember("Steep the tea for three minutes.", id="tea")
    ...     byheart.Memory(store=JsonlStore(path)).recall("how long must tea steep?").hits[0].id
    'tea'

    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        lock_seconds: float = 10.0,
        read_only: bool = False,
        durability: Durability = "full",
    ) -> None:
        check_durability(durability)
        self.durability: Durability = durability
        self.path = Path(os.path.realpath(path))
        self.lock_seconds, self.read_only = lock_seconds, read_only
        if read_only and not self.path.exists():
            raise ReadOnlyStore(f"{self.path}: does not exist, and was to be opened for reading")
        self._file = Lines()  # what the file held when it was read last
        self._seen: _Signature | None = None  # the file that `_file` was read of
        self._held = _Held()  # that file
        self._log = Log()  # of the changes that this process has seen
        self._turn = RLock()
        self._closed = False
        self._unsure = False  # whether a write was broken off: done or not, the file says
        self._waiting: ExitStack | None = None  # holds the lock of the file for what waits to be written to it
        self._before = Lines()  # what the file holds meanwhile
        self._amid = False  # whether more is being added to that
        self._gate = RLock()  # of those who do so; taken before the turn
        self._delay = Delay(self)
        _OPEN.add(self)

    def make(self) -> None:
        """Make the file, without a record, where there is none yet: so that others can open it for reading.

        Raises:
            StoreError: it cannot be made.

        """
        if self.path.exists():
            return
        try:
            make_folder(self.path.parent)
            with self._alone():
                self._look()
                if self._seen is None:
                    self._replace(self._file)
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error

    def load(self, damaged: list[Problem] | None = None) -> list[Record]:
        """Return all records, in the order of the file; none if there is no file yet.

        Args:
            damaged: takes what is wrong; the records that are sound are returned all the same.

        Raises:
            CorruptRecord: it is no memory file; or a line is no complete record, or lines are missing, and no list was
                given. Names the file and the line.
            UnsupportedFormat: a newer version of byheart wrote the file.

        """
        self._check_open()
        with self._turn:
            self._look()  # not at a file that is not there yet, if something waits to be written to it
            file = self._file
        problems = file.problems()
        if damaged is not None:
            damaged.extend(problems)
        elif problems:
            raise CorruptRecord(problems[0].message)
        return list(file.records.values())

    def sequence(self) -> int:
        """Return the number of the last change that this process has seen, having looked at the file. Errors as above.

        Numbers are of this store alone: they tell changes apart as long as it is open.
        """
        self._check_open()
        if self._waiting is None and (self._unsure or self._now() != self._seen):
            with self._turn:
                self._look()
        return self._log.sequence

    def changes(self, since: int) -> Changes:
        """Return the keys whose records changed after a sequence, whoever changed them."""
        self.sequence()
        with self._turn:
            return self._log.changes(since)

    def get(self, keys: Sequence[Key], damaged: list[Problem] | None = None) -> list[Record | None]:
        """Return the records of these keys as they were read last, None where there is none.

        Args:
            keys: of the records.
            damaged: takes what is known to be damaged of them.

        """
        if self._unsure:
            self._settle()
        file = self._file
        if damaged is not None and file.damaged:
            asked = set(keys).difference(file.records)
            damaged.extend(line.problem for line in file.damaged if line.problem.key in asked)
        return [file.records.get(key) for key in keys]

    def check(self) -> list[Problem]:
        """Return everything in the file that is not as it was written; an empty list if all is well."""
        self._delay.settle()
        try:
            with self.path.open("rb") as file:
                return read_lines(str(self.path), file).problems()
        except FileNotFoundError:
            return []

    def repair(self) -> list[Problem]:
        """Remove the damaged lines for good, and count the others anew; return what was wrong. Errors as in `write`."""
        self._check_writable()
        self._delay.settle()
        with self._alone():
            self._read_file(anew=True)
            found = self._file.problems()
            if found:
                self._become(Lines(self._file.records, self._file.lines), ())
        return found

    def back_up(self, place: Path) -> Made:
        """Write a copy of the file as of one moment, durable on return (`byheart.storage.backing_up`)."""
        self._check_open()
        self._delay.settle()
        with self._turn:
            self._look()
            file = self._file
        records = sum(not is_reserved(key) for key in file.records)
        return write_lines(self.path.name, file.raws(), place, records)

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
        [done] = self.write_each([Write(expected, put, remove, vectors, absent, since)])
        if isinstance(done, Exception):
            raise done
        return done

    def write_each(self, writes: Sequence[Write]) -> list[Outcome]:
        """Do what `write_if` would do for each, in this order, in one new file; return what became of each.

        Where that file cannot be written and the one before is there still, each is done in a file of its own.
        """
        undone = self._delay.undone
        try:
            if self.durability == "normal" and can_wait(writes):
                return [*self._acknowledged(writes)]
            self._delay.settle()
            return [*self._written(writes)]
        except (ByheartError, OSError) as error:
            if len(writes) == 1:
                return [error]
            of_all = isinstance(error, (StoreBusy, ReadOnlyStore)) or undone != self._delay.undone
            if of_all or self._now() != self._seen:
                return [copy(error) for _ in writes]  # each is raised somewhere else
        return [outcome for write in writes for outcome in self.write_each([write])]

    def _written(self, writes: Sequence[Write]) -> list[bool]:
        """Write all that stand, and return whether each did."""
        self._check_writable()
        encoded = _encoded(writes)
        with self._alone():
            self._look()
            done, file, changed = self._made(writes, encoded)
            if any(done):
                self._become(file, changed)
        return done

    def _made(
        self, writes: Sequence[Write], encoded: Sequence[Mapping[Key, tuple[Record, str]]]
    ) -> tuple[list[bool], Lines, set[Key]]:
        """Return whether each write stands, the lines that they make of the file, and the keys that they change."""
        done: list[bool] = []
        file, put, changed = self._file, set[Key](), set[Key]()
        for write, lines in zip(writes, encoded, strict=True):
            done.append(self._stands(file, put, write))
            if done[-1]:
                file = file.changed(lines, write.remove)
                put |= lines.keys()
                changed.update(write.remove, lines)
        return done, file, changed

    # ---- calls that wait

    def _acknowledged(self, writes: Sequence[Write]) -> list[bool]:
        """Write all that stand, a moment later, and return whether each did."""
        self._check_writable()
        encoded = _encoded(writes)
        with self.turn():
            try:
                self._begin_waiting()
                done = self._added(writes, encoded)
                for _ in filter(None, done):
                    self._delay.acknowledge()
            finally:
                if not self._delay.calls and self._waiting is not None:
                    self._end_unless_added()
        return done

    def _added(self, writes: Sequence[Write], encoded: Sequence[Mapping[Key, tuple[Record, str]]]) -> list[bool]:
        """Add all that stand to what waits, and return whether each did."""
        self._amid = True
        try:
            done, file, changed = self._made(writes, encoded)
            if any(done):
                before = self._file
                try:
                    self._file = file
                    self._note(before, changed)
                except BaseException:
                    self._log.note_all()
                    raise
        finally:
            self._amid = False
        return done

    def _begin_waiting(self) -> None:
        """Lock the file for what is to wait, unless it is so already; the caller has the turn."""
        if self._delay.overdue:
            self._delay.settle()
        if self._waiting is not None:
            return
        time.sleep(max(self._delay.pause(), 0.0))  # other processes have their turn
        with ExitStack() as locks:
            locks.enter_context(hold(beside(self.path, LOCK), self.lock_seconds))
            locks.enter_context(hold_if_there(*self._older_lock()))
            self._look()
            self._before, self._waiting = self._file, locks.pop_all()
        self._delay.begin()

    def _end_unless_added(self) -> None:
        """Have nobody wait where nothing waits to be written; but what was broken off once it was added does."""
        if self._file is self._before:
            self._end_waiting()
            self._delay.close()
        else:
            self._delay.begin()
            self._delay.acknowledge()

    def _end_waiting(self) -> None:
        """Let others write again."""
        locks, self._waiting = self._waiting, None
        if locks is not None:
            locks.close()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Keep other threads of this process from writing (`byheart.storage.delay.Owner`)."""
        with self._gate, self._turn:
            if self._amid:
                raise StoreBusy(f"{self.path}: this thread is writing already; a signal's handler cannot write as well")
            yield

    def patiently(self, run: Callable[[], None]) -> None:
        """Run something at once: the lock is held already."""
        run()

    def commit_waiting(self) -> None:
        """Write the file with all that waits; the caller has the turn.

        Raises:
            StoreError: it cannot be written, or another program has changed it without asking for the lock.

        """
        before, made = self._before, self._file
        try:
            if self._now() != self._seen and not self._is_written(made):
                raise StoreError(f"{self.path}: another program has changed it, and did not ask for its lock")
            if self._seen is None or made.lines != before.lines or made.damage() != before.damage():
                self._replace(made)
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error
        except StoreBusy as error:  # it was not there, and has come to be
            raise StoreError(str(error)) from error
        self._end_waiting()

    def _is_written(self, made: Lines) -> bool:
        """Return whether the file holds these lines, as it does where only the end of its writing was broken off."""
        with self.path.open("rb") as file:
            seen = self._held.take(file.fileno())
            try:
                found = read_lines(str(self.path), file)
            except (CorruptRecord, UnsupportedFormat):  # it is no memory file any more
                return False
        if found.lines == made.lines and found.damage() == made.damage():
            self._seen, self._before = seen, made
        return self._seen == seen

    def undo_waiting(self) -> None:
        """Know nothing of what waited: the file says what is so; the caller has the turn."""
        self._file, self._unsure = self._before, True
        self._end_waiting()

    def _become(self, made: Lines, changed: Iterable[Key]) -> None:
        """Have the file hold these lines from now on, and know it so; the caller is alone."""
        self._unsure = True
        before = self._file
        if self._seen is None or made.lines != before.lines or made.damage() != before.damage():
            self._replace(made)
        self._file = made
        self._note(before, changed)

    def _note(self, before: Lines, changed: Iterable[Key]) -> None:
        """Count the change from what was known before; the caller has the turn.

        What is wrong with a file is not known by the keys of records alone: a change of that is one of everything.
        """
        changed = set(changed)
        if self._file.damage() != before.damage():
            self._log.note_all()
        elif changed:
            self._log.note(changed)
        self._unsure = False

    def _look(self) -> None:
        """Read the file if it is not known to be the one that was read last; the caller has the turn.

        What waits to be written to it is newer.
        """
        if self._waiting is None and (self._unsure or self._now() != self._seen):
            self._read_file()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of the file, and the turn."""
        with hold(beside(self.path, LOCK), self.lock_seconds), hold_if_there(*self._older_lock()), self._turn:
            yield

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path}: the store is closed")

    def _check_writable(self) -> None:
        self._check_open()
        if self.read_only:
            raise ReadOnlyStore(f"{self.path}: was opened for reading")

    def _settle(self) -> None:
        """Know as the file has it what a write was about that was broken off."""
        with self._turn:
            if self._unsure:  # by another thread that is done by now
                self._read_file()

    def _older_lock(self) -> tuple[Path, float]:
        """Return the lock that builds before this one took, and how long to wait for it; it is never made."""
        return beside(self.path, ".lock"), self.lock_seconds

    def close(self) -> None:
        """Let go of the file; no lock is held between calls.

        Raises:
            StoreError: calls that had been acknowledged could not be written, and are undone.

        """
        try:
            self._delay.finish()
        finally:
            self._closed = True
            with self._turn:
                self._held.let_go()
                self._seen = None

    def _stands(self, file: Lines, put: Set[Key], write: Write) -> bool:
        """Return whether the lines that a file is to have are what a writer expects; `put` were put by others before.

        These others are of the same group, and their changes are not in the log yet.
        """
        if any(file.records.get(key_of(record)) != record for record in write.expected):
            return False
        damaged = {line.problem.key for line in file.damaged}
        if any(key in file.lines or key in damaged for key in write.absent):
            return False
        since = write.since
        if since is None or (since.sequence == self._log.sequence and not put):
            return True
        changed = self._log.changes(since.sequence)
        there = None if changed.keys is None else (changed.keys | put) & file.lines.keys()
        return since.spared(Changes(changed.sequence, there))

    def _now(self) -> _Signature | None:
        """Return the signature of the file as it is now; None if there is none."""
        try:
            return _signature(self.path.stat())
        except FileNotFoundError:
            return None

    def _read_file(self, *, anew: bool = False) -> None:
        """Read and check the whole file, and note what is another than before; the caller has the turn.

        Args:
            anew: parse the lines that were read before, too.

        """
        before, unsure, seen, found = self._file, self._unsure, None, Lines()
        known = {} if unsure or anew else {line: before.records[key] for key, line in before.lines.items()}
        try:
            with self.path.open("rb") as file:
                seen = self._held.take(file.fileno())
                found = read_lines(str(self.path), file, known)
        except FileNotFoundError:
            pass
        self._unsure = True
        self._file, self._seen = found, seen
        if unsure:  # what was told of the lines before need not be what the file held then
            self._log.note_all()
            self._unsure = False
        else:
            keys = before.lines.keys() | found.lines.keys()
            self._note(before, [key for key in keys if before.lines.get(key) != found.lines.get(key)])

    def _replace(self, made: Lines) -> None:
        """Write the whole file anew beside the old one and put it in its place; the caller holds the lock."""
        raws = made.raws()
        try:
            self._seen = write_whole(
                self.path, raws, len(raws) + made.lost, new=self._seen is None, signed=self._held.take
            )
        except FileExistsError:
            raise StoreBusy(f"{self.path}: another program has made it meanwhile; try again") from None


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
    path: Path, lines: Iterable[bytes], number: int, *, new: bool, signed: Callable[[int], _Signature] = _signature_of
) -> _Signature:
    """Write a file of lines beside its place and put it there, durable on return; return its signature.

    Args:
        path: the place.
        lines: in order.
        number: how many they are to be, as its first line says.
        new: whether there is no file yet; one that comes to be meanwhile is not replaced.
        signed: returns the signature of the file behind a descriptor.

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
_FORKING: list[JsonlStore] = []
_REGISTER = Lock()  # for that


def _encoded(writes: Sequence[Write]) -> list[dict[Key, tuple[Record, str]]]:
    return [{key_of(record): (record, encode(record)) for record in write.put} for write in writes]


def _before_fork() -> None:
    """Write what waits, and let no more of it come: no child inherits the lock that is held for it."""
    _REGISTER.acquire()
    for store in sorted(_OPEN, key=id):
        store._gate.acquire()
        _FORKING.append(store)
        store._delay.leave()


def _after_fork() -> None:
    while _FORKING:
        _FORKING.pop()._gate.release()
    _REGISTER.release()


def _after_fork_in_child() -> None:
    """Give a child turns of its own: one that another thread had at the fork would never be given back."""
    _FORKING.clear()
    for store in list(_OPEN):
        store._turn, store._gate = RLock(), RLock()
    _REGISTER.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)
