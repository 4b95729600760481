"""Whatever narrows a recall narrows it inside the boundary: no filter leads out of it, and none changes a score."""

from typing import Any

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.profiles import NAMES, get

NOW = 2_000_000.0
SAID = {"created_at": NOW - 10, "category": "tea", "session_id": "s1", "user_id": "ann",
        "metadata": {"room": "hall"}}  # fmt: skip
INSIDE = [{"text": f"the kettle is descaled every {word}", "id": word, **SAID} for word in ("spring", "autumn")]
OUTSIDE = [
    {"text": "the kettle is descaled every spring", "id": f"{number}", "boundary_class": "secret", **SAID}
    for number in range(3)
]
NARROWED: dict[str, dict[str, Any]] = {
    "where": {"where": {"metadata.room": "hall"}},
    "negated": {"where": {"not": {"metadata.room": "kitchen"}}},
    "since": {"since": NOW - 100},
    "category": {"category": "tea"},
    "exclude": {"exclude": ["unknown"]},
    "session": {"session_id": "s1"},
    "user": {"user_id": "ann"},
}


def recalled(records: list[dict[str, Any]], profile: str, narrowed: dict[str, Any]) -> list[tuple[str, str]]:
    with Memory(embedder=HashingEmbedder()) as memory:
        memory.remember_many(records)
        if "session_id" in narrowed and not get(profile).tells_sessions:
            narrowed = {"where": narrowed}  # it would be refused
        found = memory.recall("when is the kettle descaled", profile=profile, now=NOW, **narrowed)
        return [(hit.id, hit.score.hex()) for hit in found]


@pytest.mark.parametrize("profile", NAMES)
@pytest.mark.parametrize("narrowed", NARROWED.values(), ids=NARROWED)
def test_no_narrowing_leads_out_of_the_boundary(profile: str, narrowed: dict[str, Any]) -> None:
    found = recalled([*INSIDE, *OUTSIDE], profile, narrowed)
    assert {id for id, _ in found} <= {"spring", "autumn"}
    assert found == recalled(INSIDE, profile, narrowed)
    assert found, "there was something to find"


@pytest.mark.parametrize("profile", ["kb-fast", "kb-balanced", "dense", "scoped"])
def test_the_best_that_a_filter_keeps_out_leaves_the_others_their_scores(profile: str) -> None:
    """Of many records the best has a raw score over 1, by which the others' are divided."""
    others = [{"text": f"note {n} of the garden", "id": f"n{n}", "created_at": NOW, "category": "x"} for n in range(60)]
    best = {"text": "when is the kettle descaled, when", "id": "best", "created_at": NOW - 10, "category": "rice"}
    found = recalled([best, *INSIDE, *others], profile, {})
    assert found[0][0] == "best"
    kept = recalled([best, *INSIDE, *others], profile, {"category": "tea"})
    assert kept == [hit for hit in found if hit[0] in ("spring", "autumn")] and len(kept) == 2


@pytest.mark.parametrize("explain", [False, True])
def test_what_lies_outside_does_not_bring_the_minimum_score_back(explain: bool) -> None:
    """It is waived in a boundary of fewer than 32 records, however many there are outside."""
    inside = [{"text": f"the {word} is on the shelf", "id": word} for word in ("kettle", "teapot", "lamp")]
    outside = [{"text": f"the kettle of house {number}", "boundary_class": "secret"} for number in range(60)]

    def answer(records: list[dict[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
        with Memory(noise=None) as memory:
            memory.remember_many(records)
            found = memory.recall("shelf", profile="kb-fast", now=NOW, explain=explain)
            return found.table.notes, [(hit.id, hit.score.hex()) for hit in found]

    notes, hits = answer([*inside, *outside])
    assert (notes, hits) == answer(inside)
    assert len(hits) == 3 and "3 records inside the boundary" in notes[0]
