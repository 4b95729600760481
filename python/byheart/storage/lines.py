"""The lines of a memory file: records, and damaged lines, which are kept as they are.

A damaged line stands for itself alone. It stays in the file, byte for byte, until its record is forgotten or the file
is repaired; its record is known by what can be read of it.

A last line that is whole but for its end, as an editor may leave it, is no damage: no part of an object of JSON is one
itself, and whether lines are missing behind it the first one says. The next write ends it. Nor are blank lines, or the
mark of UTF-8 that some editors put before the first one: they are passed over, and gone with the next write.
"""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Final

from ..errors import CorruptRecord, UnsupportedFormat
from ..light.classes import dataclass
from ..records import Record
from . import Key, Problem, by_id, is_reserved, key_of
from .beside import EMPTY_FILE
from .encoding import decode, parse

FORMAT: Final = "byheart-jsonl"
VERSION: Final = 1
_NAMED: Final = {name: re.compile(rb'"%b": ("(?:[^"\\]|\\.)*")' % name.encode()) for name in Key._fields}


@dataclass(frozen=True, slots=True)
class DamagedLine:
    """A line that cannot be read as a record: its bytes, what is wrong, and which record it was."""

    raw: bytes
    problem: Problem


@dataclass(slots=True)
class Lines:
    """A whole file.

    Attributes:
        records: those that are sound, by key.
        lines: of each of them.
        damaged: the other lines.
        lost: how many lines more the header promises than there are; below 0 where lines were added.
        miscounted: what to say of that, if anything.

    """

    records: dict[Key, Record] = field(default_factory=dict)
    lines: dict[Key, str] = field(default_factory=dict)
    damaged: list[DamagedLine] = field(default_factory=list)
    lost: int = 0
    miscounted: str | None = None

    def problems(self) -> list[Problem]:
        """Return what is wrong, in the order of the file."""
        counted = [] if self.miscounted is None else [Problem("file", self.miscounted)]
        return [*(line.problem for line in self.damaged), *counted]

    def damage(self) -> tuple[list[bytes], int]:
        """Return what tells the damage of one file from that of another."""
        return [line.raw for line in self.damaged], self.lost

    def changed(self, put: Mapping[Key, tuple[Record, str]], remove: Iterable[Key]) -> "Lines":
        """Return the lines with these records put, and of those and of removed ones no others, damaged ones either."""
        gone = {*remove, *put}
        records = {key: record for key, record in self.records.items() if key not in gone}
        lines = {key: line for key, line in self.lines.items() if key not in gone}
        records.update((key, record) for key, (record, _) in put.items())
        lines.update((key, line) for key, (_, line) in put.items())
        damaged = [each for each in self.damaged if each.problem.key not in gone]
        return Lines(records, lines, damaged, self.lost, self.miscounted)

    def raws(self) -> list[bytes]:
        """Return the lines as a file holds them: in order of the records, and what is damaged behind them."""
        sound = (f"{self.lines[key]}\n".encode() for key in sorted(self.lines, key=by_id))
        return [*sound, *(each.raw if each.raw.endswith(b"\n") else each.raw + b"\n" for each in self.damaged)]


def header(number: int) -> bytes:
    """Return the first line of a file with so many lines behind it."""
    return json.dumps({"format": FORMAT, "version": VERSION, "records": number}).encode() + b"\n"


def read_lines(path: str, raws: Iterable[bytes], known: Mapping[str, Record] | None = None) -> Lines:
    """Return what the lines of a file hold.

    Args:
        path: of the file.
        raws: its lines.
        known: the records of lines that were read before, which are not parsed again.

    Raises:
        CorruptRecord: the first line is none of a memory file.
        UnsupportedFormat: a newer version of byheart wrote the file.

    """
    coming = iter(raws)
    promised = _promised(path, next(coming, b"").removeprefix(BOM_UTF8))
    found = Lines()
    for number, raw in enumerate(coming, start=2):
        if not raw.strip():
            continue
        where = f"{path}, line {number}"
        try:
            line, record = _read_line(raw, where, known or {})
            key = key_of(record)
            if key in found.lines:
                raise CorruptRecord(
                    f"{where}: a second record with the id {record.id!r} in scope {key.scope!r},"
                    f" class {key.boundary_class!r}"
                )
        except CorruptRecord as error:
            found.damaged.append(DamagedLine(raw, Problem("lines", str(error), key_in(raw))))
            continue
        found.lines[key] = line
        found.records[key] = record
    there = len(found.lines) + len(found.damaged)
    if promised is not None and promised != there:
        found.lost = promised - there
        found.miscounted = (
            f"{path}: {there} records, but line 1 says {promised}; lines were lost or added"
            ' (if you edited the file on purpose, take "records" out of line 1)'
        )
    return found


def _read_line(raw: bytes, where: str, known: Mapping[str, Record]) -> tuple[str, Record]:
    """Return a line as text and the record that it describes."""
    with suppress(UnicodeDecodeError):  # which `parse` tells better
        line = raw.removesuffix(b"\n").decode()
        if line in known:
            return line, known[line]
    try:
        line, value = parse(raw, where)
    except CorruptRecord:
        if raw.endswith(b"\n"):
            raise
        raise CorruptRecord(f"{where}: the line is cut off") from None
    return line, decode(value, where)


def _promised(path: str, raw: bytes) -> int | None:
    """Check line 1; return how many records it promises, or None if it does not say."""
    where = f"{path}, line 1"
    if not raw:
        raise CorruptRecord(f"{path}: {EMPTY_FILE}")
    _, said = parse(raw, where)
    version, promised = said.get("version"), said.get("records")
    if said.get("format") != FORMAT or type(version) is not int or version < 1:
        raise CorruptRecord(f"{where}: not a memory file of byheart (no {FORMAT} header); it is left as it is")
    if version > VERSION:
        raise UnsupportedFormat(
            f"{path}: written by a newer byheart (format version {version}; this one reads {VERSION})"
        )
    if promised is not None and type(promised) is not int:
        raise CorruptRecord(f'{where}: "records" must be a whole number')
    return promised


def key_in(raw: bytes) -> Key | None:
    """Return whose record a damaged line says it is; None unless it says each part of the key once.

    A row of the journal has its content between the parts, which may name others: it is passed over.
    """
    key = _named_once(raw)
    if key is not None:
        return key
    before, _, rest = raw.partition(b', "metadata": ')
    key = _named_once(before + rest.rpartition(b', "provenance": ')[2])
    return key if key is not None and is_reserved(key) else None


def _named_once(raw: bytes) -> Key | None:
    parts = []
    for pattern in _NAMED.values():
        said = pattern.findall(raw)
        if len(said) != 1:
            return None
        try:
            parts.append(str(json.loads(said[0])))
        except ValueError:
            return None
    return Key(*parts)
