"""The names of turns and of their durable copies: what a session and a time come to, and which of them are free."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from .. import knowledge
from ..boundary import Boundary
from ..index import selection as selecting
from ..index import whose
from ..index.partition import Partition
from ..validation import MAX_ID_BYTES
from ..writing.completion import first_free
from .message import Message

_DIGITS = 13  # of the milliseconds of our time: ids of one session sort as they were given, until the year 2286
_LONGEST_SESSION = MAX_ID_BYTES - 32


@lru_cache(maxsize=64)  # whoever takes a turn in asks for it more than once
def durable_id(turn_id: str) -> str:
    """Return the id of a turn's durable copy: always the same, so that it is replaced together with the turn.

    >>> durable_id("s1:1767225600000")
    'durable:1d9cf061ebd74491'
    """
    return f"durable:{knowledge.digest(turn_id)[:16]}"


def turn_id(session_id: str, milliseconds: int) -> str:
    """Return the id of a turn: its session and a number; of a session with a very long name, a digest of that.

    >>> turn_id("s1", 1767225600000), turn_id("s1", 7)
    ('s1:1767225600000', 's1:0000000000007')
    """
    long = len(session_id.encode()) > _LONGEST_SESSION
    return f"{knowledge.digest(session_id) if long else session_id}:{milliseconds:0{_DIGITS}}"


def first_number(message: Message) -> int:
    """Return the number of the first turn of a message's millisecond."""
    return max(round(message.created_at * 1000), 0)


def number_of(id: str) -> int:
    """Return the number of a turn that was named by `turn_id`."""
    return int(id.rpartition(":")[2])


def free_id(message: Message, taken: Callable[[str], bool]) -> str:
    """Return the first id that is free from the message's millisecond on, in a time that grows with its logarithm.

    Of messages of one millisecond the later one has the greater number: what was taken stays taken, so that no search
    ends before an earlier one did.
    """
    first = first_number(message)
    if not taken(id := turn_id(message.session_id, first)):  # as of most
        return id
    before = first - 1

    def name(number: int) -> str:
        return turn_id(message.session_id, before + number)

    return name(first_free(lambda number: taken(name(number))))


def taken_in(partition: Partition, reach: Boundary, lost: set[str]) -> Callable[[str], bool]:
    """Return what tells whether an id is known: to the indexes, to the store alone, or to what stands for a turn."""

    def taken(id: str) -> bool:
        if id in lost or selecting.inside(partition, reach, [id, durable_id(id)]):
            return True
        of_it = whose.summaries_of(id)
        return bool(partition.rows(of_it)) and bool(partition.rows_in(reach, of_it))  # mostly there is none anywhere

    return taken
