"""A memory in one text file: a header line, then one record a line as JSON. The command line keeps its memory so.

Laws: a write is all or nothing (a new file beside the old one, synced, then put in its place); the bytes depend on the
records alone, not on the order in which they came; a line that cannot be read is named, and stays as it is until its
record is forgotten or the file is repaired (`byheart.storage.lines`).

Several processes may use one file. Each write takes a lock, and where another process has written since this one last
looked, the file is read again and the change is applied to what it holds now: nothing another process wrote is lost,
and for one record the last write stands. Whoever asks for `sequence` or `changes` takes in what others wrote; until
then, what was read stays as it was, and so does what `get` returns. A file that is put in the place of this one is read
in the same way: editors and other processes write so. Where the file was moved away or removed, every call raises
`StoreReplaced` until it is back: a write would make a file that holds what it puts, and nothing else.

A line bears no checksum: people edit the file by hand, and an edit is no damage. What still reads as a record counts as
one, so that a flipped bit inside a text goes unnoticed here; the durable file notices it.

Not for: memories that are written to many times a second. Each write costs time in proportion to the whole file.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from pathlib import Path

from ..errors import ByheartError, CorruptRecord, InvalidArgument, ReadOnlyStore, StoreBusy, StoreError, StoreReplaced
from ..records import Record
from . import Changes, Key, Outcome, Problem, Since, Vectors, Write
from .backing_up import Made, write_lines
from .delay import Delayed, Durability, can_wait, check_durability
from .lines import Lines, read_lines
from .locking import make_folder
from .text import Text, encoded
from .text_file import told
from .waiting_text import WaitingText


class JsonlStore(Delayed):
    """The records of one memory file; a `byheart.storage.Store`.

    Args:
        path: the file; the first write creates it, private to its owner. A link is followed.
        lock_seconds: how long a write waits for another process that is writing.
        read_only: refuse to write, and to be opened without a file; so is a file that the system lets nobody write to.
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
        self.lock_seconds = lock_seconds
        with told(self.path):
            exists = self.path.exists()
            if read_only and not exists:
                raise ReadOnlyStore(f"{self.path}: does not exist, and was to be opened for reading")
        # A write puts another file in its place, which the system lets who may not write to this one.
        self.read_only = read_only or (exists and not os.access(self.path, os.W_OK))
        self._text = Text(self.path)
        self._waiting = WaitingText(self._text)
        self._delay = self._waiting.delay
        self._closed = False

    def make(self) -> None:
        """Make the file, without a record, where there is none yet: so that others can open it for reading.

        Raises:
            StoreError: it cannot be made.

        """
        with told(self.path):
            if self.path.exists():
                return
            make_folder(self.path.parent)
        with self._alone():
            self._text.look()
            if self._text.file.seen is None:
                self._text.file.replace(self._text.lines)

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
        with self._text.turn:
            self._text.look()  # not at a file that is not there yet, if something waits to be written to it
            lines = self._text.lines
        problems = lines.problems()
        if damaged is not None:
            damaged.extend(problems)
        elif problems:
            raise CorruptRecord(problems[0].message)
        return list(lines.records.values())

    def sequence(self) -> int:
        """Return the number of the last change that this process has seen, having looked at the file. Errors as above.

        Numbers are of this store alone: they tell changes apart as long as it is open.
        """
        self._check_open()
        text = self._text
        now = text.file.now()
        if not text.ahead and (text.unsure or now != text.file.seen):
            with text.turn:
                text.look()
        return text.log.sequence

    def changes(self, since: int) -> Changes:
        """Return the keys whose records changed after a sequence, whoever changed them."""
        self.sequence()
        with self._text.turn:
            return self._text.log.changes(since)

    def get(self, keys: Sequence[Key], damaged: list[Problem] | None = None) -> list[Record | None]:
        """Return the records of these keys as they were read last, None where there is none.

        Args:
            keys: of the records.
            damaged: takes what is known to be damaged of them.

        """
        if self._text.unsure:
            self._settle()
        lines = self._text.lines
        if damaged is not None and lines.damaged:
            asked = set(keys).difference(lines.records)
            damaged.extend(line.problem for line in lines.damaged if line.problem.key in asked)
        return [lines.records.get(key) for key in keys]

    def check(self) -> list[Problem]:
        """Return everything in the file that is not as it was written; an empty list if all is well."""
        self._delay.settle()
        self._text.file.now()
        with told(self.path), suppress(FileNotFoundError), self.path.open("rb") as file:
            return read_lines(str(self.path), file).problems()
        return []

    def repair(self) -> list[Problem]:
        """Remove the damaged lines for good, and count the others anew; return what was wrong. Errors as in `write`."""
        self._check_writable()
        self._delay.settle()
        with self._alone():
            self._text.read(anew=True)
            lines = self._text.lines
            found = lines.problems()
            if found:
                self._text.become(Lines(lines.records, lines.lines), ())
        return found

    def back_up(self, place: Path) -> Made:
        """Write a copy of the file as of one moment, durable on return (`byheart.storage.backing_up`)."""
        self._check_open()
        self._delay.settle()
        with self._text.turn:
            self._text.look()
            lines = self._text.lines
        return write_lines(self.path, lines.raws(), lines.records.keys(), place)

    def write(self, put: Sequence[Record], remove: Sequence[Key]) -> None:
        """Remove the keys (unknown ones are passed over), then put the records: all or nothing, durable on return.

        Raises:
            StoreBusy: another process is writing and has not finished in time; names it.
            StoreError: the system refuses to write it: the disk is full, say.
            StoreReplaced: the file was moved or removed since this process has read it.
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
                self._check_writable()
                return [*self._waiting.acknowledged(writes, self.lock_seconds)]
            self._delay.settle()
            return [*self._written(writes)]
        except ByheartError as error:
            if len(writes) == 1:
                return [error]
            of_all = isinstance(error, (StoreBusy, StoreReplaced, ReadOnlyStore)) or undone != self._delay.undone
            unsaid = isinstance(error, InvalidArgument)  # a record, before the file is touched
            if of_all or (not unsaid and self._text.file.now() != self._text.file.seen):
                return [copy(error) for _ in writes]  # each is raised somewhere else
        return [outcome for write in writes for outcome in self.write_each([write])]

    def _written(self, writes: Sequence[Write]) -> list[bool]:
        """Write all that stand, and return whether each did."""
        self._check_writable()
        lines = encoded(writes)
        with self._alone():
            self._text.look()
            done, made, changed = self._text.made(writes, lines)
            if any(done):
                self._text.become(made, changed)
        return done

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of the file, and the turn. Errors as in `byheart.storage.text_file.told`."""
        with self._text.file.locked(self.lock_seconds), self._text.turn:
            yield

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path}: the store is closed")

    def _check_writable(self) -> None:
        self._check_open()
        if self.read_only:
            raise ReadOnlyStore(f"{self.path}: was opened for reading, or may not be written to")

    def _settle(self) -> None:
        """Know as the file has it what a write was about that was broken off."""
        with self._text.turn:
            if self._text.unsure:  # by another thread that is done by now
                self._text.read()

    def close(self) -> None:
        """Let go of the file; no lock is held between calls.

        Raises:
            StoreError: calls that had been acknowledged could not be written, and are undone.

        """
        try:
            self._delay.finish()
        finally:
            self._closed = True
            with self._text.turn:
                self._text.file.let_go()
