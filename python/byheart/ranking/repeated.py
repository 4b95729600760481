"""Rows that say the same, word for word: the one of them that was said last stands for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..patterns.order_asked import order_asked
from .candidates import Candidates
from .near_pairs import ABOUT_AS_WELL
from .near_rows import said_last


def latest_of(firsts: Mapping[str, int], table: Candidates, hashes: Sequence[str], query: str) -> dict[str, int]:
    """Return the row that stands for each content: what was said later than the first, or earlier where that is asked.

    It is found as well by words, and fits about as well: told elsewhere, the same words may be about something else.

    Args:
        firsts: the first row of each content.
        table: the rows, with "words", "seen_at" and "created_at" where there are such columns.
        hashes: the content of each row.
        query: the question.

    >>> table = Candidates(("a", "b"), {"score": (1.0, 1.0), "words": (2.0, 2.0), "created_at": (10.0, 20.0)})
    >>> [latest_of({"h": 0}, table, ["h", "h"], query) for query in ("my weight?", "what was my first weight?")]
    [{'h': 1}, {'h': 0}]

    """
    none = (None,) * len(table.keys)
    seen, made, words = (table.columns.get(name, none) for name in ("seen_at", "created_at", "words"))
    asked, scores, found = order_asked(query), table.scores(), dict(firsts)
    sign = -1.0 if asked is not None and asked.order == "first" else 1.0
    said = [sign * said_last(*times) for times in zip(seen, made, strict=True)]
    for row, content in enumerate(hashes):
        first = firsts[content]
        is_as_good = words[row] is not None and words[row] == words[first]
        if is_as_good and scores[row] >= ABOUT_AS_WELL * scores[first] and said[row] > said[found[content]]:
            found[content] = row
    return found
