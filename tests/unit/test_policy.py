"""Policies: what is read and what is refused, what a call sees, versions, layers."""

from __future__ import annotations

import copy
import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.boundary import Boundary
from byheart.boundary.policy import (
    DEFAULT,
    DEFAULT_POLICY,
    Policy,
    PolicyHistory,
    Retrieval,
    allowed_classes,
    decide,
    layered,
    load_policy,
    matches,
    of_environment,
    read_policy,
    seconds_of,
    strictest,
    strongest,
)
from byheart.boundary.policy.retrieval import read_settings
from byheart.boundary.policy.text import read_text
from byheart.boundary.policy.version import Version
from byheart.errors import (
    InvalidArgument,
    InvalidPolicy,
    LimitExceeded,
    MissingExtra,
    PolicyConflict,
    PolicyMissing,
)

YAML = """
version: 0.1
meta:
  name: base
  updated_at: 2025-11-11T00:00:00Z
scopes:
  session: { ttl: '7d', max_tokens: 20000 }
  project: { ttl: '120d' }
  principle: { ttl: 'inf' }
boundary_classes:
  public: { allow: ['*'] }
  internal: { allow: ['answer:task', 'tool:*'] }
  pii: { allow: ['tool:contact-lookup'], redact: ['email', 'phone'], escalation: 'human_review' }
  secret: { allow: [], escalation: 'deny' }
invariants:
  - { name: 'no_destructive_change', applies_to: ['project', 'principle'], rule: 'api.breaking_change == false' }
  - { name: 'pii_not_in_prompt', applies_to: ['*'], rule: 'prompt.contains_pii == false' }
redact_policies:
  default:
    rules:
      - { name: email, find: "(?i)[A-Z0-9._%+-]+@[A-Z0-9.-]+\\\\.[A-Z]{2,}", replace: '[email]' }
      - { name: phone, find: "\\\\+?\\\\d[\\\\d\\\\-\\\\s]{7,}\\\\d", replace: '[phone]' }
retrieval:
  hybrid: { alpha: 0.65, k_txt: 48, k_vec: 96, k_final: 12 }
  rerank:
    use_quality: false
    recency_half_life_days: 30
    recency: { half_life_days_by_kind: { fact: 120, task: 14 } }
"""
MINIMAL = {"version": "1.0.0", "boundary_classes": {"public": {"allow": ["*"]}}}
ALL = Boundary(classes=("internal", "pii", "public", "secret"))


def test_a_policy_of_yaml_is_that_of_the_same_json() -> None:
    policy = read_policy(YAML)

    assert str(policy.version) == "0.1.0" and policy.notes == (
        "version: 0.1 was read as 0.1.0; write all three numbers",
    )
    assert policy.classes["pii"].redact == ("email", "phone")
    assert policy.invariants[1].scopes == ("session", "project", "principle")
    assert policy.redaction[0].find is None, "the published pattern is the built-in detector"
    assert policy.retrieval().half_life("task") == 14 and policy.retrieval().half_life("preference") == 30
    again = read_policy(json.dumps(policy.to_dict()))
    assert again.digest == policy.digest and again.to_dict() == policy.to_dict()


def test_json_needs_no_package_and_yaml_names_the_one_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert read_policy(json.dumps(MINIMAL)).classes["public"].allow == ("*",)
    with pytest.raises(MissingExtra, match=r"byheart\[policy\]"):
        read_policy(YAML)


def test_a_file_is_named_in_its_error(tmp_path) -> None:
    (tmp_path / "own.yaml").write_text(YAML, encoding="utf-8")
    assert load_policy(tmp_path / "own.yaml").digest == read_policy(YAML).digest
    (tmp_path / "bad.yaml").write_text("version: x", encoding="utf-8")
    with pytest.raises(InvalidPolicy, match=r"bad\.yaml.*boundary_classes"):
        load_policy(tmp_path / "bad.yaml")


