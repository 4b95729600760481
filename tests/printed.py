"""The calculator of tests: an explanation as it is printed, each row held against the numbers that stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log
from typing import NamedTuple

import pytest

import byheart
from byheart import Recall

LAST = 1.5e-6
"""One of the last printed digit, and a half for what the numbers before it were rounded by."""

CHANGE = re.compile(r"([+x/]) (\S+)  (\w+)  = (\S+)   (.+)")
TERM = re.compile(
    r"(\S+)  all:(\S+)   weight (\S+), idf (\S+) \(in (\d+) of (\d+)(?:, and (\S+) of (\S+) ordinary texts)?\), "
    r"(\d+)x in (\d+) terms \(average (\S+)\), "
    r"k1 (\S+), b ([\d.]+)(, light.*?)?(?:, read for .*)?(?:, said by .*)?"
)
FIELD = re.compile(r"(\S+)  (\w+)   weight (\S+), similarity (\S+?)(?:, reachable (\S+))?")
SUM = re.compile(r"(\S+)  (\S+)   ([\d.(]+.* x .+)")
SIGNS = {"+": lambda a, b: a + b, "x": lambda a, b: a * b, "/": lambda a, b: a / b}


class Row(NamedTuple):
    """A printed row, and the rows beneath it."""

    text: str
    under: list[Row]


def rows(explanation: byheart.Explanation | None) -> list[Row]:
    """Return the tree that is printed, without its first line."""
    top: list[Row] = []
    open_ = [top]
    for line in str(explanation).splitlines()[1:]:
        branch, text = re.fullmatch(r"((?:│  |   )*)[├└]─ (.*)", line).groups()  # type: ignore[union-attr]
        del open_[len(branch) // 3 + 1 :]
        row = Row(text.strip(), [])
        open_[-1].append(row)
        open_.append(row.under)
    return top


def reckoned(told: str) -> float:
    """Return what the arithmetic comes to with which a remark begins; what it means follows behind a colon."""
    sum_ = told.partition(": ")[0].replace(" x ", " * ")
    assert re.fullmatch(r"(?:min\(1, |max\(0.2, |[-+*/() \d.]|e-\d)+", sum_), f"no arithmetic: {told}"
    return float(eval(sum_, {"min": min, "max": max}))  # digits and signs


def checked(answer: Recall) -> set[str]:
    """Hold each printed row of an answer's explanations against what it is made of; return what rows there are."""
    return {name for hit in answer for name in names_of_checked(hit)}


def names_of_checked(hit: byheart.Hit) -> Iterator[str]:
    score = 0.0
    for row in rows(hit.explanation):
        found = CHANGE.fullmatch(row.text)
        if found is None:
            assert row.text[:2] not in ("+ ", "x ", "/ "), f"no remark: {row.text}"
            continue
        sign, operand, name, after, detail = found.groups()
        assert reckoned(detail) == pytest.approx(float(operand), abs=LAST), row.text
        score = SIGNS[sign](score, float(operand))
        assert score == pytest.approx(float(after), abs=LAST), row.text
        score = float(after)
        beneath = {"word_share": words, "subwords": pieces, "meaning": cosine, "before": told, "after": told}
        beneath |= {"nearest": no_part, "whole": session}
        if row.under or name == "whole":
            beneath[name](row, detail)
        yield name
    assert score == pytest.approx(hit.score, abs=LAST)


def words(row: Row, detail: str) -> None:
    """Hold BM25 of a record against its terms, and what is divided by against what the words weigh."""
    raw, most = re.match(r"(?:min\(1, )?(\S+) / ([\d.]+)", detail).groups()  # type: ignore[union-attr]
    *terms, divisor = row.under
    assert bm25(terms) == pytest.approx(float(raw), abs=LAST)
    told, _, sum_ = divisor.text.partition(" = ")
    assert told == most
    assert reckoned(sum_) == pytest.approx(float(most), abs=LAST)


def session(row: Row, detail: str) -> None:
    """Hold the share of a whole session against its terms, which are counted among sessions, and the divisor."""
    *terms, by, divisor = row.under
    most, _, sum_ = divisor.text.partition(" = ")
    assert sum_.endswith("among sessions") and reckoned(sum_) == pytest.approx(float(most), abs=LAST)
    found = re.fullmatch(r"/ (\S+)  = (\S+)", by.text)
    assert found is not None and float(found[1]) == pytest.approx(float(most), abs=LAST), by.text
    share = bm25(terms) / float(most)
    assert share == pytest.approx(float(found[2]), abs=LAST)
    assert share == pytest.approx(float(re.match(r"\S+ x (\S+): ", detail)[1]), abs=LAST)  # type: ignore[index]


def bm25(terms: list[Row]) -> float:
    """Return what printed terms come to, each held against what it is made of."""
    total = 0.0
    for term in terms:
        found = TERM.fullmatch(term.text)
        assert found is not None, term.text
        value, _, weight, idf, df, of, held, texts, tf, length, average, k1, b = (
            each if at == 1 else float(each or 0) for at, each in enumerate(found.groups()[:13])
        )
        both, all_texts = df + held, of + texts
        taken_down = log((all_texts - both + 0.5) / (both + 0.5) + 1) / log((all_texts - df + 0.5) / (df + 0.5) + 1)
        assert log((of - df + 0.5) / (df + 0.5) + 1) * taken_down == pytest.approx(idf, abs=1e-7)
        part = weight * idf * (k1 + 1) * tf / (tf + k1 * (1 - b + b * length / average))
        assert part == pytest.approx(value, abs=LAST), term.text
        total += part
    return total


def pieces(row: Row, detail: str) -> None:
    """Hold the likeness of hypervectors against its fields."""
    *fields, divisor = row.under
    total = 0.0
    for field in fields:
        value, _, weight, similarity, reachable = FIELD.fullmatch(field.text).groups()  # type: ignore[union-attr]
        above = max(0.0, (float(similarity) - 0.5) * 2)
        part = float(weight) * (min(1.0, above / float(reachable)) if above > 0.05 else 0.0)
        assert part == pytest.approx(float(value), abs=LAST), field.text
        total += part
    by, _, likeness = divisor.text.removeprefix("/ ").partition("  = ")
    assert total / float(by) == pytest.approx(float(likeness), abs=LAST)
    assert detail.startswith("0: ") or float(re.search(r"\((\S+) - 0.15\)", detail)[1]) == pytest.approx(  # type: ignore[index]
        float(likeness), abs=LAST
    )


def no_part(row: Row, detail: str) -> None:
    """Hold that what stands beneath is no part of the score."""
    assert detail.startswith("0: in order of ") and row.under


def cosine(row: Row, detail: str) -> None:
    """Hold the cosine that counts against the one beneath."""
    [told] = row.under
    said = re.search(r"cosine (\S+), clamped", told.text)[1]  # type: ignore[index]
    assert re.search(r"(\S+) - 0.2\)|cosine (\S+) is not above", detail)
    assert float(said) in [
        pytest.approx(float(each), abs=LAST) for each in re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?", detail)
    ]


def told(row: Row, detail: str) -> None:
    """Hold what was told around a turn against what each turn said."""
    total = 0.0
    for each in row.under:
        value, _, sum_ = SUM.fullmatch(each.text).groups()  # type: ignore[union-attr]
        assert reckoned(sum_) == pytest.approx(float(value), abs=LAST), each.text
        total += reckoned(sum_)
    assert total == pytest.approx(float(re.match(r"\S+ x (\S+): ", detail)[1]), abs=LAST)  # type: ignore[index]
