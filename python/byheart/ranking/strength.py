"""The strength of an answer: the probability that a memory knows what is asked about, 0 to 1, whatever the question.

Two numbers decide, which mean the same in every question: the share of the question's words (see `absolute`), and how
far the cosine lies above what unrelated texts reach. How much each says depends on the model that made the vectors, and
without one on how many words the question has (see `curves`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ..validation import check_share
from .absolute import COSINE_FLOOR, SUBWORD_FLOOR, meaning, share_of_words
from .algebra import Stage, StageContext
from .candidates import Candidates
from .curves import curve_of

MANY = 50
"""Records from which on a word that many of them hold says little about any of them."""


@dataclass(frozen=True, slots=True)
class Strength(Stage):
    """Empties an answer to a question that the memory seems to know nothing about.

    That is decided by the best of all that may be found: what a filter leaves out, or another user said, is no answer
    here. The figures of the answer say how strong that is; `strengths` says it of rows.

    Attributes:
        floor: the least strength of an answer that is not empty; None for that of the model's curve, which is lower in
            a memory of few records where they hold a word of the question: what all of them are about weighs next to
            nothing there, and is what people ask about.

    """

    floor: float | None = None

    name: ClassVar[str] = "strength"
    inputs: ClassVar[tuple[str, ...]] = ("words", "dense", "hypervector", "cosine")
    bare: ClassVar[bool] = True
    in_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("floor", self.floor)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table; without rows if the answer is too weak."""
        dense = None if "dense" in context.unasked or "dense" not in table.columns else context.model
        most = context.mosts.get("words")
        figures = self.figures(context.bests, most, context.length, context.inside, dense, context.min_strength)
        table = table.with_figures({"strength": figures})
        if figures["best"] >= figures["floor"]:
            return table
        why = f"strength {figures['best']:.2f} below {figures['floor']:g}: the memory seems to know nothing about this"
        return table.drop(dict.fromkeys(range(len(table.keys)), why))

    def figures(
        self,
        bests: Mapping[str, float],
        most: float | None,
        length: float,
        inside: int,
        model: str | None,
        least: float | None,
    ) -> Mapping[str, Any]:
        """Return how strong an answer is, and what decides about it.

        Args:
            bests: the best raw scores of all that may be found, by retriever.
            most: the score of a record that says all words of the question.
            length: how many words the question has.
            inside: how many records lie inside the boundary.
            model: the family of the model that made the vectors; None without one.
            least: the least strength that the recall asks for, if it does.

        """
        curve = curve_of(model).asked(length)
        share = share_of_words(bests.get("words"), most) + subword_share(bests.get("hypervector"))
        above = meaning(bests.get("dense"), COSINE_FLOOR)
        floor = least if least is not None else self.floor
        if floor is None:
            floor = curve.floor * (min(inside, MANY) / MANY) ** 2 if bests.get("words") else curve.floor
        best = curve.of(share, above)
        told = {"share": share, "meaning": above, "length": length, "model": model, "most": most}
        return {"best": best, "floor": floor, **told}


def strengths(table: Candidates) -> list[float | None]:
    """Return how strong each row is that the stage left; None for all where it did not run."""
    told = table.figures.get("strength")
    none = (None,) * len(table.keys)
    if told is None:
        return list(none)
    curve, most = curve_of(told["model"]).asked(told["length"]), told["most"]
    cosines = table.columns.get("cosine", table.columns.get("dense", none))
    words, subwords = table.columns.get("words", none), table.columns.get("hypervector", none)
    return [
        curve.of(share_of_words(raw, most) + subword_share(like), meaning(cosine, COSINE_FLOOR))
        for raw, like, cosine in zip(words, subwords, cosines, strict=True)
    ]


def subword_share(likeness: float | None) -> float:
    """Return what the likeness of hypervectors counts as a share of words: how far it lies above chance.

    >>> subword_share(0.1), subword_share(None)
    (0.0, 0.0)
    """
    return meaning(likeness, SUBWORD_FLOOR)
