"""Fusion by agreement, and the cuts after it, as stages: what `kb-fast`, `kb-balanced` and `kb-thinkingdb` are made of.

Normalise         raw scores to one scale, each in a column of its own
DropUnlike        what vectors alone found and is no more like the query than chance
AgreementFusion   the weighted sum of the normalised scores, and a bonus where retrievers agree
ScoreFloor        a minimum score, waived where a boundary is too small for it to mean anything
DropDuplicates    one record for each content
GapPruning        what lies too far behind the best
ExpandAggregates  the records that an aggregate is made of
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import ClassVar

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..validation import check_between, check_nonnegative
from . import fusion, hierarchy, normalisation, pruning
from .algebra import Stage, StageContext
from .candidates import Candidates, Column, RowKey

# With fewer records inside the boundary idf is too small for an absolute floor to mean anything.
RECORDS_FOR_A_FLOOR = 32

BELOW_MINIMUM = "below minimum"
"""How the reason begins why a row is dropped that scores too little."""
DUPLICATE_OF = "duplicate of "
"""How the reason begins why a row is dropped that repeats another one's content; then comes the id of that."""

_OPEN_ENDED = ("lexical", "symbolic")  # retrievers whose raw scores have no upper end


@dataclass(frozen=True, slots=True)
class Normalise(Stage):
    """Brings raw scores to one scale, each retriever's in a column of its own.

    "lexical_normalised" and "symbolic_normalised": raw / max(best, 1), in [0, 1], where best is the retriever's best
    over all that it searched. "dense_normalised": the cosine, clamped to [0, 1]. What else there is lies on the scale
    already.
    """

    name: ClassVar[str] = "normalise"
    inputs: ClassVar[tuple[str, ...]] = ("lexical", "symbolic", "dense")
    bare: ClassVar[bool] = True

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the columns."""
        made: dict[str, Column] = {}
        for name in _OPEN_ENDED:
            if name in table.columns:
                raw = table.columns[name]
                best = context.tops.get(name)
                if best is None:
                    best = max((score for score in raw if score is not None), default=1.0)
                divisor = best if best > 1.0 else 1.0
                made[f"{name}_normalised"] = [None if score is None else score / divisor for score in raw]
        if "dense" in table.columns:
            cosines = table.columns["dense"]
            made["dense_normalised"] = [None if c is None else normalisation.clamped(c) for c in cosines]
        return table.with_columns(made) if made else table


@dataclass(frozen=True, slots=True)
class DropUnlike(Stage):
    """Drops what vectors alone found and whose cosine is not above 0: it is no more like the query than chance."""

    name: ClassVar[str] = "unlike"
    inputs: ClassVar[tuple[str, ...]] = ("lexical", "hypervector", "symbolic", "dense")
    bare: ClassVar[bool] = True

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without those rows."""
        cosines = table.columns.get("dense", ())
        others = [table.columns[name] for name in self.inputs[:-1] if name in table.columns]
        unlike = [
            row
            for row, cosine in enumerate(cosines)
            if cosine is not None and cosine <= 0.0 and all(column[row] is None for column in others)
        ]
        return table.drop(dict.fromkeys(unlike, "cosine not above 0"))


@dataclass(frozen=True, slots=True)
class AgreementFusion(Stage):
    """Adds the weighted normalised scores in the order of the weights, and a bonus for each retriever that agrees.

    The table is sorted: score descending, then id.

    Attributes:
        weights: by retriever, in the order of summation.
        bonus: for each retriever beyond the first that found the record.

    """

    weights: Mapping[str, float] = field(default_factory=lambda: dict(fusion.WEIGHTS))
    bonus: float = fusion.AGREEMENT_BONUS

    name: ClassVar[str] = "agreement"
    inputs: ClassVar[tuple[str, ...]] = ("lexical_normalised", "symbolic_normalised", "dense_normalised", "hypervector")
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not all(0.0 <= number < float("inf") for number in (self.bonus, *self.weights.values())):
            raise InvalidArgument("weights and agreement_bonus must be finite and at least 0")

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the summands in columns of their own, sorted."""
        if "score" not in table.columns:
            table = table.with_column("score", [0.0] * len(table.keys))
        found = [0] * len(table.keys)
        for name, weight in self.weights.items():
            raw = table.columns.get(name)
            scaled = table.columns.get(f"{name}_normalised", raw)
            if raw is None or scaled is None:
                continue
            summands = [None if score is None else weight * score for score in scaled]
            found = [count if score is None else count + 1 for count, score in zip(found, scaled, strict=True)]
            detail = f"weight {weight:g} x {self._scale(name, table, context)}"
            table = table.scored(f"{name}_weighted", "add", summands, of=name, detail=detail)
        if max(found, default=0) > 1:
            extra = [self.bonus * (count - 1) if count > 1 else None for count in found]
            table = table.scored("agreement", "add", extra, detail="found by several")
        return table.sorted_by_score()

    def _scale(self, name: str, table: Candidates, context: StageContext) -> str:
        if name in _OPEN_ENDED and f"{name}_normalised" in table.columns:
            return f"raw / max(best raw {context.tops.get(name, 0.0):.6f}, 1)"
        return "cosine, clamped to [0, 1]" if name == "dense" else "raw"


@dataclass(frozen=True, slots=True)
class ScoreFloor(Stage):
    """Drops rows scored below the minimum; equal is kept. Waived in a boundary of fewer than 32 records.

    Attributes:
        at_least: the minimum.
        literal: keep it on tiny boundaries too.

    """

    at_least: float = 0.1
    literal: bool = False

    name: ClassVar[str] = "score floor"
    inputs: ClassVar[tuple[str, ...]] = ("score",)
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the range."""
        check_nonnegative("min_score", self.at_least)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without those rows."""
        return drop_below_minimum(table, self.at_least, records=context.inside, literal=self.literal)


@dataclass(frozen=True, slots=True)
class DropDuplicates(Stage):
    """Keeps one row of each content hash: the first, where the rows are sorted.

    Attributes:
        latest: keep what was said last, if words find it as well and it fits about as well as the first; where the
            question asks for the first of several, what was said first.

    """

    latest: bool = False

    name: ClassVar[str] = "duplicates"
    bare: ClassVar[bool] = True

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without the repetitions."""
        hashes = context.content_hashes(table.keys)
        if len(hashes) < len(table.keys):
            gone = [row for row, key in enumerate(table.keys) if key not in hashes]
            table = table.drop(dict.fromkeys(gone, "forgotten meanwhile"))
        return drop_duplicates(table, [hashes[key] for key in table.keys], context.query if self.latest else None)


