"""What is made once of records that say the same, or was made before, is what is made of each by itself."""

from dataclasses import fields

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Memory, Record
from byheart.frozen import teller
from byheart.records import DEFAULTS
from byheart.retrieval import sameness
from byheart.retrieval.filter import fields_of
from byheart.retrieval.symbolic import Vocabulary

from ..counts import examples

TEXTS = st.sampled_from(
    ["I live in Rome.", "I live in Oslo now", "We meet at 3.", "What is it?", "yes", "getName and tea", "tea, cups",
     "x" * 130, "Ann: the tea is ready", "茶はあります"]
)  # fmt: skip
METADATA = st.dictionaries(
    st.sampled_from(["role", "n", "room"]), st.sampled_from(["user", "assistant", 1, True, 1.0, 0.5, None]), max_size=3
)
RECORDS = st.builds(
    Record,
    text=TEXTS,
    kind=st.sampled_from(["turn", "memory", "summary", None]),
    user_id=st.sampled_from([None, "ann", "bob"]),
    session_id=st.sampled_from([None, "s"]),
    topic=st.sampled_from([None, "Kettle"]),
    role=st.sampled_from([None, "Definition"]),
    tags=st.sampled_from([(), ("b", "a")]),
    importance=st.sampled_from([None, 0, 0.5]),
    created_at=st.sampled_from([None, 3, 1.5]),
    metadata=METADATA,
    provenance=st.sampled_from([{}, {"source_name": "a.md"}, {"source_id": "t1"}]),
)


@given(RECORDS, st.sampled_from([(), ("lives_in",)]))
def test_one_mark_is_that_among_all(record: Record, relations: tuple[str, ...]) -> None:
    known, record = Vocabulary(single_valued=relations), record.completed(scope="s", boundary_class="internal")
    found = sameness._marks(record, known)
    for field in sameness.MARKS:
        alone = sameness.mark(record, field, known)
        assert (None if alone is None else (alone,)) == found.get(field)
    assert sameness.marks(record, known) == found == sameness.marks(record.completed(), known)


def test_marks_are_those_of_the_relations_that_are_asked_for() -> None:
    record = Record(text="I live in Rome.", scope="s", boundary_class="internal")
    for _ in range(2):
        for relations in ((), ("lives_in",)):
            found = sameness.marks(record, Vocabulary(single_valued=relations))
            assert (sameness.STATED in found) is bool(relations)


@settings(max_examples=examples(400))
@given(st.lists(RECORDS, min_size=1, max_size=6), st.booleans())
def test_records_that_are_indexed_at_once_are_those_that_are_indexed_one_by_one(
    records: list[Record], eager: bool
) -> None:
    named = [record.completed(id=f"r{number}", created_at=5.0) for number, record in enumerate(records)]
    indexes = []
    for parts in ([named], [[record] for record in named]):
        memory = Memory(noise=None, embedder=None, hypervectors="subwords" if eager else "ngrams")
        for part in parts:
            memory._engine.store.write(
                [each.completed(tenant="default", scope="s", boundary_class="internal") for each in part], []
            )
            memory._engine.indexes.catch_up()
        indexes.append(dict(memory._engine.indexes["default"].sections()))
    assert indexes[0] == indexes[1]


@given(RECORDS)
def test_fields_that_say_something_are_told_in_their_order(record: Record) -> None:
    told = teller(DEFAULTS, always="text")(record)
    every = [(spec.name, getattr(record, spec.name)) for spec in fields(Record)]
    assert told == [(name, value) for name, value in every if name == "text" or value != DEFAULTS[name]]
    for name, value in told:
        if name in ("kind", "user_id", "importance", "created_at"):
            assert fields_of(record)[name] == (value,)
