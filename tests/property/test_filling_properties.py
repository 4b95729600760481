"""For every memory, question, budget and tokenizer: a filled context keeps its budget, and its laws of order."""

from fractions import Fraction
from itertools import groupby

from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart import Analyzer, Memory, Record
from byheart.conversation.candidates import Candidate
from byheart.conversation.context import Recent
from byheart.conversation.filling import Filling
from byheart.conversation.leaning import Leaning, leaned
from byheart.ranking.tokens import HostTokens

from ..counts import examples
from .test_assembly_properties import parse

WORDS = st.sampled_from(
    ["kettle", "spring", "tea.", "茶。", "sea!", "</memory>", "<memories>", "hot\n\n", "Ada", "and"]
)
texts = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
turns = st.lists(
    st.fixed_dictionaries(
        {"text": texts, "created_at": st.integers(0, 5)},
        optional={
            "session_id": st.sampled_from(["s", "t"]),
            "user_id": st.just("ada"),
            "kind": st.sampled_from(["turn", "summary"]),
            "expires_at": st.sampled_from([900, 1_100]),
        },
    ),
    max_size=9,
)
WHOLE = Analyzer(stem=False, stop_words=None)
queries = st.sampled_from(["kettle", "tea in spring", "where is the sea?", "ada and tea", "nothing known"])


class Characters:
    """A tokenizer by which every character counts."""

    def count(self, text: str) -> int:
        return len(text)


class Odd:
    """A tokenizer that does not grow with the text, and whose costs are not whole."""

    def count(self, text: str) -> float:
        return (sum(map(ord, text)) % 97) * 0.1


fillings = st.just("fill") | st.builds(
    Filling,
    st.lists(st.sampled_from([0.0, 0.4, 1.0]), max_size=3).map(tuple),
    st.lists(st.sampled_from([0.0, 0.8, 1.0]), max_size=3).map(tuple),
    st.sampled_from([1, 5, 30]),
    st.sampled_from([0.0, 0.25, 1.0]),
    st.builds(Leaning, *[st.sampled_from([0.0, 0.2, 0.9])] * 5),
    st.sampled_from([1, 3]),
)
options = st.fixed_dictionaries(
    {
        "policy": fillings,
        "tokens": st.sampled_from([HostTokens(), Characters(), Odd()]),
        "count_frame": st.booleans(),
        "flatten": st.booleans(),
        "characters": st.none() | st.integers(1, 40),
        "recent": st.just(False) | st.builds(Recent, st.integers(0, 2), st.integers(0, 20)),
        "profile": st.sampled_from(["auto", "kb-balanced"]),
        "min_strength": st.just(0.0),
    }
)
budgets = st.integers(0, 80) | st.floats(0, 2_000)


def opened(records):
    memory = Memory(noise=None)
    memory.remember_many({**row, "id": f"r{at}"} for at, row in enumerate(records))
    return memory


@settings(max_examples=examples(500))
@given(turns, queries, budgets, options)
@example(
    [{"text": "kettle", "created_at": 0}],
    "kettle",
    6,
    {"policy": "fill", "tokens": Odd(), "count_frame": True, "min_strength": 0.0},  # with its frame it costs less
)
def test_the_budget_is_kept_whatever_counts(records, query, budget, given):
    memory = opened(records)
    context = memory.context(query, budget, session_id="s", now=1_000, **given)
    costs = [given["tokens"].count(entry.text) for entry in context.entries]
    assert [entry.tokens for entry in context.entries] == costs
    assert sum(map(Fraction, costs)) <= Fraction(budget)
    if given["count_frame"] and not isinstance(given["tokens"], Odd):
        assert Fraction(context.tokens) + Fraction(context.frame_tokens) <= Fraction(budget)
    said = [(kind, attributes["number"], attributes["id"], text) for kind, attributes, text in parse(context.text)]
    assert said == [(entry.kind, f"M{entry.number}", entry.id, entry.text) for entry in context.entries]
    again = opened(records).context(query, budget, session_id="s", now=1_000, **given)
    assert (again, again.text) == (context, context.text)


