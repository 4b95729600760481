"""A partition proposes what each of its indexes, held alone, finds among the records that may be found."""

from array import array
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart._core import DenseIndex, HyperVector, HypervectorIndex, LexicalIndex, Partition, SymbolicIndex
from byheart.errors import CorruptIndex, InvalidArgument

from ..counts import examples
from .test_directory_oracle import matches

CELLS = ["", "b", "c"]
COLUMNS, ORDERED = ["length"], ["created_at", "expires_at"]
WORDS = ["red", "fox", "hen", "blue", "a"]
FIELDS = {"topic": 1.5, "claim": 1.0}
RELATIONS = ["uses", "provides"]
RULES = [("chain", [("?x", "uses", "?y"), ("?y", "provides", "?z")], ("?x", "provides", "?z"), 0.9, None)]

words = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
names = st.sampled_from(["Ada", "Loom", "Cloth"])
embeddings = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=4, max_size=4)
records = st.fixed_dictionaries(
    {
        "document": st.fixed_dictionaries({}, optional={"topic": words, "claim": words}),
        "label": st.sampled_from([None, "x", "y"]),
        "vectors": st.dictionaries(st.sampled_from(list(FIELDS)), st.sampled_from(WORDS), max_size=2),
        "embedding": st.none() | embeddings,
        "fact": st.none() | st.tuples(names, st.sampled_from(RELATIONS), names, st.sampled_from([1.0, 0.5])),
        "fields": st.fixed_dictionaries(
            {},
            optional={
                "user_id": st.sampled_from(["ada", "bob"]),
                "tags": st.lists(st.sampled_from(["p", "q"]), max_size=2),
                "length": st.integers(0, 3),
                "created_at": st.integers(0, 9),
                "expires_at": st.integers(0, 9),
            },
        ),
    }
)
ids = st.sampled_from("abcdefgh")
steps = st.lists(
    st.tuples(st.sampled_from(["put"] * 6 + ["archive", "remove"]), ids, st.sampled_from(CELLS), records), max_size=20
)
filters = (
    st.tuples(st.just("in"), st.just("user_id"), st.just(("ada",)))
    | st.tuples(st.just("not"), st.just(("in", "tags", ("p",))))
    | st.tuples(st.just("range"), st.just("created_at"), st.integers(0, 9), st.booleans(), st.none(), st.booleans())
    | st.tuples(st.just("in"), st.just("id"), st.lists(ids, max_size=3).map(tuple))
)
legs = st.fixed_dictionaries(
    {"retriever": st.sampled_from(["lexical", "hypervector", "dense", "symbolic"]), "k": st.integers(1, 6)},
    optional={
        "floor": st.sampled_from([0.0, 0.5, 1.0]),
        "within": filters,
        "blank": st.booleans(),
        "fewer": st.integers(1, 6),
        "whole": st.booleans(),
        "count": st.booleans(),
    },
)
questions = st.fixed_dictionaries(
    {},
    optional={
        "terms": st.lists(st.sampled_from(WORDS), max_size=3),
        "boosts": st.just({"x": 2.0}),
        "hypervectors": st.dictionaries(st.sampled_from(list(FIELDS)), st.sampled_from(WORDS), min_size=1),
        "vector": embeddings,
        "symbols": st.tuples(st.lists(st.sampled_from(["ada", "loom", "cloth"]), max_size=2), st.none()),
        "filter": filters,
        "now": st.integers(0, 9).map(float),
    },
)


def coded(words_by_field):
    """Return the hypervectors of fields, which are given as words."""
    return {field: HyperVector.random(word) for field, word in words_by_field.items()}


def new(dense=True):
    """Return an empty partition with all indexes."""
    words = LexicalIndex(FIELDS)
    vectors = HypervectorIndex(FIELDS, combine="adaptive", floor=0.05)
    partition = Partition(words, vectors, DenseIndex(4, [2, 4]) if dense else None, COLUMNS, ORDERED, "expires_at")
    partition.begin_facts(SymbolicIndex(RELATIONS, RULES))
    return partition


def put(partition, model):
    """Put records in, by id and cell."""
    said = list(model.values())
    partition.put(
        [id for id, _ in model],
        [record["document"] for record in said],
        [record["fields"] for record in said],
        [cell for _, cell in model],
        labels=[record["label"] for record in said],
        hypervectors=[coded(record["vectors"]) or None for record in said],
        embeddings=[None if record["embedding"] is None else array("f", record["embedding"]) for record in said],
        facts=[record["fact"] for record in said],
        hashes=[hash_of(record) for record in said],
    )


