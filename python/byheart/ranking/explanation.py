"""A score taken apart: parts, their sum in order, the factors in order, the divisor.

Recomputed from these numbers, in the order in which they stand, the score comes out bit for bit. What is printed are
the same numbers, rounded, so that a calculator is enough; it may be off by one in the last digit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..frozen import Document
from ..light.classes import dataclass
from ..words import Operation
from .candidates import apply

_WHOLE = 1e8  # from here on eight digits are not even all before the point


def shown(number: float) -> str:
    """Return a number with eight significant digits, so that sums recomputed from remarks agree to six.

    >>> shown(2 / 3), shown(0.15), shown(8.0), shown(1234567890.5)
    ('0.66666667', '0.15', '8', '1234567890')
    """
    return f"{number:.8g}" if abs(number) < _WHOLE else f"{number:.0f}"


@dataclass(frozen=True, slots=True)
class Part(Document):
    """One summand: what it is called, its value, how the value came about, and what lies beneath it."""

    name: str
    value: float
    detail: str = ""
    inner: Explanation | None = None


@dataclass(frozen=True, slots=True)
class Step(Document):
    """A step of a proof: a fact and why it holds, how sure it is, and the steps that it rests on."""

    text: str
    value: float
    premises: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Change(Document):
    """A step of a recall: a column of the table that changed the score.

    Attributes:
        name: of the column.
        operation: "add", "multiply" or "divide".
        operand: what was added, or multiplied or divided by.
        score: after it.
        clamped: whether the score was brought into [0, 1] then.
        of: the retriever whose raw score the operand was made of, if it was of one.
        detail: how the operand came about.
        inner: that raw score taken apart.

    """

    name: str
    operation: Operation
    operand: float
    score: float
    clamped: bool = False
    of: str | None = None
    detail: str = ""
    inner: Explanation | None = None


@dataclass(frozen=True, slots=True)
class Explanation(Document):
    """How one record got its score, or why it has none.

    `score` = ((0.0 + part + part + ...) * factor * factor ...) / divisor, in this order, and then changed by each of
    `changes` in turn. A raw score of a retriever is explained by its parts; the score of a hit by its changes, which
    are the columns of the candidate table.
    """

    id: str
    score: float
    parts: tuple[Part, ...] = ()
    sum: float = 0.0
    factors: tuple[tuple[str, float], ...] = ()
    divisor: float = 1.0
    notes: tuple[str, ...] = ()
    proof: Step | None = None
    changes: tuple[Change, ...] = ()

    def recomputed(self) -> float:
        """Return the score computed once more from the parts."""
        total = _of_parts(self)
        for change in self.changes:
            total = apply(change.operation, total, change.operand, clamp=change.clamped)
        return total

    def __str__(self) -> str:
        """Draw the explanation as a small tree for a terminal."""
        return "\n".join([f"{self.id}  score {self.score:.6f}", *_lines(self, "")])


def _of_parts(explanation: Explanation) -> float:
    """Return what parts, factors and divisor come to, before any change."""
    total = 0.0
    for part in explanation.parts:
        total += part.value
    for _, factor in explanation.factors:
        total *= factor
    return total / explanation.divisor


def _lines(explanation: Explanation, indent: str) -> Iterator[str]:
    rows: list[tuple[str, Explanation | Step | None]] = []
    for part in explanation.parts:
        detail = f"   {part.detail}" if part.detail else ""
        rows.append((f"{part.value:>9.6f}  {part.name}{detail}", part.inner))
    rows += [(f"x {factor:g}  {name}", None) for name, factor in explanation.factors]
    if explanation.divisor != 1.0:
        rows.append((f"/ {explanation.divisor:.6f}  = {_of_parts(explanation):.6f}", None))
    rows += [(_change(change), change.inner) for change in explanation.changes]
    if explanation.proof is not None:
        rows.append(_step(explanation.proof))
    rows += [(note, None) for note in explanation.notes]
    yield from _tree(rows, indent)


def _change(change: Change) -> str:
    sign = {"add": "+", "multiply": "x", "divide": "/"}[change.operation]
    detail = f"   {change.detail}" if change.detail else ""
    clamped = " (clamped)" if change.clamped else ""
    return f"{sign} {change.operand:.6f}  {change.name}  = {change.score:.6f}{clamped}{detail}"


def _step(step: Step) -> tuple[str, Step]:
    return f"{step.value:>9.6f}  {step.text}", step


def _tree(rows: Sequence[tuple[str, Explanation | Step | None]], indent: str) -> Iterator[str]:
    for at, (text, inner) in enumerate(rows):
        last = at == len(rows) - 1
        yield f"{indent}{'└─' if last else '├─'} {text}"
        below = indent + ("   " if last else "│  ")
        if isinstance(inner, Step):
            yield from _tree([_step(premise) for premise in inner.premises], below)
        elif inner is not None:
            yield from _lines(inner, below)
