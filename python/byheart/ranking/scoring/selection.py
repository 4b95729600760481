"""Stages that look at texts and vectors: noise, tags that have to occur, near-duplicates."""
# docs/sources.md: A2.6, A2.5, A2.9.

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from ...light.classes import dataclass
from ...patterns import is_noise
from ...validation import check_between, check_text
from ..algebra import Stage, StageContext
from ..candidates import Candidates
from ..diversity import DEFERRAL_THRESHOLD, defer_similar

TAG_PREFIXES = ("proj", "env", "team", "scope")


@dataclass(frozen=True, slots=True)
class NoiseFilter(Stage):
    """Drops rows whose text is noise.

    Attributes:
        profile: of the patterns: "byheart", "1.0.11" or "1.1.0-beta.11".
        filter_denials, filter_meta, filter_boilerplate: switches of groups of patterns; what is too short goes always.

    """

    profile: str = "byheart"
    filter_denials: bool = True
    filter_meta: bool = True
    filter_boilerplate: bool = True

    name: ClassVar[str] = "noise"
    inputs: ClassVar[tuple[str, ...]] = ("text",)

    def __post_init__(self) -> None:
        """Check the profile."""
        check_text("profile", self.profile)
        is_noise("", self.profile)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without those rows; what has a title or data alone has no text that could be noise."""
        texts = {row: context.records[key].text for row, key in enumerate(table.keys)}
        reasons = {row: self._reason(text) for row, text in texts.items() if text}
        return table.drop({row: f"noise ({reason})" for row, reason in reasons.items() if reason is not None})

    def _reason(self, text: str) -> str | None:
        return is_noise(
            text,
            self.profile,
            filter_denials=self.filter_denials,
            filter_meta=self.filter_meta,
            filter_boilerplate=self.filter_boilerplate,
        )


@dataclass(frozen=True, slots=True)
class DeferSimilar(Stage):
    """Moves near-duplicates behind all others, and keeps them; the scores are no longer in order then.

    Attributes:
        threshold: a larger cosine than this to a row above makes a near-duplicate; 1 turns the stage off.

    """

    # docs/sources.md: A2.5.3.

    threshold: float = DEFERRAL_THRESHOLD

    name: ClassVar[str] = "diversity"
    inputs: ClassVar[tuple[str, ...]] = ("vector",)

    def __post_init__(self) -> None:
        """Check the range."""
        check_between("threshold", self.threshold, -1.0, 1.0)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in that order, with a note that names what was moved."""
        if len(table.keys) < 2 or self.threshold >= 1.0:
            return table
        order = defer_similar([context.vector_of(key) for key in table.keys], self.threshold)
        first = next((at for at in range(1, len(order)) if order[at] < order[at - 1]), None)
        if first is None:
            return table
        moved = ", ".join(table.ids[row] for row in order[first:])
        return table.reordered(order).with_note(f"near-duplicates of hits above them, moved to the end: {moved}")


@dataclass(frozen=True, slots=True)
class MustContain(Stage):
    """Drops rows whose text lacks a tag of the query, such as "proj:atlas"; case does not count.

    A query without tags drops nothing. Vectors know nothing of tags: without this, what is merely similar comes too.

    Attributes:
        prefixes: the tags there are, as they stand before the colon.

    """

    # docs/sources.md: A2.9.

    prefixes: tuple[str, ...] = TAG_PREFIXES

    name: ClassVar[str] = "tags"
    inputs: ClassVar[tuple[str, ...]] = ("text",)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without those rows."""
        tags = tags_of(context.query, self.prefixes)
        reasons: dict[int, str] = {}
        for row, key in enumerate(table.keys):
            text = context.records[key].text.lower()
            lacking = [tag for tag in tags if tag.lower() not in text]
            if lacking:
                reasons[row] = f"lacks the tag {', '.join(lacking)}"
        return table.drop(reasons)


def tags_of(query: str, prefixes: Sequence[str] = TAG_PREFIXES) -> list[str]:
    """Return the tags in a query, as written and in order: a prefix, a colon, and ASCII letters, digits, "_", "-".

    >>> tags_of("what did proj:atlas decide? env:prod-2"), tags_of("scope: spaced")
    (['proj:atlas', 'env:prod-2'], [])
    """
    if not prefixes:
        return []
    names = "|".join(map(re.escape, prefixes))
    return re.findall(rf"(?:{names}):[A-Za-z0-9_-]+", query, re.IGNORECASE)
