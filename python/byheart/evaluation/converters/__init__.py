"""Converters of other formats into collections: LongMemEval, LoCoMo, ConvoMem, questions with sessions.

    conversations   what every format is read into
    longmemeval, locomo, convomem, sessions   readers of one format each
    writing         the three files of a collection, by turn or by session

None of these data sets comes with byheart; each has a licence of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from ...errors import InvalidArgument
from . import convomem, locomo, longmemeval, sessions
from .conversations import Conversation
from .writing import Converted, write

FORMATS: Final[Mapping[str, Callable[[Path], Iterator[Conversation]]]] = {
    "longmemeval": longmemeval.read,
    "locomo": locomo.read,
    "convomem": convomem.read,
    "sessions": sessions.read,
}


def convert(
    format: str, source: str | Path, folder: str | Path, *, by: str = "turn", fallback: str = "none"
) -> Converted:
    """Write the collection that a file of another format holds, and return what was written.

    Args:
        format: "longmemeval", "locomo", "convomem" or "sessions".
        source: the file; for "convomem" also a folder of such files.
        folder: where the collection goes; must not exist yet, or be empty.
        by: what a document is: a "turn", or a whole "session".
        fallback: "first" takes the first session as the answer of a question whose file names none, as some published
            figures do, which flatters them; "none" leaves it unjudged.

    Raises:
        InvalidArgument: an unknown format, a source that is not in it (the message says where), or a folder in use.

    """
    if format not in FORMATS:
        raise InvalidArgument(f"format: {format!r} does not exist; there are {', '.join(FORMATS)}")
    return write(FORMATS[format](Path(source)), Path(folder), by=by, fallback=fallback)
