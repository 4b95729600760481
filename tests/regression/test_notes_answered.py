"""Judged notes as they are answered: the place of the text that answers each question, and what is refused.

The 600 notes and 720 questions were written by authors who had not seen the code (`benches/quality/notes`). A line that
says something worse is a fault; what is better, or meant, is written anew:
`python -m tests.regression.test_notes_answered`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory

NOTES = Path(__file__).parents[2] / "benches" / "quality" / "notes"
SETS = ("home", "team", "agent", "mixed")
NOW = datetime(2026, 11, 1, 9, tzinfo=UTC).timestamp()
TOKENS = 60
"""A context of two or three notes: what is last in it is no answer."""


def kept(name: str) -> Path:
    """Where the lines of a set are kept."""
    return Path(__file__).parent / "notes" / f"{name}.txt"


def rows(name: str, what: str) -> list[dict[str, Any]]:
    """The records, the known or the unknown questions of a set."""
    text = (NOTES / name / f"{what}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@cache
def told(name: str) -> Memory:
    """A memory that was told a set."""
    memory = Memory()
    for row in rows(name, "records"):
        at = datetime.fromisoformat(row["time"]).replace(tzinfo=UTC)
        memory.remember(row["text"], id=row["id"], created_at=at)
    return memory


def known(name: str) -> Iterator[str]:
    """For each known question the place of its answer, whether it is given, and whether a short context holds it."""
    memory = told(name)
    texts = {row["id"]: row["text"] for row in rows(name, "records")}
    for row in rows(name, "known"):
        asked, gold = row["question"], row["gold"]
        ids = [hit.id for hit in memory.recall(asked, 10, now=NOW, min_strength=0.0)]
        place = next((str(at) for at, id in enumerate(ids, 1) if id in gold), "-")
        given = "given" if memory.recall(asked, 10, now=NOW) else "empty"
        block = memory.context(asked, TOKENS, now=NOW).text
        held = "held" if any(texts[id] in block for id in gold) else "not held"
        yield f"{place}, {given}, {held}: {asked}"


def unknown(name: str) -> Iterator[str]:
    """For each question that no note answers whether it is refused."""
    memory = told(name)
    for row in rows(name, "unknown"):
        found = memory.recall(row["question"], 10, now=NOW)
        yield f"{f'answered by {found[0].id}' if found else 'refused'}: {row['question']}"


def lines(name: str) -> list[str]:
    """All lines of a set."""
    return [*known(name), *unknown(name)]


@pytest.mark.parametrize("name", SETS)
def test_each_known_question_has_its_answer_where_it_was(name: str) -> None:
    was = kept(name).read_text(encoding="utf-8").splitlines()[:120]
    assert list(known(name)) == was
    assert len({line.partition(": ")[2] for line in was}) > 110


@pytest.mark.parametrize("name", SETS)
def test_each_unknown_question_is_refused_as_it_was(name: str) -> None:
    was = kept(name).read_text(encoding="utf-8").splitlines()[120:]
    assert list(unknown(name)) == was
    assert len(was) == 60


if __name__ == "__main__":
    for each in SETS:
        kept(each).parent.mkdir(exist_ok=True)
        kept(each).write_text("\n".join(lines(each)) + "\n", encoding="utf-8")
