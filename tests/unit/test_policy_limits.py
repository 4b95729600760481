"""Numbers of policies: every parameter by its names, up to its ends and no further; how long texts may be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from byheart.boundary.policy import DEFAULT_POLICY, Retrieval, of_environment, read_policy
from byheart.errors import InvalidPolicy, LimitExceeded

PARAMETERS: dict[str, tuple[str, Any]] = {
    "hybrid.alpha": ("alpha", 0.5),
    "hybrid.k_txt": ("k_txt", 7),
    "hybrid.k_vec": ("k_vec", 7),
    "hybrid.k_final": ("k_final", 7),
    "hybrid.recency_half_life_days": ("half_life_days", 7.5),
    "hybrid.dynamic_alpha": ("dynamic_alpha", True),
    "hybrid.dynamic_k": ("dynamic_k", False),
    "hybrid.alpha_short": ("alpha_short", 0.35),
    "hybrid.alpha_long": ("alpha_long", 0.8),
    "hybrid.long_query_tokens": ("long_query_tokens", 7),
    "hybrid.text_fallback": ("text_fallback", "words"),
    "rerank.use_quality": ("use_quality", True),
    "rerank.recency_half_life_days": ("half_life_days", 7.5),
    "rerank.recency_anchor": ("recency_anchor", True),
    "rerank.recency.half_life_days_by_kind": ("half_life_days_by_kind", {"fact": 7.5}),
    "diversity.lambda": ("trade_off", 0.5),
    "diversity.entity_cap": ("entity_cap", 7),
    "timeout_ms.activate": ("activate_ms", 7),
    "timeout_ms.search": ("search_ms", 7),
    "min_score": ("min_score", 0.5),
}


def changed(**parts: Any) -> dict[str, Any]:
    return {"version": "1.0.0", "boundary_classes": {"public": {"allow": ["*"]}}, **parts}


def allowing(tag: str) -> dict[str, Any]:
    return changed(boundary_classes={"public": {"allow": [tag]}})


def hiding(**rule: str) -> dict[str, Any]:
    return changed(redact_policies={"default": {"rules": [{"name": "own", "find": "tea", **rule}]}})


def nested(levels: int) -> str:
    return f"version: 1.0.0\nboundary_classes: {{}}\nmeta: {{a: {'[' * (levels - 2)}{']' * (levels - 2)}}}"


@pytest.mark.parametrize("path", PARAMETERS)
def test_a_policy_sets_each_parameter_by_its_own_name(path: str) -> None:
    """Itself and no other: also in the environment, unless it is a mapping."""
    field, value = PARAMETERS[path]
    tree: Any = value
    for key in reversed(path.split(".")):
        tree = {key: tree}
    assert read_policy(changed(retrieval=tree)).retrieval() == Retrieval(**{field: value}) != Retrieval()
    if not isinstance(value, dict):
        assert of_environment({f"BYHEART_RETRIEVAL_{field.upper()}": str(value)}) == {field: value}


@pytest.mark.parametrize(
    ("field", "least", "most", "step"),
    [
        ("alpha", 0.3, 0.9, 0.01), ("alpha_short", 0.3, 0.5, 0.01), ("alpha_long", 0.7, 0.85, 0.01),
        ("trade_off", 0.0, 1.0, 0.01), ("min_score", 0.0, 1.0, 0.01),
        ("k_txt", 1, 100_000, 1), ("k_vec", 1, 100_000, 1), ("k_final", 1, 100_000, 1),
        ("long_query_tokens", 1, 4_096, 1), ("entity_cap", 1, 4_096, 1),
        ("activate_ms", 1, 600_000, 1), ("search_ms", 1, 600_000, 1),
    ],
)  # fmt: skip
def test_a_parameter_is_taken_to_its_ends_and_no_further(field: str, least: Any, most: Any, step: Any) -> None:
    for value in (least, most):
        assert getattr(Retrieval(**{field: value}), field) == value
    for value in (least - step, most + step, True, "1"):
        with pytest.raises(InvalidPolicy, match=field):
            Retrieval(**{field: value})


def test_as_many_candidates_as_may_be_asked_for() -> None:
    assert Retrieval(k_final=100_000).candidates == (100_000, 100_000)
    assert Retrieval(k_final=12_501).candidates == (50_004, 100_000)
    assert Retrieval(k_txt=1, k_vec=2).candidates == (1, 2)


def test_what_a_policy_leaves_out_is_as_in_the_usual_one() -> None:
    policy = read_policy(changed())
    assert (policy.scopes, policy.redaction) == (DEFAULT_POLICY.scopes, DEFAULT_POLICY.redaction)
    assert policy.retrieval() == DEFAULT_POLICY.retrieval() == Retrieval()


@pytest.mark.parametrize(
    ("most", "more"),
    [
        (allowing("t" * 256), allowing("t" * 257)),
        (changed(boundary_classes={"public": {"allow": [str(tag) for tag in range(64)]}}),
         changed(boundary_classes={"public": {"allow": [str(tag) for tag in range(65)]}})),
        (hiding(replace="x" * 64), hiding(replace="x" * 65)),
        (hiding(find="x" * 900), hiding(find="x" * 10_001)),
        (changed(version="1.0.0-" + "a" * 122), changed(version="1.0.0-" + "a" * 123)),
        (changed(version="1.0.999999999"), changed(version="1.0.1000000000")),
        (changed(scopes={"session": {"ttl": "999999d"}}), changed(scopes={"session": {"ttl": "1000000d"}})),
        (changed(invariants=[{"name": f"n{number}", "rule": "true"} for number in range(256)]),
         changed(invariants=[{"name": f"n{number}", "rule": "true"} for number in range(257)])),
        (nested(32), nested(33)),
    ],
    ids=["tag", "tags", "replacement", "pattern", "version", "number", "days", "invariants", "levels"],
)  # fmt: skip
def test_a_text_is_taken_up_to_its_limit(most: Any, more: Any) -> None:
    read_policy(most)
    with pytest.raises(InvalidPolicy):
        read_policy(more)


def test_a_policy_is_taken_up_to_its_limit_in_bytes() -> None:
    text = "version: 1.0.0\nboundary_classes: {}\n# \u00fc"
    longest = text + "x" * (128_000 - len(text.encode()))
    assert str(read_policy(longest).version) == "1.0.0"
    with pytest.raises(LimitExceeded, match="128000"):
        read_policy(longest + "x")


def test_the_guide_lists_every_parameter_with_its_variable() -> None:
    said = (Path(__file__).parents[2] / "docs" / "guides" / "policies.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in said.splitlines() if line.startswith("| `BYHEART_RETRIEVAL_")]
    by_name = {row[1].strip(" `"): (row[2].strip(" `"), row[3].strip()) for row in rows}
    assert len(by_name) == len(rows) == 18
    known = Retrieval()
    for variable, (path, without) in by_name.items():
        field, value = PARAMETERS[path]
        assert of_environment({variable: str(value)}) == {field: value}
        default = getattr(known, field)
        assert default is None or without == str(default).lower(), variable