@pytest.mark.parametrize("load", [load_policy, lambda path: Memory(policy=path)], ids=["load_policy", "Memory"])
def test_a_name_that_no_file_can_have_is_refused(tmp_path, load) -> None:
    with pytest.raises(InvalidPolicy, match=r"a\\x00b.*NUL"):
        load(tmp_path / "a\0b")


@pytest.mark.parametrize("load", [load_policy, lambda path: Memory(policy=path)], ids=["load_policy", "Memory"])
@pytest.mark.parametrize("text", [YAML, YAML + "# more\n" * 1000, "a" * 5000], ids=["text", "long text", "long name"])
def test_the_text_of_a_policy_is_no_path(load, text) -> None:
    with pytest.raises(InvalidPolicy, match="no path of a file; read_policy takes the text"):
        load(Path(text))
    assert isinstance(read_policy(YAML), Policy)


def test_what_is_no_file_is_named_by_its_path(tmp_path) -> None:
    with pytest.raises(IsADirectoryError) as told:
        load_policy(tmp_path)
    assert told.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError):
        load_policy(tmp_path / "nowhere.yaml")


def test_scopes_of_a_call_are_a_list_of_those_that_the_policy_has() -> None:
    policy = read_policy(YAML)
    assert policy.scope_names(None) == ("session", "project", "principle")
    assert policy.scope_names(["project", "session"]) == ("session", "project"), "in the policy's order"
    assert policy.scope_names([]) == ()
    with pytest.raises(TypeError, match=r"^scope must be a list of str, not str$"):
        policy.scope_names("session")
    with pytest.raises(InvalidArgument, match=r"^scope: 'projet' is none of the policy's; did you mean 'project'"):
        policy.scope_names(["projet"])


def changed(**parts) -> dict:
    return {**MINIMAL, **parts}


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (changed(version="one"), "SemVer"),
        (changed(version="01.0.0"), "SemVer"),
        (changed(version=True), "version"),
        (changed(boundary_class={}), "did you mean 'boundary_classes'"),
        (changed(boundary_classes={"top": {}}), "top"),
        (changed(boundary_classes={"pii": {"alow": []}}), "did you mean 'allow'"),
        (changed(boundary_classes={"pii": {"allow": "tool"}}), "list"),
        (changed(boundary_classes={"pii": {"allow": ["to*l"]}}), r"\*"),
        (changed(boundary_classes={"pii": {"escalation": "maybe"}}), "maybe"),
        (changed(scopes={"session": {"ttl": "7h"}}), "7h"),
        (changed(scopes={"team": {}}), "team"),
        (changed(scopes={"session": {"max_tokens": 0}}), "max_tokens"),
        (changed(invariants=[{"name": "x", "rule": "a == "}]), "value is missing"),
        (changed(invariants=[{"name": "x", "rule": "true", "applies_to": ["team"]}]), "team"),
        (changed(invariants=[{"name": "x", "rule": "true"}] * 2), "twice"),
        (changed(redact_policies={"default": {"rules": [{"name": "email", "replace": ""}]}}), "replace"),
        (changed(redact_policies={"other": {}}), "other"),
        (changed(retrieval={"hybrid": {"alpha": 0.95}}), "alpha"),
        (changed(retrieval={"hybrid": {"k_final": 0}}), "k_final"),
        (changed(retrieval={"hybrid": {"alpa": 0.5}}), "did you mean 'hybrid.alpha'"),
        (changed(retrieval={"min_score": float("nan")}), "min_score"),
        ({"version": "1.0.0"}, "boundary_classes"),
        ("[1, 2]", "no mapping"),
        ('{"version": "1.0.0", "version": "2.0.0"}', "twice"),
        ("version: 1.0.0\nversion: 2.0.0", "'version' .*twice"),
        ("? [a, b]\n: 1", "no text"),
        ("a: &x 1\nb: *x", "anchor"),
        ("!!python/object/apply:os.system ['true']", "tag"),
        ("[" * 500, "deeper"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "limit"),
        ("a: 1\n---\nb: 2", "documents"),
    ],
)  # fmt: skip
def test_a_slip_of_the_pen_is_refused_and_named(given, named) -> None:
    with pytest.raises((InvalidPolicy, LimitExceeded), match=named):
        read_policy(given)


