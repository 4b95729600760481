"""The records that every store is given, the questions it is asked, and the exact answers to them.

Texts: two English turns of `corpora.py` in one, cut at a word below 250 bytes. Vectors: 384 components, length 1, drawn
around one of 1,000 centres, since vectors drawn evenly have no neighbours to find. A group: one of 100 in turn, so that
an equality keeps 1 %. Questions: eight running words of a record, its vector moved a little, and a group; the answers
are those of NumPy over all records.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import above  # noqa: F401
import corpora
import numpy as np

WIDTH, CENTRES, SPREAD, GROUPS, TEXT_BYTES = 384, 1_000, 0.8, 100, 250
TOP = 10
BLOCK = 1_000
TEXTS, VECTORS, QUESTIONS, ASKED = "texts.txt", "vectors.f32", "questions.json", "asked.npy"


@dataclass(frozen=True, slots=True)
class Item:
    """One record."""

    number: int
    text: str
    vector: Any

    @property
    def id(self) -> str:
        """Return the record's id."""
        return f"r{self.number}"

    @property
    def group(self) -> str:
        """Return the value of the one field of metadata."""
        return f"g{self.number % GROUPS}"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the numbers of the exact ten, of all records and of the group's."""

    words: str
    group: str
    vector: Any
    nearest: frozenset[int]
    nearest_of_group: frozenset[int]


def _unit(rows: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _texts(count: int) -> Iterator[str]:
    turns = corpora.english_documents(2 * count)
    for first, second in zip(turns, turns, strict=True):  # from one iterator: each with the turn after it
        yield f"{first} {second}".encode()[:TEXT_BYTES].decode(errors="ignore").rpartition(" ")[0]


def _vectors(count: int) -> np.ndarray:
    draw = np.random.default_rng([corpora.SEED, WIDTH])
    centres = _unit(draw.standard_normal((CENTRES, WIDTH)))
    around = centres[draw.integers(0, CENTRES, count)]
    return _unit(around + SPREAD / np.sqrt(WIDTH) * draw.standard_normal((count, WIDTH)))


def _best(scores: np.ndarray, numbers: np.ndarray) -> list[int]:
    order = np.argsort(-scores, kind="stable")[:TOP]
    return [int(number) for number in numbers[order]]


def prepare(folder: Path, records: int, questions: int) -> None:
    """Write records, questions and exact answers into a folder, from where every process reads them."""
    texts, vectors = list(_texts(records)), _vectors(records)
    (folder / TEXTS).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    vectors.tofile(folder / VECTORS)
    draw = np.random.default_rng([corpora.SEED, questions])
    chosen = draw.integers(0, records, questions)
    asked = _unit(vectors[chosen] + 0.3 / np.sqrt(WIDTH) * draw.standard_normal((questions, WIDTH)))
    np.save(folder / ASKED, asked)
    numbers, lines = np.arange(records), []
    for vector, number in zip(asked, chosen, strict=True):
        (words,) = corpora.queries([texts[number]], "sentence", 1)
        scores, group = vectors @ vector, int(number) % GROUPS
        of_group = numbers[group::GROUPS]
        plain = " ".join(re.findall("[A-Za-z]+", words))  # no store's signs for phrases and for what must not be there
        lines.append((plain, f"g{group}", _best(scores, numbers), _best(scores[of_group], of_group)))
    (folder / QUESTIONS).write_text(json.dumps(lines), encoding="utf-8")


def items(folder: Path, start: int, stop: int) -> Iterator[list[Item]]:
    """Give records in lists of a thousand, and never hold more of them."""
    with (folder / TEXTS).open(encoding="utf-8") as texts:
        lines = islice(texts, start, stop)
        for first in range(start, stop, BLOCK):
            count = min(BLOCK, stop - first)
            offset = first * WIDTH * 4
            vectors = np.fromfile(folder / VECTORS, np.float32, count * WIDTH, offset=offset).reshape(count, WIDTH)
            yield [Item(first + n, next(lines).rstrip("\n"), vectors[n]) for n in range(count)]


def questions(folder: Path) -> Sequence[Question]:
    """Return the questions."""
    lines = json.loads((folder / QUESTIONS).read_text(encoding="utf-8"))
    return [
        Question(words, group, vector, frozenset(nearest), frozenset(of_group))
        for (words, group, nearest, of_group), vector in zip(lines, np.load(folder / ASKED), strict=True)
    ]
