"""Entries of a context that a newer one updates: read alone they would mislead, so that they wait for that one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Memory, Record
from byheart.conversation.candidates import Candidate
from byheart.conversation.filling import Filling, fill
from byheart.conversation.newer import newer_first, newer_ones

OLD, NEW = "Dinner with Tom is on Friday at 7.", "Dinner with Tom is cancelled because his daughter is ill."
QUESTION = "when is dinner with Tom?"


def told(how: str) -> Memory:
    memory = Memory()
    if how == "remembered":
        memory.remember(OLD, user_id="ann", created_at=1)
        memory.remember(NEW, user_id="ann", created_at=2)
    else:
        memory.ingest_turn(OLD, session_id="a", user_id="ann", created_at=1)
        memory.ingest_turn(NEW, session_id="a" if how == "in one session" else "b", user_id="ann", created_at=2)
    return memory


@pytest.mark.parametrize("how", ["remembered", "in one session", "in two sessions"])
def test_however_small_the_budget_the_outdated_one_never_stands_alone(how: str) -> None:
    memory, shown = told(how), []
    for budget in range(1, 40):
        context = memory.context(QUESTION, budget, user_id="ann")
        texts = [entry.text for entry in context.entries]
        assert OLD not in texts or NEW in texts
        waits = [charge for charge in context.receipt if charge.reason == "outdated"]
        notes = [note for note in context.degraded if note.startswith("budget: 1 record is left out")]
        assert len(waits) == len(notes) == (0 if texts else 1)
        assert all(charge.number is None and charge.spent == 0 for charge in waits)
        shown.append(len(texts))
    assert shown == sorted(shown) and set(shown) == {0, 1, 2}


def test_what_is_asked_for_and_older_is_shown_without_the_newer_one() -> None:
    memory = Memory()
    memory.remember("Dinner with Ben is on Friday at 7.", id="ben", user_id="ann", created_at=1)
    memory.remember(OLD, id="tom", user_id="ann", created_at=2)  # linked by its form alone
    assert memory.get("ben").near_duplicates == ("tom",)
    context = memory.context("when is dinner with Ben?", 12, user_id="ann")
    assert [entry.text for entry in context.entries] == ["Dinner with Ben is on Friday at 7."]


def test_several_are_counted() -> None:
    memory = Memory()
    for at, room in enumerate(["Elm", "Oak", "Fir-and-Applewood-and-Lavenderfield-Hall"]):
        memory.remember(f"The retro is in room {room}.", created_at=at)
    context = memory.context("where is the retro, in room Fir-and-Applewood-and-Lavenderfield-Hall?", 8)
    assert [charge.reason for charge in context.receipt] == ["over_budget", "outdated", "outdated"]
    assert context.degraded == (
        "budget: 2 records are left out, since a newer one that says otherwise did not fit; give more tokens",
    )


def candidate(id: str, at: float, near: list[str], tokens: int, **more: Any) -> Candidate:
    record = Record(text="x" * tokens, id=id, created_at=at, near_duplicates=near, tenant="t", scope="s", **more)
    return Candidate(record.completed(boundary_class="internal"), 1.0)


def filled(
    candidates: list[Candidate], budget: float, part: Any = lambda *given: None, along: Mapping[int, list[int]] = {}
) -> list[str]:
    choices = fill(
        candidates, newer_ones(candidates), budget, 0,
        lambda each, some: len(each.record.text if some is None else some),
        lambda each: each.record.text, Filling(least=1), part, along,
    )  # fmt: skip
    return [choice.reason for choice in choices]


def test_a_newer_one_that_is_cut_in_is_there_and_others_still_wait() -> None:
    new, old = candidate("new", 2, ["old"], 100), candidate("old", 1, [], 10)
    assert filled([new, old], 20) == ["over_budget", "outdated"]
    assert filled([new, old], 20, lambda text, room, cost, least: ("xx", 2.0)) == ["cut", "accepted"]
    assert filled([old, new], 20) == ["accepted", "over_budget"], "who asks for the older one gets it"
    assert filled([old, new], 20, along={0: [1]}) == ["outdated", "over_budget"], "unless both say it"
    between, short = candidate("between", 1, [], 8), candidate("new", 2, ["old"], 6)
    assert filled([old, between, short], 20, along={0: [2]}) == ["accepted", "over_budget", "accepted"]
    assert filled([old, between, short], 15, along={0: [2]}) == ["outdated", "accepted", "accepted"]
    beside = Candidate(new.record, None, "other")
    assert filled([beside, old], 20) == ["over_budget", "accepted"], "what stands beside others was not found"


CANDIDATES = st.lists(
    st.tuples(st.integers(0, 3), st.lists(st.integers(0, 7), max_size=4), st.integers(1, 9)), max_size=8
)


def links(candidates: list[Candidate]) -> dict[int, list[int]]:
    """Return which are newer and linked, by definition."""
    found: dict[int, list[int]] = {}
    for old, one in enumerate(candidates):
        newer = [
            new
            for new, other in enumerate(candidates)
            if (one.record.id in other.record.near_duplicates or other.record.id in one.record.near_duplicates)
            and (other.record.created_at or 0.0) > (one.record.created_at or 0.0)
        ]
        if newer:
            found[old] = newer
    return found


@given(CANDIDATES, st.integers(0, 40))
def test_by_definition(given: list[tuple[int, list[int], int]], budget: int) -> None:
    candidates = [candidate(str(at), when, [str(id) for id in near], n) for at, (when, near, n) in enumerate(given)]
    newer = links(candidates)
    assert {old: sorted(new) for old, new in newer_ones(candidates).items()} == newer
    left, wanted = Fraction(budget), list[str]()
    for at, (_, _, tokens) in enumerate(given):
        if any(wanted[each] == "over_budget" for each in newer.get(at, ()) if each < at):
            wanted.append("outdated")
        else:
            wanted.append("accepted" if tokens <= left else "over_budget")
            left -= tokens if tokens <= left else 0
    assert filled(candidates, budget) == wanted


@given(CANDIDATES, st.randoms())
def test_a_better_hit_stands_before_the_older_ones_that_it_is_linked_with(
    given: list[tuple[int, list[int], int]], random: Any
) -> None:
    candidates = [candidate(str(at), when, [str(id) for id in near], n) for at, (when, near, n) in enumerate(given)]
    hits = [(each.record, 1.0) for each in candidates if random.random() < 0.8]
    random.shuffle(hits)
    place = {record.id: at for at, (record, _) in enumerate(hits)}
    ordered, moved = newer_first(candidates, hits)
    assert sorted(each.record.id or "" for each in ordered) == [str(at) for at in range(len(given))]
    after = {each.record.id: at for at, each in enumerate(ordered)}
    for old, new in ((old, new) for old, news in links(candidates).items() for new in news):
        if str(new) in place and place[str(new)] < place.get(str(old), len(hits)):
            assert after[str(new)] < after[str(old)]
    if not links(candidates):
        assert ordered == candidates
    linked = {old: sorted(new) for old, new in newer_ones(ordered).items()}
    assert {old: sorted(new) for old, new in moved.items()} == linked, "and says where they stand now"
