"""The rule language against its definition: what is true is true in both, what fails is denied in both."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart.boundary.policy import decide
from byheart.reference import invariants as oracle

from ..counts import examples

NAMES = ["a", "b.c", "in_", "notin1", "count", "network.egress"]
single = st.one_of(
    st.sampled_from(["true", "false", "1", "2.5", "-3", "'x'", '"y z"', "'&&'", "[]", "['x', 1]", "('x', 'y')"]),
    st.sampled_from(NAMES),
)
SIGNS = ["==", "!=", ">=", "<=", ">", "<", " in ", " notin ", " notin"]


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from(["||", "&&", " || ", " && "]), inner).map("".join),
        st.tuples(single, st.sampled_from(SIGNS), single).map("".join),
        st.tuples(inner).map(lambda parts: f"({parts[0]})"),
        st.tuples(inner).map(lambda parts: f"!({parts[0]})"),
    )


rules = st.recursive(single, compound, max_leaves=8)
plain = st.one_of(st.booleans(), st.integers(-3, 3), st.sampled_from([2.5, "x", "y z", "prod"]))
values = st.dictionaries(st.sampled_from(NAMES), plain | st.lists(plain, max_size=3), max_size=4)
nonsense = st.text(alphabet="ab ()[]!&|=<>'\"in,.1-", max_size=14)


@settings(max_examples=examples(2_000))
@given(rules, values)
@example("dataset.origin != 'prod' || data.masked == true", {})
@example("count", {"count": 1})
@example("true||true notintrue", {})
@example("'x' in a", {"a": ["x"]})
def test_a_rule_is_its_definition(rule, given):
    assert decide(rule, given) == oracle.decide(rule, given)


@settings(max_examples=examples(2_000))
@given(nonsense, values)
def test_nonsense_is_denied_or_means_what_it_says(text, given):
    said = decide(text, given)
    assert said in ("allow", "deny")
    if said == "allow":
        assert oracle.decide(text, given) == "allow"
