"""The substring retriever: texts that hold the question, or one of its words, letter by letter; the newest first.

What is left of a search where there is no index of words. Upper and lower case are the same, and nothing in the
question is a wildcard. A record's score is 1 / (1 + its rank), ranks from 1: the newest first, then ids.
"""
# docs/sources.md: B1.3.1, B1.3.3.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import InvalidArgument
from ..knowledge import lowered
from ..ranking.explanation import Explanation, Part
from .protocol import Batch, Found, IndexedRetriever, LegQuery, Settings

HOW = ("query", "words")
_SETTINGS: Mapping[str, Any] = {"how": "query"}
"""What is looked for: the whole question, or any of its words."""


class _Held(NamedTuple):
    text: str
    cell: str
    created_at: float


def needles(query: str, how: str = "query") -> list[str]:
    """Return what is looked for in texts that were `lowered`: the whole question, or each of its words once.

    >>> needles("50% OFF"), needles("kettle\u3000pot kettle", "words"), needles(" ")
    (['50% off'], ['kettle', 'pot'], [])
    """
    if how not in HOW:
        raise InvalidArgument(f"substring: look for one of {', '.join(HOW)}, not {how!r}")
    whole = lowered(query)
    if how == "query":
        return [whole] if whole else []
    return list(dict.fromkeys(whole.split()))


class Substring(IndexedRetriever):
    """Letters: the newest records whose text holds the question; setting "how" is "query" or "words"."""

    name = section = "substring"
    lazy = True

    def new_index(self, settings: Settings) -> dict[str, _Held]:
        """Return an empty index."""
        return {}

    def put(self, index: dict[str, _Held], batch: Batch, settings: Settings) -> None:
        """Take records in: their text, and what else of them is searched."""
        for row, record, cell in zip(batch.ids, batch.records, batch.cells, strict=True):
            text = lowered("\n".join(record.indexed().values()))
            index[row] = _Held(text, cell, 0.0 if record.created_at is None else record.created_at)

    takes = _SETTINGS

    def check_settings(self, settings: Mapping[str, Any]) -> None:
        """Refuse another way than there are."""
        if settings["how"] not in HOW:
            raise InvalidArgument(f"how: is {settings['how']!r}; use one of {', '.join(HOW)}")

    def remove(self, index: dict[str, _Held], ids: Sequence[str]) -> None:
        """Take records out; unknown ones are passed over."""
        for row in ids:
            index.pop(row, None)

    def search(self, asked: LegQuery) -> Found:
        """Return the newest that hold what is looked for; ranks are those of all of them, whatever may be found."""
        sought = needles(asked.question.text, str(asked.options.get("how", "query")))
        index: Mapping[str, _Held] = {} if asked.index is None or not sought else asked.index
        cells = set(asked.cells)
        holding = [
            (-held.created_at, row)
            for row, held in index.items()
            if held.cell in cells and any(needle in held.text for needle in sought)
        ]
        scored = [(row, 1.0 / (1.0 + rank)) for rank, (_, row) in enumerate(sorted(holding), 1)]
        count = min(len(scored), asked.pool)
        hits = asked.passing(scored)[: asked.pool]
        least = scored[count - 1][1] if count else None
        return Found(hits, scored[0][1] if scored else None, count, least, evidence=sought)

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return at which rank a record stands."""
        if score is None:
            return None
        rank = round(1.0 / score - 1.0)
        what = " or ".join(map(repr, found.evidence or ()))
        part = Part("rank", score, f"1 / (1 + rank {rank}) of the texts that hold {what}, the newest first")
        return Explanation(id, score, (part,), score)