def test_times_to_live() -> None:
    assert [seconds_of(ttl) for ttl in ("7d", "120d", "inf")] == [604_800, 10_368_000, None]
    for wrong in ("7", "d", "-1d", "7 d", "INF", ""):
        with pytest.raises(InvalidPolicy):
            seconds_of(wrong)


def test_a_wildcard_counts_on_the_side_of_the_policy_alone() -> None:
    rules = {name: rule.allow for name, rule in DEFAULT_POLICY.classes.items()}
    assert allowed_classes(rules, ["tool:contact-lookup"]) == ("public", "internal", "pii")
    for greedy in (["*"], ["tool:*"], ["tool:contact-*"], ["*:*"]):
        assert "pii" not in allowed_classes(rules, greedy), "a caller's wildcard opened a class"
    assert allowed_classes(rules, []) == ()
    assert matches("tool:*", "tool:") and not matches("tool:*", "tool") and not matches("a", "*")


def test_who_wins() -> None:
    assert strongest(["allow", "redact", "deny"]) == "deny" == strongest([])
    assert strongest(["allow", "redact"]) == "redact" and strictest(["public", "pii"]) == "pii"
    assert strictest([]) == "secret"
    with pytest.raises(InvalidPolicy):
        strongest(["allow", "perhaps"])


def test_a_policy_becomes_cells_and_narrows_what_the_memory_was_opened_for() -> None:
    cells = DEFAULT_POLICY.boundary(["tool:contact-lookup"], configured=ALL)
    assert (cells.scopes, cells.classes) == (("principle", "project", "session"), ("internal", "pii", "public"))
    narrow = Boundary("alice", scopes=("session", "project"), classes=("internal",))
    cells = DEFAULT_POLICY.boundary(["tool:contact-lookup"], ["project", "principle"], configured=narrow)
    assert cells == Boundary("alice", scopes=("project",), classes=("internal",))
    assert DEFAULT_POLICY.boundary([], configured=ALL).classes == ()
    broken = DEFAULT_POLICY.boundary(["answer:task"], configured=ALL, values={"api.breaking_change": True})
    assert broken.scopes == ("session",), "a scope whose invariant is broken is closed"
    with pytest.raises(InvalidArgument, match="team"):
        DEFAULT_POLICY.boundary(["answer:task"], ["team"], configured=ALL)


def test_a_class_that_is_denied_is_closed_whatever_it_allows() -> None:
    policy = read_policy(changed(boundary_classes={"secret": {"allow": ["*"], "escalation": "deny"}}))
    assert policy.allowed_classes(["x"]) == ()


def test_rules_that_cannot_be_told_deny() -> None:
    for rule, values in [
        ("count > 3", {"count": "5"}), ("count", {"count": 1}), ("a && 1", {"a": True}), ("x in y", {"y": "xyz"}),
        ("a == b", {"a": 1, "b": "1"}), ("a == 1", {"a": {"b": 1}}), ("!" * 40 + "true", {}), ("", {}),
        ("(" * 5_000, {}), ("a b", {}), ("a == 'x", {}), ("a = b", {}),
    ]:  # fmt: skip
        assert decide(rule, values) == "deny", rule
    assert decide("||".join(["false"] * 1_000) + "||true", {}) == "allow", "a long rule needs no deep stack"
    assert decide("a in b", {"a": ["x", "y"], "b": ["x"]}) == "deny", "each of a list has to be in it"
    assert decide("a in b", {"a": ["x", "x"], "b": ["x", "y"]}) == "allow"
    assert decide("a notin b", {"a": ["x", "y"], "b": ["x"]}) == "deny"
    assert decide("api.breaking_change == false", {"api": {"breaking_change": False}}) == "allow"


def test_versions_are_ordered_as_semver_says() -> None:
    ordered = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
               "1.0.0", "1.0.1", "1.10.0", "2.0.0"]  # fmt: skip
    versions = [Version.read(text) for text in ordered]
    assert sorted(versions, key=lambda each: each.precedence) == versions
    assert [str(each) for each in versions] == ordered
    assert Version.read("1.0.0+a").precedence == Version.read("1.0.0+b").precedence


