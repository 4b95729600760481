"""Passages of what has no sentences: lists, logs, tables, programs and settings, shown where they are asked about."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from byheart import Memory
from byheart.conversation.passages import passage

MANY = range(300)
ROWS = [{"id": number, "name": f"thing {number}"} for number in MANY]
TEXTS = {
    "list": [*(f"- pack thing number {at}" for at in MANY), "- passport copy is in the blue folder"],
    "log": [*(f"2026-05-09 10:{at:02} INFO worker {at} idle" for at in MANY), "ERROR passport copy not in blue folder"],
    "csv": ["id,name,place", *(f"{at},thing {at},shelf {at}" for at in MANY), "999,passport copy,blue folder"],
    "table": [*(f"| thing {at} | shelf {at} |" for at in MANY), "| passport copy | blue folder |"],
    "yaml": [*(f"key_{at}:\n  value: {at}" for at in MANY), "passport:\n  copy: blue folder"],
    "one line": [json.dumps({"items": [*ROWS, {"name": "passport copy", "where": "blue folder"}, *ROWS]})],
    "no mark at all": [
        " ".join([*(f"word{at}" for at in MANY), "passport copy blue folder", *(f"w{at}" for at in MANY)])
    ],
}


@pytest.mark.parametrize("budget", [60, 200, 1000])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_context_shows_what_is_asked_about(kind: str, budget: int) -> None:
    before, last = TEXTS[kind][:-1], TEXTS[kind][-1]
    memory = Memory()
    memory.remember("\n".join([*before, last, *reversed(before)]), id="long")
    context = memory.context("where is the passport copy?", budget)
    assert "blue folder" in context.text and context.receipt[0].reason in ("cut", "accepted")


def test_the_part_of_a_program_is_shown_that_a_name_stands_in() -> None:
    memory = Memory()
    parts = [
        f"def handler_{at}(request):\n    value = request.get('k{at}')\n    return value * {at}" for at in range(60)
    ]
    memory.remember("\n\n".join(parts), id="program")
    for at in (0, 4, 41, 59):
        assert f"def handler_{at}(request)" in memory.context(f"what does handler_{at} return?", 200).text


def test_chinese_without_full_stops_is_shown_where_it_is_asked_about() -> None:
    memory, parts = Memory(), [f"第{at}章说的是事情{at}和别的东西" for at in range(200)]
    memory.remember("，".join([*parts, "护照复印件在蓝色文件夹里", *parts]), id="long")
    assert "护照复印件在蓝色文件夹里" in memory.context("护照复印件在哪里？", 200).text


def test_a_sentence_that_has_room_is_not_parted() -> None:
    text = "The kettle\nis blue and stands on the shelf\nbehind the tea. " * 3
    found = passage(text, Fraction(100), len, 5, "shelf?", lambda text: text.lower().strip("?").split())
    assert found is not None and found[0] == "The kettle\nis blue and stands on the shelf\nbehind the tea. …"
    text = (
        "The kettle\nis blue and stands high up on the shelf\nbehind the tea that we brought from Assam last year. " * 2
    )
    found = passage(text, Fraction(70), len, 5, "shelf?", lambda text: text.lower().strip("?").split())
    assert found is not None and "stands high up on the shelf" in found[0] and found[1] <= 70


def test_letters_keep_their_accents_where_a_long_word_is_cut() -> None:
    text = "e\u0301" * 400
    found = passage(text, Fraction(130), len, 5, "", str.split)
    assert found is not None and found[0].removesuffix(" …").endswith("\u0301") and found[1] <= 130
