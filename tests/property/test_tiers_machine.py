"""Tiers against a dictionary, on a store that fails where it likes: the truth holds, and backfill makes all alike."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from byheart.storage.tiers import MARKERS, Backfill, TieredVectors, prefix

LADDER = (1, 2, 4)
ids = st.sampled_from(["a", "b", "a:2", "a/b"])
vectors = st.lists(st.sampled_from([0.0, 1.0, -2.0, 0.5]), min_size=4, max_size=4)
CALLS = [(method, name) for method in ("insert", "delete", "get") for name in ("n", "n:1d", "n:2d", MARKERS)]
failures = st.lists(st.sampled_from(CALLS), max_size=3).map(set)


class Failing(Exception):
    """What the store raises."""


class Shelf:
    """Collections in dictionaries, whose calls fail as they are told; some after having done their work."""

    def __init__(self):
        self.collections, self.fails, self.late = {}, set(), False

    def _do(self, method, collection, work):
        rows = self.collections.setdefault(collection, {})
        if (method, collection) in self.fails and not (self.late and collection != "n"):
            raise Failing
        answer = work(rows)
        if (method, collection) in self.fails:
            raise Failing
        return answer

    def insert(self, collection, id, vector, metadata):
        self._do("insert", collection, lambda rows: rows.update({id: (tuple(vector), metadata)}))

    def get(self, collection, id):
        return self._do("get", collection, lambda rows: rows.get(id))

    def delete(self, collection, id):
        self._do("delete", collection, lambda rows: rows.pop(id, None))

    def list(self, collection):
        return list(self.collections.get(collection, {}))


class Tiers(RuleBasedStateMachine):
    @initialize()
    def start(self):
        self.shelf, self.model, self.unmarked = Shelf(), {}, set()
        self.tiers = TieredVectors(self.shelf, "n", LADDER)

    def write(self, id, call, change):
        try:
            outcome = call()
        except Failing:
            assert any(name == "n" for _, name in self.shelf.fails)
            return
        finally:
            self.shelf.fails = set()
        change()
        for dims in self.tiers.derived:
            self.unmarked.discard((id, dims))
        self.unmarked |= {(id, dims) for dims in outcome.unmarked}
        assert set(outcome.unmarked) <= set(outcome.dirty)
        assert outcome.degraded == bool(outcome.faults)

    @rule(id=ids, vector=vectors, fails=failures, late=st.booleans())
    def put(self, id, vector, fails, late):
        self.shelf.fails, self.shelf.late = fails, late
        self.write(id, lambda: self.tiers.put(id, vector, {"of": id}, now=1.0), lambda: self.model.update({id: vector}))

    @rule(id=ids, fails=failures, late=st.booleans())
    def delete(self, id, fails, late):
        self.shelf.fails, self.shelf.late = fails, late
        self.write(id, lambda: self.tiers.delete(id, now=1.0), lambda: self.model.pop(id, None))

    @rule()
    def open_again(self):
        if not self.unmarked:  # what could not be marked is known to the process alone
            self.tiers = TieredVectors(self.shelf, "n", LADDER)

    @rule(fails=failures)
    def mend_as_far_as_it_goes(self, fails):
        self.shelf.fails, self.shelf.late = fails, False
        marked = len(self.shelf.collections.get(MARKERS, {}))
        report = self.tiers.backfill()
        self.shelf.fails = set()
        assert sum(getattr(report, name) for name in Backfill.__slots__) == marked
        assert len(self.shelf.collections.get(MARKERS, {})) == report.failed

    @rule(noise=st.sampled_from(["n/a:1", "n/b:2", "?"]), fields=st.none() | st.just({"dims": 1}))
    def find_a_damaged_marker(self, noise, fields):
        markers = self.shelf.collections.setdefault(MARKERS, {})
        if noise not in markers:
            markers[noise] = ((), fields)

    @rule()
    def mend_all(self):
        first, again = self.tiers.backfill(), self.tiers.backfill()
        assert first.failed == 0
        assert again == Backfill()
        if not self.unmarked:
            for dims in self.tiers.derived:
                expected = {id: (tuple(self.row(id, dims)), {}) for id in self.model}
                assert self.shelf.collections.get(self.tiers.collection(dims), {}) == expected

    def row(self, id, dims):
        truth = prefix(self.model[id], 4)
        return truth if dims == 4 else prefix(truth, dims)

    @invariant()
    def the_truth_holds_and_nothing_old_is_read(self):
        assert {id: self.tiers.get(id) for id in self.tiers.ids()} == {
            id: (tuple(self.row(id, 4)), {"of": id}) for id in self.model
        }
        for dims in LADDER:
            for id, vector in self.tiers.rows(dims):
                assert list(vector) == self.row(id, dims)


TestTiers = Tiers.TestCase
TestTiers.settings = settings(max_examples=150, stateful_step_count=25, deadline=None)
