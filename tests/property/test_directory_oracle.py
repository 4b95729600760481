"""A directory selects what a look at each record finds, whatever was put, replaced and removed before."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart._core import HypervectorIndex, LexicalIndex, Partition

from ..counts import examples

CELLS = ["", "b", "c"]
COLUMNS, ORDERED = ["length", "importance"], ["expires_at"]
KEYWORDS = ["user_id", "tags", "metadata.room"]


def kind(value):
    """Return whether a value is a flag, a number or a text: those of two kinds are never equal."""
    return "flag" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


def values_of(record, field, id):
    """Return the values of a record's field."""
    if field == "id":
        return [id]
    said = record.get(field)
    return said if isinstance(said, list) else [] if said is None else [said]


def matches(form, record, id):
    """Return whether a record matches: the definition."""
    word, rest = form[0], form[1:]
    if word == "and":
        return all(matches(part, record, id) for part in rest[0])
    if word == "or":
        return any(matches(part, record, id) for part in rest[0])
    if word == "not":
        return not matches(rest[0], record, id)
    held = values_of(record, rest[0], id)
    if word == "in":
        return any(kind(one) == kind(other) and one == other for one in held for other in rest[1])
    if word == "exists":
        return bool(held) == rest[1]
    return any(between(value, *rest[1:]) for value in held)


def between(value, low, low_inclusive, high, high_inclusive):
    """Return whether a value lies between bounds of its own kind."""
    if any(bound is not None and kind(bound) != kind(value) for bound in (low, high)):
        return False
    above = low is None or value > low or (low_inclusive and value == low)
    return above and (high is None or value < high or (high_inclusive and value == high))


# Few values, so that they meet; some differ in kind only, some in the 54th bit only, some in the order of code points.
texts = st.sampled_from(["", "a", "b", "B", "é", "\U0001f600", "\ufffd", "1"])
numbers = st.sampled_from([-1, 0, -0.0, 1, 1.0, 1.5, 2**53, 2**53 + 1, 10**18 + 1, 10**18, 1e300])
scalars = texts | numbers | st.booleans()
said = st.dictionaries(st.sampled_from(KEYWORDS), scalars | st.lists(scalars, max_size=4) | st.none())
columns = st.dictionaries(st.sampled_from([*COLUMNS, *ORDERED]), st.sampled_from([-1, 0, 1, 1.5, 2.0, 1e300]))
records = st.builds(lambda words, numbers: {**words, **numbers}, said, columns)
ids = st.sampled_from(["a", "b", "c", "d", "é", "\ufffd", "\U0001f600"])
steps = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put", "remove", "remove everywhere"]), ids, st.sampled_from(CELLS), records
    ),
    max_size=16,
)
fields = st.sampled_from([*KEYWORDS, *COLUMNS, *ORDERED, "id", "never"])
bounds = scalars | ids
leaves = (
    st.tuples(st.just("in"), fields, st.lists(bounds, max_size=3).map(tuple))
    | st.tuples(st.just("exists"), fields, st.booleans())
    | st.tuples(st.just("range"), fields, bounds, st.booleans(), st.none() | bounds, st.booleans())
    | st.tuples(st.just("range"), fields, st.none(), st.booleans(), bounds, st.booleans())
)
filters = st.recursive(
    leaves,
    lambda inner: (
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, max_size=3).map(tuple))
        | st.tuples(st.just("not"), inner)
    ),
    max_leaves=6,
)
places = st.none() | st.lists(st.sampled_from([*CELLS, "unknown"]), max_size=3)


def new():
    """Return an empty partition, of which its directory is looked at."""
    return Partition(LexicalIndex(), HypervectorIndex(), columns=COLUMNS, ordered=ORDERED)


def put(directory, model):
    """Put records in, given by id and cell."""
    keys = list(model)
    directory.put([id for id, _ in keys], [""] * len(keys), list(model.values()), [cell for _, cell in keys])


def selected(directory, form, cells):
    """Return id and cell of the records that a filter selects."""
    return directory.places(directory.rows(form, cells))


def follow(steps):
    """Return a directory that took these steps, and the records that must be there by id and cell."""
    directory, model = new(), {}
    for step, id, cell, record in steps:
        if step == "put":
            put(directory, {(id, cell): record})
            model[id, cell] = record
        elif step == "remove":
            assert directory.remove([id], [cell]) == (model.pop((id, cell), None) is not None)
        else:
            gone = [key for key in model if key[0] == id]
            assert directory.remove([id]) == len(gone)
            for key in gone:
                del model[key]
    return directory, model


@settings(max_examples=examples(4_000))
@given(steps, st.lists(filters, min_size=1, max_size=3), places)
def test_a_filter_selects_what_a_look_at_each_record_finds(steps, forms, cells):
    directory, model = follow(steps)
    back = Partition.from_bytes(directory.to_bytes())
    inside = {key: record for key, record in model.items() if cells is None or key[1] in cells}

    assert len(directory) == len(model)
    for form in forms:
        looked = sorted(key for key, record in inside.items() if matches(form, record, key[0]))
        assert selected(directory, form, cells) == looked
        assert selected(back, form, cells) == looked


@settings(max_examples=examples(1_000))
@given(steps, filters)
def test_columns_counts_and_bytes_are_those_of_the_records(steps, form):
    directory, model = follow(steps)
    fresh = new()
    keys = sorted(model, reverse=True)
    put(fresh, {key: model[key] for key in keys})

    assert fresh.to_bytes() == directory.to_bytes()
    for name in [*COLUMNS, *ORDERED]:
        assert directory.column(name, [id for id, _ in keys], [cell for _, cell in keys]) == [
            model[key].get(name) for key in keys
        ]
    for field in KEYWORDS:
        found = [record for (id, _), record in model.items() if matches(form, record, id)]
        counted = Counter(
            one for record in found for one in {(kind(value), value) for value in values_of(record, field, "")}
        )
        answer = directory.counts(field, form)
        assert {(kind(value), value): count for value, count in answer} == counted
        assert len(answer) == len(counted)
