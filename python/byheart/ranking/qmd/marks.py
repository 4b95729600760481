"""The marks of a question as a stage: what excludes a text, or wants it to say something, holds for every source."""
# docs/sources.md: A3.7.1.

from __future__ import annotations

from typing import ClassVar

from ...light.classes import dataclass
from ..algebra import Stage, StageContext
from ..candidates import Candidates
from .syntax import of_all, parse

_WHY = "the marks of the question do not admit it"


@dataclass(frozen=True, slots=True)
class KeepMarks(Stage):
    """Drops the rows whose text lacks what the question wants, or says what it excludes.

    Marks of a text without types hold for the whole answer, and so do those of a single line; marks of one line among
    several for that line's search alone. Where the recall has read them as operators, they are these.
    """

    name: ClassVar[str] = "marks"
    inputs: ClassVar[tuple[str, ...]] = ("text",)
    keeps_marks: ClassVar[bool] = True

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without those rows."""
        if context.admits is not None:
            others = [row for row, key in enumerate(table.keys) if not context.admits(context.records[key])]
            return table.drop(dict.fromkeys(others, _WHY))
        line = of_all(parse(context.query))
        if line is None:
            return table
        texts = ["\n".join(context.records[key].indexed().values()) for key in table.keys]
        gone = [row for row, text in enumerate(texts) if not line.admits(text)]
        return table.drop(dict.fromkeys(gone, _WHY))