def hash_of(record):
    return sha256(repr(record["document"]).encode()).digest()[:16]


def follow(steps):
    """Return a partition that took these steps, and the records that are there: active ones, archived ones."""
    partition, active, archived = new(), {}, {}
    for step, id, cell, record in steps:
        active.pop((id, cell), None)
        archived.pop((id, cell), None)
        if step == "put":
            put(partition, {(id, cell): record})
            active[id, cell] = record
        elif step == "archive":
            partition.archive([id], [record["fields"]], [cell])
            archived[id, cell] = record
        else:
            partition.remove([id], [cell])
    return partition, active, archived


class Alone:
    """The indexes of the same records, each held alone; an id there is an id and a cell here."""

    def __init__(self, active):
        self.active = {f"{id}/{cell}": record for (id, cell), record in active.items()}
        self.cell = {f"{id}/{cell}": cell for id, cell in active}
        self.words, self.vectors = LexicalIndex(FIELDS), HypervectorIndex(FIELDS, combine="adaptive", floor=0.05)
        self.dense, self.facts = DenseIndex(4, [2, 4]), SymbolicIndex(RELATIONS, RULES)
        for name, record in self.active.items():
            cell = self.cell[name]
            self.words.add([name], [record["document"]], cells=cell, labels=[record["label"]])
            if record["vectors"]:
                self.vectors.add([name], [coded(record["vectors"])], cells=cell)
            if self.is_seen(record):
                self.dense.add([name], array("f", record["embedding"]), cells=cell)
            if record["fact"]:
                self.facts.add([name], [record["fact"]], cells=cell)

    @staticmethod
    def is_seen(record):
        return any(record["embedding"] or ())

    def ended(self, now):
        ends = {name: record["fields"].get("expires_at") for name, record in self.active.items()}
        return [name for name, end in ends.items() if now is not None and end is not None and end <= now]

    def among(self, forms, ended=(), blank=False):
        """Return the records that may be found."""
        return [
            name
            for name, record in self.active.items()
            if all(matches(form, record["fields"], name.split("/")[0]) for form in forms if form is not None)
            and name not in ended
            and not (blank and self.is_seen(record))
        ]

    def ask(self, leg, question, cells, among, ended):
        """Return the hits of a leg."""
        name, k = leg["retriever"], leg["k"]
        if name == "lexical":
            hits = self.words.search(question["terms"], k, cells=cells, boosts=question.get("boosts"), among=among)
        elif name == "hypervector":
            hits = self.vectors.search(coded(question["hypervectors"]), k, cells=cells, among=among)
        elif name == "dense":
            hits = self.dense.search(array("f", question["vector"]), k, cells=cells, among=among)
        else:
            found = self.facts.search(*question["symbols"], 1_000, cells=cells, without=ended)
            hits = [hit for hit in zip(found.ids, found.scores, strict=True) if hit[0] in among][:k]
        floor = leg.get("floor")
        return [hit for hit in hits if floor is None or hit[1] >= floor]


FORM = {"lexical": "terms", "hypervector": "hypervectors", "dense": "vector", "symbolic": "symbols"}


def expected(alone, legs, question, cells):
    """Return what each leg proposes, None for one that is not asked, and what it proposes unfiltered."""
    ended = [name for name in alone.ended(question.get("now")) if cells is None or alone.cell[name] in cells]
    answers, proposed = [], 0
    for leg in legs:
        if FORM[leg["retriever"]] not in question or proposed >= leg.get("fewer", proposed + 1):
            answers.append((None, None))
            continue
        own, blank = leg.get("within"), leg.get("blank", False)
        hits = alone.ask(leg, question, cells, alone.among([own, question.get("filter")], ended, blank), ended)
        whole = alone.ask(leg, question, cells, alone.among([own], blank=blank), [])
        proposed += len(whole)
        scores = [score for _, score in whole]
        answers.append((hits, (len(whole), scores[0] if scores else None, scores[-1] if scores else None)))
    return answers, bool(ended)


