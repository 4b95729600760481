"""Parts of one's own, registered from outside: a retriever, a stage, a profile and an embedder, and recalls with them.

Nothing here touches a file of the package, and everything is imported as a user would import it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import byheart
from byheart.boundary import Boundary
from byheart.embedding import Fingerprint
from byheart.errors import InvalidArgument, UnknownField
from byheart.profiles import KB_BALANCED, Leg, Profile
from byheart.ranking.agreement import AgreementFusion
from byheart.ranking.algebra import Stage, StageContext, violations
from byheart.ranking.candidates import Candidates, join
from byheart.ranking.registry import register_stage, stage_from_dict
from byheart.retrieval.protocol import Found, IndexedRetriever, LegQuery, register, retriever_names, unregister
from byheart.retrieval.question import Question
from byheart.retrieval.selection import Selection
from byheart.retrieval.words import Words

REPORT = {
    "where is the kettle?": [("vinegar", 0.5), ("kettle", 0.9), ("nobody", 7.0), ("secret", 3.0), ("kettle", 0.1)]
}


class Report:
    """A recorded report: no index, some ids that nobody has, one twice, one outside the boundary."""

    name = "report"

    def search(self, asked: LegQuery) -> list[tuple[str, float]]:
        return REPORT.get(asked.question.text, [])

    def explain(self, asked: LegQuery, id: str, score: float) -> byheart.Explanation:
        return byheart.Explanation(id, score, (byheart.Part("as reported", score),), score)


class Topics(IndexedRetriever):
    """An index of one's own: records by the words of their topic."""

    name = section = "topics"

    def new_index(self, settings: Any) -> dict[str, list[Any]]:
        return {}

    def put(self, index: dict[str, list[Any]], batch: Any, settings: Any) -> None:
        for id, record, cell in zip(batch.ids, batch.records, batch.cells, strict=True):
            index[id] = [(record.topic or "").lower().split(), cell]

    def remove(self, index: dict[str, list[Any]], ids: Sequence[str]) -> None:
        for id in ids:
            index.pop(id, None)

    def write(self, index: dict[str, list[Any]]) -> bytes:
        return json.dumps(index, sort_keys=True).encode()

    def read(self, data: bytes) -> Any:
        return json.loads(data)

    def search(self, asked: LegQuery) -> Found:
        words = asked.question.text.lower().split()
        scored = [
            (id, float(sum(word in topic for word in words)))
            for id, (topic, cell) in asked.index.items()
            if cell in asked.cells and asked.selection.holds(id)
        ]
        hits = sorted((hit for hit in scored if hit[1] > 0), key=lambda hit: (-hit[1], hit[0]))
        return Found(hits[: asked.pool], top=hits[0][1] if hits else None, count=min(len(hits), asked.pool))


@register_stage
@dataclass(frozen=True, slots=True)
class Trusted(Stage):
    """Multiplies by the confidence, where there is one."""

    least: float = 0.0

    name: ClassVar[str] = "trusted"
    inputs: ClassVar[tuple[str, ...]] = ("score", "confidence")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1, "confidence": 1}

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        factors = [None if sure is None else max(sure, self.least) for sure in table.columns["confidence"]]
        return table.scored("trusted", "multiply", factors).sorted_by_score()


