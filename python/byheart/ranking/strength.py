"""The strength of an answer: the probability that a memory knows what is asked about, 0 to 1, whatever the question.

Three numbers decide, which mean the same in every question: the share of the question's words in the best record (see
`absolute`), how far its cosine lies above what unrelated texts reach, and how common the question's words are in the
records that may be found. How much each says depends on the model that made the vectors, and without one on how many
words the question has (see `curves`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ..light.classes import dataclass
from ..validation import check_share
from .absolute import COSINE_FLOOR, SUBWORD_FLOOR, meaning, share_of_words
from .agreement import DropDuplicates
from .algebra import Stage, StageContext
from .candidates import Candidates
from .curves import UNKNOWN, WORDS, as_familiar, as_short, curve_of
from .property_said import lacking

STANDING_IN = 2.6
"""What pieces of words count where no word is met: that finds misspelled words, and little about something else."""

if TYPE_CHECKING:
    from ..patterns.answers_sought import Sought
    from ..patterns.codes_asked import CodeAsked
    from ..patterns.properties import Property

UNSURE = 0.5
"""Of answers below this it is asked whether the best text is much longer than others: of most it is not."""
UNSAID = 0.15
"""What is left of the strength where no text says what a question asks for: an age, a price, a person."""

NOTHING_KNOWN = "the memory seems to know nothing about this"

CERTAIN: Mapping[str, Any] = {"best": 1.0, "floor": 0.0, "certain": True}
"""The figures of an answer whose records hold, word by word, all that was asked for."""


@dataclass(frozen=True, slots=True)
class Strength(Stage):
    """Empties an answer to a question that the memory seems to know nothing about.

    That is decided by the best of all that may be found: what a filter leaves out, or another user said, is no answer
    here. The figures of the answer say how strong that is; `strengths` says it of rows.

    Attributes:
        floor: the least strength of an answer that is not empty; None for that of the model's curve.

    """

    floor: float | None = None

    name: ClassVar[str] = "strength"
    inputs: ClassVar[tuple[str, ...]] = ("words", "dense", "hypervector", "cosine")
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("floor", self.floor)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table; without rows if the answer is too weak."""
        dense = None if "dense" in context.unasked or "dense" not in table.columns else context.model
        topic, whole = context.topic, (context.mosts.get("words"), context.length, context.familiarity)
        readings = [whole] if topic is None else [topic[:3], whole][: 1 + topic.dated]  # what a record says may be met

        def best(lift: float) -> Mapping[str, Any]:
            found = (
                self.figures(context.bests, most, (length, familiarity), dense, context.min_strength, lift=lift)
                for most, length, familiarity in readings
            )
            return max(found, key=lambda each: float(each["best"]))

        figures = best(1.0)
        if is_unsure(figures) and "words" in context.bests and (lift := context.lift()) > 1.0:
            figures = best(lift)
        asked = lacking(table, context)
        if asked is not None:
            figures = weakened(figures, asked)
        table = table.with_figures({"strength": figures})
        if figures["best"] >= figures["floor"]:
            return table
        table = DropDuplicates(latest=True)(table, context)  # what says the same lay no nearer
        return table.drop(dict.fromkeys(range(len(table.keys)), too_weak(figures)))

    def figures(
        self,
        bests: Mapping[str, float],
        most: float | None,
        asked: tuple[float, float],
        model: str | None,
        least: float | None,
        *,
        lift: float = 1.0,
    ) -> Mapping[str, Any]:
        """Return how strong an answer is, and what decides about it.

        Args:
            bests: the best raw scores of all that may be found, by retriever.
            most: the score of a record that says all words of the question.
            asked: how many words the question has, and how much of them the records that may be found speak about.
            model: the family of the model that made the vectors; None without one.
            least: the least strength that the recall asks for, if it does.
            lift: how many times as much the best by words says if it is much longer than others.

        """
        words = share_of_words(_lifted(bests.get("words"), lift), most)
        length, familiarity = asked
        share = known_share(words, bests.get("hypervector"))
        curve = curve_of(model).asked(length)
        if words and curve.lengthens:
            familiarity = as_short(familiarity, words, length)
        above = meaning(bests.get("dense"), COSINE_FLOOR)
        if not (share or above):  # of what nothing holds, common words say nothing: "was ist am 03.05.?"
            familiarity = 0.0
        best = curve.of(share, above, familiarity)
        given = least if least is not None else self.floor
        told: dict[str, Any] = {"share": share, "meaning": above, "length": length, "familiarity": familiarity}
        told["pieces"] = "hypervector" in bests
        if lift != 1.0:
            told["lift"] = lift
        if given is None and curve.floor == UNKNOWN.floor:
            told["enough"] = WORDS.floor  # nothing is emptied, but no vector says that this is known
        return {"best": best, "floor": curve.floor if given is None else given, "model": model, "most": most, **told}


