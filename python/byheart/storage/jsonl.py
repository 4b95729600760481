"""A memory in one text file: a header line, then one record a line as JSON. The command line keeps its memory so.

Laws: a write is all or nothing (a new file beside the old one, synced, then put in its place); the bytes depend on the
records alone, not on the order in which they came; a line that cannot be read is an error, never skipped.

Several processes may use one file. Each write takes a lock, and where another process has written since this one last
looked, the file is read again and the change is applied to what it holds now: nothing another process wrote is lost, and
for one id the last write stands. What another process wrote is seen by `load`, not by a memory that is already open.

Not for: memories that are written to many times a second. Each write costs time in proportion to the whole file.
"""

import json
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from byheart.errors import ByheartError, CorruptRecord, InvalidArgument, UnsupportedFormat
from byheart.records import Record
from byheart.storage.locking import hold

FORMAT: Final = "byheart-jsonl"
VERSION: Final = 1
_Signature = tuple[int, int, int]


class JsonlStore:
    """The records of one memory file; satisfies `byheart.storage.Store`.

    Args:
        path: The file; it is created by the first write. A link is followed.
        lock_seconds: How long a write waits for another process that is writing.

    >>> import tempfile
    >>> from byheart import Record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = JsonlStore(Path(folder) / "memory.jsonl")
    ...     store.write([Record(id="tea", text="Steep for three minutes.")], [])
    ...     [record.text for record in JsonlStore(store.path).load()]
    ['Steep for three minutes.']
    """

    def __init__(self, path: str | os.PathLike[str], *, lock_seconds: float = 10.0) -> None:
        self.path = Path(os.path.realpath(path))
        self.lock_seconds = lock_seconds
        self._lines: dict[str, str] = {}
        self._seen: _Signature | None = None  # of the file that `_lines` was read from or written to

    def load(self) -> list[Record]:
        """Return all records, ordered as in the file; none if there is no file yet.

        Raises:
            CorruptRecord: A line is not a record, or lines are missing; names the file and the line.
            UnsupportedFormat: A newer version of byheart wrote the file.
        """
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            self._lines, self._seen = {}, None
            return []
        with file:
            seen = _signature(os.fstat(file.fileno()))
            pairs = list(self._read(file))
        self._lines = {record.id: line for record, line in pairs}
        self._seen = seen
        return [record for record, _ in pairs]

    def write(self, put: Sequence[Record], remove: Sequence[str]) -> None:
        """Remove the ids (unknown ones are passed over), then put the records, all or nothing; durable on return.

        Raises:
            StoreLocked: Another process is writing and has not finished in time; names it.
            CorruptRecord: The file was changed by another process and cannot be read.
            InvalidArgument: A record cannot be written as JSON.
        """
        new = {record.id: _encode(record) for record in put}
        with hold(self.path.with_name(self.path.name + ".lock"), self.lock_seconds):
            if self._now() != self._seen:
                self.load()
            gone = frozenset(remove)
            lines = {key: line for key, line in self._lines.items() if key not in gone} | new
            if self._seen is None or lines != self._lines:
                self._replace(lines)

    def _now(self) -> _Signature | None:
        """Return the signature of the file as it is now; None if there is none."""
        try:
            return _signature(self.path.stat())
        except FileNotFoundError:
            return None

    def _read(self, file: BinaryIO) -> Iterator[tuple[Record, str]]:
        """Yield each record with its line, checking the header, every line and their number."""
        promised = self._header(file.readline())
        seen: set[str] = set()
        for number, raw in enumerate(file, start=2):
            where = f"{self.path}, line {number}"
            if not raw.endswith(b"\n"):
                raise CorruptRecord(f"{where}: the line is cut off")
            line, value = _parse(raw, where)
            try:
                record = Record.from_dict(value)
            except ByheartError as error:
                raise CorruptRecord(f"{where}: {error}") from error
            if record.id in seen:
                raise CorruptRecord(f"{where}: a second record with the id {record.id!r}")
            seen.add(record.id)
            yield record, line
        if promised is not None and promised != len(seen):
            raise CorruptRecord(
                f"{self.path}: {len(seen)} records, but line 1 says {promised}; lines were lost or added"
                ' (if you edited the file on purpose, take "records" out of line 1)'
            )

    def _header(self, raw: bytes) -> int | None:
        """Check line 1; return how many records it promises, or None if it does not say."""
        where = f"{self.path}, line 1"
        _, header = _parse(raw, where) if raw else ("", {})
        version = header.get("version")
        if header.get("format") != FORMAT or type(version) is not int or version < 1:
            raise CorruptRecord(f"{where}: not a memory file of byheart (no {FORMAT} header); it is left as it is")
        if version > VERSION:
            raise UnsupportedFormat(
                f"{self.path}: written by a newer byheart (format version {version}; this one reads {VERSION})"
            )
        promised = header.get("records")
        if promised is not None and type(promised) is not int:
            raise CorruptRecord(f'{where}: "records" must be a whole number')
        return promised

    def _replace(self, lines: dict[str, str]) -> None:
        """Write the whole file anew beside the old one and put it in its place; the caller holds the lock."""
        header = json.dumps({"format": FORMAT, "version": VERSION, "records": len(lines)})
        temporary = self.path.with_name(self.path.name + ".tmp")
        temporary.unlink(missing_ok=True)  # left by a process that died: nobody else writes while we hold the lock
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.writelines(f"{line}\n".encode() for line in (header, *(lines[key] for key in sorted(lines))))
                file.flush()
                os.fsync(descriptor)
                seen = _signature(os.fstat(descriptor))
            if self._seen is not None:
                temporary.chmod(stat.S_IMODE(self.path.stat().st_mode))  # whoever opened it to a group meant it
            os.replace(temporary, self.path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(self.path.parent)
        self._lines, self._seen = lines, seen


def _signature(status: os.stat_result) -> _Signature:
    """Return what tells one version of the file from the next: each write makes a new file."""
    return status.st_ino, status.st_mtime_ns, status.st_size


def _encode(record: Record) -> str:
    """Return a record's line: sorted keys, so that equal records have equal bytes."""
    try:
        line = json.dumps(record.to_dict(), sort_keys=True, ensure_ascii=False, allow_nan=False)
        line.encode()
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"record {record.id!r} cannot be written as JSON: {error}") from error
    return line


def _parse(raw: bytes, where: str) -> tuple[str, dict[str, Any]]:
    """Return a line as text and as the JSON object that it holds."""
    try:
        line = raw.decode().rstrip("\n")
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorruptRecord(f"{where}: not JSON in UTF-8 ({error})") from error
    if not isinstance(value, dict):
        raise CorruptRecord(f"{where}: not a JSON object")
    return line, value


def _sync_folder(folder: Path) -> None:
    """Make the new name of a file durable; Windows has no such call and needs none."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
