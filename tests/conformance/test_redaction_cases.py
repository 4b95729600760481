"""Redaction on the published list of cases: how much of what is found is right, and how much of what there is is found.

The figures stand in docs/redaction.md; whoever changes a detector writes them anew. A find is right if a place of its
kind overlaps it, and a place is found if anything hides all of its letters and digits.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from byheart.boundary.redaction import DETECTORS, Redactor

CASES = json.loads((Path(__file__).parent / "redaction_cases.json").read_text(encoding="utf-8"))
ROW = re.compile(
    r"^\| (?P<name>\w+) \| (?P<places>\d+) \| (?P<precision>[\d.]+) \| (?P<recall>[\d.]+) \|$", re.MULTILINE
)


def places(case: dict) -> list[tuple[str, int, int]]:
    found = [(name, case["text"].index(said)) for name, said in case["holds"]]
    return [(name, at, at + len(said)) for (name, at), (_, said) in zip(found, case["holds"], strict=True)]


def measured() -> dict[str, tuple[int, float, float]]:
    """Return for each detector the number of places, precision and recall."""
    redactor = Redactor(["email", "card", "phone", "secret", "name", "address"])
    right, said, found, there = ({name: 0 for name in DETECTORS} for _ in range(4))
    for case in CASES:
        finds = redactor.redact(case["text"]).finds
        hidden = {at for find in finds for at in range(find.start, find.end)}
        for name, start, end in places(case):
            there[name] += 1
            found[name] += all(at in hidden or not case["text"][at].isalnum() for at in range(start, end))
        for find in finds:
            said[find.name] += 1
            right[find.name] += any(
                name == find.name and start < find.end and find.start < end for name, start, end in places(case)
            )
    return {name: (there[name], right[name] / said[name], found[name] / there[name]) for name in DETECTORS}


def test_the_figures_are_those_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "redaction.md").read_text(encoding="utf-8")
    rows = {name: (int(count), precision, recall) for name, count, precision, recall in ROW.findall(page)}

    ours = {
        name: (count, f"{precision:.2f}", f"{recall:.2f}") for name, (count, precision, recall) in measured().items()
    }
    assert rows == ours
    assert len(CASES) >= 100 and f"{len(CASES)} texts" in page


@pytest.mark.parametrize("name", ["email", "card", "secret"])
def test_what_has_a_form_is_found_nearly_always(name: str) -> None:
    count, precision, recall = measured()[name]
    assert count >= 6 and precision >= 0.9 and recall >= 0.8
