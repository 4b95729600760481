"""The router's fusion as a stage: what two retrievers found becomes one list, and says which stage a row is of."""
# docs/sources.md: A3.1.3, A3.3.

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...errors import InvalidArgument
from ...light.classes import dataclass
from ...validation import check_name
from ..algebra import Stage, StageContext
from ..candidates import Candidates, RowKey
from . import fusion
from .routing import Constants, merged


@dataclass(frozen=True, slots=True)
class Route(Stage):
    """Joins the lists of two retrievers by their ranks, and orders the rows.

    The score is a sum of the columns "stage1" and "stage2". In the mode "append_fill" a row is of one stage, and the
    column holds 1 / (k + its place in the answer); in "rrf_fusion" each column holds 1 / (k + the rank in that list).
    What the second stage found beyond the fill is dropped. Both raw scores stay in columns named after the retrievers.

    Attributes:
        stage1: the retriever whose list comes first.
        stage2: the one that fills up.
        mode: "append_fill" or "rrf_fusion".
        top_k: where filling ends.
        max_append: the most rows that the second may add.
        k_rrf: how slowly ranks lose weight.

    """

    stage1: str = "qmd"
    stage2: str = "dense"
    mode: str = "append_fill"
    top_k: int = 10
    max_append: int = 10
    k_rrf: int = fusion.K_RRF

    name: ClassVar[str] = "route"
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check names and ranges."""
        for name in ("stage1", "stage2"):
            check_name(name, getattr(self, name))
        if self.stage1 == self.stage2:
            raise InvalidArgument(f"stage2: is {self.stage2!r}, as stage1 is; two stages ask two retrievers")
        self._rules()

    @property
    def ranked(self) -> tuple[str, ...]:
        """The retrievers whose ranks it reads."""
        return (self.stage1, self.stage2)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the columns "stage1" and "stage2", in the order of the answer."""
        lists = [_listed(table, name) for name in self.ranked]
        placed = merged(list(lists[0]), list(lists[1]), self._rules())
        at = {key: row for row, key in enumerate(table.keys)}
        operands: list[list[float | None]] = [[None] * len(at), [None] * len(at)]
        for row in placed:
            if self.mode == "append_fill":
                operands[row.stage_priority][at[row.id]] = row.score
                continue
            for ranks, column in zip(lists, operands, strict=True):
                if row.id in ranks:
                    column[at[row.id]] = fusion.reciprocal(ranks[row.id], self.k_rrf)
        of = "place" if self.mode == "append_fill" else "rank"
        for number, (name, column) in enumerate(zip(self.ranked, operands, strict=True), 1):
            detail = f"1 / ({self.k_rrf} + {of}), {name}"
            table = table.scored(f"stage{number}", "add", column, of=name, detail=detail)
        kept = [at[row.id] for row in placed]
        beyond = [row for row in _numbers_of(table) if row not in set(kept)]
        table = table.reordered([*kept, *beyond])
        reason = f"beyond the fill ({self.top_k} hits, {self.max_append} of the second stage at most)"
        return table.drop(dict.fromkeys(_numbers_of(table)[len(kept) :], reason))

    def _rules(self) -> Constants:
        return Constants(self.mode, self.top_k, max_append=self.max_append, k_rrf=self.k_rrf)


def _numbers_of(table: Candidates) -> range:
    """Return the numbers of the rows."""
    return range(len(table.keys))


def _listed(table: Candidates, name: str) -> Mapping[RowKey, int]:
    """Return the rank of each row in a retriever's list, from 1, in order of the list."""
    column = table.columns.get(f"{name}_rank", (None,) * len(table.keys))
    found = sorted((rank, key) for key, rank in zip(table.keys, column, strict=True) if rank is not None)
    return {key: number for number, (_, key) in enumerate(found, 1)}
