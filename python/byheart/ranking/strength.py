"""The strength of an answer: the probability that a memory knows what is asked about, 0 to 1, whatever the question.

Two numbers decide, which mean the same in every question: the share of the question's words (see `absolute`), and how
far the cosine lies above what unrelated texts reach. How much each says depends on the model that made the vectors:
the curves were fitted on questions whose topic is in a memory, and on such whose topic is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from .._core import exp
from ..validation import check_share
from .absolute import COSINE_FLOOR, SUBWORD_FLOOR, meaning, share_of_words
from .algebra import Stage, StageContext
from .candidates import Candidates


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve: strength = 1 / (1 + exp(-(bias + words x share of words + meaning x cosine above the floor))).

    Attributes:
        bias, words, meaning: the coefficients.
        floor: answers that are weaker are empty, unless a recall says otherwise; chosen so that it costs answers to
            questions whose topic is there at most a hundredth of their nDCG@10.

    """

    bias: float
    words: float
    meaning: float = 0.0
    floor: float = 0.1

    def of(self, share: float, above: float = 0.0) -> float:
        """Return the strength of a share of words and a cosine above the floor.

        >>> round(WORDS.of(0.1), 3), round(WORDS.of(0.4), 3)
        (0.08, 0.968)
        """
        return 1.0 / (1.0 + exp(-(self.bias + self.words * share + self.meaning * above)))


WORDS: Final = Curve(-4.402, 19.544)
UNKNOWN: Final = Curve(-4.402, 19.544, floor=0.0)
"""Of a model that nobody has measured: words alone say how strong an answer is, and none is emptied."""
CURVES: Final[Mapping[str, Curve]] = {
    "hashing": Curve(-6.295, 11.204, 19.412),
    "wordllama-l2-supercat": Curve(-7.322, 3.703, 25.830, floor=0.05),
    "all-MiniLM-L6-v2": Curve(-12.985, 4.798, 32.719, floor=0.3),
}
"""By the family of the model, as its fingerprint says it. Fitted by `benches/quality/strength.py`."""


def curve_of(family: str | None) -> Curve:
    """Return the curve of a family of models; None for a memory of words only."""
    return WORDS if family is None else CURVES.get(family, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Strength(Stage):
    """Empties an answer to a question that the memory seems to know nothing about.

    That is decided by the best of all that lies in the boundary, so that a filter changes nothing about it. The figures
    of the answer say how strong that is; `strengths` says it of rows.

    Attributes:
        floor: the least strength of an answer that is not empty; None for that of the model's curve.

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
        curve = curve_of(dense)
        most, tops = context.mosts.get("words"), context.tops
        share = share_of_words(tops.get("words"), most) + subword_share(tops.get("hypervector"))
        above = meaning(tops.get("dense"), COSINE_FLOOR)
        best = curve.of(share, above)
        floor = context.min_strength if context.min_strength is not None else self.floor
        floor = curve.floor if floor is None else floor
        figures = {"best": best, "floor": floor, "share": share, "meaning": above, "model": dense, "most": most}
        table = table.with_figures({"strength": figures})
        if best >= floor:
            return table
        why = f"strength {best:.2f} below {floor:g}: the memory seems to know nothing about this"
        return table.drop(dict.fromkeys(range(len(table.keys)), why))


def strengths(table: Candidates) -> list[float | None]:
    """Return how strong each row is that the stage left; None for all where it did not run."""
    told = table.figures.get("strength")
    none = (None,) * len(table.keys)
    if told is None:
        return list(none)
    curve, most = curve_of(told["model"]), told["most"]
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
