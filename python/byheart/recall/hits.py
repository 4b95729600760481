"""The hits of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..frozen import Document
from ..light.classes import dataclass
from ..ranking.explanation import Explanation
from ..records import Record


@dataclass(frozen=True, slots=True, repr=False)
class Hit(Document):
    """One record that answers the query.

    Attributes:
        id, score, record: the record, and what it scored; scores of two questions cannot be compared.
        explanation: there when it was asked for.
        strength: how probable it is that the memory knows what was asked about, by this record alone, 0 to 1: the same
            number means the same in every question. It is about the topic, and whether the record answers is for its
            reader to say. It is fitted on English: of other languages little words count as words, and it may be
            too high. None of profiles that have no scale for it; `auto` has one.

    """

    id: str
    score: float
    record: Record
    explanation: Explanation | None = None
    strength: float | None = None

    @property
    def text(self) -> str:
        """The record's text."""
        return self.record.text

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The record's metadata: data of the user's own, as it was given."""
        return self.record.metadata

    def __hash__(self) -> int:
        """Return a hash of record and score: an explanation has none."""
        return hash((self.record, self.score))

    def __repr__(self) -> str:
        """Show id and score, and how the text begins."""
        strength = "" if self.strength is None else f", strength={self.strength:.2f}"
        return f"Hit({self.id!r}, score={self.score:.4f}{strength}, text={snippet(self.record.gist(), 60)!r})"


def snippet(text: str, width: int = 88) -> str:
    r"""Return the beginning of a text on one line, control characters shown as blanks.

    >>> snippet("two\nlines")
    'two lines'
    """
    flat = " ".join("".join(c if c.isprintable() else " " for c in text[: width * 4]).split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"
