"""Laws of policies: cells never go beyond what was configured, no layer relaxes another, and a trip changes nothing."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.boundary import Boundary
from byheart.boundary.policy import Policy, PolicyHistory, layered, read_policy
from byheart.boundary.policy.allowing import common, matches
from byheart.boundary.policy.applying import differences
from byheart.validation import CLASSES

from ..counts import examples

SCOPES = ("session", "project", "principle")
tags = st.sampled_from(["answer:task", "tool:search", "tool:", "tool", "a", "*", "tool:*", "answer:*"])
patterns = st.sampled_from(["*", "answer:task", "tool:*", "tool:search", "tool:s*", "a*", "a", "answer:*"])
class_rules = st.fixed_dictionaries(
    {
        "allow": st.lists(patterns, max_size=3),
        "redact": st.lists(st.sampled_from(["email", "phone", "name"]), max_size=2),
        "escalation": st.sampled_from([None, "human_review", "deny"]),
    }
)
invariants = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["one", "two"]),
            "applies_to": st.lists(st.sampled_from([*SCOPES, "*"]), min_size=1, max_size=2),
            "rule": st.sampled_from(["a == false", "true", "false", "count > 1"]),
        }
    ),
    max_size=2,
    unique_by=lambda each: each["name"],
)
policies = st.fixed_dictionaries(
    {
        "version": st.sampled_from(["1.0.0", "1.1.0", "2.0.0"]),
        "boundary_classes": st.dictionaries(st.sampled_from(CLASSES), class_rules, max_size=4),
        "scopes": st.dictionaries(
            st.sampled_from(SCOPES), st.fixed_dictionaries({"ttl": st.sampled_from(["1d", "7d", "inf"])}), min_size=1
        ),
        "invariants": invariants,
    }
).map(read_policy)
configured = st.builds(
    Boundary,
    st.just("t"),
    st.none() | st.lists(st.sampled_from([*SCOPES, "team"]), max_size=3).map(tuple),
    st.lists(st.sampled_from(CLASSES), max_size=4).map(tuple),
)
values = st.dictionaries(st.sampled_from(["a", "count"]), st.booleans() | st.integers(0, 3), max_size=2)


@settings(max_examples=examples(1_000))
@given(policies, configured, st.lists(tags, max_size=3), values)
def test_cells_lie_inside_what_was_configured_and_what_each_tag_opens(policy, inside, asked, given_values):
    cells = policy.boundary(asked, configured=inside, values=given_values)
    assert cells.tenant == inside.tenant and set(cells.classes) <= set(inside.classes)
    assert cells.scopes is not None and (inside.scopes is None or set(cells.scopes) <= set(inside.scopes))
    for name in cells.classes:
        rule = policy.classes[name]
        assert rule.escalation != "deny"
        assert any(matches(pattern, tag) for pattern in rule.allow for tag in asked)
    for scope in cells.scopes:
        assert scope in policy.scopes and not policy.broken(scope, given_values)
    fewer = policy.boundary(asked[:1], configured=inside, values=given_values)
    assert set(fewer.classes) <= set(cells.classes), "more tags never close a class"


@settings(max_examples=examples(1_000))
@given(policies, policies, st.lists(tags, max_size=3), values, configured)
def test_no_layer_relaxes_another(base, own, asked, given_values, inside):
    both = layered(base, own)
    for policy in (base, own):
        assert set(both.allowed_classes(asked[:1])) <= set(policy.allowed_classes(asked[:1]))
        for name, rule in both.classes.items():
            assert set(policy.classes[name].redact) <= set(rule.redact)
        for scope, rule in both.scopes.items():
            mine = policy.scopes[scope].seconds
            assert mine is None or (rule.seconds is not None and rule.seconds <= mine)
            if policy.broken(scope, given_values):
                assert both.broken(scope, given_values), "what one forbids is forbidden"
        assert {rule.name for rule in policy.redaction} <= {rule.name for rule in both.redaction}
    once = both.boundary(asked[:1], configured=inside, values=given_values)
    for policy in (base, own):
        single = policy.boundary(asked[:1], configured=inside, values=given_values)
        assert set(once.classes) <= set(single.classes) and set(once.scopes or ()) <= set(single.scopes or ())


@given(
    st.lists(patterns, max_size=3), st.lists(patterns, max_size=3), st.text(alphabet="aonswertk:l", max_size=12) | tags
)
def test_common_patterns_cover_what_both_cover(one, other, tag):
    covered = all(any(matches(pattern, tag) for pattern in side) for side in (one, other))
    assert any(matches(pattern, tag) for pattern in common(one, other)) == covered


@settings(max_examples=examples(500))
@given(policies)
def test_a_policy_survives_a_trip(policy):
    again = read_policy(json.dumps(policy.to_dict()))
    assert isinstance(again, Policy) and again.digest == policy.digest
    assert differences(policy, again) == ((), False)


@settings(max_examples=examples(500))
@given(policies, policies, st.lists(tags, max_size=2))
def test_a_change_that_opens_or_closes_a_class_is_breaking(before, after, asked):
    changes, breaking = differences(before, after)
    if before.allowed_classes(asked) != after.allowed_classes(asked):
        assert breaking, changes
    history = PolicyHistory()
    history.apply(before, now=0.0)
    if breaking and before.version.major == after.version.major:
        try:
            history.apply(after, now=1.0)
        except Exception as error:
            assert type(error).__name__ in ("InvalidPolicy", "PolicyConflict")
        else:
            raise AssertionError("a breaking change came into force under the same major version")