@dataclass(frozen=True, slots=True)
class GapPruning(Stage):
    """Drops rows scored below a share of the best one; equal is kept, and 0 turns the stage off.

    Attributes:
        gap: the share, 0 to 1.

    """

    gap: float = 0.0

    name: ClassVar[str] = "gap"
    inputs: ClassVar[tuple[str, ...]] = ("score",)
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the range."""
        check_between("gap", self.gap, 0.0, 1.0)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without those rows."""
        return drop_behind_gap(table, self.gap)


@dataclass(frozen=True, slots=True)
class ExpandAggregates(Stage):
    """Adds the records that the aggregates among the rows are made of, each at a share of the aggregate's score."""

    name: ClassVar[str] = "aggregates"
    inputs: ClassVar[tuple[str, ...]] = ("score", "text")

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with their rows, sorted. Children lie inside the boundary, and their time is not over."""
        records = [context.records[key] for key in table.keys]
        named = {
            key: record.child_unit_ids
            for key, record in zip(table.keys, records, strict=True)
            if record.ku_type == "aggregate"
        }
        wanted = dict.fromkeys(child for children in named.values() for child in children)
        there = context.related(tuple(wanted)) if wanted else {}
        found = {child for child, record in there.items() if not record.invariant}  # those are given anyway
        inside = {
            key: [context.row_of(child) for child in children if child in found] for key, children in named.items()
        }
        return expand_aggregates(table, inside)


def drop_below_minimum(table: Candidates, minimum: float, *, records: int, literal: bool) -> Candidates:
    """Drop rows scored below the minimum (equal is kept), unless the boundary is too small for it to mean anything."""
    if not literal and records < RECORDS_FOR_A_FLOOR:
        return table.with_note(
            f"minimum score {minimum:g} waived: {records} records inside the boundary, fewer than {RECORDS_FOR_A_FLOOR}"
        )
    low = {
        row: f"{BELOW_MINIMUM} ({score:.4f} < {minimum:g})"
        for row, score in enumerate(table.scores())
        if score < minimum
    }
    return table.drop(low)


def drop_duplicates(table: Candidates, hashes: Sequence[str], query: str | None = None) -> Candidates:
    """Keep one row of each content hash: the first, or for a question the one that was said last (or first)."""
    if len(set(hashes)) == len(hashes):
        return table
    kept: dict[str, int] = {}
    for row, content in enumerate(hashes):
        kept.setdefault(content, row)
    if query is not None:
        from .repeated import latest_of

        kept = latest_of(kept, table, hashes, query)
    ids = table.ids
    repeated = {row: f"{DUPLICATE_OF}{ids[kept[of]]}" for row, of in enumerate(hashes) if kept[of] != row}
    return table.drop(repeated)


def drop_behind_gap(table: Candidates, gap: float) -> Candidates:
    """Drop rows scored below `gap` times the best one."""
    scores = table.scores()
    first_out = pruning.kept(scores, gap)
    limit = scores[0] * gap if scores else 0.0
    return table.drop({row: f"gap ({scores[row]:.4f} < {limit:.4f})" for row in range(first_out, len(scores))})


def cut(table: Candidates, k: int) -> Candidates:
    """Keep the first `k` rows."""
    return table.drop(dict.fromkeys(range(k, len(table.keys)), f"beyond k ({k})"))


def expand_aggregates(table: Candidates, children: Mapping[RowKey, Sequence[RowKey]]) -> Candidates:
    """Add the children of the aggregates among the rows, in a column "aggregate" too.

    `children` names those that may be seen, by aggregate. A child that is a row already stays as it is; one of
    several aggregates is scored by the best of them.
    """
    held: set[RowKey] = {*table.keys, *table.ids}
    added: list[RowKey] = []
    shares: list[float] = []
    for parent, score in zip(table.keys, table.scores(), strict=True):
        own = [child for child in dict.fromkeys(children.get(parent, ())) if child not in held]
        held.update(own)
        added += own
        shares += hierarchy.child_scores(score, len(own))
    if not added:
        return table
    before = (None,) * len(table.keys)
    detail = "a share of the score of the aggregate that it is a child of"
    grown = table.without_dropped(added).with_rows(added)
    return grown.scored("aggregate", "add", (*before, *shares), detail=detail).sorted_by_score()
