"""Absolute fusion: scores that mean the same in every question, of words and of meanings.

Words count as the share of all that the question's words weigh in the memory, those that it does not know included;
meanings count by their cosine. A record that says all that was asked has a score near 1, whatever else there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..validation import check_share
from .algebra import Stage, StageContext
from .candidates import Applied, Candidates, RowKey
from .curves import curve_of
from .explanation import shown

COSINE_FLOOR: Final = 0.2
SUBWORD_FLOOR: Final = 0.15
"""What texts that have nothing in common mostly reach: by their vectors, and by the pieces of their words."""

NOTHING: Final = "nothing of the question is in it"


def share_of_words(raw: float | None, most: float | None) -> float:
    """Return BM25 as a share of what it could be, 0 to 1.

    >>> share_of_words(3.0, 12.0), share_of_words(None, 12.0), share_of_words(3.0, None)
    (0.25, 0.0, 0.0)
    """
    return min(raw / most, 1.0) if raw is not None and most else 0.0


def meaning(cosine: float | None, floor: float) -> float:
    """Return how far a cosine lies above a floor, as a share of what lies above it; 0 to 1.

    >>> meaning(0.6, 0.2), meaning(0.1, 0.2), meaning(None, 0.2)
    (0.49999999999999994, 0.0, 0.0)
    """
    return (cosine - floor) / (1.0 - floor) if cosine is not None and cosine > floor else 0.0


@dataclass(frozen=True, slots=True)
class AbsoluteFusion(Stage):
    """Adds the share of the question's words and a weight times the meaning.

    Where words find little, how alike the pieces of words are counts as a share of words, too.

    Attributes:
        dense: the weight of the meaning, 0 to 1; None for that of the model's curve.
        in_conversation: the same for records that are part of a conversation: a turn alone means little.
        floor: cosines that are not higher count as 0; texts that have nothing in common mostly reach it. Where these
            reach more by a model that nobody has measured (`byheart.embedding.unrelated`), it is that.

    """

    dense: float | None = None
    in_conversation: float = 0.1
    floor: float = COSINE_FLOOR

    name: ClassVar[str] = "fusion"
    inputs: ClassVar[tuple[str, ...]] = ("words", "dense", "hypervector", "cosine", "told_whole")
    monotone: ClassVar[Mapping[str, int]] = {"words": 1, "dense": 1, "hypervector": 1}
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("dense", "in_conversation", "floor"):
            check_share(name, getattr(self, name))
        if self.floor == 1.0:
            raise InvalidArgument("floor: is 1.0; no cosine lies above it")

    def weight(self, model: str | None) -> float:
        """Return the weight of the meaning by the vectors of a family of models."""
        return curve_of(model).weight if self.dense is None else self.dense

    def above(self, unrelated: float) -> float:
        """Return the cosine above which a meaning counts, where texts with nothing in common reach `unrelated`."""
        return max(self.floor, unrelated)

    def changes(self, model: str | None, unrelated: float = 0.0) -> Mapping[str, Applied]:
        """Return what it adds, by column."""
        words = Applied("word_share", "add", of="words", detail="share of what the question's words weigh")
        pieces = f"likeness of pieces of words above {SUBWORD_FLOOR:g}"
        weights = f"{self.weight(model):g} ({self.in_conversation:g} in a conversation)"
        detail = f"{weights} x cosine above {self.above(unrelated):g}"
        return {
            "word_share": words,
            "subwords": Applied("subwords", "add", of="hypervector", detail=pieces),
            "meaning": Applied("meaning", "add", of="dense", detail=detail),
        }

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with both summands, and the score as their sum."""
        rows = len(table.keys)
        raws = table.columns.get("words", (None,) * rows)
        most = context.mosts.get("words")
        shares = [share_of_words(raw, most) for raw in raws]
        cosines = table.columns.get("cosine", table.columns.get("dense"))
        meant = cosines is not None and any(cosine is not None for cosine in cosines)
        unrelated, dense = context.unrelated() if meant else 0.0, self.weight(context.model)
        changes = self.changes(context.model, unrelated)
        table = table.changed(changes["word_share"], shares)
        likeness = table.columns.get("hypervector")
        if likeness is not None and any(likeness):
            subwords = [meaning(like, SUBWORD_FLOOR) for like in likeness]
            table = table.changed(changes["subwords"], subwords)
        if cosines is None or not meant:
            return table
        told = table.columns.get("told_whole", (None,) * rows)
        floor = self.above(unrelated)
        meanings = [
            (dense if whole is None else self.in_conversation) * meaning(cosine, floor)
            for cosine, whole in zip(cosines, told, strict=True)
        ]
        return table.changed(changes["meaning"], meanings)

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return the shares and spans that the summands of a row take."""
        row, most = after.row(key), context.mosts.get("words")
        weight, where = self.weight(context.model), ""
        if "told_whole" in row:
            weight, where = self.in_conversation, ", in a conversation"
        cosine = row.get("cosine", row.get("dense"))
        floor = self.floor if cosine is None else self.above(context.unrelated())
        return {
            "word_share": _share_worked(row.get("words"), most),
            "subwords": _meaning_worked("", row.get("hypervector"), SUBWORD_FLOOR, "likeness of pieces of words"),
            "meaning": _meaning_worked(f"{shown(weight)} x ", cosine, floor, "cosine", where),
        }


def _share_worked(raw: float | None, most: float | None) -> str:
    """Return how a share of words came about, in figures."""
    if raw is None or not most:
        return "0: no word of the question was searched for" if not most else "0: words did not find it"
    share = f"{shown(raw)} / {shown(most)}"
    return f"{f'min(1, {share})' if raw > most else share}: share of what the question's words weigh"


def _meaning_worked(weight: str, cosine: float | None, floor: float, name: str, where: str = "") -> str:
    """Return how a meaning came about, in figures."""
    if cosine is None:
        return f"0: no {name}"
    if cosine <= floor:
        return f"0: {name} {shown(cosine)} is not above {shown(floor)}"
    return f"{weight}({shown(cosine)} - {shown(floor)}) / {shown(1.0 - floor)}: {name} above {shown(floor)}{where}"


@dataclass(frozen=True, slots=True)
class ByScore(Stage):
    """Orders the rows: score descending, then id, then cell. What has nothing of the question goes."""

    name: ClassVar[str] = "order"
    inputs: ClassVar[tuple[str, ...]] = ("score",)
    bare: ClassVar[bool] = True

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order, without rows that score nothing."""
        empty = [row for row, score in enumerate(table.scores()) if score <= 0.0]
        return table.drop(dict.fromkeys(empty, NOTHING)).sorted_by_score()
