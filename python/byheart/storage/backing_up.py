"""Backups of a store in use: a copy of one moment under a name of the caller's, which opens as a memory and is equal.

Laws: the copy is written beside its place, synced, and then put there; what is there already is replaced only if it is
an older backup of the same store, as its content says, that nothing was written to since. No link is followed, no
other file is touched, and where anything fails, what was there stays as it was.

A backup holds what the store held, for good: what is forgotten later is forgotten in the store, not there.

How a backup is told from a memory: of a SQLite file, the number that SQLite keeps for programs in the header says the
checksum of the file's own state, which the next write changes and the number not; of a text file, the first line says
the digest of the others, and of which file they are. So a backup that somebody has gone on writing to is a memory,
and is not replaced.
"""

import glob
import json
import os
import sqlite3
import stat
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from ..errors import CorruptStore, InvalidArgument, StoreBusy, StoreError
from ..records import Record
from .beside import BEING_MADE, LOCK, beside, clear, create, head_of, put_in_place
from .connection import connect, patiently, translated
from .encoding import encode
from .lines import header, key_in
from .locking import hold, sync_folder
from .opening import check_nameable
from .protocol import Key, Vectors, by_id, key_of
from .reserved import JOURNAL, is_reserved
from .rows import EMPTY, readable
from .schema import APPLICATION_ID, version_of
from .text_file import told
from .witness import checksums_at, made_at, witnesses

T = TypeVar("T")

_FILLED: Final = "memory"  # what is made in a folder of its own
_MARK: Final = "backup"  # of a text file, in its first line
_MADE: dict[Path, str] = {}  # what this process has put at a place
_LOCK_SECONDS: Final = 10.0
_OURS: Final = (".byheart-", "-journal", "-wal", "-shm")  # endings of what lies beside a store


def place_of(target: str | os.PathLike[str], source: Path | None) -> Path:
    """Return where a backup is to lie.

    Raises:
        InvalidArgument: it is the store itself, or a name that is needed beside it; or there is no such folder.
        StoreError: what is there is a link, a folder, a pipe or the like, or cannot be looked at.

    """
    if not isinstance(target, (str, os.PathLike)):
        raise TypeError(f"target must be a path, not {type(target).__name__}")
    if not os.fspath(target):
        raise InvalidArgument("target: is empty; name a file")
    check_nameable(target)
    place = Path(os.path.abspath(os.fspath(target)))  # noqa: PTH100 - resolve() would follow a link, which is refused
    with told(place):
        return _checked(place, source)


def _checked(place: Path, source: Path | None) -> Path:
    """Return a place at which a backup may lie. Errors as in `place_of`."""
    if not place.parent.is_dir():
        raise InvalidArgument(f"target: the folder of {place} does not exist; make it, or name another")
    if source is not None and place.parent.resolve() == source.parent.resolve():
        rest = place.name.removeprefix(source.name)
        if place.name == source.name:
            raise InvalidArgument(f"target: {place} is the memory itself; name another file")
        if place.name.startswith(source.name) and rest.startswith(_OURS):
            raise InvalidArgument(f"target: {place} is a name that the memory needs beside its file; name another")
    try:
        mode = place.lstat().st_mode
    except FileNotFoundError:
        return place
    if not stat.S_ISREG(mode):
        what = "a symbolic link, which byheart does not follow" if stat.S_ISLNK(mode) else "no regular file"
        raise StoreError(f"{place}: is {what}; name another file")
    return place


class Made(NamedTuple):
    """What came of a backup: its records, whether it took an older one's place, what SQLite finds wrong with it."""

    records: int
    replaced: bool
    damaged: str | None = None


def put(place: Path, is_older: Callable[[], bool], make: Callable[[Path], int]) -> Made:
    """Have a backup made beside its place and put there, durable on return.

    One is made at a time: whoever makes another one for the same place waits.

    Args:
        place: where it is to lie.
        is_older: whether what lies there may be replaced; asked if anything does.
        make: writes the backup into an empty file, and returns how many records it holds.

    Raises:
        StoreError: what lies there is no older backup of this store; or a file cannot be written.
        StoreBusy: another process is making one for the same place, and has not finished in time.

    """
    new = beside(place, BEING_MADE)
    with hold(beside(place, LOCK), _LOCK_SECONDS):
        _check_beside(place)
        replaced = _may_replace(place, is_older)
        clear(new, _is_ours)  # left by a process that died
        _clear_folders(new)
        os.close(create(new))
        try:
            records = make(new)
            _sync(new)
            if replaced and _may_replace(place, is_older):  # as it is by now
                new.replace(place)
            else:
                put_in_place(new, place)
        except FileExistsError:
            new.unlink(missing_ok=True)
            raise StoreError(f"{place}: another program has made it meanwhile; name another file") from None
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        sync_folder(place.parent)
    return Made(records, replaced)


