"""Two-pass discovery against its definition, bit for bit, and the invariants that seed 000 requires at run time."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Record
from byheart.errors import InvariantBudgetError
from byheart.profiles.discovery import DiscoveryConfig
from byheart.ranking.algebra import StageContext, explain, run, violations
from byheart.ranking.candidates import Candidates
from byheart.ranking.discovery import (
    AuthorityWeight,
    CoarseFloor,
    Document,
    Hops,
    KeywordBoost,
    SecondPass,
    Similarity,
    assemble,
    authority_weight,
    final_score,
)
from byheart.ranking.features import gather
from byheart.ranking.keywords import coverage, document_terms, key_terms
from byheart.reference import discovery as oracle

from ..counts import examples
from .strategies import WORDS

shares = st.sampled_from([0.0, 0.2, 0.5, 1.0]) | st.floats(0, 1)
cosines = st.sampled_from([-0.3, 0.0, 0.15, 0.2, 0.6, 0.9, 1.0]) | st.floats(-1, 1)
kappas = st.sampled_from([0.0, 0.3, 0.5, 1.0, 1e9]) | st.floats(0, 3)
ages = st.none() | st.sampled_from([0.0, -3.0, 3600.0, 1e10]) | st.floats(0, 1e8)
counts = st.integers(0, 50)
NAMES = [f"d{number}" for number in range(9)]
letters = st.text(st.sampled_from("abcßÉ_3 -.'é\u0301дом東京タの한국กาहिं\u093f½Ⅳ\u200d"), max_size=24)


@st.composite
def triples(draw):
    """Return weights that sum to 1, as floats can."""
    first = draw(shares)
    second = draw(shares) * (1.0 - first)
    return first, second, max(0.0, 1.0 - first - second)


@st.composite
def documents(draw):
    links = st.lists(st.sampled_from([*NAMES, "nowhere"]), max_size=3)
    return [
        {
            "id": id,
            "sim": draw(cosines),
            "omega": draw(shares),
            "m": draw(shares),
            "toks": draw(st.integers(0, 12)),
            "hops": draw(links),
            "invariant": draw(st.integers(0, 5)) == 0,
        }
        for id in draw(st.lists(st.sampled_from(NAMES), unique=True))
    ]


options = st.fixed_dictionaries(
    {},
    optional={
        "k1": st.integers(4, 9),
        "k2": st.integers(1, 4),
        "theta1": st.sampled_from([-1.0, 0.0, 0.2, 0.6]),
        "theta_hop": st.sampled_from([0.0, 0.1, 0.15, 0.3]),
        "hop_decay": st.sampled_from([0.25, 0.5, 0.9]),
        "kappa": kappas,
    },
)
OURS = {"theta1": "floor", "theta_hop": "hop_floor"}


def assembled(given_documents, budget, **numbers):
    made = [
        Document(
            id=each["id"],
            tokens=each["toks"],
            similarity=each["sim"],
            authority_weight=each["omega"],
            coverage=each["m"],
            hops=tuple(each["hops"]),
            invariant=each["invariant"],
        )
        for each in given_documents
    ]
    return assemble(made, budget, **{OURS.get(name, name): value for name, value in numbers.items()})


@settings(max_examples=examples(700))
@given(documents(), st.integers(0, 60), options, st.randoms())
def test_assembly_is_its_definition_and_keeps_the_seeds_invariants(given_documents, budget, numbers, random):
    expected = oracle.discover(given_documents, budget, **numbers)
    if expected is None:
        with pytest.raises(InvariantBudgetError, match="never cut"):
            assembled(given_documents, budget, **numbers)
        return
    found = assembled(given_documents, budget, **numbers)
    assert {
        "injected": list(found.injected),
        "sigma": dict(found.scores),
        "c1": list(found.first_pass),
        "c2": list(found.second_pass),
        "hop": list(found.hops),
        "tokens": found.tokens,
    } == expected
    by_id = {each["id"]: each for each in given_documents}
    invariants = [each["id"] for each in given_documents if each["invariant"]]
    assert list(found.injected[: len(invariants)]) == invariants  # complete, first, in their order
    assert not set(invariants) & {*found.first_pass, *found.scores}  # a partition
    assert all(0.0 <= score <= 1.0 for score in found.scores.values())  # NaN fails here too
    assert found.tokens == sum(by_id[id]["toks"] for id in found.injected) <= budget
    for id in found.hops:  # depth 1: who brought it in stands in C2
        assert any(id in by_id[parent]["hops"] for parent in found.second_pass)
    for id in by_id:
        fate = found.explain(id)
        gate = fate.invariant or fate.second_pass or fate.hop
        assert gate == (id in invariants or id in found.scores)
        assert (fate.first_pass, fate.second_pass) == (id in found.first_pass, id in found.second_pass)
        assert (fate.hop, fate.injected, fate.score) == (id in found.hops, id in found.injected, found.scores.get(id))
        assert fate.reason
    variants = [each for each in given_documents if not each["invariant"]]
    random.shuffle(variants)
    shuffled = [each for each in given_documents if each["invariant"]] + variants
    assert assembled(shuffled, budget, **numbers).injected == found.injected
    more = assembled(given_documents, budget + 5, **numbers)
    assert more.injected[: len(found.injected)] == found.injected


@settings(max_examples=examples(600))
@given(
    ages, counts, counts, shares, triples(), st.sampled_from([1e-5, 0.0, 0.1]), st.sampled_from(["plain", "plus_one"])
)
def test_authority_is_its_definition_and_a_share(age, uses, most, said, weights, rate, smoothing):
    found = authority_weight(age, uses, most, said, weights=weights, rate=rate, smoothing=smoothing)
    assert found == oracle.authority_weight(age, uses, most, said, weights, rate, smoothing)
    assert 0.0 <= found <= 1.0
    if most == 0:  # a cold start
        assert found == authority_weight(age, 0, 7, said, weights=weights, rate=rate)


@settings(max_examples=examples(600))
@given(shares, cosines, shares, shares, kappas)
def test_final_score_is_its_definition_bounded_and_monotone(omega, similarity, one, other, kappa):
    less, more = sorted((one, other))
    found = final_score(omega, similarity, less, kappa)
    assert found == oracle.final_score(omega, similarity, less, kappa)
    assert 0.0 <= found <= omega * (1.0 + 2**-51) and found <= 1.0
    assert found <= final_score(omega, similarity, more, kappa)
    assert found <= final_score(1.0, similarity, less, kappa)
    assert found <= final_score(omega, 1.0, less, kappa)
    if kappa == 0.0:
        assert found == omega * max(0.0, similarity) == final_score(omega, similarity, more, kappa)
    full = final_score(omega, similarity, 1.0, kappa)
    assert full == pytest.approx(final_score(omega, similarity, 0.0, kappa) * (1.0 + kappa), rel=1e-14)


@settings(max_examples=examples(600))
@given(letters, letters | st.sampled_from(WORDS))
def test_key_terms_are_their_definition(text, query):
    assert list(key_terms(query)) == list(dict.fromkeys(oracle.terms(query, False)))
    assert document_terms(text) == set(oracle.terms(text, True))
    keys = key_terms(query)
    assert set(keys) <= document_terms(query)  # a text covers itself
    assert coverage(keys, document_terms(f"{text} {query}")) == (1.0 if keys else 0.0)
    assert coverage(keys, document_terms(text)) == oracle.coverage(keys, document_terms(text))
    ascii_keys = key_terms(query, "ascii")
    assert all(key.isascii() and len(key) > 2 for key in ascii_keys)
    if query.isascii():
        assert ascii_keys == keys


@pytest.mark.parametrize(
    "query", ["数学の継続", "どこで働いていますか", "서울 날씨", "где мой дом", "ที่ไหน", "كيف الطقس", "कहाँ"]
)
def test_no_writing_is_without_key_terms(query):
    assert key_terms(query) and not key_terms(query, "ascii")
    assert coverage(key_terms(query), document_terms(f"x {query} y")) == 1.0


@st.composite
def tables(draw):
    """Return a table as a recall makes it, and what stages may know; some links lead nowhere."""
    ids = draw(st.lists(st.sampled_from(NAMES), unique=True))
    links = st.lists(st.sampled_from([*NAMES, "nowhere"]), max_size=3)
    records = {
        id: Record(
            id=id,
            text=draw(st.sampled_from(["math continuity", "budget of maths", "猫がいる"])),
            authority=draw(st.none() | st.floats(0, 1)),
            access_count=draw(st.integers(0, 5)),
            created_at=draw(st.floats(0, 2e6)),
            links=draw(links),
            invariant=draw(st.integers(0, 6)) == 0,
        )
        for id in NAMES
        if id in ids or draw(st.booleans())
    }
    about = StageContext(
        now=1e6,
        k=draw(st.integers(1, 4)),
        query=draw(st.sampled_from(["math", "continuity of math", "猫が", "a b"])),
        records=records,
        max_access_count=5,
        related=lambda wanted: {id: records[id] for id in wanted if id in records},
    )
    return Candidates(tuple(ids), {"dense": tuple(draw(cosines) for _ in ids)}), about


@settings(max_examples=examples(300))
@given(tables(), kappas)
def test_a_recall_scores_as_the_formulas_say(made, kappa):
    table, about = made
    config = DiscoveryConfig(kappa=kappa)
    table = gather(table, config.stages(), about)
    found = run(config.stages(), table, about)
    similarity = dict(zip(table.ids, table.columns["dense"], strict=True))
    documents = [
        {
            "id": id,
            "sim": similarity.get(id, -1.0),
            "omega": oracle.authority_weight(
                max(0.0, about.now - record.created_at), record.access_count, 5, record.authority or 0.0
            ),
            "m": oracle.coverage(oracle.terms(about.query, False), oracle.terms(record.text, True)),
            "toks": 0,
            "hops": record.links,
            "invariant": record.invariant,
        }
        for id, record in about.records.items()
    ]
    expected = oracle.discover(documents, 0, k1=max(2 * about.k, 8), k2=about.k, kappa=kappa)
    assert list(zip(found.ids, found.scores(), strict=True)) == sorted(
        expected["sigma"].items(), key=lambda row: (-row[1], row[0])
    )
    assert {*table.ids} <= {*found.ids, *(row.id for row in found.dropped)}
    assert not {*found.ids} & {row.id for row in found.dropped}
    assert len({row.id for row in found.dropped}) == len(found.dropped)
    for id in found.ids:
        explanation = explain(found, id)
        assert explanation.recomputed() == explanation.score == expected["sigma"][id]


@settings(max_examples=examples(80))
@given(tables(), st.data())
def test_every_stage_keeps_its_promises(made, data):
    table, about = made
    table = table.with_column("score", [data.draw(shares) for _ in table.ids])
    table = table.with_column("age_seconds", [data.draw(ages) for _ in table.ids])
    table = table.with_column("access_count", [float(data.draw(counts)) for _ in table.ids])
    table = table.with_column("authority", [data.draw(st.none() | st.floats(0, 1)) for _ in table.ids])
    stages = [CoarseFloor(0.2), Similarity(), AuthorityWeight(data.draw(triples())), SecondPass(2)]
    for stage in (*stages, KeywordBoost(data.draw(kappas)), Hops(0.5, data.draw(shares))):
        assert violations(stage, table, about) == []
    table = table.with_column("coverage", [data.draw(st.floats(0, 0.875)) for _ in table.ids])
    assert violations(KeywordBoost(data.draw(kappas)), table, about) == []


@pytest.mark.parametrize("kappa, share", [(0.0, 1.0), (0.3, 10 / 13), (0.5, 2 / 3), (1.0, 0.5)])
def test_what_a_document_without_key_terms_keeps(kappa, share):
    assert final_score(1.0, 1.0, 0.0, kappa) == pytest.approx(share, abs=2**-52)
    assert final_score(1.0, 1.0, 1.0, kappa) == 1.0


def test_corners():
    nothing = assemble([], 0)
    assert (nothing.injected, nothing.tokens, nothing.notes) == ((), 0, ())
    rules = {"id": "rules", "sim": 0.0, "omega": 1.0, "m": 0.0, "toks": 10, "hops": [], "invariant": True}
    near = rules | {"id": "near", "sim": 0.9, "invariant": False, "hops": ["near", "rules", "nowhere"]}
    full = assembled([rules, near], 10)  # nothing left for the others
    assert full.injected == ("rules",) and full.scores["near"] > 0.0
    assert full.explain("near").reason == "over the budget (10 + 10 > 10)"
    assert full.notes == (
        "links to what is not there: nowhere",
        "links to invariants, which are given anyway: rules",
    )
    assert authority_weight(math.nan, 0, 0, None) == 0.5
    assert authority_weight(0.0, 5, 5, 1.0, weights=(0.5 + 1e-10, 0.2, 0.3)) == 1.0
    # Two that name each other: one hop, and no further.
    first, second = near | {"id": "a", "hops": ["b"]}, near | {"id": "b", "sim": 0.1, "hops": ["a", "c"]}
    third = second | {"id": "c", "hops": ["a"]}
    assert assembled([first, second, third], 100).injected == ("a", "b")
