"""Patterns of a policy's own: never a panic, the finds of another engine, and redaction that leaves nothing to find."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from byheart._core import find_spans
from byheart.boundary.policy import Validator, read_policy
from byheart.boundary.redaction import Pattern, Redactor
from byheart.errors import ByheartError, InvalidPolicy

from ..counts import examples

PARTS = st.sampled_from(
    ["a", "b", "é", "0", "[ab]", "[^a]", r"\d", r"\w", r"\s", "(?:ab)", "(a|b)", "a{2}", "b+", "a*", "b?", "x"]
)
patterns = st.lists(PARTS, min_size=1, max_size=5).map("".join) | st.tuples(PARTS, PARTS).map("|".join)
texts = st.text("ab0é x\n-", max_size=30)
wild = st.text(st.sampled_from(list(r"()[]{}|*+?.^$\-,:=!<>dDwWsSbBpPxuiqAzQE019ab é社")), max_size=30)


@settings(max_examples=examples(1_000), deadline=None)
@given(patterns, texts)
def test_finds_are_those_of_another_engine(pattern: str, text: str) -> None:
    """Python's engine has the same leftmost finds for what both understand alike."""
    spelled = pattern.replace(r"\d", "[0-9]").replace(r"\w", "[0-9A-Za-z_]")
    expected = [found.span() for found in re.finditer(spelled, text) if found.end() > found.start()]
    assume(all(found.end() > found.start() for found in re.finditer(spelled, text)))  # they go on differently behind
    assert find_spans(pattern, text) == expected


@settings(max_examples=examples(2_000), deadline=None)
@given(wild | st.text(max_size=30), texts)
def test_any_pattern_is_refused_or_finds_places(pattern: str, text: str) -> None:
    try:
        spans = find_spans(pattern, text)
    except ByheartError:
        with pytest.raises((InvalidPolicy, ByheartError)):
            Pattern("own", pattern)
        return
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges) and all(0 <= start < end <= len(text) for start, end in spans)


@settings(max_examples=examples(1_000), deadline=None)
@given(st.lists(patterns, min_size=1, max_size=3), texts, st.sampled_from(["<#>", "[=]", "…"]))
def test_redaction_is_idempotent(found: list[str], text: str, replacement: str) -> None:
    rules = [{"name": f"rule{n}", "find": each, "replace": replacement} for n, each in enumerate(found)]
    given = {"version": "1.0.0", "boundary_classes": {}, "redact_policies": {"default": {"rules": rules}}}
    try:
        validator = Validator(read_policy(given))
        once = validator.redact(text)
    except InvalidPolicy:
        return  # it would find what it puts there, or goes on finding
    twice = validator.redact(once.text)
    assert (twice.text, twice.count) == (once.text, 0)
    own = {rule["name"]: Pattern(rule["name"], rule["find"]) for rule in rules}
    pairs = [(rule["name"], replacement) for rule in rules]
    assert Redactor(pairs, detectors=own).redact(text) == once
