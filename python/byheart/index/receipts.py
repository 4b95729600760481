"""Receipts of vectors that were made. Imported on use."""

from __future__ import annotations

from ..frozen import Document
from ..light.classes import dataclass


@dataclass(frozen=True, slots=True)
class EmbedReceipt(Document):
    """What `Memory.embed` did: the model, the one before it, how many vectors it made, and how many were there.

    Both counts are of what the memory may see.
    """

    model: str
    previous: str | None
    made: int
    kept: int
