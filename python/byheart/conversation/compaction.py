"""Compaction, the part without a store: which turns one summary is of, who writes it, and what it keeps.

Turns are cut into runs of nearly equal length in the order in which they were said: no
clustering by meaning, so equal turns give equal clusters everywhere. Pure: no store, no clock, no summariser.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeVar

from .._core import stop_words
from ..light.classes import dataclass
from ..light.expressions import expression
from ..records import SUMMARY, Record

T = TypeVar("T")

TARGET: Final = 20
LEAST: Final = 2
ABSTRACTIVE_FROM: Final = 0.60
DELTA: Final = 0.5

_SMALL: Final = frozenset(stop_words())
_AROUND: Final = ".,;:!?()[]{}\"`<>*#=-'\u2019\u2026\u201c\u201d\u201e\u00ab\u00bb\u3001\u3002\uff01\uff1f\u300c\u300d"
_WHOLE_NUMBER: Final = expression(r"[+-]?[0-9]+\Z")
_LARGEST: Final = 2**63  # a time that is a text has to fit 64 bits with a sign


@dataclass(frozen=True, slots=True)
class Entry:
    """What compaction looks at in a turn.

    Attributes:
        id: the record's.
        at: when it was said; any unit, all of one.
        open: no summary, and none stands for it yet.
        gating_score: what the gate gave it, as it was kept.

    """

    id: str
    at: float = 0
    open: bool = True
    gating_score: Any = None

    @classmethod
    def of_record(cls, record: Record) -> Entry:
        """Return the entry of a stored record."""
        is_open = record.kind != SUMMARY and record.archived_by is None
        return cls(record.id or "", record.created_at or 0, is_open, record.metadata.get("gating_score"))

    @classmethod
    def of_metadata(cls, id: str, metadata: Mapping[str, Any]) -> Entry:
        """Return the entry of a turn whose metadata says all of it: `ts`, `type` and `gating_score`.

        >>> Entry.of_metadata("t1", {"ts": "7"})
        Entry(id='t1', at=7, open=True, gating_score=None)

        """
        is_open = metadata.get("type") != SUMMARY
        return cls(id, timestamp(metadata.get("ts")), is_open, metadata.get("gating_score"))


def timestamp(value: Any) -> int:
    """Return a time from metadata: a whole number, a number cut to one, or a text of digits; 0 for all else.

    >>> timestamp(7.9), timestamp("-7"), timestamp("7.9"), timestamp(" 7"), timestamp(True), timestamp(None)
    (7, -7, 0, 0, 0, 0)

    """
    if isinstance(value, str):
        found = int(value) if _WHOLE_NUMBER.match(value) and len(value) <= 64 else 0
        return found if -_LARGEST <= found < _LARGEST else 0
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0
    return int(value)


def chronological(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that may be summarised, in order of time, and of id where the time is the same.

    >>> [entry.id for entry in chronological([Entry("c", 2), Entry("b", 1), Entry("s", 0, open=False), Entry("a", 1)])]
    ['a', 'b', 'c']

    """
    return sorted((entry for entry in entries if entry.open), key=lambda entry: (entry.at, entry.id))


def should_compact(eligible: int, target: int = TARGET, force: bool = False) -> bool:
    """Return whether so many turns are worth compacting: two at least, and without force as many as a cluster has.

    >>> should_compact(19), should_compact(20), should_compact(2, force=True), should_compact(1, force=True)
    (False, True, True, False)

    """
    return eligible >= LEAST and (force or eligible >= _size(target))


