"""The core's closures are those of their definition, bit for bit; so are symbols and extracted facts."""

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart._core import SymbolicIndex, extract_fact, symbol_key, symbol_tokens
from byheart.reference import symbolic as oracle
from byheart.reference import symbols
from byheart.reference.rules import SHIPPED, Rule, fault_of

from ..counts import examples

RELATIONS = ["uses", "provides", "has_capability", "relevant_for", "depends_on"]
# Few names, so that chains, cycles and ties are the rule; some differ in their case or in an accent only.
NAMES = ["Ada", "ada", "the loom", "The-Loom", "foo_bar", "Café", "cafe\u0301", "a|b", "b", "東京"]
CELLS = ["x", "y", "z"]

names = st.sampled_from(NAMES)
statements = st.builds(
    symbols.Statement, names, st.sampled_from(RELATIONS), names, st.sampled_from([1.0, 0.9, 0.9, 0.5, 0.0])
)
units = st.dictionaries(st.sampled_from([f"u{n}" for n in range(14)]), st.tuples(statements, st.sampled_from(CELLS)))
words = st.sampled_from(["Ada", "loom", "foo", "bar", "CAFÉ", "b", "the", "東京", "sandbox", "nobody"])
sides = st.sampled_from(["?x", "?y", "?z", "Ada", "Sand Box"])
atoms = st.tuples(sides, st.sampled_from(RELATIONS), sides)
own_rules = st.builds(
    Rule,
    st.sampled_from(["r1", "r2", "r3"]),
    st.lists(atoms, min_size=1, max_size=3).map(tuple),
    atoms,
    st.sampled_from([1.0, 0.9, 0.5]),
    st.sampled_from([None, 1, 2]),
).filter(lambda rule: fault_of(rule, tuple(RELATIONS)) is None)
rule_sets = st.just(tuple(rule for rule in SHIPPED if rule.then[1] in RELATIONS and rule.when[0][1] in RELATIONS)) | (
    st.lists(own_rules, max_size=3, unique_by=lambda rule: rule.id).map(tuple)
)
bounds = st.fixed_dictionaries(
    {},
    optional={
        "max_depth": st.integers(1, 4),
        "max_derived": st.integers(1, 9),
        "max_proofs": st.integers(1, 12),
        "max_seeds": st.integers(1, 4),
        "max_focused": st.integers(1, 6),
        "max_attempts": st.integers(1, 60),
        "min_confidence": st.sampled_from([0.0, 0.3, 0.6]),
        "derived_first": st.booleans(),
    },
)


def built(given_units, rules, mode):
    rows = [(rule.id, rule.when, rule.then, rule.weight, rule.max_depth) for rule in rules]
    preferred = [name for name in oracle.Options().preferred if name in RELATIONS]
    index = SymbolicIndex(RELATIONS, rows, preferred, mode)
    for id, (statement, cell) in given_units.items():
        index.add([id], [tuple(statement)], cells=cell)
    return index


