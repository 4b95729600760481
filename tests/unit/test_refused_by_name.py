"""Parts of policies, rules, calibrations, files and settings that are wrong: each is refused by its name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.boundary.policy import Retrieval, read_policy
from byheart.boundary.policy.retrieval import read_settings
from byheart.boundary.policy.rule import Rule, RuleError
from byheart.boundary.policy.text import MAX_LEVELS, read_text
from byheart.errors import InvalidArgument, InvalidPolicy, UnknownProfile
from byheart.evaluation.converters.sessions import problems
from byheart.profiles import get
from byheart.profiles.discovery import DiscoveryConfig
from byheart.profiles.escalating import EscalatingConfig
from byheart.profiles.files import changed, of_toml
from byheart.profiles.hybrid import HybridConfig
from byheart.profiles.profile import Leg
from byheart.profiles.router import RouterConfig
from byheart.profiles.scoped import ScopedConfig
from byheart.ranking.activation.calibration import Calibration
from byheart.ranking.candidates import apply, join
from byheart.ranking.router.fusion import delivered, rrf
from byheart.retrieval.recorded import Recorded
from byheart.retrieval.substring import needles
from byheart.rules import load_toml, parse_toml
from byheart.validation.texts import check_name

WHOLE = {"version": "0.1.0", "boundary_classes": {"public": {}}}


def policy(**parts: Any) -> Callable[[], object]:
    return lambda: read_policy({**WHOLE, **parts})


def redacting(*rules: Any) -> Callable[[], object]:
    return policy(redact_policies={"default": {"rules": list(rules) if len(rules) != 1 else rules[0]}})


POLICIES: dict[str, Callable[[], object]] = {
    "policy: lacks 'boundary_classes'": lambda: read_policy({"version": "0.1.0"}),
    "redact_policies: is no mapping": policy(redact_policies=["default"]),
    "redact_policies.default.rules: is a list of at most 256": redacting("mail"),
    "redact_policies.default.rules: a name stands twice": redacting({"name": "mail"}, {"name": "mail"}),
    "redact_policies.default.rules, number 2: lacks 'name'": redacting({"name": "mail"}, {"replace": "x"}),
    "invariants, number 1: lacks 'rule'": policy(invariants=[{"name": "a"}]),
    "invariants, number 1: lacks 'name'": policy(invariants=[{"rule": "true"}]),
    "invariants, number 1, applies_to: 'team' is no scope": policy(
        invariants=[{"name": "a", "rule": "true", "applies_to": ["team"]}]
    ),
    "retrieval.half_life_days_by_kind: is no mapping|half_life_days_by_kind is a mapping": lambda: Retrieval(
        half_life_days_by_kind=[("a", 1.0)]  # type: ignore[arg-type]
    ),
    "retrieval: use_quality is 1; it is true or false": lambda: Retrieval(use_quality=1),  # type: ignore[arg-type]
    "retrieval: text_fallback is 'best'; use one of": lambda: Retrieval(text_fallback="best"),  # type: ignore[arg-type]
    "retrieval: k_final is 0; give a whole number from 1 to": lambda: Retrieval(k_final=0),
    "retrieval.rerank.recency_half_life_days: says 6, and another key says 5": lambda: read_settings(
        {"hybrid": {"recency_half_life_days": 5}, "rerank": {"recency_half_life_days": 6}}
    ),
    "retrieval.hybrid: is no mapping": lambda: read_settings({"hybrid": 3}),
    "the key 'a' stands twice in one mapping": lambda: read_text('{"a": 1, "a": 2}'),
    "policy: NaN is no number": lambda: read_text('{"a": NaN}'),
    f"is nested deeper than {MAX_LEVELS} levels": lambda: read_text('{"a": ' + "[" * 50_000 + "]" * 50_000 + "}"),
}


@pytest.mark.parametrize("said", POLICIES)
def test_a_part_of_a_policy_is_refused_by_name(said: str) -> None:
    with pytest.raises(InvalidPolicy) as told:
        POLICIES[said]()
    assert any(each in str(told.value) for each in said.split("|"))


def test_what_is_no_policy_is_refused_by_its_type() -> None:
    with pytest.raises(TypeError, match="policy must be a text or a mapping, not list"):
        read_policy([])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="policy must be a text, not int"):
        read_text(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(a", r"lacks '\)'"), ("[a, b", "lacks ']'"), ("a ==", "ends where a value is missing"),
        ("== a", "'==' where a value is missing"), ("in a", "'in' where a value is missing"),
        ("(" * 500 + "a" + ")" * 500, "is nested deeper than"),
    ],
)  # fmt: skip
def test_a_rule_that_does_not_end_says_what_it_lacks(text: str, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        Rule.read(text)


def test_lists_of_a_rule_are_the_same_if_all_in_them_is() -> None:
    values = {"a": ["x", 1], "b": ("x", 1), "c": ["x"], "d": [[1]], "n": {"x": 1}}
    held = {
        "a == b": True,
        "a == c": False,
        "a != c": True,
        "d == [[1]]": True,
        "d == [[2]]": False,
        "[a] == [b]": True,
    }
    assert {text: Rule.read(text).holds(values) for text in held} == held
    assert Rule.read("1 in ['x', 1]").holds({}) and not Rule.read("1 in ('x', 'y')").holds({})
    for text, said in {"a > c": "orders a list", "n == 1": "a value is dict", "a in 'x'": "needs a list"}.items():
        with pytest.raises(RuleError, match=said):
            Rule.read(text).holds(values)


def fitted(leg: str = "text", method: str = "platt", *given: Any) -> Calibration:
    return Calibration.fit(leg, method, *given, model_version="m", policy_version="1.0.0")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("text", "spline", [1.0]), r"calibration: 'spline' of 'text'; methods are"),
        (("voice", "platt", [1.0]), r"calibration: 'platt' of 'voice'"),
        (("text", "platt", []), "scores: are 0; give 1 to"),
        (("text", "quantile", [1.0, float("nan")]), "scores: hold a number that is not finite"),
        (("text", "platt", [1.0, 2.0], [1]), "relevant: give a 0 or a 1 for each score"),
        (("text", "platt", [1.0], [2]), "relevant: give a 0 or a 1 for each score"),
        (("vec", "platt", [1.0]), "relevant: platt needs a 0 or a 1 for each score"),
        (("vec", "isotonic", [1.0]), "relevant: isotonic needs a 0 or a 1 for each score"),
    ],
)
def test_what_no_calibration_can_be_fitted_to_is_refused(given: Any, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        fitted(*given)


def test_questions_with_sessions_are_told_what_they_lack() -> None:
    session = {"session_id": "s", "messages": [{"role": "user", "content": "tea"}]}
    whole = {"question_id": "q", "question": "tea?", "sessions": [session], "relevant_session_ids": ["s"]}
    asked = {"name": "tea", "questions": [whole]}
    assert list(problems(asked)) == []
    wrong = {
        "sessions: is no list with a session at least": {"sessions": []},
        "sessions[0]: is no object": {"sessions": ["s"]},
        "sessions[0].session_id: is missing or blank": {"sessions": [{**session, "session_id": " "}]},
        "sessions[0].messages: is no list with a message at least": {"sessions": [{**session, "messages": {}}]},
        "sessions[1].session_id: 's' is there twice": {"sessions": [session, session]},
        "relevant_session_ids: is no list with an id at least": {"relevant_session_ids": []},
        "relevant_session_ids[0]: 'x' is no session of the question": {"relevant_session_ids": ["x"]},
        "question: is missing or blank": {"question": ""},
    }
    for said, change in wrong.items():
        assert any(each.endswith(said) for each in problems({**asked, "questions": [{**whole, **change}]})), said


LEGS: dict[str, tuple[str, dict[str, Any]]] = {
    "exit_rule": ("dense", {"exit_rule": "soon"}),
    "rescore": ("dense", {"rescore": "never"}),
    "tiers must be a list of numbers, not int": ("dense", {"tiers": 64}),
    "thresholds: are 1 for 2 tiers; give one for each": ("dense", {"tiers": [64, 256], "thresholds": [0.5]}),
    "thresholds": ("dense", {"thresholds": [float("nan")]}),
    "tiers: is 0; it must be at least 1": ("dense", {"tiers": [0]}),
    "how: is 'letters'; use one of": ("substring", {"how": "letters"}),
    "derived_first must be bool, not int": ("symbolic", {"derived_first": 1}),
    "goal_bonus: is -1.0; it must lie between 0 and 1000000": ("symbolic", {"goal_bonus": -1.0}),
}


@pytest.mark.parametrize("said", LEGS)
def test_a_setting_of_a_leg_is_refused_by_name(said: str) -> None:
    retriever, settings = LEGS[said]
    with pytest.raises((InvalidArgument, TypeError)) as told:
        Leg(retriever, 10, settings=settings)
    assert said in str(told.value)


RULE = 'rules = [{id = "r", when = [["?x", "a", "?y"]], then = ["?x", "b", "?y"]}]'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules = 3", "give a list of tables"), ("rules = [3]", "rule 1: is no table"),
        ('rules = [{id = "r"}]', "rule 1: lacks then, when"), (RULE.replace("id", "x"), "rule 1: unknown key .x."),
        (RULE.replace('[["?x", "a", "?y"]]', '"x"'), "rule 1: when is no list of premises"),
        (RULE.replace('"b", ', ""), r"is not \(subject, relation, object\)"), ("= 3", "this is no TOML"),
    ],
)  # fmt: skip
def test_a_file_of_rules_is_refused_by_rule(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    for read in (lambda: parse_toml(text), lambda: load_toml(file)):
        with pytest.raises(InvalidArgument, match=said):
            read()
    with pytest.raises(InvalidArgument, match=r"rules\.toml: "):
        load_toml(file)
    file.write_bytes(RULE.encode())
    assert [rule.id for rule in load_toml(file)] == ["r"]


def test_profiles_of_a_file_take_the_settings_of_what_they_are_based_on(tmp_path: Path) -> None:
    settings = {"scoped": "topK = 4", "discovery": "topK = 4", "router": "topK = 4", "kb-fast": "max_results = 4"}
    for base, setting in settings.items():
        file = tmp_path / f"{base}.toml"
        file.write_text(f'[mine]\nbase = "{base}"\nsettings = {{{setting}}}\n', encoding="utf-8")
        [profile] = of_toml(file)
        assert profile.max_results == 4, base
        file.write_text(f'[mine]\nbase = "{base}"\nsettings = {{nothing = 1}}\n', encoding="utf-8")
        with pytest.raises(InvalidArgument, match="unknown name 'nothing'"):
            of_toml(file)


def test_a_report_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    for text, said in {"{": "report.json cannot be read", "[]": "report.json holds no JSON object",
                       "{}": 'has no list "results"'}.items():  # fmt: skip
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InvalidArgument, match=said):
            Recorded("old", file)
    file.write_text(json.dumps({"results": []}), encoding="utf-8")
    with pytest.raises(InvalidArgument, match=r"^ids: is 'best'; use one of "):
        Recorded("old", file, ids="best")


def test_what_ranks_take_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="a ranking must be a list of ids, not str"):
        delivered("ab", 2)
    with pytest.raises(InvalidArgument, match="budget: is -1; it must be at least 0"):
        delivered(["a"], -1)
    for wrong in (-1.0, float("inf"), float("nan")):
        with pytest.raises(InvalidArgument, match="give a number of at least 0"):
            rrf([["a"]], wrong)
    with pytest.raises(InvalidArgument, match="substring: look for one of query, words, not 'x'"):
        needles("tea", "x")
    table = join({"words": [("a", 1.0), ("b", 0.5)]})
    for rows in ([0], [0, 0], [0, 2], [0, 1, 1]):
        with pytest.raises(ValueError, match="rows: every row number is needed, each once"):
            table.reordered(rows)
    with pytest.raises(ValueError, match="operation: 'power' is none; use one of add, "):
        apply("power", 1.0, 2.0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"weights": {"hypervector": 1.0}}, "weights: lack 'lexical', the first retriever"),
        ({"escalation": "always", "weights": {"lexical": 1.0}}, "weights: lack 'hypervector', the second retriever"),
        (
            {"escalation": "few", "secondary": "dense", "primary": "dense"},
            "secondary: is .dense., which is",
        ),
        ({"max_results": 0}, "max_results: is 0; it must be at least 1"),
        ({"min_acceptable": -1}, "min_acceptable: is -1; it must be at least 0"),
        ({"escalation": "often"}, "escalation: 'often' is unknown"),
    ],
)
def test_a_profile_of_agreement_is_refused_by_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        EscalatingConfig("mine", **given)
    with pytest.raises(UnknownProfile, match="profile: 'kb-none' is none of kb-fast, "):
        EscalatingConfig.of("kb-none")


def test_settings_are_refused_by_the_names_that_they_were_given_by() -> None:
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (DiscoveryConfig, {"theta1": 5}, "theta1: is 5"), (DiscoveryConfig, {"theta_hop": 5}, "theta_hop: is 5"),
        (DiscoveryConfig, {"k1": 10**400}, "k1: is "), (DiscoveryConfig, {"top_k": 100_001}, "top_k: is 100001"),
        (HybridConfig, {"noise_profile": "x"}, "noise_profile: 'x' is unknown"),
        (HybridConfig, {"noise_profile": None}, "noise_profile: None is unknown"),
        (RouterConfig, {"n1": 100_001}, "n1: is 100001"), (ScopedConfig, {"top_k": 10**400}, "top_k: is "),
    ]  # fmt: skip
    for made, given, said in wrong:
        with pytest.raises(InvalidArgument, match=f"^{said}"):
            made(**given)
    for changes in ({5: 1}, {None: 1}, "x", None, 3):
        with pytest.raises(TypeError, match=r"^changes must ") as refused:
            changed(get("auto"), changes)  # type: ignore[arg-type]
        if isinstance(changes, dict):
            assert str(refused.value) == f"changes must name places by str, not {type(next(iter(changes))).__name__}"


def test_names_hold_no_lone_surrogate_and_may_hold_what_lies_beside_them() -> None:
    for sign in ("\ud800", "\udfff", "\x1f"):
        with pytest.raises(InvalidArgument, match=r"tenant: .* holds a control character or a lone surrogate"):
            check_name("tenant", f"a{sign}")
    for sign in ("\ud7ff", "\ue000", " "):
        check_name("tenant", f"a{sign}")


def test_scopes_of_a_call_under_a_policy_are_a_list() -> None:
    with pytest.raises(TypeError, match=r"^scope must be a list of str, not int$"):
        Memory(policy="default").activate("tea", scope=3)  # type: ignore[arg-type]


def test_a_topic_that_no_event_has_and_an_observation_of_nothing_are_refused() -> None:
    memory = Memory()
    with pytest.raises(InvalidArgument, match="topic: 'nonsense' is unknown; use one of ingest, "):
        memory.events("nonsense")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="content: is empty; give what was seen or heard"):
        memory.observe("chat", "")
    assert memory.observe("chat", "tea").content == "tea" and [each.topic for each in memory.events("ingest")] == [
        "ingest"
    ]
