"""Index generations: files beside a store from which a memory opens without indexing its records again.

A generation is a cache. It names the store, the settings and the sequence number that it is of; one that is damaged,
of another store, of other settings or newer than the store is passed over, and the next older one is tried. It is
written to a temporary file, synced, and put in its place, so that a reader never sees half of one; older ones go when
a newer one stands. Where records are erased all generations go at once, since they hold what the records said; what a
record said that was replaced stays until then, or until the next generation.

The folder is byheart's own, and no link: one is refused, whatever it leads to. Files in it that are not named as
generations are left alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..errors import CorruptIndex, StoreError
from ..light.expressions import expression
from ..storage.beside import begins_with, create, head_of
from ..storage.sections import MAGIC, Section, read, written

_NAME = expression(r"generation-([0-9a-f]{16})-(\d{20})\.bhgen", re.ASCII)
_LEFT = expression(rf"{_NAME.pattern}\.\d+\.tmp", re.ASCII)  # of a writer that died
_HEADER = "header"
_BINARY = getattr(os, "O_BINARY", 0)  # Windows


class Generation(NamedTuple):
    """What a generation file holds: the store's change that it is up to, and its sections."""

    sequence: int
    sections: dict[str, bytes]


class Generations:
    """The generations of one store, in a folder of their own.

    Args:
        folder: where they lie; made on the first write, private to its owner.
        identity: what a generation must be of: the store and the settings of the memory, in one line.
        passed_over: takes why files were not used.
        hidden: what was hidden in what they are made of, in a word; without it nothing was.

    """

    def __init__(
        self, folder: Path, identity: str, passed_over: list[str] | None = None, hidden: str | None = None
    ) -> None:
        self.folder, self.identity = folder, identity
        self._mark = "" if hidden is None else hashlib.sha256(hidden.encode()).hexdigest()[:8]
        self._label = hashlib.sha256(identity.encode()).hexdigest()[: 16 - len(self._mark)] + self._mark
        self.passed_over: list[str] = [] if passed_over is None else passed_over

    def listed(self) -> list[tuple[int, Path]]:
        """Return the files of this identity and the changes they say they are up to, the newest first."""
        try:
            self.check_folder()
            return sorted(self._files(), reverse=True)
        except StoreError as error:
            self.passed_over.append(str(error).removeprefix(f"{self.folder.parent}{os.sep}"))
        except OSError as error:
            self.passed_over.append(f"{self.folder.name}: {error.strerror}")
        return []

    def newest(self, up_to: int, files: Iterable[tuple[int, Path]]) -> Generation | None:
        """Return the newest of these generations that is whole, of this identity, and not newer than change `up_to`."""
        for sequence, path in files:
            if sequence > up_to:
                self.passed_over.append(f"{path.name}: newer than the store")
                continue
            try:
                return Generation(sequence, self._read(path, sequence))
            except CorruptIndex as error:
                self.passed_over.append(f"{path.name}: {error}")
            except OSError as error:
                self.passed_over.append(f"{path.name}: {error.strerror}")
        return None

    def write(self, sequence: int, sections: Iterable[Section]) -> Path:
        """Write a generation and remove the older ones of this identity; durable on return. The caller is alone.

        Raises:
            OSError: the disk refuses; no generation is half written, and those that stood still stand.

        """
        self.make_folder()
        path = self.folder / f"generation-{self._label}-{sequence:020}.bhgen"
        for leftover in list(self.folder.iterdir()):
            if _LEFT.fullmatch(leftover.name):
                leftover.unlink(missing_ok=True)
        temporary = self.folder / f"{path.name}.{os.getpid()}.tmp"
        header = (_HEADER, f"{sequence}\n{self.identity}".encode())
        descriptor = create(temporary)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(written((header, *sections)))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        self._sync()
        for other, old in list(self._files()):
            if other < sequence:
                old.unlink(missing_ok=True)
        return path

    def drop_newer(self, than: int) -> None:
        """Remove generations, of any identity, that say they are of changes that the store has not had."""
        with contextlib.suppress(OSError, StoreError):  # it is passed over in any case
            self.check_folder()
            for sequence, path in list(self._files(any_identity=True)):
                if sequence > than:
                    path.unlink(missing_ok=True)

    def unlike(self) -> list[Path]:
        """Return the generations of texts in which something else was hidden, or nothing."""
        with contextlib.suppress(StoreError):  # a link is not followed
            self.check_folder()
            every = sorted(path for _, path in self._files(any_identity=True))
            return [path for path in every if not path.stem.split("-")[1].endswith(self._mark)]
        return []

    def erase(self, *, marked: bool = False) -> list[Path]:
        """Remove every generation, of any identity, and what a writer that died has left; return what was removed.

        Args:
            marked: only files that begin as a generation does: in a folder that others may have named so too.

        Raises:
            StoreError: the folder is a link.

        """
        gone = []
        self.check_folder()
        with contextlib.suppress(FileNotFoundError):
            for path in sorted(self.folder.iterdir()):
                named = _NAME.fullmatch(path.name) or _LEFT.fullmatch(path.name)
                if named and not path.is_dir() and (not marked or _is_marked(path)):
                    path.unlink(missing_ok=True)
                    gone.append(path)
        if gone:
            self._sync()
        return gone

    def check_folder(self) -> None:
        """Refuse to look where a link leads.

        Raises:
            StoreError: the folder is one, or no folder.

        """
        try:
            mode = self.folder.lstat().st_mode
        except FileNotFoundError:
            return
        if stat.S_ISLNK(mode):
            raise StoreError(
                f"{self.folder}: is a symbolic link, which byheart does not follow; remove it, and what was saved there"
            )
        if not stat.S_ISDIR(mode):
            raise StoreError(f"{self.folder}: is no folder; move it away")

    def make_folder(self) -> None:
        """Make the folder, private to its owner, if it is missing.

        Raises:
            StoreError: a link or a file has its name.

        """
        with contextlib.suppress(FileExistsError):
            self.folder.mkdir(mode=0o700)
        self.check_folder()

    def _files(self, *, any_identity: bool = False) -> Iterator[tuple[int, Path]]:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for path in self.folder.iterdir():
                if (match := _NAME.fullmatch(path.name)) and (any_identity or match[1] == self._label):
                    yield int(match[2]), path

    def _read(self, path: Path, sequence: int) -> dict[str, bytes]:
        with _opened(path) as file:
            sections = dict(read(file))
        header = sections.pop(_HEADER, b"")
        if header != f"{sequence}\n{self.identity}".encode():
            raise CorruptIndex("it is of another store, of other settings, or renamed")
        return sections

    def _sync(self) -> None:
        """Make names durable; Windows has no such call and needs none."""
        if os.name == "posix":
            descriptor = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _is_marked(path: Path) -> bool:
    try:
        head = head_of(path)
    except StoreError:
        return False
    return head is not None and begins_with(MAGIC)(head)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file; a link is not followed, and a pipe not waited for.

    Raises:
        CorruptIndex: it is neither.

    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise CorruptIndex("it is no regular file")
        yield file
