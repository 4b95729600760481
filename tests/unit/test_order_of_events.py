"""Events of one moment come in an order that nothing outside the boundary decides, nor the order of a set."""

from __future__ import annotations

from itertools import product

import byheart
from byheart.storage import InProcessStore

INSIDE = {"tenant": "t", "classes": ["internal", "public", "pii", "secret"]}
OUTSIDE = {"tenant": "other", "classes": ["internal", "public"]}
SAID = {"internal": "Ann prefers green tea.", "public": "The meeting is at four.", "pii": "The bath leaks."}


def test_what_others_write_in_between_changes_no_order():
    told = set()
    for between in product(range(3), repeat=3):
        store = InProcessStore()
        memory, other = byheart.Memory(store=store, boundary=INSIDE), byheart.Memory(store=store, boundary=OUTSIDE)
        for (boundary_class, text), times in zip(SAID.items(), between, strict=True):
            for number in range(times):
                other.observe("chat", f"nobody asked {number}", now=5)
            memory.upsert(text, provenance={"at": 0}, boundary_class=boundary_class, now=1_000)
        told.add(tuple(event.payload["claim_id"] for event in memory.events()))
    assert len(told) == 1


def test_keys_of_one_id_come_in_the_order_of_their_cells():
    memory = byheart.Memory(boundary=INSIDE)
    for boundary_class, text in SAID.items():
        memory.upsert(text, provenance={"at": 0}, boundary_class=boundary_class, now=1_000)
    journal = memory._engine.journal
    keys = journal.keys("events")
    assert len({key.id for key in keys}) == 1 and keys == sorted(keys) and len(keys) == 3
