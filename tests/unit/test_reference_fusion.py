"""Fusion, knowledge and profiles of the reference, and what the package may import."""

from __future__ import annotations

import ast
import hashlib
import sys
from pathlib import Path

import byheart.reference
from byheart.reference import knowledge
from byheart.reference.fusion import bm25_normalise, fused_score, gap_prune
from byheart.reference.profiles import PROFILES

FAST, BALANCED = PROFILES["kb-fast"], PROFILES["kb-balanced"]


def test_normalise_divides_by_the_top_or_by_one() -> None:
    assert bm25_normalise([4.0, 2.0, 1.0]) == [1.0, 0.5, 0.25]
    assert bm25_normalise([0.8, 0.4]) == [0.8, 0.4]
    assert bm25_normalise([]) == []


def test_fused_score() -> None:
    assert fused_score(1.0, 0.5) == 1.0 * 1.0 + 0.7 * 0.5 + 0.15 * 1 == 1.5
    assert fused_score(None, 0.5) == 0.35
    assert fused_score(0.4, None) == 0.4
    assert fused_score(1.0, 0.06) == 1.0 + 0.7 * 0.06 + 0.15
    assert fused_score(0.0, 0.0) == 0.15  # found by both, with nothing
    assert fused_score(None, None) == 0.0
    assert fused_score(1.0, 1.0, bm25_weight=2.0, hdc_weight=0.5, agreement=0.25) == 2.75


def test_gap_prune_keeps_the_border() -> None:
    assert gap_prune([1.2, 0.6, 0.42, 0.41], 0.35) == [1.2, 0.6, 0.42]
    assert gap_prune([2.0, 0.5, 0.49], 0.25) == [2.0, 0.5]
    assert gap_prune([0.3], 0.5) == [0.3]
    assert gap_prune([1.0, 0.001, -1.0], 0.0) == [1.0, 0.001, -1.0]
    assert gap_prune([1.0, 0.1, 0.09], 0.1) == [1.0, 0.1]
    assert gap_prune([], 0.5) == []


def test_roles_and_acts() -> None:
    assert len(knowledge.ROLES) == 9
    assert len(knowledge.ACTS) == 10
    assert set(knowledge.ROLES) == {role for roles in knowledge.ACT_ROLES.values() for role in roles}
    assert {act for acts in knowledge.ROLE_DEFAULT_ACTS.values() for act in acts} < set(knowledge.ACTS)
    assert knowledge.ACT_ROLES["identify"] == ("Narrative", "Description", "Definition")
    assert knowledge.ROLE_DEFAULT_ACTS["Narrative"] == ("explain", "describe")


def test_ids() -> None:
    assert knowledge.unit_id("src-001", 2, 0) == "src-001::chunk-002::unit-000"
    assert knowledge.unit_id("s", 1000, 12) == "s::chunk-1000::unit-012"
    assert knowledge.section_id("s", 7) == "s::section-007"
    assert knowledge.summary_id("s") == "s::source-summary"
    plain = "src-" + hashlib.sha256(b"a.md").hexdigest()[:12]
    assert knowledge.source_id("a.md") == plain
    assert knowledge.source_id("a.md", {plain}) == plain + "-1"
    assert knowledge.source_id("a.md", {plain, plain + "-1"}) == plain + "-2"


def test_content_hash() -> None:
    unit = {"role": "R", "topic": "t", "claim": "c", "relation": "uses", "id": "x", "utility_note": "n"}
    joined = "R\x1ft\x1fc\x1f\x1f\x1f\x1fuses\x1f"
    assert knowledge.content_hash(unit) == hashlib.sha256(joined.encode()).hexdigest()
    assert knowledge.content_hash({**unit, "procedure": None}) == knowledge.content_hash(unit)
    assert knowledge.content_hash({"topic": "a"}) != knowledge.content_hash({"claim": "a"})


def test_profiles() -> None:
    assert (FAST.max_results, FAST.min_score, FAST.gap, FAST.min_acceptable) == (3, 0.30, 0.50, 2)
    assert (BALANCED.max_results, BALANCED.min_score, BALANCED.gap, BALANCED.min_acceptable) == (7, 0.15, 0.35, 4)
    assert not FAST.runs_secondary(0)
    assert [BALANCED.runs_secondary(found) for found in (0, 3, 4)] == [True, True, False]


def test_the_imports_are_the_standard_library_and_itself() -> None:
    folder = Path(byheart.reference.__file__).parent
    files = sorted(folder.glob("*.py"))
    assert len(files) >= 12, "the scan found too little to check"
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert all(alias.name in sys.stdlib_module_names for alias in node.names), file.name
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 1 or (
                    node.level == 0 and node.module in {*sys.stdlib_module_names, "collections.abc"}
                )