def _may_replace(place: Path, is_older: Callable[[], bool]) -> bool:
    """Return whether an older backup lies there, and nothing else does."""
    if not os.path.lexists(place):
        return False
    if not stat.S_ISREG(place.lstat().st_mode) or not is_older():
        raise StoreError(
            f"{place}: exists, and is no older backup of this memory that nothing was written to since;"
            " name a new file, or move it away"
        )
    return True


def _check_beside(place: Path) -> None:
    """Refuse a place beside which a journal lies that SQLite would play into the backup."""
    for ending in ("-journal", "-wal"):
        head = head_of(beside(place, ending), 1)
        if head:
            raise StoreError(f"{beside(place, ending)}: lies there, and would be taken for the backup's; move it away")


def _clear_folders(new: Path) -> None:
    """Remove the folders in which a process that died was making a backup (`_fill`); others of such a name are left."""
    for folder in new.parent.glob(f"{glob.escape(new.name)}-*"):
        if folder.is_symlink() or not folder.is_dir():
            continue
        held = list(folder.iterdir())
        if all(each.name.startswith(_FILLED) and each.is_file() and not each.is_symlink() for each in held):
            for each in held:
                each.unlink(missing_ok=True)
            folder.rmdir()


def _is_ours(head: bytes) -> bool:
    """Return whether a file begins as one that was about to become a backup."""
    return not head or head.startswith((b"SQLite format 3\0", b'{"format": "byheart-jsonl"'))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# ---- SQLite files


def copy_file(source: Path, place: Path, check: Callable[[], object], seconds: float) -> Made:
    """Back up a SQLite file by SQLite's online backup.

    It is read in one transaction, as of one moment. Who writes meanwhile waits, as for any other process.

    Args:
        source: the file.
        place: see `place_of`.
        check: raises where the file is not the one that the store has opened.
        seconds: how long to wait for one that writes.

    Raises:
        StoreBusy: another connection wrote all that time.

    """

    def wait(run: Callable[[], T]) -> T:
        return patiently(run, seconds, lambda: StoreBusy(f"{source}: others wrote for more than {seconds:g} s"))

    damage: list[str] = []

    def make(new: Path) -> int:
        check()
        reading = wait(lambda: connect(source, read_only=True))
        try:
            records = _copy(reading, new, wait, source)
        finally:
            reading.close()
        check()
        damage.extend(_damage(new))  # now: nobody waits for it any more
        return records

    try:
        made = put(place, lambda: wait(lambda: _is_older(source, place)), make)
        return made._replace(damaged=damage[-1] if damage else None)
    except (sqlite3.Error, OSError) as error:
        if isinstance(translated(place, error), CorruptStore):  # a copy is damaged where its source is
            from .checking import WAY_OUT

            raise CorruptStore(f"{translated(source, error)}; no backup was made: {WAY_OUT}") from error
        raise translated(place, error) from error


def _copy(reading: sqlite3.Connection, new: Path, wait: Callable[[Callable[[], None]], None], source: Path) -> int:
    def begin() -> None:
        if not reading.in_transaction:
            reading.execute("BEGIN")
        reading.execute("SELECT only FROM state").fetchone()

    wait(begin)  # from here on nobody else can commit
    target = sqlite3.connect(new, isolation_level=None)
    try:
        target.execute("PRAGMA journal_mode = MEMORY").fetchall()  # no other file is made for it
        target.execute("PRAGMA fullfsync = ON").fetchall()
        reading.backup(target)
        target.execute(f"PRAGMA user_version = {_state(target, source)}")
        query = "SELECT count(*) FROM claims WHERE checksum <> ? AND tenant <> ?"
        return int(target.execute(query, (EMPTY, JOURNAL)).fetchone()[0])
    finally:
        target.close()


def _damage(new: Path) -> list[str]:
    """Return what SQLite first finds wrong with a file, if anything."""
    connection = sqlite3.connect(new, isolation_level=None)
    try:
        connection.text_factory = bytes  # what is damaged may be no text
        [found] = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        found = str(error).encode()
    finally:
        connection.close()
    return [] if found == b"ok" else [readable(found)]


