"""What lies outside a boundary chooses no search: replies by early exits and approximations, with and without it."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder

EMBEDDER = HashingEmbedder(256)
THINGS = "kettle tea river stone lamp cloud paper green seven boat night glass window copper garden market harbour"
WORDS = THINGS.split()
INTERNAL = {"classes": ["internal"]}
SECRET = {"boundary_class": "secret", "created_at": 0}
SIZE, QUERIES = 1_500, 12  # enough for searches that look at a part


def texts(drawn: random.Random, count: int) -> list[str]:
    return [" ".join(drawn.choices(WORDS, k=drawn.randint(4, 9))) for _ in range(count)]


@pytest.fixture(scope="module")
def inside() -> list[dict[str, Any]]:
    spoken = texts(random.Random(1), SIZE)
    return [
        {
            "id": f"i{number}",
            "text": text,
            "created_at": 0,
            **({"category": "tea", "user_id": "ann"} if number < 600 else {}),
        }
        for number, text in enumerate(spoken)
    ]


def filled(*batches: Sequence[dict[str, Any]]) -> byheart.Memory:
    memory = byheart.Memory(embedder=EMBEDDER, noise=None)
    for batch in batches:
        memory.remember_many(batch)
    return memory


@pytest.fixture(scope="module")
def alone(inside: list[dict[str, Any]]) -> byheart.Memory:
    return filled(inside)


def crowd(**fields: Any) -> list[dict[str, Any]]:
    return [{"id": f"o{n}", "text": text, **SECRET, **fields} for n, text in enumerate(texts(random.Random(2), 500))]


COPIES = [
    {"id": f"copy{n}", "text": "x y", "kind": "memory", "provenance": {"source_id": "i3"}, **SECRET} for n in range(20)
]
CASES: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "one that somebody owns": ([{"id": "o", "text": "a secret", "user_id": "ann", **SECRET}], {"profile": "scoped"}),
    "a category": (crowd(category="tea"), {"profile": "dense", "category": "tea"}),
    "copies of what is left out": (COPIES, {"profile": "dense", "exclude": ["i3"]}),
    "a user": (crowd(user_id="ann"), {"profile": "scoped", "user_id": "ann"}),
    "a filter": (crowd(user_id="ann"), {"profile": "dense", "where": {"user_id": "ann"}}),
}


@pytest.mark.parametrize("case", CASES)
def test_no_search_is_chosen_by_what_lies_outside(
    inside: list[dict[str, Any]], alone: byheart.Memory, case: str
) -> None:
    outside, asked = CASES[case]
    whole, drawn, compared = filled(inside, outside), random.Random(5), 0
    if asked["profile"] == "scoped":
        asked = {**asked, "session_id": "s"}
    for query in texts(drawn, QUERIES):
        for mode in ("early_exit", "approx", "exact"):
            one, two = (
                memory.recall(query, k=8, mode=mode, boundary=INTERNAL, now=1e9, **asked).to_dict()
                for memory in (whole, alone)
            )
            assert json.dumps(one) == json.dumps(two), (query, mode)
            compared += bool(one["hits"])
    assert compared >= QUERIES, "nothing was found that could differ"