def cluster_sizes(turns: int, target: int = TARGET) -> list[int]:
    """Return how many turns each cluster has: sizes differ by one at most, and none is above the target.

    There are c = ceil(n / k) clusters, and turn i lies in cluster floor(i * c / n), in whole numbers. A target of 0 or
    below counts as 20.

    >>> cluster_sizes(45), cluster_sizes(10, 3), cluster_sizes(0)
    ([15, 15, 15], [3, 2, 3, 2], [])

    """
    count = -(-turns // _size(target))
    starts = [-(-cluster * turns // count) for cluster in range(count + 1)] if count else []
    return [end - start for start, end in pairwise(starts)]


def clusters(turns: Sequence[T], target: int = TARGET) -> list[list[T]]:
    """Return turns, which are in order, cut into clusters of these sizes.

    >>> clusters("abcde", 2)
    [['a', 'b'], ['c', 'd'], ['e']]

    """
    found, start = [], 0
    for size in cluster_sizes(len(turns), target):
        found.append(list(turns[start : start + size]))
        start += size
    return found


def plan(entries: Iterable[Entry], target: int = TARGET, force: bool = False) -> list[list[Entry]]:
    """Return the clusters of those entries that may be summarised; none if they are too few.

    >>> [[entry.id for entry in cluster] for cluster in plan([Entry("b", 2), Entry("c", 3), Entry("a", 1)], 2)]
    [['a', 'b'], ['c']]

    """
    ordered = chronological(entries)
    return clusters(ordered, target) if should_compact(len(ordered), target, force) else []


def route(gating_scores: Sequence[Any], abstractive_ready: bool, least: float = ABSTRACTIVE_FROM) -> str:
    """Return who summarises a cluster: "abstractive" where that is ready and the mean score is at least `least`.

    Args:
        gating_scores: of its turns, as metadata holds them: a number, or a text of one. All else counts as 0.
        abstractive_ready: whether there is an abstractive summariser.
        least: the mean from which it summarises, 0 to 1.

    >>> route([0.8, "0.7"], True), route([1.0, None], True), route([0.9], False)
    ('abstractive', 'extractive', 'extractive')

    """
    if not abstractive_ready or not gating_scores:
        return "extractive"
    total = 0.0
    for score in gating_scores:
        total += _number(score)
    return "abstractive" if _clamp(total / len(gating_scores)) >= least else "extractive"


def summary_id(session_id: str, source_ids: Sequence[str]) -> str:
    """Return the id of the summary of these turns: the same turns of the same session give the same one.

    >>> summary_id("s1", ["a", "b"])
    'summary:808209ad8de0c7c1'

    """
    named = f"{session_id}:{','.join(source_ids)}"
    return f"{SUMMARY}:{hashlib.sha256(named.encode()).hexdigest()[:16]}"


def words_behind(texts: Iterable[str], summary: str) -> str | None:
    """Return the words that texts say and their summary does not, each once, in order; None if there are none.

    Words that say nothing by themselves are left out, as in any index.

    >>> words_behind(["Bring the red umbrella!", "A red one?"], "Somebody has an umbrella.")
    'Bring red one'

    """
    known = set(_SMALL).union(word.casefold() for word in _words(summary))
    found: dict[str, str] = {}
    for text in texts:
        for word in _words(text):
            if (same := word.casefold()) not in known:
                found.setdefault(same, word)
    return " ".join(found.values()) or None


def _words(text: str) -> Iterable[str]:
    return filter(None, (word.strip(_AROUND) for word in text.split()))


def merge_method(methods: Iterable[str]) -> str:
    """Return the method of several summaries: the one that all have, or "mixed"; "" where there are none.

    >>> merge_method(["extractive", "extractive"]), merge_method(["extractive", "onnx-t5"]), merge_method([])
    ('extractive', 'mixed', '')

    """
    merged = ""
    for method in methods:
        merged = method if merged in ("", method) else "mixed"
    return merged


def mean_confidence(confidences: Sequence[float]) -> float:
    """Return the mean, 0 to 1, added in order; 0 where there are none.

    >>> mean_confidence([0.5, 1.0]), mean_confidence([])
    (0.75, 0.0)

    """
    total = 0.0
    for confidence in confidences:
        total += confidence
    return _clamp(total / len(confidences)) if confidences else 0.0


def decay_rate(confidence: float) -> float:
    """Return how much of its turns a summary lost: 1 - confidence, clamped to [0, 1].

    >>> decay_rate(0.75), decay_rate(-0.2)
    (0.25, 1.0)

    """
    return _clamp(1.0 - confidence)


def quality(confidence: float, delta: float = DELTA) -> float:
    """Return what a summary of this confidence keeps of its score, 1 - delta * decay rate; with 0.5 at least half.

    >>> quality(0.75), quality(0.0), quality(0.0, delta=1.0)
    (0.875, 0.5, 0.0)

    """
    return 1.0 - delta * decay_rate(confidence)


def _size(target: int) -> int:
    return target if target > 0 else TARGET


def _number(value: Any) -> float:
    """Return a number from metadata, or the number that a text says; 0 for all else, infinities and NaN too."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return 0.0
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return 0.0
    return found if math.isfinite(found) and "_" not in str(value) else 0.0


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