def _state(connection: sqlite3.Connection, where: Path) -> int:
    """Return the number that says what state a file is in: another one after every write, and never 0.

    Raises:
        CorruptStore: it does not say so.

    """
    found = connection.execute("SELECT checksum FROM state").fetchone()
    checksum = None if found is None else found[0]
    if not isinstance(checksum, bytes):
        from .checking import WAY_OUT

        raise CorruptStore(f"{where}: its table `state` is damaged; no backup was made: {WAY_OUT}")
    return int(zlib.crc32(checksum) & 0x7FFFFFFF) or 1


def _is_older(source: Path, place: Path) -> bool:
    """Return whether a file is a backup of this store, and as it was made."""
    try:
        found = connect(place, read_only=True, writes=False)
    except sqlite3.Error:
        return False
    try:
        if found.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            return False
        version_of(found, str(place))
        if found.execute("PRAGMA user_version").fetchone()[0] != _state(found, place):
            return False
        sequence = _sequence(found)
        made, known = made_at(found), dict(witnesses(found, sequence))
    except (sqlite3.Error, CorruptStore, TypeError):
        return False
    finally:
        found.close()
    own = connect(source, read_only=True)
    try:
        there = checksums_at(own, list(known))
        agree = [known[number] == checksum for number, checksum in there.items()]
        same = made_at(own) == made and sequence <= _sequence(own)
        # Where all that is in the backup has changed since, the moment at which the file was made tells it from others;
        # files of older builds know only the second.
        return same and all(agree) and (any(agree) or not known or b"." in made)
    finally:
        own.close()


def _sequence(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT sequence FROM state").fetchone()[0])


# ---- text files


def write_lines(source: Path, lines: Sequence[bytes], keys: Collection[Key], place: Path) -> Made:
    """Back up the lines of a text file.

    Args:
        source: the file; a backup of another one is not replaced.
        lines: all but the first.
        keys: of the records among them.
        place: see `place_of`.

    """
    digest, of = _digest(lines), sha256(os.fsencode(os.path.realpath(source))).hexdigest()[:16]

    def make(new: Path) -> int:
        said = {**json.loads(header(len(lines))), _MARK: source.name, "of": of, "digest": digest}
        new.write_bytes(b"".join([json.dumps(said).encode(), b"\n", *lines]))
        return sum(not is_reserved(key) for key in keys)

    done = _put(place, lambda: _is_older_text(source.name, of, keys, place), make)
    _MADE[place] = digest
    return done


def _put(place: Path, is_older: Callable[[], bool], make: Callable[[Path], int]) -> Made:
    """Return what `put` does; what the system says is an error of the store."""
    with told(place):
        return put(place, is_older, make)


def _is_older_text(name: str, of: str, keys: Collection[Key], place: Path) -> bool:
    """Return whether a file is a backup of this one, as it was made.

    A file that was lost and begun anew has the path of the old one, and none of its records: it replaces no backup of
    that. So does one of which each record has gone since, unless this process made the backup.
    """
    first, _, rest = place.read_bytes().partition(b"\n")
    try:
        said: Any = json.loads(first)
    except ValueError:
        return False
    if not isinstance(said, dict) or said.get(_MARK) != name or said.get("of", of) != of:
        return False
    if said.get("digest") != _digest([rest]):
        return False
    there = rest.splitlines(keepends=True)
    return not there or _MADE.get(place) == said["digest"] or any(key_in(line) in keys for line in there)


def _digest(lines: Iterable[bytes]) -> str:
    digest = sha256()
    for line in lines:
        digest.update(line)
    return digest.hexdigest()


# ---- what lies in no file


def write_new(records: Iterable[Record], vectors: Vectors | None, place: Path, *, text: bool) -> Made:
    """Back up what lies in no file of ours: into a new one, a text file or a store with its vectors.

    Raises:
        StoreError: something has the name.

    """
    held = {key_of(record): record for record in records}
    keys = sorted(held, key=by_id)

    def make(new: Path) -> int:
        if text:
            lines = (f"{encode(held[key])}\n".encode() for key in keys)
            new.write_bytes(b"".join([header(len(keys)), *lines]))
        else:
            _fill(new, [held[key] for key in keys], vectors)
        return sum(not is_reserved(key) for key in keys)

    return _put(place, lambda: False, make)


def _fill(new: Path, records: Sequence[Record], vectors: Vectors | None) -> None:
    """Make a store file of records, in a folder of its own until it is whole."""
    from tempfile import TemporaryDirectory

    from .sqlite import SqliteStore

    with TemporaryDirectory(prefix=f"{new.name}-", dir=new.parent) as folder:
        path = Path(folder) / _FILLED
        with SqliteStore(path) as store:
            if vectors is not None:
                store.adopt(vectors.model)
            store.write(records, [], vectors)
        path.replace(new)
