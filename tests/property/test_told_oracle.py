"""Words over all fields as one, and what was told around a record, are their definition after any history."""

from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart._core import (
    Analyzer,
    DenseIndex,
    HyperVector,
    HypervectorIndex,
    LexicalIndex,
    Partition,
    ordinary_texts,
)
from byheart.patterns.asking import asked_share
from byheart.reference import cascade, lexical, text, told
from byheart.retrieval.filter.canonical import membership
from byheart.retrieval.marked_terms import MARK

from ..counts import examples

FIELDS = {"role": 0.5, "topic": 1.5, "claim": 1.0}
WEIGHTS = {"role": 1, "topic": 2, "claim": 1}
CELLS = ["", "b"]
LIGHT = f"{MARK}before"  # a term of its own, since the analyser drops the word
WORDS = ["red", "fox", "hen", "blue", "foxes", "gives", f"{MARK}fox", f"{MARK}hen", LIGHT]
IDS = ["a", "b", "c2", "c10", "c010", "c2x", "cx", "7"]
ALIKE = HyperVector.random("alike")
K1, B, SESSION = 1.2, 0.75, told.Saturation(0.9, 0.4)
VECTOR = [1.0, 0.5, 0.0, 0.0]
AROUND = {
    "by": ["session_id", "user_id"], "order": "created_at", "without": ("kind", "summary"),
    "asks": "asks", "asking": "asking", "asked": 3.0, "asked_all": 2.0,
    "short": 3.0, "reach": 2, "first": 2, "decay": 0.5,
    "k1": SESSION.k1, "b": SESSION.b, "dense": 0.1, "floor": 0.2,
}  # fmt: skip

words = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
documents = st.fixed_dictionaries({}, optional={"role": words, "topic": words, "claim": words})
fields = st.fixed_dictionaries(
    {"session_id": st.sampled_from(["s1", "s2"])},  # half of the records are in one of few conversations
    optional={
        "user_id": st.just("ada"),
        "kind": st.sampled_from(["summary", "turn"]),
        "created_at": st.integers(0, 3),
        "asks": st.booleans(),
        "asking": st.sampled_from([0.25, 1.0]),
    },
) | st.just({})
steps = st.lists(
    st.tuples(
        st.sampled_from(["put"] * 6 + ["archive", "remove", "ask"]),
        st.sampled_from(IDS), st.sampled_from(CELLS), documents, fields,
        st.none() | st.lists(st.sampled_from([-1.0, 0.5, 1.0]), min_size=4, max_size=4),
    ),
    min_size=1,
    max_size=24,
)  # fmt: skip
queries = st.lists(
    st.sampled_from(["red", "fox", "hen", "absent", "give", "happen", LIGHT, f"{MARK}over"]), min_size=1, max_size=4
)


def said(value):
    """Return the terms of a field; a term behind the mark counts as the term, and a light one as itself."""
    return [
        term for word in value.split() for term in ([LIGHT] if word == LIGHT else text.terms(word.replace(MARK, "")))
    ]


def beside_of(query, texts):
    """Return so many ordinary texts, and how many of them hold each term of a question."""
    return lexical.Beside(texts, {term: texts / 1000.0 * ordinary_texts(term.removeprefix(MARK)) for term in query})


def asked(partition, query, cells, given, beside=0.0, **more):
    how = {"weights": list(WEIGHTS.values()), "saturation": given, "mark": MARK, "beside": beside}
    leg = {"retriever": "words", "k": 50, **how, "around": AROUND}
    everyone = {"retriever": "hypervector", "k": 50}  # those without a word of the question, too
    forms = {"terms": query, "hypervectors": {"claim": ALIKE}, "vector": array("f", VECTOR)}
    return partition.propose([leg, everyone], cells, **forms, **more)


def follow(history, query):
    """Play a history into a partition and into plain turns; ask in between, so that what is kept has to follow."""
    words = LexicalIndex(FIELDS, k1=K1, b=B, analyzer=Analyzer())
    partition = Partition(words, HypervectorIndex(FIELDS), DenseIndex(4, [4]), ["created_at"])
    turns, vectors = {}, {}
    for what, id, cell, document, facts, vector in history:
        if what == "ask":
            asked(partition, query, CELLS, None)
        elif what == "put":
            embedding = None if vector is None else array("f", vector)
            partition.put([id], [document], [facts], [cell], hypervectors=[{"claim": ALIKE}], embeddings=[embedding])
            of = (facts.get("session_id"), facts.get("user_id"))
            told_in = None if of[0] is None or facts.get("kind") == "summary" else of
            terms = {name: said(value) for name, value in document.items()}
            turns[id, cell] = told.Turn(
                terms, cell, told_in, facts.get("created_at"), facts.get("asks", False), facts.get("asking", 0.0)
            )
            vectors[id, cell] = vector
        else:
            turns.pop((id, cell), None)
            if what == "archive":
                partition.archive([id], [facts], [cell])
            else:
                partition.remove([id], [cell])
    return partition, turns, vectors


