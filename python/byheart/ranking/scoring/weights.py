"""Stages about what a record is, not how well it fits: its importance and its length."""
# docs/sources.md: A2.4.2, A2.4.3.

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...light.classes import dataclass
from ...validation import MAX_TEXT_BYTES, check_between, check_one_of
from ...words import LengthUnit, words_of
from ..algebra import Influence, Stage, StageContext
from ..candidates import Candidates, Column
from . import formulas

UNITS: tuple[str, ...] = words_of(LengthUnit)


@dataclass(frozen=True, slots=True)
class Importance(Stage):
    """Multiplies by 0.7 + 0.3 * importance; a record that says nothing of its importance has 0.7."""

    name: ClassVar[str] = "importance"
    inputs: ClassVar[tuple[str, ...]] = ("importance",)
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1, "importance": 1}

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the score multiplied by the column "importance_factor", sorted anew."""
        factors = map(formulas.importance_factor, table.columns["importance"])
        return table.scored("importance_factor", "multiply", factors, clamp=True).sorted_stably()

    def influence(self) -> tuple[Influence, ...]:
        """Return that importance takes up to three tenths."""
        least = formulas.importance_factor(0.0)
        return (Influence("importance_factor", "importance", "multiply", least, formulas.importance_factor(1.0)),)


@dataclass(frozen=True, slots=True)
class LengthNormalisation(Stage):
    """Multiplies by 1 / (1 + 0.5 * log2(length / anchor)): long texts hold every word, and win by that alone.

    Attributes:
        anchor: the length up to which nothing is taken; 0 turns the stage off.
        unit: "codepoint", or "utf16" for code units, as the original counted.

    """

    anchor: float = formulas.LENGTH_ANCHOR
    unit: str = "codepoint"

    name: ClassVar[str] = "length"
    inputs: ClassVar[tuple[str, ...]] = ("length", "text")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1, "length": -1}

    def __post_init__(self) -> None:
        """Check the unit and the range."""
        check_one_of("unit", self.unit, UNITS)
        check_between("anchor", self.anchor, 0.0, 1e9)

    @property
    def reads_records(self) -> bool:
        """Whether it looks at records: the directory says how long they are in code points."""
        return self.unit != "codepoint"

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the score multiplied by the column "length_factor", sorted anew."""
        if self.anchor <= 0.0:
            return table
        lengths: Column
        if self.unit == "utf16":
            lengths = [_code_units(context.records[key].text) for key in table.keys]
        else:
            lengths = table.columns["length"]
        factors = formulas.length_factors(lengths, self.anchor)
        return table.scored("length_factor", "multiply", factors, clamp=True).sorted_stably()

    def influence(self) -> tuple[Influence, ...]:
        """Return what the longest text that can be remembered loses."""
        least = formulas.length_factor(float(MAX_TEXT_BYTES), self.anchor)
        return () if least is None else (Influence("length_factor", "length", "multiply", least, 1.0),)


def _code_units(text: str) -> float:
    return float(len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2)