def is_unsure(figures: Mapping[str, Any]) -> bool:
    """Return whether an answer is weak, or so unsure that the length of the best text may be the reason."""
    return bool(figures["best"] < max(figures["floor"], UNSURE))


def too_weak(figures: Mapping[str, Any]) -> str:
    """Return why an answer is empty whose strength lies below the least."""
    lacks = f"no text about this says {figures['unsaid']}" if "unsaid" in figures else NOTHING_KNOWN
    return f"strength {figures['best']:.2f} below {figures['floor']:g}: {lacks}"


def weakened(figures: Mapping[str, Any], asked: Property | CodeAsked | Sought) -> Mapping[str, Any]:
    """Return the figures of an answer whose texts do not say what is asked for."""
    return {**figures, "best": UNSAID * figures["best"], "unsaid": asked.label}


def of_nothing() -> Mapping[str, Any]:
    """Return the figures of an answer that is empty since nothing is of what was asked for.

    >>> round(of_nothing()["best"], 3)
    0.016
    """
    return {"best": curve_of(None).of(0.0), "floor": 1.0, "certain": True}


def _lifted(raw: float | None, lift: float) -> float | None:
    return None if raw is None else raw * lift


def strengths(table: Candidates) -> list[float | None]:
    """Return how strong each row is that the stage left; None for all where it did not run."""
    told = table.figures.get("strength")
    none = (None,) * len(table.keys)
    if told is None:
        return list(none)
    if told.get("certain"):
        return [told["best"] for _ in none]
    curve, most = curve_of(told["model"]).asked(told["length"]), told["most"]
    familiarity, greatest = told["familiarity"], told["share"]
    cosines = table.columns.get("cosine", table.columns.get("dense", none))
    words, subwords = table.columns.get("words", none), table.columns.get("hypervector", none)
    found: list[float | None] = []
    certain = UNSAID if "unsaid" in told else 1.0
    lift = told.get("lift", 1.0)
    for raw, like, cosine in zip(words, subwords, cosines, strict=True):
        share = min(known_share(share_of_words(_lifted(raw, lift), most), like if told["pieces"] else None), greatest)
        known = as_familiar(familiarity, share, greatest)
        found.append(certain * curve.of(share, meaning(cosine, COSINE_FLOOR), known))
    return found


def known_share(words: float, likeness: float | None) -> float:
    """Return the share of a question's words that a record says, or what pieces of words count where no word is met.

    That is how far the likeness of hypervectors lies above chance: they stand for words that are misspelled. Where a
    word is met they count nothing: they are looked at where words find few records, and one record more said less.

    >>> known_share(0.2, 0.1), known_share(0.2, 0.32), known_share(0.0, None), round(known_share(0, 0.32), 3)
    (0.2, 0.2, 0.0, 0.52)
    """
    return words or STANDING_IN * meaning(likeness, SUBWORD_FLOOR)