@settings(max_examples=examples(3_000))
@given(
    steps,
    queries,
    st.sampled_from([["", "b"], [""], ["b"]]),
    st.none() | st.lists(st.sampled_from(IDS[:4])),
    st.sampled_from([None, (1.2, 0.75)]),
    st.sampled_from([0.0, 10.0, 1000.0]),
)
def test_the_core_tells_what_stands_around(history, query, cells, only, given, texts):
    partition, turns, vectors = follow(history, query)
    model = {"\x1f".join(key): turn for key, turn in turns.items() if turn.cell in cells}  # ties: by id, then cell
    index = told.documents(model, WEIGHTS)
    how = told.saturation_of(index) if given is None else told.Saturation(*given)
    cosines = {
        "\x1f".join(key): cascade.score(cascade.normalised(VECTOR), cascade.normalised(vectors[key]))
        for key in turns
        if vectors[key] is not None
    }
    light, finding = {term for term in query if term.startswith(MARK)}, [each for each in query if each[0] != MARK]
    beside = beside_of(query, texts)
    around = told.around(
        model,
        query,
        WEIGHTS,
        turn=how,
        session=SESSION,
        cosines=cosines,
        asked=3.0,
        asked_all=2.0,
        short=3.0,
        light=light,
        beside=beside,
    )
    scored = lexical.search(index, query, {"all": 1.0}, k1=how.k1, b=how.b, beside=beside)
    met = told.met(index, finding)
    among = None if only is None else [key for key in model if key.split("\x1f")[0] in only]
    scored = told.proposed(model, scored, 50, first=2, among=among, met=met)
    found = asked(partition, query, cells, given, texts, filter=None if only is None else membership("id", tuple(only)))

    [words, _], keys = found.legs, ["\x1f".join(key) for key in found.keys]
    assert [(keys[row], score) for row, score in zip(words.rows, words.scores, strict=True)] == scored
    assert words.idf_sum == told.weight(index, query, light, beside)
    assert words.most == words.idf_sum * (how.k1 + 1.0)
    rarity = lexical.idfs(index, query, {"all": 1.0}, beside=beside)
    may_be = None if only is None else {key for key in index if key.split("\x1f")[0] in only}
    assert words.familiarity == told.familiarity(index, finding, may_be, [rarity[term] for term in finding])
    for name in ("before", "after", "whole"):
        told_of = found.columns.get(f"told_{name}", [None] * len(keys))  # left out where nothing is told of any
        column = dict(zip(keys, told_of, strict=True))
        assert column == {key: getattr(around[key], name) if key in around else None for key in keys}
    joined = (list(WEIGHTS.values()), given, MARK, texts)
    for key, score in scored:
        explained = partition.explain_words(query, *key.split("\x1f"), cells=cells, joined=joined)
        assert explained.score == score


@settings(max_examples=examples(1_000))
@given(
    st.lists(
        st.sampled_from([*'?!.\uff1f\u3002\u061f\u2026 \n_:)\U0001f642"', "Ann: ", "x", "so", "\u6771", "? ", ". "])
    ).map("".join)
)
def test_the_share_of_a_text_that_asks_is_its_definition(said):
    share = asked_share(said)
    assert share == told.asking(said) and 0.0 <= share <= 1.0


@settings(max_examples=examples(1_000))
@given(steps, st.integers(0, 3))
def test_the_core_names_what_was_told_beside_a_record(history, reach):
    partition, turns, _ = follow(history, ["fox"])
    leg = {"weights": list(WEIGHTS.values()), "saturation": None, "mark": MARK, "around": {**AROUND, "reach": reach}}
    rows = {key: next(row for row in partition.rows_of(key[0]) if partition.places([row]) == [key]) for key in turns}
    asked_for = [*rows, ("nobody", "")]
    found = dict(zip(asked_for, partition.beside([*rows.values(), "nobody"], leg), strict=True))
    expected = {key: ([], []) for key in asked_for}
    for name in {(turn.cell, turn.conversation) for turn in turns.values() if turn.conversation is not None}:
        held = [key for key, turn in turns.items() if (turn.cell, turn.conversation) == name]
        held.sort(
            key=lambda key: (
                -float("inf") if turns[key].time is None else turns[key].time,
                told.in_telling(key[0]),
                key[0],
            )
        )
        for at, key in enumerate(held):
            before, after = held[:at][::-1][:reach], held[at + 1 :][:reach]
            expected[key] = [rows[each] for each in before], [rows[each] for each in after]
    assert found == expected


def test_a_copy_in_bytes_tells_the_same():
    turn = {"session_id": "s1", "created_at": 1}
    partition, _, _ = follow([("put", id, "", {"claim": "red fox"}, turn, None) for id in "abc"], ["fox"])
    before = asked(partition, ["fox"], CELLS, None).columns
    assert asked(Partition.from_bytes(partition.to_bytes()), ["fox"], CELLS, None).columns == before


def test_a_later_question_about_other_conversations_gets_its_own():
    turn = {"session_id": "s1", "user_id": "ada", "created_at": 1}
    partition, _, _ = follow([("put", id, "", {"claim": "red fox"}, turn, None) for id in "abc"], ["fox"])
    whole = asked(partition, ["fox"], CELLS, None).columns["told_whole"]
    leg = {
        "retriever": "words", "k": 5, "weights": [0, 0, 3], "saturation": None, "mark": MARK,
        "around": {**AROUND, "by": ["nothing"]},
    }  # fmt: skip
    assert "told_whole" not in partition.propose([leg], CELLS, terms=["fox"]).columns
    assert asked(partition, ["fox"], CELLS, None).columns["told_whole"] == whole
