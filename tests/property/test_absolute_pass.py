"""The pass of the core does to a proposal what the stages of the profile auto do, to the last bit."""

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from byheart import Memory, Record
from byheart.embedding import HashingEmbedder
from byheart.recall import run

from ..counts import examples
from ..printed import checked

WORDS = ["fox", "foxes", "red", "owl", "東京", "café", "den", "getUserName", "user"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
names = st.sampled_from([None, "Ann", "Fox", "Straße"])
statements = st.builds(
    "the {} fox of Ann Berg lives in {}".format,
    st.sampled_from(["red", "red", "old", "red and old"]),
    st.sampled_from(["Rome", "Bern", "Oslo", "Wien", "Rome on the Tiber"]),
)


@st.composite
def batches(draw: Any) -> list[Record]:
    """Return records, some of which say the same or nearly so, some in conversations, some marked as noise."""
    talks, texts = draw(st.booleans()), draw(st.sampled_from([sentences, statements, sentences | statements]))
    names_of = draw(st.permutations(range(draw(st.integers(4, 30)))))  # ids are in another order than the records came
    return [
        Record(
            text=draw(texts),
            id=f"r{number:02}",
            topic=draw(st.none() | sentences),
            kind=draw(st.sampled_from([None, "turn", "summary"])),
            session_id=draw(st.sampled_from([None, "s1", "s2"])) if talks else None,
            user_id=draw(st.sampled_from([None, "ann"])) if talks else None,
            speaker=draw(names) if talks else None,
            scope=draw(st.sampled_from(["project", "other"])),
            created_at=draw(st.none() | st.sampled_from([0.0, 1.0, 2.0])),
            metadata=draw(st.sampled_from([{}, {}, {"noise": "greeting"}])) if talks else {},
        )
        for number in names_of
    ]


options = st.fixed_dictionaries(
    {"k": st.integers(1, 30), "min_strength": st.sampled_from([None, 0.0, 0.999]), "now": st.just(10.0)},
    optional={
        "session_id": st.sampled_from(["s1", "absent"]),
        "user_id": st.just("ann"),
        "where": st.sampled_from([{"kind": "turn"}, {"id": ["r00", "r01", "r02"]}]),
        "exclude": st.just(["r03"]),
    },
)
questions = st.tuples(
    sentences | st.sampled_from(["where does the red fox of Ann Berg live", "Ann Berg in Bern"]),
    st.sampled_from(["", " may I", " said Ann", " STRASSE", " last May", " -owl", ' "red fox"']),
)


@settings(max_examples=examples(600))
@given(batch=batches(), question=questions, embedder=st.booleans(), asked=options)
def test_the_pass_is_the_stages(batch: list[Record], question: tuple[str, str], embedder: bool, asked: Any) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    memory.remember_many(batch)
    passes: list[Any] = []

    def watched(*given: Any) -> Any:
        passes.append(fused(*given))
        return passes[-1]

    fused = run.fused
    with patch.object(run, "fused", watched):
        there = memory.recall("".join(question), **asked)
    with patch.object(run, "fused", lambda *given: None):
        told = memory.recall("".join(question), **asked)
    near = any(record.near_duplicates for record in memory.records())
    event(f"{'passed' if any(passes) else 'the stages ran'}{', near-duplicates' if near else ''}")
    assert there == told
    assert there.to_dict() == told.to_dict()
    assert (there.strength, there.nearest, str(there.table).splitlines()[1:]) == (
        told.strength, told.nearest, str(told.table).splitlines()[1:]
    )  # fmt: skip
    assert [hit.strength for hit in there] == [hit.strength for hit in told]


@settings(max_examples=examples(300))
@given(batch=batches(), question=questions, embedder=st.booleans(), asked=options)
def test_each_printed_row_comes_out_of_what_stands_there(
    batch: list[Record], question: tuple[str, str], embedder: bool, asked: Any
) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    memory.remember_many(batch)
    answer = memory.recall("".join(question), explain=True, **asked)
    for name in checked(answer):
        event(name)


def test_where_records_say_nearly_the_same_the_newer_stands_first() -> None:
    memory = Memory()
    memory.remember_many([f"the tea of the {at}th floor is {at} minutes old" for at in "abcdef"])
    memory.remember("Ann Berg lives in the city of Rome", id="b", user_id="ann", created_at=1)
    memory.remember("Ann Berg lives in the city of Bern", id="c", user_id="ann", created_at=2)
    assert memory.get("c").near_duplicates == ("b",)
    with patch.object(run, "_round", side_effect=AssertionError("the stages ran")):
        answer = memory.recall("tea of the floor and where Ann Berg lives", 9, user_id="ann", min_strength=0)
    assert [hit.id for hit in answer][:2] == ["c", "b"]


def test_a_usual_question_takes_the_pass_and_one_that_names_a_time_does_not() -> None:
    memory = Memory()
    memory.remember_many(
        [Record(text=f"tea with milk and {at} is tea of the {at} kind", session_id="s1") for at in range(20)]
    )
    with patch.object(run, "_round", side_effect=AssertionError("the stages ran")):
        assert len(memory.recall("tea with milk", 5, session_id="s1")) == 5
        assert len(memory.recall("may I have tea with milk", 5, session_id="s1")) == 5
    with patch.object(run, "_round", side_effect=AssertionError("the stages ran")), pytest.raises(AssertionError):
        memory.recall("tea with milk last May", 5, session_id="s1")
