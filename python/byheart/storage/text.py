"""A text file as one process knows it: its lines, the log of their changes, and what a change makes of them."""

from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import TypeAlias

from ..records import Record
from . import Changes, Key, Write, key_of
from .encoding import encode
from .lines import Lines
from .log import Log
from .text_file import TextFile, told

Encoded: TypeAlias = Mapping[Key, tuple[Record, str]]
"""The records that a write puts, each with its line."""


class Text:
    """What is known of a text file. Whoever reads it anew or changes it has the turn.

    Args:
        path: of the file.

    Attributes:
        file: the file.
        lines: what it held when it was read last; if this is ahead, what it is to hold.
        log: of the changes that this process has seen.
        turn: of this process's threads.
        unsure: whether a write was broken off: done or not, the file says.
        ahead: whether something waits to be written to the file, which is locked meanwhile.

    """

    def __init__(self, path: Path) -> None:
        self.file = TextFile(path)
        self.lines, self.log = Lines(), Log()
        self.turn = RLock()
        self.unsure = self.ahead = False

    def look(self) -> None:
        """Read the file if it is not known to be the one that was read last; the caller has the turn.

        What waits to be written to it is newer. Errors as in `read`.
        """
        now = self.file.now()
        if not self.ahead and (self.unsure or now != self.file.seen):
            self.read()

    def read(self, *, anew: bool = False) -> None:
        """Read and check the whole file, and note what is another than before; the caller has the turn.

        Errors as in `told`, and as in `TextFile.read`, but where there is no file yet nothing is in it.

        Args:
            anew: parse the lines that were read before, too.

        """
        before, unsure, seen, found = self.lines, self.unsure, None, Lines()
        known = {} if unsure or anew else {line: before.records[key] for key, line in before.lines.items()}
        with told(self.file.path), suppress(FileNotFoundError):
            found, seen = self.file.read(known)
        self.unsure = True
        self.lines, self.file.seen = found, seen
        if unsure:  # what was told of the lines before need not be what the file held then
            self.log.note_all()
            self.unsure = False
        else:
            keys = before.lines.keys() | found.lines.keys()
            self.note(before, [key for key in keys if before.lines.get(key) != found.lines.get(key)])

    def made(self, writes: Sequence[Write], encoded: Sequence[Encoded]) -> tuple[list[bool], Lines, set[Key]]:
        """Return whether each write stands, the lines that they make of the file, and the keys that they change."""
        done: list[bool] = []
        lines, put, changed = self.lines, set[Key](), set[Key]()
        for write, coming in zip(writes, encoded, strict=True):
            done.append(self._stands(lines, put, write))
            if done[-1]:
                lines = lines.changed(coming, write.remove)
                put |= coming.keys()
                changed.update(write.remove, coming)
        return done, lines, changed

    def _stands(self, lines: Lines, put: Set[Key], write: Write) -> bool:
        """Return whether the lines that a file is to have are what a writer expects; `put` were put by others before.

        These others are of the same group, and their changes are not in the log yet.
        """
        if any(lines.records.get(key_of(record)) != record for record in write.expected):
            return False
        damaged = {line.problem.key for line in lines.damaged}
        if any(key in lines.lines or key in damaged for key in write.absent):
            return False
        since = write.since
        if since is None or (since.sequence == self.log.sequence and not put):
            return True
        changed = self.log.changes(since.sequence)
        there = None if changed.keys is None else (changed.keys | put) & lines.lines.keys()
        return since.spared(Changes(changed.sequence, there))

    def become(self, made: Lines, changed: Iterable[Key]) -> None:
        """Have the file hold these lines from now on, and know it so; the caller is alone."""
        self.unsure = True
        before = self.lines
        if self.file.seen is None or made.lines != before.lines or made.damage() != before.damage():
            self.file.replace(made)
        self.lines = made
        self.note(before, changed)

    def note(self, before: Lines, changed: Iterable[Key]) -> None:
        """Count the change from what was known before; the caller has the turn.

        What is wrong with a file is not known by the keys of records alone: a change of that is one of everything.
        """
        changed = set(changed)
        if self.lines.damage() != before.damage():
            self.log.note_all()
        elif changed:
            self.log.note(changed)
        self.unsure = False


def encoded(writes: Sequence[Write]) -> list[Encoded]:
    """Return the records of each write, and their lines."""
    return [{key_of(record): (record, encode(record)) for record in write.put} for write in writes]
