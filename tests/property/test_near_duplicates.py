"""Near-duplicates that fit about as well stand from the newest to the oldest: by definition, from the answer alone."""

from __future__ import annotations

import re
from math import inf
from typing import Any

from hypothesis import event, example, given, settings
from hypothesis import strategies as st

import byheart
from byheart.embedding import HashingEmbedder
from byheart.ranking.dates import periods

from ..counts import examples
from ..printed import rows

DAY = 86_400.0
JANUARY = 1_767_225_600.0  # of 2026
ROOMS = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel", "Ivy", "Oak", "Pine", "Rowan", "Yew"]
FORMS = ["The next retro is in room {}.", "The next retro is in room {}.", "Our retro is in {}."]
STRANGERS = ["The retro of rooms is next to the door", "Room Fir is painted in the next week", "A yew and an oak"]
QUESTIONS = ["where is the next retro?", "is the next retro in room Fir?", "Oak or Yew", "our retro"]
TIMES = ["", " in February 2026", " on 3 January 2026"]


@st.composite
def batches(draw: Any) -> list[dict[str, Any]]:
    """Return statements in some order of time and of coming, which differ in one word, and a few others."""
    rooms = draw(st.permutations(ROOMS))[: draw(st.integers(2, len(ROOMS)))]
    texts = list(dict.fromkeys([draw(st.sampled_from(FORMS)).format(room) for room in rooms]))
    texts += draw(st.lists(st.sampled_from(STRANGERS), unique=True))
    days = st.sampled_from([None, 0, 1, 2, 5, 33, 40, 70, 100])
    talks = draw(st.booleans())
    return [
        {
            "text": text,
            "id": f"r{number:02}",
            "created_at": None if (day := draw(days)) is None else JANUARY + day * DAY,
            "session_id": draw(st.sampled_from([None, "s1"])) if talks else None,
        }
        for number, text in zip(draw(st.permutations(range(len(texts)))), texts, strict=True)
    ]


def groups(hits: dict[str, Any]) -> list[list[str]]:
    """Return the ids of hits that are connected by their near-duplicates, best first."""
    of = {id: {id} for id in hits}
    for id, hit in hits.items():
        for other in hit.record.near_duplicates:
            if other in hits:
                joined = of[id] | of[other]
                of.update(dict.fromkeys(joined, joined))
    best_first = sorted(hits, key=lambda id: (-hits[id].score, id))
    found = {min(group): [id for id in best_first if id in group] for group in of.values()}
    return list(found.values())


NEAREST = [
    {"text": "The next retro is in room Fir.", "id": "r00", "created_at": JANUARY + 300 * DAY, "session_id": None},
    {"text": "The next retro is in room Birch.", "id": "r01", "created_at": JANUARY, "session_id": None},
]
"""Of which nothing fits "Oak or Yew", with vectors or without."""


@settings(max_examples=examples(300))
@example(NEAREST, "Oak or Yew", "", True, 1)
@given(batches(), st.sampled_from(QUESTIONS), st.sampled_from(TIMES), st.booleans(), st.integers(1, 12))
def test_those_that_fit_about_as_well_stand_from_the_newest_to_the_oldest(
    batch: list[dict[str, Any]], question: str, time: str, embedded: bool, k: int
) -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64) if embedded else None)
    for each in batch:
        memory.remember(each)

    def asked(k: int) -> byheart.Recall:
        return memory.recall(question + time, k, now=JANUARY + 200 * DAY, min_strength=0, explain=True)

    answer = asked(100)
    table, ids = answer.table, [hit.id for hit in answer]
    assert [(hit.id, hit.score) for hit in asked(k)] == [(hit.id, hit.score) for hit in answer][:k]
    column = {name: dict(zip(table.keys, values, strict=True)) for name, values in table.columns.items()}

    def said(name: str, id: str) -> float:
        return column.get(name, {}).get(id) or 0.0

    own = {id: said("word_share", id) + said("meaning", id) for id in ids}
    score = {hit.id: hit.score for hit in answer}
    made = {hit.id: hit.record.created_at for hit in answer}
    named = periods(question + time, JANUARY + 200 * DAY)
    behind = max((each.end for each in named), default=inf) + 7 * DAY  # what is told of a time in the week after it
    newness = {id: (said("named_time", id) - ((made[id] or 0.0) > behind), made[id]) for id in ids}
    anew = "gives as much of what the question asks for"  # the last of all rules, which takes rows out of their groups
    moved = {hit.id for hit in answer if any(anew in row.text for row in rows(hit.explanation))}
    found = {hit.id: hit for hit in answer if not said("near_duplicate", hit.id)}
    for left in groups(found):
        event(f"a group of {len(left)}")
        while left:
            best = left[0]
            alike = [
                id for id in left
                if id == best or score[id] >= 0.9 * score[best] > 0.0 or own[id] >= 0.9 * own[best] > 0.0
            ]  # fmt: skip  # a score of 0 says what came nearest where nothing fits
            in_turn = [newness[id] for id in ids if id in alike]
            assert in_turn == sorted(in_turn, reverse=True) or not moved.isdisjoint(alike)
            left = [id for id in left if id not in alike]
    for hit in answer:
        for text in (row.text for row in rows(hit.explanation) if row.text.startswith("stands ")):
            if anew in text:
                continue
            event(text.split()[1])
            where, other = re.match(r"stands (before|behind) (r\d+)(?:, which says nearly the same|:|$)", text).groups()  # type: ignore[union-attr]
            assert (where == "before") == (ids.index(hit.id) < ids.index(other)) or not moved.isdisjoint(
                [hit.id, other]
            )
            if "both say nearly the same as" in text:  # by way of a third
                assert where == "before" and newness[hit.id] > newness[other]
            elif where == "before":
                one, share, its = map(float, re.findall(r"\d+(?:\.\d+)?", text.rpartition("(")[2]))
                assert one >= share * its - 1e-6
                assert ("was said later" in text) == (said("named_time", hit.id) == said("named_time", other))
                assert newness[hit.id] > newness[other]