class LetterEmbedder:
    """An embedder of one's own: how often each of 26 letters occurs."""

    dimensions = 26
    fingerprint = Fingerprint("letters", 26, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        rows = np.array([[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts], float)
        lengths = np.sqrt((rows.reshape(-1, 26) ** 2).sum(axis=1, keepdims=True))
        return (rows.reshape(-1, 26) / np.where(lengths == 0.0, 1.0, lengths)).astype(np.float32)

    embed_queries = embed_documents


@pytest.fixture
def registered() -> Iterator[None]:
    register(Report())
    register(Topics())
    yield
    unregister("report")
    unregister("topics")


def remember(memory: byheart.Memory) -> None:
    memory.remember("The kettle is descaled every spring.", id="kettle", topic="Kitchen kettle", confidence=0.2)
    memory.remember("Vinegar stands in the left cupboard.", id="vinegar", topic="Kitchen", confidence=1.0)
    memory.remember("The kettle of the neighbours leaks.", id="secret", boundary_class="secret")


@pytest.mark.usefixtures("registered")
def test_a_retriever_without_an_index_is_not_taken_on_trust() -> None:
    profile = Profile("reported", legs=(Leg("report"),), stages=(AgreementFusion({"report": 1.0}),))
    memory = byheart.Memory()
    remember(memory)
    found = memory.recall("where is the kettle?", profile=profile, explain=True)

    assert [(hit.id, hit.score) for hit in found] == [("kettle", 0.9), ("vinegar", 0.5)]
    assert "as reported" in str(found.hits[0].explanation)
    assert all(hit.explanation.recomputed() == hit.score for hit in found)  # type: ignore[union-attr]
    assert not memory.recall("another question", profile=profile).hits
    assert [hit.id for hit in memory.recall("where is the kettle?", profile=profile, exclude=["kettle"])] == ["vinegar"]


@pytest.mark.usefixtures("registered")
def test_a_retriever_with_an_index_is_saved_and_opened_with_the_others(tmp_path: Path) -> None:
    profile = Profile("topics", legs=(Leg("topics"),), stages=(AgreementFusion({"topics": 1.0}),))
    with byheart.Memory(tmp_path / "me.db") as memory:
        remember(memory)
        found = memory.recall("kitchen kettle", profile=profile)
        assert [(hit.id, hit.score) for hit in found] == [("kettle", 2.0), ("vinegar", 1.0)]
        memory.forget(["kettle"])
        memory._engine.indexes.save(at_least=0)
    with byheart.Memory(tmp_path / "me.db") as memory:
        assert memory.opened.startswith("opened generation")  # nothing was indexed anew
        assert [hit.id for hit in memory.recall("kitchen kettle", profile=profile)] == ["vinegar"]


def test_a_stage_scores_explains_keeps_its_promises_and_is_read_back() -> None:
    profile = replace(KB_BALANCED, name="trusting", stages=(*KB_BALANCED.stages, Trusted(least=0.1)))
    memory = byheart.Memory()
    remember(memory)
    plain = memory.recall("kettle in the left cupboard", profile=KB_BALANCED)
    found = memory.recall("kettle in the left cupboard", profile=profile, explain=True)
    table = join({"lexical": [("a", 0.8), ("b", 0.4)]}).scored("words", "add", [0.8, 0.4])

    assert {hit.id for hit in found} == {hit.id for hit in plain} == {"kettle", "vinegar"}
    before = {hit.id: hit.score for hit in plain}
    assert {hit.id: hit.score for hit in found} == {"kettle": before["kettle"] * 0.2, "vinegar": before["vinegar"]}
    assert all(hit.explanation.recomputed() == hit.score for hit in found)  # type: ignore[union-attr]
    assert violations(Trusted(), table.with_column("confidence", [0.5, None]), StageContext(now=0.0, k=2)) == []
    assert Profile.from_dict(json.loads(json.dumps(profile.to_dict()))) == profile
    assert stage_from_dict({"stage": "Trusted", "least": 0.5}) == Trusted(0.5)


@pytest.mark.usefixtures("registered")
def test_a_profile_of_all_of_them_answers_and_its_receipt_holds_it_whole() -> None:
    profile = Profile(
        "mine",
        legs=(Leg("lexical"), Leg("dense", floor=0.1), Leg("report", pool=5), Leg("topics")),
        stages=(AgreementFusion({"lexical": 1.0, "dense": 0.5, "report": 0.5, "topics": 0.1}), Trusted()),
        max_results=3,
    )
    memory = byheart.Memory(embedder=LetterEmbedder())
    remember(memory)
    found = memory.recall("where is the kettle?", profile=profile, explain=True)

    assert {hit.id for hit in found} == {"kettle", "vinegar"}
    assert {name for name in found.table.columns if name in ("lexical", "dense", "report", "topics")} == {
        "lexical",
        "dense",
        "report",
        "topics",
    }
    assert all(hit.explanation.recomputed() == hit.score for hit in found)  # type: ignore[union-attr]
    assert Profile.from_dict(found.to_dict()["receipt"]["settings"]) == profile


def test_an_embedder_is_any_object_that_says_what_it_is() -> None:
    with byheart.Memory(embedder=LetterEmbedder()) as memory:
        memory.remember("zzz zebra", id="z")
        memory.remember("aaa aardvark", id="a")
        assert memory.recall("zz", profile="dense").hits[0].id == "z"
        assert memory.stats()["records"] == 2


def test_names_are_taken_once_and_mistakes_are_told() -> None:
    class Nameless:
        def search(self, asked: LegQuery) -> list[tuple[str, float]]:
            return []

    with pytest.raises(TypeError, match="name and a search"):
        register(Nameless())  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="'lexical' is taken"):
        register(type("Mine", (Report,), {"name": "lexical"})())
    with pytest.raises(InvalidArgument, match="registered first"):
        Leg("repot")
    with pytest.raises(UnknownField, match="did you mean 'Trusted'"):
        stage_from_dict({"stage": "Trustd"})
    assert "report" not in retriever_names()


def test_a_question_to_a_retriever_can_be_made_without_a_memory() -> None:
    asked = LegQuery(Question("tea", ["tea"], Boundary("default"), 5), pool=5, cells=["cell"])
    assert asked.selection == Selection()
    assert (asked.embed(), asked.record("a"), asked.embedding("a"), list(asked.rows("a"))) == (None, None, None, [])
    assert (asked.within, asked.index, asked.core, asked.mode, dict(asked.options)) == (None, None, None, "exact", {})
    words = Words()
    assert words.form(asked) == {"terms": ["tea"]}
    assert words.leg(asked)["saturation"] is None, "by the lengths of the records there are"
