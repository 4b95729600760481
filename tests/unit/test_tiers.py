"""Tiers as caches: what a failing store leaves behind, says, and gets mended."""

import pytest

from byheart import errors
from byheart.storage.tiers import MARKERS, Backfill, Outcome, TieredVectors, prefix

LADDER = (2, 3, 4)
VECTOR = [3.0, 4.0, 12.0, 84.0]  # its prefixes have lengths 5, 13 and 85
META = {"text": "kettle"}


class Shelf:
    """Collections in dictionaries. `fails` holds (method, collection) pairs that raise, and `log` what was asked."""

    def __init__(self):
        self.collections, self.fails, self.log = {}, set(), []

    def _ask(self, method, collection, id):
        self.log.append((method, collection, id))
        if (method, collection) in self.fails:
            raise OSError(f"{method} {collection}")
        return self.collections.setdefault(collection, {})

    def insert(self, collection, id, vector, metadata):
        self._ask("insert", collection, id)[id] = (tuple(vector), metadata)

    def get(self, collection, id):
        return self._ask("get", collection, id).get(id)

    def delete(self, collection, id):
        self._ask("delete", collection, id).pop(id, None)

    def list(self, collection):
        return list(self._ask("list", collection, None))


@pytest.fixture
def shelf():
    return Shelf()


@pytest.fixture
def notes(shelf):
    return TieredVectors(shelf, "notes", LADDER)


def marker(width, id="a", **other):
    fields = {"base_collection": "notes", "record_id": id, "dims": width, "created_at": 7.0} | other
    return f"notes/{id}:{width}", ((), fields)


def test_every_tier_is_written_from_wide_to_narrow(shelf, notes):
    assert notes.put("a", VECTOR, META, now=7.0) == Outcome()
    assert [entry for entry in shelf.log if entry[0] == "insert"] == [
        ("insert", "notes", "a"), ("insert", "notes:3d", "a"), ("insert", "notes:2d", "a"),
    ]  # fmt: skip
    assert shelf.collections["notes"]["a"] == ((3 / 85, 4 / 85, 12 / 85, 84 / 85), META)
    assert shelf.collections["notes:2d"]["a"] == (tuple(prefix(prefix(VECTOR, 4), 2)), {})
    assert shelf.collections["notes:2d"]["a"][0] == pytest.approx((0.6, 0.8), abs=1e-15)
    assert notes.get("a") == shelf.collections["notes"]["a"]
    assert notes.ids() == ["a"]


def test_prefixes_without_length_are_left_alone():
    assert prefix([0.0, 1e-10, 5.0], 2) == [0.0, 1e-10]
    assert prefix([0.0, 1e-9, 5.0], 2) == [0.0, 1.0]


def test_the_truth_failing_fails_the_call_and_touches_no_tier(shelf, notes):
    for method, call in [
        ("insert", lambda: notes.put("a", VECTOR, META, now=7.0)),
        ("delete", lambda: notes.delete("a", now=7.0)),
    ]:
        shelf.fails = {(method, "notes")}
        shelf.log.clear()
        with pytest.raises(OSError, match=f"{method} notes"):
            call()
        assert shelf.log == [(method, "notes", "a")]


@pytest.mark.parametrize("method", ["insert", "delete"])
@pytest.mark.parametrize("failing", [(3,), (2,), (3, 2)])
def test_every_tier_that_was_not_written_is_marked(shelf, notes, method, failing):
    notes.put("a", VECTOR, META, now=1.0)
    shelf.fails = {(method, f"notes:{dims}d") for dims in failing}
    outcome = notes.put("a", VECTOR[::-1], META, now=7.0) if method == "insert" else notes.delete("a", now=7.0)
    assert outcome.degraded and outcome.dirty == failing and outcome.unmarked == ()
    assert list(outcome.faults) == [f"notes:{dims}d: OSError('{method} notes:{dims}d')" for dims in failing]
    assert shelf.collections[MARKERS] == dict(marker(dims) for dims in failing)
    expected = VECTOR[::-1] if method == "insert" else None
    assert (notes.get("a") or [None])[0] == (expected and tuple(prefix(expected, 4)))
    for dims in (2, 3):  # what is old is not read
        assert [id for id, _ in notes.rows(dims)] == (["a"] if method == "insert" and dims not in failing else [])
    again = TieredVectors(shelf, "notes", LADDER)  # as after a restart
    assert list(again.rows(failing[0])) == []
    shelf.fails = set()
    report = again.backfill()
    assert report == (Backfill(repaired=len(failing)) if method == "insert" else Backfill(missing=len(failing)))
    assert again.backfill() == Backfill()
    for dims in (2, 3):
        there = shelf.collections[f"notes:{dims}d"]
        assert there == ({"a": (tuple(prefix(prefix(expected, 4), dims)), {})} if expected else {})


def test_a_marker_that_cannot_be_written_is_said_and_remembered_here(shelf, notes):
    notes.put("a", VECTOR, META, now=1.0)
    shelf.fails = {("insert", "notes:2d"), ("insert", MARKERS)}
    outcome = notes.put("a", VECTOR[::-1], META, now=7.0)
    assert (outcome.dirty, outcome.unmarked, len(outcome.faults)) == ((2,), (2,), 2)
    assert list(notes.rows(2)) == []
    assert shelf.collections.get(MARKERS, {}) == {}