def test_applying_checks_version_expectation_and_step() -> None:
    history = PolicyHistory()
    with pytest.raises(PolicyMissing):
        _ = history.current
    assert not history.apply(MINIMAL, now=0.0, dry_run=True).in_force and history.entries == ()
    assert history.apply(MINIMAL, now=0.0, approver="ann").in_force
    assert history.apply(MINIMAL, now=1.0).changes == () and len(history.entries) == 1, "the same again is the same"
    stricter = changed(version="1.1.0", boundary_classes={"public": {"allow": ["*"], "redact": ["email"]}})
    with pytest.raises(PolicyConflict, match=r"0\.9\.0"):
        history.apply(stricter, now=2.0, expected_version="0.9.0")
    applied = history.apply(stricter, now=2.0, expected_version="1.0.0")
    assert applied.previous == "1.0.0" and not applied.breaking and "hides more" in applied.changes[0]
    with pytest.raises(PolicyConflict, match="raise the version"):
        history.apply(changed(version="1.1.0"), now=3.0)
    with pytest.raises(InvalidPolicy, match="below"):
        history.apply(changed(version="1.0.5"), now=3.0)
    with pytest.raises(InvalidPolicy, match="higher major version"):
        history.apply(changed(version="1.2.0"), now=3.0)
    with pytest.raises(PolicyConflict, match="expected version"):
        history.apply(changed(version="1.2.0"), now=3.0, validate_only=True, expected_version="9.9.9")
    seen = history.apply(changed(version="1.2.0"), now=3.0, validate_only=True)
    assert seen.breaking and not seen.in_force
    assert history.apply(changed(version="2.0.0"), now=3.0).breaking
    assert [str(entry.policy.version) for entry in history.entries] == ["1.0.0", "1.1.0", "2.0.0"]
    again = PolicyHistory.of_rows(json.loads(json.dumps(history.to_rows())))
    assert [entry.policy.digest for entry in again.entries] == [entry.policy.digest for entry in history.entries]


def test_a_class_that_is_denied_from_now_on_is_closed_which_breaks() -> None:
    classes = {"public": {"allow": ["*"], "escalation": "deny"}}
    history = PolicyHistory()
    history.apply(MINIMAL, now=0.0)
    with pytest.raises(InvalidPolicy, match="escalates to deny"):
        history.apply(changed(version="1.1.0", boundary_classes=classes), now=1.0)
    asked = {"public": {"allow": ["*"], "escalation": "human_review"}}
    assert not history.apply(changed(version="1.1.0", boundary_classes=asked), now=1.0).breaking


def test_a_signature_is_checked_or_refused() -> None:
    def verify(digest: str, signature: str, approver: str) -> bool:
        return signature == f"{approver}:{digest}"

    with pytest.raises(InvalidPolicy, match="nothing here can check"):
        PolicyHistory().apply(MINIMAL, now=0.0, signature="x")
    history = PolicyHistory(verify=verify)
    for wrong in (None, "x"):
        with pytest.raises(InvalidPolicy, match="missing or wrong"):
            history.apply(MINIMAL, now=0.0, signature=wrong, approver="ann")
    right = f"ann:{read_policy(MINIMAL).digest}"
    assert history.apply(MINIMAL, now=0.0, signature=right, approver="ann").in_force
    rows = history.to_rows()
    rows[0]["policy"]["name"] = "other"
    with pytest.raises(InvalidPolicy, match="missing or wrong"):
        PolicyHistory.of_rows(rows, verify=verify)


