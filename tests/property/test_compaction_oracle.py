"""Compaction is its definition, loses nothing, and does nothing twice: whatever is said, compacted and forgotten."""

import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.conversation import compaction
from byheart.reference import compaction as oracle
from byheart.summarising import FunctionSummariser

from ..counts import examples

WHOLE = {"classes": ("public", "internal", "pii")}
COUNTING = FunctionSummariser(lambda turns: (f"{len(turns)} turns", 0.5), "counting")

numbers = st.integers(-(2**70), 2**70) | st.floats() | st.booleans() | st.none()
texts = st.from_regex(r"[+-]?[0-9]{1,20}", fullmatch=True) | st.text("0123456789+-. eE_naif٣\n", max_size=6)
anything = numbers | texts | st.lists(st.integers(), max_size=1)


@settings(max_examples=examples(1_000))
@given(st.integers(0, 500), st.integers(-3, 60))
def test_clusters_are_their_definition_and_even(turns, target):
    sizes = compaction.cluster_sizes(turns, target)
    assert sizes == oracle.cluster_sizes(turns, target)
    cut = compaction.clusters(range(turns), target)
    assert [list(cluster) for cluster in cut] == [[*range(*span)] for span in spans(sizes)]
    assert sum(sizes) == turns and 0 not in sizes
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    assert max(sizes, default=0) <= (target if target > 0 else 20)


def spans(sizes):
    return pairwise(sum(sizes[:place]) for place in range(len(sizes) + 1))


@settings(max_examples=examples(2_000))
@given(anything)
def test_times_are_their_definition(value):
    assert compaction.timestamp(value) == oracle.time_of(value)


@settings(max_examples=examples(1_000))
@given(st.lists(st.sampled_from([0.6, 0.59999999, "0.6", 1, 0.2, " 0.9 ", "1e400", "1_0"]) | anything, max_size=8))
def test_routes_are_their_definition(scores):
    expected = "abstractive" if scores and oracle.mean_score(scores) >= 0.6 else "extractive"
    assert compaction.route(scores, abstractive_ready=True) == expected
    assert compaction.route(scores, abstractive_ready=False) == "extractive"


@given(st.lists(st.floats(-0.5, 1.5), max_size=9), st.floats(0, 1))
def test_quality_falls_with_confidence(confidences, delta):
    kept = [compaction.quality(value, delta) for value in sorted(confidences)]
    assert kept == sorted(kept)
    assert all(1.0 - delta - 1e-15 <= value <= 1.0 for value in kept)
    assert 0.0 <= compaction.mean_confidence(confidences) <= 1.0
    assert all(math.isclose(compaction.decay_rate(value), 1.0 - value) for value in confidences if 0 <= value <= 1)


turn_ids = st.sampled_from([f"t{number}" for number in range(7)])
sessions = st.sampled_from(["s1", "s1", "s1", "s2"])
cells = st.sampled_from(["internal", "internal", "pii"])
says = st.tuples(st.just("say"), turn_ids, sessions, cells, st.integers(0, 3))
steps = st.one_of(
    says,
    st.tuples(
        st.just("compact"),
        sessions,
        st.integers(0, 4),
        st.sampled_from([True, True, False]),
        st.sampled_from(["archive", "archive", "delete"]),
    ),
    st.tuples(st.just("forget"), st.lists(turn_ids, max_size=2), st.integers(0, 9)),
)
# A life begins with a session that has something to compact.
lives = st.tuples(
    st.lists(says, min_size=3, max_size=7, unique_by=lambda said: said[1]), st.lists(steps, max_size=10)
).map(lambda parts: [*parts[0], ("compact", "s1", 2, True, "archive"), *parts[1]])


class Model:
    """What should be stored: by id, what a record says of compaction."""

    def __init__(self):
        self.records = {}

    def say(self, id, session, cell, at):
        known = self.records.get(id)
        if known is not None and (known["at"], known["cell"]) != (
            at,
            cell,
        ):  # what tells of it goes
            self.forget([id])
        self.records[id] = {
            "id": id, "session": session, "cell": cell, "at": at, "kind": "turn", "archived_by": None, "sources": (),
        }  # fmt: skip

    def compact(self, session, target, force, sources):
        made = oracle.compact(list(self.records.values()), session, target, force)
        for summary, ids in made.items():
            cell, newest = self.records[ids[0]]["cell"], max(self.records[id]["at"] for id in ids)
            for id in ids:
                if sources == "delete":
                    del self.records[id]
                else:
                    self.records[id]["archived_by"] = summary
            self.say(summary, session, cell, newest)
            self.records[summary] |= {"kind": "summary", "sources": tuple(ids)}
        return made

    def forget(self, ids):
        gone, named = set(), set(ids)
        while named - gone:
            gone |= named
            named = {record["id"] for record in self.records.values() if gone & set(record["sources"])}
        self.records = {id: record for id, record in self.records.items() if id not in gone}
        for record in self.records.values():
            if record["archived_by"] in gone:
                record["archived_by"] = None


def seen(memory):
    return {
        record.id: {
            "id": record.id, "session": record.session_id, "cell": record.boundary_class, "at": record.created_at,
            "kind": record.kind, "archived_by": record.archived_by, "sources": record.source_ids,
        }
        for record in memory.records(boundary=WHOLE)
    }  # fmt: skip


def reached(memory):
    """Return how often each turn is there: live, or behind a summary that archived it."""
    times = {}
    for record in memory.records(boundary=WHOLE):
        shown = [record] if record.kind == "turn" and record.archived_by is None else []
        if record.kind == "summary":
            shown = [turn for turn in memory.expand(record.id, boundary=WHOLE) if turn.archived_by == record.id]
        for turn in shown:
            times[turn.id] = times.get(turn.id, 0) + 1
    return times


@settings(max_examples=examples(300))
@given(lives)
def test_a_life_is_its_definition_and_loses_nothing(life):
    memory, model = byheart.Memory(), Model()
    for name, *arguments in life:
        if name == "say":
            id, session, cell, at = arguments
            fields = {"session_id": session, "boundary_class": cell, "created_at": at, "kind": "turn"}
            memory.remember(f"turn {id} at {at}", id=id, **fields)
            model.say(id, session, cell, at)
        elif name == "compact":
            session, target, force, sources = arguments
            options = {"target": target, "force": force, "boundary": WHOLE, "summariser": COUNTING}
            done = memory.compact(session, sources=sources, **options)
            made = model.compact(session, target, force, sources)
            assert set(done.summaries) == set(made)
            assert done.turns_removed == sum(map(len, made.values()))
            assert not memory.compact(session, **options).did_compact, "the second time there is nothing to do"
        else:
            ids, summary = arguments
            summaries = sorted(id for id, record in model.records.items() if record["kind"] == "summary")
            ids = [*ids, *summaries[summary : summary + 1]]
            receipt = memory.forget(ids, boundary=WHOLE)
            before = {id: record["archived_by"] for id, record in model.records.items()}
            model.forget(ids)
            gone = before.keys() - model.records.keys()
            assert {*receipt.ids, *receipt.summaries} == gone
            assert {*receipt.released} == {
                id for id, record in model.records.items() if record["archived_by"] != before[id]
            }
        assert seen(memory) == model.records
        turns = {id for id, record in model.records.items() if record["kind"] == "turn"}
        assert reached(memory) == dict.fromkeys(turns, 1), "each turn is there once: live, or behind one summary"
        found = {hit.id for hit in memory.recall("turn turns", 50, boundary=WHOLE)}
        assert not found & {id for id, record in model.records.items() if record["archived_by"] is not None}
    assert memory.check() == []
