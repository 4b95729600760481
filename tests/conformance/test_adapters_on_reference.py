"""The adapters of seed 003, handed the reference in place of the engine: it must give the published answers too.

What fails here and passes in `test_published_cases` is a fault of the reference; what fails in both, more
likely of the adapter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from byheart.conformance import FEATURES, mrp, run
from byheart.conformance import symbolic as symbolic_adapters
from byheart.conformance.runner import Case, load, report
from byheart.reference import fusion, knowledge, lexical, memory, nearest, porter, profiles, symbolic, symbols, text
from byheart.reference.rules import Rule


class Analyzer:
    def __init__(self, stem: bool = True, mode: str = "unicode") -> None:
        self.terms = partial(text.terms, stem=stem, mode=mode)


class LexicalIndex:
    def __init__(self, fields: Mapping[str, float], analyzer: Analyzer) -> None:
        self.fields, self.analyse = fields, analyzer.terms
        self.documents: dict[str, lexical.Document] = {}

    def add(self, ids: Sequence[str], documents: Sequence[Mapping[str, str]], labels: Sequence[str | None]) -> None:
        for name, document, label in zip(ids, documents, labels, strict=True):
            fields = {field: self.analyse(value) for field, value in document.items()}
            self.documents[name] = lexical.Document(fields, label=label)

    def search(self, query: str, k: int, boosts: Mapping[str, float] | None) -> list[tuple[str, float]]:
        return lexical.search(self.documents, self.analyse(query), self.fields, k=k, boosts=boosts)


class Record:
    @staticmethod
    def from_dict(unit: Mapping[str, Any]) -> dict[str, Any]:
        names = {"utilityActs": "utility_acts", "utilityNote": "utility_note"}
        return {names.get(key, key): value for key, value in unit.items()}


class Memory:
    def __init__(self, analyzer: Analyzer) -> None:
        self.analyse, self.records = analyzer.terms, []

    def remember_many(self, records: Sequence[dict[str, Any]]) -> None:
        self.records += records

    def recall(self, query: Sequence[str], profile: LiteralProfile, act: str | None) -> Recall:
        found = memory.recall(
            self.records, query, profile=profile.profile, act=act, literal=profile.literal, analyse=self.analyse
        )
        return Recall(found)


class Recall:
    def __init__(self, found: memory.Recall) -> None:
        self.found, self.receipt = found, SimpleNamespace(escalated=found.escalated)

    def __iter__(self) -> Iterator[memory.Hit]:
        return iter(self.found.hits)


class LiteralProfile:
    def __init__(self, profile: profiles.Profile, literal: bool = False) -> None:
        self.profile, self.literal = profile, literal

    def __getattr__(self, name: str) -> Any:
        return getattr(self.profile, name)

    def literally(self) -> LiteralProfile:
        return LiteralProfile(self.profile, literal=True)


class SymbolicIndex:
    def __init__(self, relations: Sequence[str], rules: Sequence[Any], preferred: Sequence[str], mode: str) -> None:
        self.rules = [Rule(*rule) for rule in rules]
        self.options = symbolic.Options(preferred=tuple(preferred), mode=mode)
        self.units: dict[str, symbols.Statement] = {}

    def add(self, ids: Sequence[str], facts: Sequence[Sequence[Any]]) -> None:
        self.units |= {id: symbols.Statement(*fact) for id, fact in zip(ids, facts, strict=True)}

    def search(
        self, terms: Sequence[str], text: str | None, k: int = 32, options: Mapping[str, Any] | None = None
    ) -> SimpleNamespace:
        chosen = replace(self.options, max_candidates=k, **(options or {}))
        found = symbolic.closure(self.units, terms, text, self.rules, chosen)
        query = symbolic.Query.of(terms, text, chosen.mode)
        return SimpleNamespace(
            ids=[hit.id for hit in found.candidates],
            scores=[hit.raw for hit in found.candidates],
            normalised=[hit.normalised for hit in found.candidates],
            seeds=[(fact.key, symbolic.seed_score(fact, query)) for fact in found.seeds],
            derived=[
                SimpleNamespace(key=p.fact.key, raw=p.raw, rules=list(p.rules), base=[fact.key for fact in p.base])
                for p in found.derived
            ],
        )


SYMBOLIC_STAND_INS = {
    "SymbolicIndex": SymbolicIndex,
    "agreement": lambda scores, weights, bonus: fusion.fused_score(*scores.values(), hdc_weight=0.85),
    "child_scores": lambda parent, children: [0.95 * parent for _ in range(children)],
    "derived_confidence": symbolic.derived_raw,
    "extract_fact": symbols.extract_fact,
    "path_score": symbolic.path_score,
    "symbol_key": symbols.symbol_key,
    "symbol_tokens": symbols.symbol_tokens,
}

STAND_INS = {
    "ACT_ROLES": knowledge.ACT_ROLES,
    "Analyzer": Analyzer,
    "FIELD_WEIGHTS": memory.LEXICAL_WEIGHTS,
    "LexicalIndex": LexicalIndex,
    "Memory": Memory,
    "ROLE_DEFAULT_ACTS": knowledge.ROLE_DEFAULT_ACTS,
    "Record": Record,
    "STOP_WORDS": text.STOP_WORDS,
    "agreement": lambda scores: fusion.fused_score(scores["lexical"], scores["hypervector"]),
    "boosts": lambda act: {role: memory.ROLE_BOOST for role in knowledge.ACT_ROLES[act]} if act else None,
    "field_score": nearest.field_score,
    "final_score": partial(nearest.weighted_sum, weights=memory.HYPERVECTOR_WEIGHTS),
    "gap_prune": fusion.gap_prune,
    "idf": lexical.idf,
    "porter_stem": porter.porter_stem,
    "profiles": SimpleNamespace(
        BUILT_IN={name: LiteralProfile(each) for name, each in profiles.PROFILES.items()},
        EscalatingConfig=SimpleNamespace(of=lambda name: LiteralProfile(profiles.PROFILES[name])),
        KB_FAST=LiteralProfile(profiles.PROFILES["kb-fast"]),
    ),
    "term_score": lexical.term_score,
    "top_or_one": fusion.bm25_normalise,
    "unit_id": knowledge.unit_id,
}


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, stand_in in STAND_INS.items():
        monkeypatch.setattr(mrp, name, stand_in)
    for name, stand_in in SYMBOLIC_STAND_INS.items():
        monkeypatch.setattr(symbolic_adapters, name, stand_in)


@pytest.fixture
def cases(shared: Path) -> list[Case]:
    return [case for case in load(shared / "vectors" / "mrp.json") if case.feature in FEATURES]


@pytest.mark.usefixtures("reference")
def test_reference_gives_the_published_answers(cases: list[Case]) -> None:
    outcomes = run(cases)
    assert all(outcome.passed for outcome in outcomes), "\n".join(report(outcomes))
    assert {case.feature for case in cases} == {name for name in FEATURES if name.startswith("mrp.")}
    assert len(outcomes) > 60


@pytest.mark.usefixtures("reference")
def test_a_missing_boost_is_noticed(cases: list[Case], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mrp, "boosts", lambda act: None)
    assert [outcome.case.id for outcome in run(cases) if not outcome.passed] == ["mrp.bm25_search-04"]
