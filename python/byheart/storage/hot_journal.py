"""A journal of SQLite, and how one is told that is of another file than the one that it lies beside.

SQLite plays a journal that was left into whatever file lies beside it: pages of another database are then written over
the memory, and the rest is cut off. The journal does not name its file. But it holds pages as they were before a
change, so that what the file says of itself has to fit. The first page counts the changes: the one that was broken off
is the last that the file knows of, or the next. Where the journal has no first page, that was not touched, and says
how many pages there were, as the journal does.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .beside import JOURNAL_MARK, NO_LINK

_SQLITE: Final = b"SQLite format 3\0"
_HEADER: Final = 28  # bytes of a sector that say something
_UNCOUNTED: Final = 0xFFFFFFFF  # a header that leaves it to the journal's length how many pages follow
_HEAD: Final = 100  # bytes of the head of a SQLite file
_LOOKS: Final = 5


class Said(NamedTuple):
    """What a journal says: a number of its own, how many pages there were, their bytes, its length, the first page."""

    random: int
    pages: int
    page_bytes: int
    length: int
    first: bytes | None


def is_of_another(journal: Path, head: Callable[[], bytes]) -> bool:
    """Return whether a journal that would be played into a file cannot be of it.

    Args:
        journal: the place of the journal.
        head: reads the first 100 bytes of the file as they are now.

    """
    for _ in range(_LOOKS):
        said = said_by(journal)
        if said is None:
            return False
        fits = _fits(said, head())
        if fits or said_by(journal) == said:
            return not fits
    return False  # somebody is writing just now, so that SQLite plays nothing in


def said_by(journal: Path) -> Said | None:
    """Return what a journal says; None where there is none, or none that SQLite would play in."""
    try:
        descriptor = os.open(journal, os.O_RDONLY | NO_LINK | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb", buffering=0) as file:

        def numbers(at: int, size: int) -> list[int]:
            file.seek(at)
            read = file.read(size)
            return [int.from_bytes(read[each : each + 4], "big") for each in range(0, len(read) - 3, 4)]

        header = numbers(0, _HEADER)
        file.seek(0)
        if len(header) * 4 < _HEADER or file.read(len(JOURNAL_MARK)) != JOURNAL_MARK:
            return None
        _, _, _, random, pages, sector, page_bytes = header
        length, first = os.fstat(descriptor).st_size, None
        for at in _pages(numbers, length, sector, page_bytes):
            if numbers(at, 4) == [1]:
                file.seek(at + 4)
                first = file.read(_HEAD)
                break
        return Said(random, pages, page_bytes, length, first)


def _pages(numbers: Callable[[int, int], list[int]], length: int, sector: int, page_bytes: int) -> Iterator[int]:
    """Give where the pages of a journal begin, with their numbers; each of its parts has a header of one sector."""
    at, mark = 0, [int.from_bytes(JOURNAL_MARK[each : each + 4], "big") for each in (0, 4)]
    if not sector:
        return
    while at + sector <= length and (header := numbers(at, _HEADER))[:2] == mark:
        at += sector
        room = (length - at) // (page_bytes + 8)
        for _ in range(room if header[2] == _UNCOUNTED else min(header[2], room)):
            yield at
            at += page_bytes + 8  # its number before it, and a checksum behind it
        at = -(-at // sector) * sector


def _fits(said: Said, head: bytes) -> bool:
    """Return whether a journal may be of the file that begins like this; of one that is damaged SQLite decides."""
    if not head.startswith(_SQLITE) or len(head) < _HEAD:
        return True
    page_bytes = int.from_bytes(head[16:18], "big")
    if said.page_bytes != (65_536 if page_bytes == 1 else page_bytes):
        return False
    changes = _at(head, 24)
    if said.first is not None:
        return head[68:72] == said.first[68:72] and changes - _at(said.first, 24) in (0, 1)
    return changes != _at(head, 92) or said.pages == _at(head, 28)


def _at(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + 4], "big")
