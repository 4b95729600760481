"""Rows whose texts are looked at: of each its score, its record, and when it was told."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Final, NamedTuple

from ..records import Record
from .candidates import RowKey

MUCH_LESS: Final = 0.3
"""A row with less than this share of another one's score does not go before it; what says that it is new needs less."""


Why = Mapping[RowKey, tuple[RowKey, str]]
"""Of rows that were put before another one, which that is, and why."""


class Told(NamedTuple):
    """A row that is looked at: its score and its record, and the time of which it is asked what was known."""

    key: RowKey
    score: float
    record: Record
    known_at: float = inf

    @property
    def text(self) -> str:
        """What it says."""
        return self.record.text

    @property
    def is_of_file(self) -> bool:
        """Whether it stands in a file, which was told to nobody."""
        return self.record.provenance.get("source_name") is not None

    @property
    def made(self) -> float:
        """When it was told first."""
        return float("-inf") if self.record.created_at is None else self.record.created_at

    @property
    def said(self) -> float:
        """When it was told last."""
        again = self.record.seen_at
        return self.made if again is None or again > self.known_at else again