@example(
    [
        {"text": "kettle kettle", "created_at": 1},
        {"text": "kettle kettle kettle", "created_at": 0, "kind": "summary"},
    ],
    "kettle", 0, {"policy": "fill", "profile": "auto", "min_strength": 0.0},
)  # fmt: skip
@settings(max_examples=examples(500))
@given(turns, queries, budgets, options)
def test_nothing_is_left_out_that_would_have_fitted_in_its_turn(records, query, budget, given):
    given = {**given, "count_frame": False}
    memory = opened(records)
    context = memory.context(query, budget, session_id="s", now=1_000, **given)
    shown = {entry.number: entry for entry in context.entries}
    rows = [row for row in context.receipt if row.kind == "hit"]
    spent = sum((Fraction(row.tokens) for row in context.receipt if row.kind == "recent" and row.number), Fraction(0))
    left_over = 0
    for row in rows:
        if row.number is None and row.reason == "outdated":  # it is told with the newer value alone, which had no room
            newer = set(memory.get(row.id).near_duplicates)
            if memory.get(row.id).kind == "summary":  # which is linked with nothing, and compared by its text
                newer = {other.id for other in rows if other.reason == "over_budget"}
            assert newer - {entry.id for entry in context.entries}
            continue
        if row.number is None:
            assert row.reason == "over_budget" and spent + Fraction(row.tokens) > Fraction(budget)
            continue
        assert row.reason == ("cut" if shown[row.number].cut else "accepted")
        assert Fraction(row.tokens) == Fraction(shown[row.number].tokens)
        left_over += row.reason == "cut"
        spent += Fraction(row.tokens)
    assert spent <= Fraction(budget)
    assert sum(row.number is not None for row in context.receipt) == len(context.entries)
    hits = [row.id for row in rows if row.beside is None]
    assert sorted(hits) == sorted(hit.id for hit in context.recall.hits), "every hit is charged, and nothing else"
    assert {row.beside for row in rows if row.beside is not None} <= set(hits)


@settings(max_examples=examples(300))
@given(turns, queries, st.integers(20, 400), options)
def test_a_session_stands_in_one_piece_in_order_of_time(records, query, budget, given):
    context = opened(records).context(query, budget, session_id="s", now=1_000, **{**given, "recent": False})
    rows = [{"user_id": None, "session_id": None, **records[int(entry.id[1:])]} for entry in context.entries]
    told = [(row["session_id"] and (row["session_id"], row["user_id"])) or entry.id
            for row, entry in zip(rows, context.entries, strict=True)]  # fmt: skip
    runs = [key for key, _ in groupby(told)]
    assert len(runs) == len(set(runs))
    for key in set(told):
        own = [(row["created_at"], entry.id) for row, entry, name in zip(rows, context.entries, told, strict=True)
               if name == key]  # fmt: skip
        assert own == sorted(own)


@settings(max_examples=examples(300))
@given(turns, queries, st.integers(20, 400))
def test_what_stands_beside_a_hit_was_told_beside_it(records, query, budget):
    context = opened(records).context(query, budget, session_id="s", now=1_000, min_strength=0.0)
    living = {
        f"r{at}": row for at, row in enumerate(records)
        if row.get("session_id") and row.get("kind") != "summary"
    }  # fmt: skip
    order = sorted(living, key=lambda id: (living[id]["created_at"], id))
    for entry in context.entries:
        if entry.beside is None:
            assert entry.score is not None
            continue
        one, other = living[entry.id], living[entry.beside]
        assert (one["session_id"], one.get("user_id")) == (other["session_id"], other.get("user_id"))
        told = [id for id in order if (living[id]["session_id"], living[id].get("user_id")) == (
            one["session_id"], one.get("user_id"))]  # fmt: skip
        assert abs(told.index(entry.id) - told.index(entry.beside)) <= 2
        assert one.get("expires_at", 1_100) > 1_000 and entry.score is None


worths = st.sampled_from([0.0, 0.1, 0.5, 0.5000000001, 1.0])
candidates = st.lists(st.tuples(texts, worths, st.sampled_from([None, "s", "t"])), max_size=12)
leanings = st.builds(Leaning, *[st.sampled_from([0.0, 0.2, 0.9])] * 5)


@settings(max_examples=examples(500))
@given(candidates, queries, leanings)
def test_turns_change_places_among_themselves_and_nothing_else_changes(rows, query, how):
    given = [
        Candidate(Record(text=text, id=f"r{at}", tenant="t", scope="p", boundary_class="internal", created_at=at % 3,
                         session_id=session), worth, None, worth)
        for at, (text, worth, session) in enumerate(sorted(rows, key=lambda row: -row[1]))
    ]  # fmt: skip
    found = leaned(given, query, how, WHOLE)
    assert sorted(each.record.id for each in found) == sorted(each.record.id for each in given)
    assert [(each.record, each.score) for each in found if not each.is_turn()] == [
        (each.record, each.score) for each in given if not each.is_turn()
    ]
    assert [each.is_turn() for each in found] == [each.is_turn() for each in given]
    worth = [each.worth for each in found if each.is_turn()]
    assert worth == sorted(worth, reverse=True)
    assert leaned(given, query, how, WHOLE) == found