def test_a_later_write_takes_the_marker_off(shelf, notes):
    shelf.fails = {("insert", "notes:2d")}
    notes.put("a", VECTOR, META, now=1.0)
    shelf.fails = set()
    assert not notes.put("a", VECTOR, META, now=2.0).degraded
    assert shelf.collections[MARKERS] == {}
    assert [id for id, _ in notes.rows(2)] == ["a"]


def test_what_the_store_cannot_mend_stays_marked(shelf, notes):
    shelf.fails = {("insert", "notes:2d"), ("insert", "notes:3d")}
    notes.put("a", VECTOR, META, now=1.0)
    shelf.fails = {("insert", "notes:3d")}
    assert notes.backfill() == Backfill(repaired=1, failed=1)
    assert list(shelf.collections[MARKERS]) == ["notes/a:3"]
    shelf.fails = {("delete", MARKERS)}
    assert notes.backfill() == Backfill(failed=1)
    shelf.fails = {("get", "notes")}
    assert notes.backfill() == Backfill(failed=1)
    shelf.fails = set()
    assert notes.backfill() == Backfill(repaired=1)
    assert shelf.collections[MARKERS] == {}


MALFORMED = {
    "no fields": ("notes/a:2", ((), None)),
    "empty fields": ("notes/a:2", ((), {})),
    "text for fields": ("notes/a:2", ((), "dims")),
    "no time": ("notes/a:2", ((), {"base_collection": "notes", "record_id": "a", "dims": 2})),
    "width as text": marker(2, dims="2"),
    "width as bool": marker(True),
    "id as number": marker(2, record_id=7),
    "another id than its own": marker(2, record_id="b"),
    "no collection": marker(2, base_collection=None),
    "only noise": ("?", ((), marker(2)[1][1])),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_markers_are_dropped(shelf, notes, name):
    notes.put("a", VECTOR, META, now=1.0)
    before = dict(shelf.collections["notes:2d"])
    id, row = MALFORMED[name]
    shelf.collections[MARKERS] = {id: row}
    assert notes.backfill() == Backfill(malformed=1)
    assert shelf.collections[MARKERS] == {}
    assert shelf.collections["notes:2d"] == before


def test_a_malformed_marker_does_not_clear_what_is_known(shelf, notes):
    notes.put("a", VECTOR, META, now=1.0)
    shelf.fails = {("insert", "notes:2d"), ("insert", MARKERS)}
    notes.put("a", VECTOR[::-1], META, now=2.0)
    shelf.fails = set()
    shelf.collections[MARKERS] = {"notes/a:2": ((), {})}
    assert notes.backfill() == Backfill(malformed=1)
    assert list(notes.rows(2)) == []


def test_markers_that_lead_nowhere_are_dropped_with_their_rows(shelf, notes):
    shelf.collections["notes"] = {"short": ((1.0,) * 3, META), "bare": ((1.0,) * 4, None)}
    rows = {"short": ((1.0, 0.0), {}), "bare": ((1.0, 0.0), {}), "gone": ((1.0, 0.0), {})}
    shelf.collections["notes:2d"] = dict(rows)
    shelf.collections[MARKERS] = dict([marker(2, id) for id in rows] + [marker(5, "short"), marker(4, "short")])
    report = notes.backfill()
    assert report == Backfill(missing=1, short=1, without_metadata=1, unknown_dims=2)
    assert shelf.collections["notes:2d"] == {} == shelf.collections[MARKERS]


def test_markers_of_other_collections_are_left_alone(shelf, notes):
    fields = {"base_collection": "other", "record_id": "a", "dims": 2, "created_at": 7}
    shelf.collections[MARKERS] = {"other/a:2": ((), fields)}
    assert notes.backfill() == Backfill()
    assert list(shelf.collections[MARKERS]) == ["other/a:2"]


def test_tiers_and_markers_are_none_of_the_users_collections(notes):
    hidden = [name for name in (MARKERS, "notes:2d", "notes:3d") if notes.hides(name)]
    assert len(hidden) == 3
    assert not [name for name in ("notes", "notes:4d", "others", "others:2d") if notes.hides(name)]


def test_ghosts_are_not_read(shelf, notes):
    notes.put("a", VECTOR, META, now=1.0)
    shelf.collections["notes:2d"]["ghost"] = ((1.0, 0.0), {})
    assert [id for id, _ in notes.rows(2)] == ["a"] == [id for id, _ in notes.rows(4)]


@pytest.mark.parametrize("base", ["", "a/b", "a:b", MARKERS])
def test_names_that_could_be_mistaken_are_refused(shelf, base):
    with pytest.raises(errors.InvalidArgument):
        TieredVectors(shelf, base)


@pytest.mark.parametrize("ladder", [(), (0, 4), (4, 4), (8, 4)])
def test_ladders_that_do_not_rise_are_refused(shelf, ladder):
    with pytest.raises(errors.InvalidArgument):
        TieredVectors(shelf, "notes", ladder)


def test_vectors_that_do_not_fit_are_refused_before_anything_is_written(shelf, notes):
    shelf.log.clear()
    for vector in ([1.0] * 3, [1.0] * 5):
        with pytest.raises(errors.DimensionMismatch):
            notes.put("a", vector, META, now=1.0)
    for bad in (float("nan"), float("inf")):
        with pytest.raises(errors.InvalidArgument):
            notes.put("a", [1.0, 1.0, 1.0, bad], META, now=1.0)
    assert shelf.log == []
