"""A recorded retrieval report as a retriever: for each question what was found then, and how long it took.

With a report in the place of each stage the profile `router` gives the same answers on every machine, latencies
included.
"""
# docs/sources.md: A3.4.4, A3.6.5.

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InvalidArgument
from ..ranking.router.fusion import delivered
from ..validation import check_name
from .protocol import Found, LegQuery

FIELDS = ("retrieved_session_ids", "retrieved_observation_ids")


class Recorded:
    """The results of a report, by question; register it, and a leg may name it.

    Scores are 1 / rank: a report keeps the order alone. Of what a stage delivered the first are taken, then
    repetitions go. A question that was not asked then is no failure of the report's, but nothing is found, which the
    answer says; a question that failed then, fails again.

    Args:
        name: what legs call it.
        report: with "results" and "failures", as the bench writes it: a mapping, or a file of JSON.
        ids: which of its lists of ids are those of records.

    Raises:
        InvalidArgument: it is no report; the message says what is missing where.

    >>> report = {"results": [{"question": "tea?", "retrieved_session_ids": ["b", "a"], "latency_ms": 12.5}]}
    >>> Recorded("qmd-report", report).answer("tea?")
    (('b', 'a'), 12.5)

    """

    def __init__(
        self, name: str, report: Mapping[str, Any] | str | Path, *, ids: str = "retrieved_session_ids"
    ) -> None:
        check_name("name", name)
        if ids not in FIELDS:
            raise InvalidArgument(f"ids: is {ids!r}; use one of {', '.join(FIELDS)}")
        self.name = name
        held = report if isinstance(report, Mapping) else _read(Path(report))
        results = held.get("results")
        if not isinstance(results, list):
            raise InvalidArgument('report: has no list "results"')
        self._answers = dict(_answer(number, each, ids) for number, each in enumerate(results))
        self._failed = {
            each["question"]: str(each.get("error_code", "UNEXPECTED_ERROR"))
            for each in held.get("failures", ())
            if isinstance(each, Mapping) and isinstance(each.get("question"), str)
        }

    def answer(self, question: str) -> tuple[tuple[str, ...], float | None]:
        """Return what was found for a question, and the milliseconds that it took.

        Raises:
            KeyError: it was not asked.

        """
        return self._answers[question]

    def search(self, asked: LegQuery) -> Found:
        """Return what was found then."""
        question = asked.question.text
        if question in self._failed:
            raise RuntimeError(self._failed[question])
        if question not in self._answers:
            return Found((), degraded=(f"{self.name}: the report has no such question",))
        ids, took = self._answers[question]
        first = delivered(ids, asked.pool)
        return Found([(id, 1.0 / rank) for rank, id in enumerate(first, 1)], latency_ms=took)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"report: {path.name} cannot be read ({error})") from error
    if not isinstance(found, dict):
        raise InvalidArgument(f"report: {path.name} holds no JSON object")
    return found


def _answer(number: int, entry: object, field: str) -> tuple[str, tuple[tuple[str, ...], float | None]]:
    where = f"report: results[{number}]"
    if not isinstance(entry, Mapping) or not isinstance(entry.get("question"), str):
        raise InvalidArgument(f'{where}: needs a "question"')
    ids = entry.get(field)
    if not isinstance(ids, Sequence) or isinstance(ids, str) or not all(isinstance(id, str) for id in ids):
        raise InvalidArgument(f'{where}: needs a list of ids "{field}"')
    took = entry.get("latency_ms")
    if took is not None and (isinstance(took, bool) or not isinstance(took, (int, float)) or not 0 <= took < 1e12):
        raise InvalidArgument(f"{where}: latency_ms is {took!r}; it must be a number of milliseconds")
    return entry["question"], (tuple(ids), None if took is None else float(took))