@settings(max_examples=examples(10_000))
@given(
    units,
    st.lists(words, max_size=4),
    st.none() | st.lists(words, max_size=4).map(" ".join),
    rule_sets,
    bounds,
    st.none() | st.lists(st.sampled_from(CELLS), max_size=3),
    st.none() | st.sets(st.sampled_from([f"u{n}" for n in range(16)]), min_size=6),
    st.lists(st.sampled_from([f"u{n}" for n in range(14)]), max_size=2),
    st.sampled_from(["unicode", "unicode", "ascii"]),
    st.integers(1, 6),
)
def test_a_closure_is_its_definition(given_units, terms, text, rules, limits, cells, among, without, mode, k):
    given_units = {
        id: unit for id, unit in given_units.items() if mode == "unicode" or (symbols.symbol_key(unit[0].subject, mode)
        and symbols.symbol_key(unit[0].object, mode))
    }  # fmt: skip
    index = built(given_units, rules, mode)
    found = index.search(terms, text, k, cells=cells, among=among, without=without, options=limits)
    inside = {
        id: statement
        for id, (statement, cell) in given_units.items()
        if (cells is None or cell in cells) and id not in without and (among is None or id in among)
    }
    preferred = tuple(name for name in oracle.Options().preferred if name in RELATIONS)
    options = oracle.Options(**limits, mode=mode, max_candidates=k, preferred=preferred)
    expected = oracle.closure(inside, terms, text, rules, options)
    assert [key for key, _ in found.seeds] == [fact.key for fact in expected.seeds]
    assert [told(proof) for proof in found.derived] == [defined(proof) for proof in expected.derived]
    assert [told(proof) for proof in found.proofs] == [defined(proof) for proof in expected.proofs]
    assert list(zip(found.ids, found.scores, found.normalised, strict=True)) == [
        (hit.id, hit.raw, hit.normalised) for hit in expected.candidates
    ]
    assert [told(found.proof_of(id)) for id in found.ids] == [defined(hit.proof) for hit in expected.candidates]
    assert (found.counters["attempts"], found.exhausted) == (expected.attempts, expected.exhausted)


@settings(max_examples=examples(1_000))
@given(
    units,
    st.lists(words, min_size=1, max_size=4),
    rule_sets,
    st.none() | st.lists(st.sampled_from(CELLS), max_size=3),
    st.sets(st.sampled_from([f"u{n}" for n in range(16)])),
)
def test_among_some_is_an_index_of_these_alone(given_units, terms, rules, cells, among):
    index = built(given_units, rules, "unicode")
    alone = built({id: unit for id, unit in given_units.items() if id in among}, rules, "unicode")
    found, expected = index.search(terms, cells=cells, among=among), alone.search(terms, cells=cells)
    others = [id for id in given_units if id not in among]
    for other in (expected, index.search(terms, cells=cells, without=others)):
        assert whole(found) == whole(other)


def whole(found):
    proofs = [[(*told(proof), proof.stated_by, proof.statements) for proof in each] for each in
              (found.derived, found.proofs, map(found.proof_of, found.ids))]  # fmt: skip
    return found.ids, found.scores, found.normalised, found.seeds, proofs, found.counters


def told(proof):
    return (proof.fact, proof.raw, proof.length, proof.base, proof.rules)


def defined(proof):
    fact = proof.fact
    base = [base.key for base in proof.base]
    return ((fact.subject, fact.relation, fact.object), proof.raw, len(proof.steps), base, list(proof.rules))


phrases = st.sampled_from(
    ["uses", "Uses", "provides", "has", "the", "capability", "of", "depends", "on", "is", "part", "a", "an", "instance",
     "relevant", "for", "helps", "with", "useful", "supports", "enables", "mentions", "about", "causes", "triggered",
     "leads", "to", "that", "fact", "Ada", "\"Loom\"", "`x`", "Ada", "end.", "what?!", "İ", "\u212a"]
)  # fmt: skip
gaps = st.sampled_from([" ", " ", " ", "  ", "\n", "\u2028", "\t", "\x85", "\xa0"])


@settings(max_examples=examples(4_000))
@given(st.lists(st.tuples(phrases, gaps), max_size=14))
def test_an_extracted_fact_is_its_definition(parts):
    text = "".join(phrase + gap for phrase, gap in parts)
    expected = symbols.extract_fact(text)
    assert extract_fact(text) == (None if expected is None else tuple(expected))


@settings(max_examples=examples(1_000))
@given(st.text(st.sampled_from("aÉ e\u0301ﬁ１²_-'\"`?!.\n東क\u0940Σςσ\u212aİ|"), max_size=12))
def test_a_symbol_is_its_definition(text):
    for mode in ("unicode", "ascii"):
        assert symbol_key(text, mode) == symbols.symbol_key(text, mode)
        assert symbol_tokens(text, mode) == symbols.symbol_tokens(text, mode)
