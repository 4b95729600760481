"""The selection of records that a search may find: a filter over the directory, what has ended, what is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..boundary import id_of
from ..light.classes import dataclass
from .filter.canonical import EVERYTHING, Canonical, all_of, membership, negated, over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core import Partition

Hits = list[tuple[str, float]]
"""What records are known by, and their scores, best first."""

Passes = Callable[[str, Canonical | None, float | None], bool]
"""Whether the record of a row passes a filter and has not ended at a time."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which records may be found. It changes no score.

    Attributes:
        filter: what they have to pass, in the canonical form of filters; None for all.
        now: records that end at this time or before are not found; None where no time matters.
        gone: records that match this are not found either, as if they had ended: another stands in their place, or
            they do not hold at that time. None for none.
        passes: asks the directory about one record.
        said: the part of the filter that the question itself says, by its operators; None without any.
        unsaid: the filter without that part.

    """

    filter: Canonical | None = None
    now: float | None = None
    gone: Canonical | None = None
    passes: Passes = lambda row, filter, now: True
    said: Canonical | None = None
    unsaid: Canonical | None = None

    def both(self, filter: Canonical | None) -> Selection:
        """Return the selection of those that pass this filter, too.

        >>> Selection(("in", "topic", ("tea",))).both(("in", "kind", ("turn",))).filter
        ('and', (('in', 'kind', ('turn',)), ('in', 'topic', ('tea',))))
        """
        if filter is None or filter == EVERYTHING:
            return self
        return replace(self, filter=filter if self.filter is None else all_of((self.filter, filter)))

    def saying(self, said: Canonical) -> Selection:
        """Return the selection of those that the operators of the question let through, too."""
        return self if said == EVERYTHING else replace(self.both(said), said=said, unsaid=self.filter)

    def without_said(self) -> Selection:
        """Return the selection as it is without the operators of the question."""
        return self if self.said is None else replace(self, filter=self.unsaid, said=None, unsaid=None)

    @property
    def everything(self) -> bool:
        """Whether every record may be found."""
        return self.filter is None and self.now is None and self.gone is None

    @property
    def kept(self) -> Canonical | None:
        """The filter that records have to pass, with the one that they must not match."""
        if self.gone is None:
            return self.filter
        return negated(self.gone) if self.filter is None else all_of((self.filter, negated(self.gone)))

    def rows(self, core: Partition, cells: Sequence[str], among: Iterable[str] | None = None) -> set[str]:
        """Return the rows in these cells that may be found, in one look at the directory; of all, or of some rows."""
        asked = [] if among is None else [membership("id", map(id_of, among))]
        asked += [] if (kept := self.kept) is None else [kept]
        asked += [] if self.now is None else [negated(over(self.now))]
        return set(core.rows(all_of(asked), cells))

    def holds(self, row: str) -> bool:
        """Return whether a record may be found."""
        return self.everything or self.passes(row, self.kept, self.now)