def test_a_layer_narrows_and_never_relaxes() -> None:
    own = read_policy(
        changed(
            boundary_classes={
                "internal": {"allow": ["*"], "redact": ["email"]},
                "pii": {"allow": ["*"]},
                "secret": {"allow": ["*"]},
            },
            scopes={"session": {"ttl": "inf"}, "project": {"ttl": "1d"}},
            retrieval={"hybrid": {"alpha": 0.4}},
        )
    )
    both = layered(DEFAULT_POLICY, own)
    assert both.classes["internal"].allow == ("answer:task", "tool:*")
    assert both.classes["pii"].redact == ("name", "email", "phone") and both.classes["pii"].escalation == "human_review"
    assert both.allowed_classes(["tool:contact-lookup"]) == ("internal", "pii")
    assert {name: rule.ttl for name, rule in both.scopes.items()} == {"session": "7d", "project": "1d"}
    assert both.invariants == DEFAULT_POLICY.invariants and both.retrieval().alpha == 0.4


def test_parameters_are_the_calls_then_the_policys_then_the_environments() -> None:
    environment = of_environment({"BYHEART_RETRIEVAL_ALPHA": "0.5", "BYHEART_RETRIEVAL_K_FINAL": "7"})
    policy = read_policy(changed(retrieval={"hybrid": {"alpha": 0.7}}))
    assert policy.retrieval(environment=environment) == Retrieval(alpha=0.7, k_final=7)
    assert policy.retrieval({"alpha": 0.3}, environment).alpha == 0.3
    with pytest.raises(InvalidPolicy, match="did you mean 'BYHEART_RETRIEVAL_ALPHA'"):
        of_environment({"BYHEART_RETRIEVAL_ALFA": "0.5"})
    with pytest.raises(InvalidPolicy, match="ALPHA"):
        of_environment({"BYHEART_RETRIEVAL_ALPHA": "much"})
    with pytest.raises(InvalidPolicy, match="alpha"):
        Retrieval.of({"alpha": 0.1})


@pytest.mark.parametrize("field", ["dynamic_alpha", "dynamic_k", "use_quality", "recency_anchor"])
def test_what_is_true_or_false_is_said_in_the_environment_in_four_words(field: str) -> None:
    name = f"BYHEART_RETRIEVAL_{field.upper()}"
    words = {"true": True, " TRUE ": True, "1": True, "false": False, "False": False, "0": False}
    for text, value in words.items():
        found = of_environment({name: text})
        assert found == {field: value} and found[field] is value
        assert getattr(Retrieval.of(found), field) is value
    for text in ("yes", "", "2", "on"):
        with pytest.raises(InvalidPolicy, match=f"{name}: '{text}' is no value of {field}"):
            of_environment({name: text})


def test_the_usual_policy_is_what_its_mapping_says() -> None:
    assert read_policy(DEFAULT).digest == DEFAULT_POLICY.digest
    assert [rule.seconds for rule in DEFAULT_POLICY.scopes.values()] == [604_800, 10_368_000, None]
    with pytest.raises(TypeError):
        DEFAULT_POLICY.classes["secret"] = None  # type: ignore[index]


@pytest.mark.parametrize(("tree", "where"), [([], "retrieval"), ({"hybrid": 3}, "retrieval.hybrid")])
def test_a_part_that_is_no_mapping_is_named(tree: Any, where: str) -> None:
    with pytest.raises(InvalidPolicy, match=rf"^{re.escape(where)}: is no mapping$"):
        read_settings(tree)


def test_versions_are_texts_whatever_they_look_like() -> None:
    pytest.importorskip("yaml")
    text = "version: 0.10\nmodel_version: 1.10\npolicy_version: 2.0\nother: 1.10"
    assert read_text(text) == {"version": "0.10", "model_version": "1.10", "policy_version": "2.0", "other": 1.1}


@pytest.mark.parametrize("again", [lambda each: pickle.loads(pickle.dumps(each)), copy.copy, copy.deepcopy])
def test_a_policy_is_pickled_and_copied_as_it_is(again: Any) -> None:
    for policy in (read_policy(YAML), DEFAULT_POLICY):
        made = again(policy)
        assert made == policy and made.digest == policy.digest and made.invariants
        assert made.broken(None, {"prompt.contains_pii": True}) == policy.broken(None, {"prompt.contains_pii": True})
        with pytest.raises(TypeError):
            made.classes["secret"] = None
