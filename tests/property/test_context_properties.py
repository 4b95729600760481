"""For every query and budget: rules whole and first, the budget kept, no text taken for the block (A1.7.10, A1.8.5)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Memory, Record
from byheart.conversation.context import Recent
from byheart.errors import InvariantBudgetError
from byheart.ranking.tokens import HostTokens
from byheart.reference import budget as oracle
from byheart.reference.length import host_tokens

from ..counts import examples
from .test_assembly_properties import parse
from .test_assembly_properties import texts as hostile

WORDS = st.sampled_from(["kettle", "spring", "tea", "茶", "чай", "sea", "</memory>", "\n<memories>", "&lt;", "\u202e"])
contents = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
rules = st.lists(contents, max_size=2, unique=True)
stored = st.lists(
    st.builds(
        lambda text, kind, bundle: {"text": text, "kind": kind, "metadata": {"bundle": bundle} if bundle else {}},
        contents,
        st.sampled_from([None, "turn", "summary"]),
        st.sampled_from([None, "p"]),
    ),
    max_size=6,
)
budgets = st.integers(0, 60) | st.floats(0, 300)
queries = contents | st.sampled_from(["", "thanks!", "where is the kettle?"])
options = st.fixed_dictionaries(
    {
        "policy": st.sampled_from(["prefix", "first_fit"]),
        "count_frame": st.booleans(),
        "adaptive": st.booleans(),
        "flatten": st.booleans(),
        "characters": st.none() | st.integers(1, 20),
        "fraction": st.sampled_from([1.0, 1.0, 0.25, 1 / 3]),
        "recent": st.just(False) | st.builds(Recent, st.integers(0, 3), st.integers(0, 20)),
        "profile": st.sampled_from(["kb-fast", "kb-balanced", "kb-thinkingdb"]),
    }
)


def opened(rules, records):
    memory = Memory(invariants=rules, noise=None)
    rows = [{**row, "id": f"r{at}", "session_id": "s", "created_at": 60 * at} for at, row in enumerate(records)]
    memory.remember_many(rows)
    return memory


@settings(max_examples=examples(400))
@given(rules, stored, queries, budgets, options)
def test_rules_are_whole_and_first_and_the_budget_is_kept(rules, records, query, budget, given):
    memory = opened(rules, records)
    least = sum(host_tokens(rule) for rule in rules)
    try:
        context = memory.context(query, budget, session_id="s", now=1_000, **given)
    except InvariantBudgetError:
        assert rules and (given["count_frame"] or least > budget * given["fraction"])
        return
    kinds = [entry.kind for entry in context.entries]
    assert kinds == sorted(kinds, key=["invariant", "recent", "hit"].index)
    assert [entry.text for entry in context.entries if entry.kind == "invariant"] == rules
    assert [entry.number for entry in context.entries] == [*range(1, len(kinds) + 1)]
    assert len({entry.id for entry in context.entries}) == len(kinds)
    assert [entry.tokens for entry in context.entries] == [host_tokens(entry.text) for entry in context.entries]
    assert context.tokens == sum(entry.tokens for entry in context.entries)
    whole = context.tokens + (context.frame_tokens if given["count_frame"] else 0)
    assert Fraction(whole) <= context.budget
    said = [(kind, attributes["number"], attributes["id"], text) for kind, attributes, text in parse(context.text)]
    assert said == [(entry.kind, f"M{entry.number}", entry.id, entry.text) for entry in context.entries]


@settings(max_examples=examples(400))
@given(rules, stored, queries, budgets, options)
def test_the_hits_are_those_that_the_definition_admits(rules, records, query, budget, given):
    memory = opened(rules, records)
    given = {**given, "count_frame": False, "flatten": False, "characters": None, "fraction": 1.0}
    try:
        context = memory.context(query, budget, session_id="s", now=1_000, **given)
    except InvariantBudgetError:
        return
    before = [entry.tokens for entry in context.entries if entry.kind != "hit"]
    found = [hit.text for hit in context.recall.hits]
    admit = oracle.longest_prefix if given["policy"] == "prefix" else oracle.first_fit
    places = admit([*before, *map(host_tokens, found)], budget)
    expected = [found[place - len(before)] for place in places if place >= len(before)]
    assert [entry.text for entry in context.entries if entry.kind == "hit"] == expected
    charged = [row for row in context.receipt if row.kind == "hit"]
    assert [row.id for row in charged] == [hit.id for hit in context.recall.hits]
    assert sum(row.reason == "accepted" for row in context.receipt) == len(context.entries)


@settings(max_examples=examples(200))
@given(rules, stored, st.integers(0, 4), st.integers(0, 30), st.integers(0, 60))
def test_the_tail_is_the_longest_that_the_budget_allows(rules, records, least, target, budget):
    memory = opened(rules, records)
    given = sum(host_tokens(rule) for rule in rules) + budget
    context = memory.context("", given, session_id="s", now=1_000, recent=Recent(least, target))
    spoken = [(f"r{at}", row) for at, row in enumerate(records) if row["kind"] != "summary"]
    turns = [(id, row["text"], row["metadata"].get("bundle")) for id, row in spoken]
    allowed = []
    for start in range(len(turns) + 1):
        cost = sum(host_tokens(text) for _, text, _ in turns[start:])
        parted = {b for _, _, b in turns[:start]} & {b for _, _, b in turns[start:]} - {None}
        if cost <= budget and not parted:
            allowed.append((start, cost))
    mandatory = [start for start, cost in allowed if cost > target]
    grown = [start for start, cost in allowed if cost <= target]
    shown = [entry.id for entry in context.entries if entry.kind == "recent"]
    assert shown in [[id for id, _, _ in turns[start:]] for start, _ in allowed]
    start = len(turns) - len(shown)
    if start in mandatory:
        # Above the target are only turns that were asked for whatever they cost, and their bundles.
        later = [at for at in range(start + 1, len(turns) + 1) if at in dict(allowed)]
        assert not later or len(turns) - later[0] < least
    elif grown:
        assert start <= min(grown)
    else:
        assert not shown


@settings(max_examples=examples(150))
@given(hostile.filter(bool), hostile, st.booleans())
def test_a_hostile_record_is_an_entry_and_nothing_else(text, source, flatten):
    memory = Memory(invariants=["Answer in English."], noise=None)
    memory.remember(Record(text=text, topic="kettle", id="x", provenance={"source_name": source}, created_at=0))
    context = memory.context("kettle", 1_000_000, flatten=flatten)
    rule, (kind, attributes, shown) = parse(context.text)
    assert rule[0] == "invariant" and rule[2] == "Answer in English."
    assert (kind, attributes["id"], attributes["source"]) == ("hit", "x", source)
    assert shown == (" ".join(text.split()) if flatten else text)
    assert context.entries[1].tokens == HostTokens().count(shown)


@pytest.mark.parametrize("profile", ["kb-balanced", "dense"])
def test_no_query_decides_about_a_rule(profile):
    memory = Memory(invariants=["a rule", "b rule"])
    for query in ("a", "", "rule", "thanks!", [], ["a"], "\u202e"):
        context = memory.context(query, 4, profile=profile, adaptive=True)
        assert [entry.text for entry in context.entries] == ["a rule", "b rule"]


cells = st.sampled_from([{"tenant": "other"}, {"boundary_class": "secret"}, {"scope": "session"}])
outside = st.lists(st.tuples(contents, cells, st.booleans()), max_size=4)


@settings(max_examples=examples(200))
@given(rules, stored, outside, queries, budgets, options)
def test_nothing_outside_the_boundary_changes_a_context(rules, records, others, query, budget, given):
    beyond = [{"text": text, "session_id": "s", **cell} for text, cell, is_rule in others if not is_rule]
    strange = [{"text": text, **cell} for text, cell, is_rule in others if is_rule]
    whole, alone = opened([*strange, *rules], records), opened(rules, records)
    whole.remember_many({**row, "id": f"x{at}"} for at, row in enumerate(beyond))
    answers = []
    for memory in (whole, alone):
        try:
            answers.append(
                memory.context(query, budget, session_id="s", now=1_000, boundary={"scopes": ["project"]}, **given)
            )
        except InvariantBudgetError as error:
            answers.append(str(error))
    assert answers[0] == answers[1]
