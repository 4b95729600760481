"""The whole recall of the reference, by hand and stage by stage."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from byheart.reference import lexical, memory
from byheart.reference.hypervector import encode_ngrams, encode_subwords, encode_tokens, random
from byheart.reference.memory import recall
from byheart.reference.profiles import PROFILES
from byheart.reference.text import terms

FAST, BALANCED = PROFILES["kb-fast"], PROFILES["kb-balanced"]
UNITS: list[dict[str, Any]] = [
    {"id": "k1", "role": "Explanation", "topic": "sandbox", "claim": "sandbox limit harm"},
    {"id": "k2", "role": "Definition", "topic": "kernel", "claim": "kernel run program"},
    {"id": "k3", "role": "Explanation", "topic": "network", "claim": "network limit rate"},
    {"id": "k4", "role": "Procedure", "topic": "deploy", "procedure": "build box run test"},
]


def test_weights_and_constants() -> None:
    assert list(memory.LEXICAL_WEIGHTS.items()) == [
        ("role", 0.5), ("topic", 1.5), ("claim", 1.0), ("condition", 0.6), ("procedure", 1.0), ("utility_acts", 0.8),
        ("utility_note", 0.6),
    ]  # fmt: skip
    assert list(memory.HYPERVECTOR_WEIGHTS.items()) == [
        ("topic", 0.35),
        ("claim", 0.35),
        ("role", 0.20),
        ("acts", 0.10),
    ]
    assert (memory.ROLE_BOOST, memory.HYPERVECTOR_FLOOR, memory.TINY) == (1.3, 0.05, 32)


def test_documents_of_records() -> None:
    plain = memory.document_of({"id": "a", "text": "The red foxes"})
    assert plain.fields["claim"] == ["red", "fox"]
    assert plain.fields["utility_acts"] == plain.fields["role"] == []
    assert plain.label is None
    unit = memory.document_of({"id": "b", "text": "red foxes", "claim": "owls", "role": "Narrative"})
    assert (unit.fields["claim"], unit.fields["role"], unit.label) == (["owl", "red", "fox"], ["narr"], "Narrative")
    assert unit.fields["utility_acts"] == ["explain", "describ"]
    steps = memory.document_of(
        {"id": "c", "text": "dig", "procedure": "dig", "role": "Procedure", "utility_acts": ["verify"]}
    )
    assert (steps.fields["claim"], steps.fields["procedure"]) == ([], ["dig"])
    assert steps.fields["utility_acts"] == ["verifi"]
    assert list(plain.fields) == list(memory.LEXICAL_WEIGHTS)


def test_vectors_of_records_and_queries() -> None:
    unit = {"id": "a", "role": "Narrative", "topic": "the", "procedure": "dig holes"}
    vectors = memory.record_vectors(unit)
    assert vectors["claim"] == encode_ngrams(["dig", "hole"])
    assert vectors["acts"] == encode_tokens(["explain", "describe"])
    assert vectors["role"] == random("Narrative")
    assert not vectors["topic"].bits  # stop words only: a field that is missing
    assert memory.record_vectors(unit, encode="subwords")["claim"] == encode_subwords(["dig", "hole"])
    bare = memory.record_vectors({"id": "b", "text": "owls"})
    assert [name for name, vector in bare.items() if vector.bits] == ["claim"]
    query = memory.query_vectors(["dig"], "verify", ["Constraint", "Definition"])
    assert query["topic"] == query["claim"] == encode_ngrams(["dig"])
    assert (query["role"], query["acts"]) == (encode_tokens(["Constraint", "Definition"]), random("verify"))
    empty = memory.query_vectors([], None, [])
    assert not any(vector.bits for vector in empty.values())


def test_fast_by_hand() -> None:
    found = recall(UNITS, ["sandbox", "harm"], profile=FAST, act="explain", literal=True)
    assert [(hit.id, hit.score) for hit in found.hits] == [("k1", 1.0)]  # the only hit is the top: 1.0 * 1.0
    assert found.hits[0].bm25 is not None
    assert found.hits[0].bm25 > 1.0
    assert (found.escalated, found.minimum_waived, found.dropped) == (False, False, ())

    # limit: in 2 of 4 units, idf ln(2.5/2.5 + 1) = ln 2. Claims have 3, 3, 3, 0 terms: avgdl 2.25, dl 3.
    norm = 1.2 * (0.25 + 0.75 / 2.25 * 3)
    score = 0.6931471805599453 * 2.2 / (1 + norm) * 1.3
    found = recall(UNITS, ["limit"], profile=FAST, act="explain", literal=True)
    assert [(hit.id, hit.score) for hit in found.hits] == [("k1", pytest.approx(score)), ("k3", pytest.approx(score))]


def test_a_text_is_analysed_and_terms_are_not() -> None:
    assert recall(UNITS, "Sandboxes!", profile=FAST).hits == recall(UNITS, ["sandbox"], profile=FAST).hits
    assert recall(UNITS, ["sandboxes"], profile=FAST).hits == ()
    ascii_only = partial(terms, mode="ascii")
    assert recall([{"id": "a", "text": "日本"}], "日本", profile=FAST, analyse=ascii_only).hits == ()
    assert [hit.id for hit in recall([{"id": "a", "text": "日本"}], "日本", profile=FAST).hits] == ["a"]


def test_role_boost_follows_the_act() -> None:
    plain = recall(UNITS, ["kernel"], profile=FAST).hits[0]
    boosted = recall(UNITS, ["kernel"], profile=FAST, act="define").hits[0]
    needed = recall(UNITS, ["kernel"], profile=FAST, needed_roles=["Definition"]).hits[0]
    assert plain.bm25 is not None
    assert boosted.bm25 == plain.bm25 * 1.3
    assert needed.bm25 == plain.bm25  # needed roles speak to hypervectors alone
    with pytest.raises(KeyError):
        recall(UNITS, ["kernel"], act="sing")


def test_balanced_escalates_below_four_candidates() -> None:
    few = recall(UNITS, ["sandbox", "limit"])
    assert few.escalated
    assert [(hit.id, hit.hdc is None) for hit in few.hits] == [("k1", False)]
    assert few.dropped == (("k3", "gap"),)
    many = recall(UNITS, "sandbox kernel network deploy")
    assert not many.escalated
    assert all(hit.hdc is None for hit in many.hits)
    assert not recall(UNITS, "sandbox kernel network deploy", k=3).escalated, "k only cuts"
    assert recall(UNITS, "sandbox kernel network deploy", pool=3).escalated  # a list cut to three is short


def test_hypervectors_find_what_the_act_and_the_roles_want() -> None:
    found = recall(UNITS, ["nothing", "alike"], act="implement")
    (hit,) = found.hits
    assert hit.id == "k4"
    assert hit.bm25 is None
    assert hit.hdc is not None
    assert hit.score == 0.7 * hit.hdc
    wanted = recall(UNITS, [], needed_roles=["Definition"])
    assert [hit.id for hit in wanted.hits] == ["k2"]
    # An empty claim is a field that is missing; the role, 0.20 of the weights present, is equal.
    assert recall([{"id": "a", "role": "Definition"}], [], needed_roles=["Definition"]).hits[0].hdc == 1.0


def test_agreement_is_the_sum_of_its_parts() -> None:
    hit = recall(UNITS, ["sandbox", "limit", "harm"], act="explain").hits[0]
    assert hit.id == "k1"
    assert hit.bm25_normalised == 1.0
    assert hit.hdc is not None
    assert hit.score == 1.0 * 1.0 + 0.7 * hit.hdc + 0.15 * 1


def test_encoders_by_name() -> None:
    near = [{"id": "a", "text": "remembering"}]
    exact = recall(near, ["remembered"], analyse=partial(terms, stem=False))
    letters = recall(near, ["remembered"], analyse=partial(terms, stem=False), encode="subwords")
    assert exact.hits == ()
    assert [hit.id for hit in letters.hits] == ["a"]
    with pytest.raises(KeyError):
        recall(near, ["remembered"], encode="letters")


def test_minimum_score_is_waived_on_tiny_boundaries() -> None:
    texts = [{"id": f"t{i:02}", "text": f"fox {i}"} for i in range(31)]
    found = recall(texts, ["fox"], profile=FAST)
    assert found.minimum_waived
    assert len(found.hits) == 3
    literal = recall(texts, ["fox"], profile=FAST, literal=True)
    assert (literal.minimum_waived, literal.hits) == (False, ())
    assert literal.dropped == tuple((f"t{i:02}", "below minimum") for i in range(31))
    whole = recall([*texts, {"id": "t31", "text": "fox 31"}], ["fox"], profile=FAST)
    assert (whole.minimum_waived, whole.hits) == (False, ())


def test_a_score_at_the_minimum_stays() -> None:
    score = recall(UNITS, ["limit"], profile=FAST).hits[0].score
    at = recall(UNITS, ["limit"], profile=replace(FAST, min_score=score), literal=True)
    above = recall(UNITS, ["limit"], profile=replace(FAST, min_score=score * 1.0000001), literal=True)
    assert [hit.id for hit in at.hits] == ["k1", "k3"]
    assert above.hits == ()


def test_a_score_at_the_gap_stays() -> None:
    found = recall(UNITS, ["limit"], profile=replace(FAST, gap=1.0))
    assert [hit.id for hit in found.hits] == ["k1", "k3"]
    assert found.hits[0].score == found.hits[1].score


def test_duplicates_gap_and_k_in_this_order() -> None:
    records: list[dict[str, Any]] = [
        {"id": "c", "text": "fox fox fox"},
        {"id": "b", "text": "fox fox fox"},
        {"id": "d", "claim": "fox fox fox", "text": "fox fox fox"},
        {"id": "e", "text": "fox fox"},
        {"id": "f", "text": "fox one"},
        {"id": "g", "text": "fox " + "far " * 40},
        {"id": "h", "text": "owl"},
    ]
    profile = replace(FAST, max_results=9, gap=0.5)
    found = recall(records, ["fox"], profile=profile)
    assert [hit.id for hit in found.hits] == ["b", "e", "f"]
    assert found.dropped == (("c", "duplicate of b"), ("d", "duplicate of b"), ("g", "gap"))
    # A retriever's list is cut to the pool first, duplicates and all; k cuts last.
    assert [hit.id for hit in recall(records, ["fox"], profile=profile, pool=4).hits] == ["b", "e"]
    assert [hit.id for hit in recall(records, ["fox"], profile=profile, k=2).hits] == ["b", "e"]
    open_gap = recall(records, ["fox"], profile=replace(profile, gap=0.0))
    assert [hit.id for hit in open_gap.hits] == ["b", "e", "f", "g"]


def test_beyond_k() -> None:
    # Each retriever gives its best one: lexical k1, hypervector the procedure k4.
    found = recall(UNITS, ["limit"], pool=1, needed_roles=["Procedure"], profile=replace(BALANCED, gap=0.0))
    assert [hit.id for hit in found.hits] == ["k1"]
    assert found.dropped == (("k4", "beyond k"),)


def test_a_recall_knows_only_its_cells() -> None:
    inside = [{**unit, "tenant": "a"} for unit in UNITS]
    outside = [{"id": f"o{i}", "tenant": "b", "text": "limit limit"} for i in range(40)]
    cells = [("a", "project", "internal")]
    alone = recall(inside, ["limit"], act="explain")
    assert recall(inside + outside, ["limit"], act="explain", cells=cells) == alone
    assert recall(inside + outside, ["limit"], act="explain") != alone
    assert recall(inside, ["limit"], cells=[]).hits == ()
    assert memory.cell_of({"id": "x"}) == ("default", "project", "internal")


def test_the_lexical_half_is_the_lexical_index() -> None:
    index = {unit["id"]: memory.document_of(unit) for unit in UNITS}
    expected = lexical.search(index, ["limit", "run"], memory.LEXICAL_WEIGHTS, k=7)
    hits = {hit.id: hit.bm25 for hit in recall(UNITS, ["limit", "run"]).hits if hit.bm25 is not None}
    assert hits == dict(expected)