@settings(max_examples=examples(2_500))
@given(
    steps, st.lists(legs, min_size=1, max_size=4), questions, st.none() | st.lists(st.sampled_from(CELLS), max_size=3)
)
def test_legs_propose_what_the_single_indexes_find(steps, legs, question, cells):
    partition, active, _ = follow(steps)
    asked = dict(question)
    if "vector" in asked:
        asked["vector"] = array("f", asked["vector"])
    if "hypervectors" in asked:
        asked["hypervectors"] = coded(asked["hypervectors"])
    found = partition.propose(legs, cells, **asked, columns=[*COLUMNS, *ORDERED], hashes=True)
    answers, has_ended = expected(Alone(active), legs, question, cells)

    assert found.has_ended == has_ended
    keys = [f"{id}/{cell}" for id, cell in found.keys]
    seen = {}
    for leg, asked_leg, (hits, whole) in zip(found.legs, legs, answers, strict=True):
        assert leg.asked == (hits is not None)
        assert list(zip([keys[row] for row in leg.rows], leg.scores, strict=True)) == (hits or [])
        seen |= dict.fromkeys(name for name, _ in hits or ())
        if asked_leg.get("whole") and hits is not None:
            assert leg.whole == whole
        if asked_leg.get("count") and hits is not None:
            assert leg.whole is not None and leg.whole[0] == whole[0]
    assert keys == list(seen)
    for name in [*COLUMNS, *ORDERED]:
        assert found.columns[name] == [active[key]["fields"].get(name) for key in found.keys]
    assert found.hashes == [hash_of(active[key]) for key in found.keys]


@settings(max_examples=examples(1_000))
@given(steps, filters)
def test_a_partition_is_what_its_records_make_it(steps, form):
    partition, active, archived = follow(steps)
    known = {**active, **archived}
    fresh = new()
    put(fresh, dict(sorted(active.items())))
    for (id, cell), record in archived.items():
        fresh.archive([id], [record["fields"]], [cell])
    bytes = partition.to_bytes()
    back = Partition.from_bytes(bytes)

    assert bytes == fresh.to_bytes() == back.to_bytes()
    assert partition.is_like(back)
    assert len(partition) == len(back) == len(known)
    for each in (partition, back):
        assert each.sizes() == {
            cell: (sum(key[1] == cell for key in active), sum(key[1] == cell for key in archived))
            for cell in {cell for _, cell in known}
        }
        assert each.without_vector() == sum(not Alone.is_seen(record) for record in active.values())
        assert each.places(each.rows(form)) == sorted(
            key for key, record in known.items() if matches(form, record["fields"], key[0])
        )
    rows = partition.rows()
    held = dict(zip(partition.places(rows), partition.vectors(rows)[1], strict=True))
    assert held == {key: key in active and Alone.is_seen(active[key]) for key in known}


RECORD = {
    "document": {"claim": "a red fox"},
    "label": None,
    "vectors": {"claim": "red"},
    "embedding": [1.0, 0.0, 0.0, 0.0],
    "fact": ("Ada", "uses", "Loom", 1.0),
    "fields": {"user_id": "ada"},
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"document": {"title": "red"}},
        {"label": "x" * 513},
        {"vectors": {"title": "red"}},
        {"embedding": [1.0, float("nan"), 0.0, 0.0]},
        {"embedding": [1.0, 0.0]},
        {"fact": ("Ada", "likes", "Loom", 1.0)},
        {"fields": {"length": "long"}},
        {"fields": {"id": "b"}},
    ],
)
def test_what_is_refused_changes_nothing(wrong):
    partition = new()
    put(partition, {("a", ""): RECORD})
    before = partition.to_bytes()

    with pytest.raises((ValueError, TypeError)):
        put(partition, {("a", ""): {**RECORD, "document": {}}, ("b", "c"): {**RECORD, **wrong}})
    assert partition.to_bytes() == before


def test_a_leg_that_cannot_be_asked_is_refused_by_name():
    partition, vector = new(dense=False), array("f", [1.0, 0.0, 0.0, 0.0])

    for leg in (
        {"retriever": "dense", "k": 3},
        {"retriever": "words", "k": 3},
        {"retriever": "lexical", "k": 0},
        {"retriever": "lexical"},
        {"k": 3},
        {"retriever": "lexical", "k": 3, "pool": 3},
    ):
        with pytest.raises(InvalidArgument):
            partition.propose([leg], terms=["red"], vector=vector)
    with pytest.raises(InvalidArgument, match="no column"):
        partition.propose([], columns=["width"])
    with pytest.raises(InvalidArgument, match="end"):
        Partition(LexicalIndex(), HypervectorIndex(), columns=["at"], end="at")
    with pytest.raises(InvalidArgument, match="without an index"):
        partition.put(["a"], [{}], [{}], embeddings=[vector])


def test_damaged_bytes_are_refused():
    partition = new()
    put(partition, {("a", ""): RECORD, ("b", "c"): {**RECORD, "embedding": None}})
    good = partition.to_bytes()

    for at in range(0, len(good), 7):
        with pytest.raises((CorruptIndex, ValueError)):
            Partition.from_bytes(good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :])
