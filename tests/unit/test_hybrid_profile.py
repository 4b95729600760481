"""Recall with seed 001's pipeline: what is found, what is dropped and why, and what a score is made of."""

import threading
from typing import Any

import pytest

from byheart import Memory, errors
from byheart.embedding import HashingEmbedder
from byheart.profiles import Profile
from byheart.profiles.hybrid import HybridConfig
from byheart.recall import plan
from byheart.recall.plan import plan_of

NOW = 1_800_000_000.0
DAY = 86_400.0

RECORDS = {
    "kettle": {"text": "The kettle in the kitchen is descaled every spring", "created_at": NOW},
    "old": {"text": "The kettle in the hall is descaled every spring", "created_at": NOW - 400 * DAY},
    "weighty": {"text": "The kettle is descaled by Ann", "created_at": NOW - 30 * DAY, "importance": 1.0},
    "denial": {"text": "I don't recall when the kettle is descaled", "created_at": NOW},
    "twin": {"text": "The kettle in the kitchen is descaled every spring!", "created_at": NOW - DAY},
    "long": {"text": "The kettle is descaled. " + "And so on and on. " * 300, "created_at": NOW},
    "tagged": {
        "text": "proj:atlas descales the kettle",
        "created_at": NOW - 90 * DAY,
        "access_count": 9,
        "accessed_at": NOW,
    },
    "boat": {"text": "Sails are folded after rain", "created_at": NOW},
}


def memory(**settings: Any) -> Memory:
    made = Memory(embedder=HashingEmbedder(), **settings)
    made.remember_many({"id": id, **fields} for id, fields in RECORDS.items())
    return made


def recall(profile: Any, query: str = "when is the kettle descaled", made: Memory | None = None, **options: Any) -> Any:
    return (made or memory()).recall(query, profile=profile, now=NOW, explain=True, **options)


def reasons(found: Any) -> dict[str, str]:
    return {row.id: row.reason for row in found.dropped}


@pytest.mark.parametrize("profile", ["hybrid", HybridConfig(rerank="none", fusion="weighted").profile()])
def test_the_explanation_replays_the_score(profile: Any) -> None:
    found = recall(profile, k=8)
    assert len(found) >= 4 and not found.degraded
    for hit in found:
        assert hit.explanation.recomputed() == hit.score
        names = [change.name for change in hit.explanation.changes]
        assert names[-4:] == ["recency", "importance_factor", "length_factor", "time_decay"]


def test_what_is_dropped_says_why() -> None:
    found = recall(HybridConfig(rerank="none").profile(), k=8)
    why = reasons(found)
    assert why["denial"] == "noise (denial: does not recall)"
    assert why["long"].startswith("below the hard minimum (0.") and why["long"].endswith(" < 0.35)")
    high = recall(HybridConfig(rerank="none", min_score=1.0).profile(), k=8)
    assert any(reason.startswith("below the minimum score (0.") for reason in reasons(high).values())
    unfiltered = recall(HybridConfig(rerank="none", filter_noise=False).profile(), k=8)
    assert "denial" in [hit.id for hit in unfiltered]


def test_near_duplicates_go_last_and_stay() -> None:
    found = recall(HybridConfig(rerank="none").profile(), k=8)
    ids = [hit.id for hit in found]
    assert ids.index("kettle") < ids.index("twin") == len(ids) - 1
    assert any("near-duplicates" in note and "twin" in note for note in found.table.notes)
    together = recall(HybridConfig(rerank="none", deferral_threshold=1.0).profile(), k=8)
    ids = [hit.id for hit in together]
    assert ids.index("twin") == ids.index("kettle") + 1
    assert [hit.score for hit in together] == sorted((hit.score for hit in together), reverse=True)


def test_age_costs_half_at_most_and_use_keeps_young() -> None:
    made = memory()
    decays = {}
    for factor in (0.0, 2.0):
        profile = HybridConfig(rerank="none", hard_min_score=0.0, reinforcement_factor=factor).profile()
        found = recall(profile, made=made, k=8)
        decays[factor] = dict(zip(found.table.ids, found.table.columns["time_decay"], strict=True))
    assert 0.5 <= decays[0.0]["old"] < 0.51 and decays[0.0]["old"] == decays[2.0]["old"]
    assert decays[0.0]["tagged"] < decays[2.0]["tagged"] < 1.0


def test_tags_of_the_query_have_to_occur() -> None:
    query = "kettle of PROJ:atlas"
    profile = HybridConfig(rerank="none", tag_prefixes=("proj",)).profile()
    found = recall(profile, query, k=8)
    assert [hit.id for hit in found] == ["tagged"]
    assert reasons(found)["kettle"] == "lacks the tag PROJ:atlas"
    assert len(recall(profile, k=8)) > 1, "a query without tags asks for none"


def test_vector_mode_asks_no_words() -> None:
    found = recall(HybridConfig(mode="vector", rerank="none").profile(), k=8)
    assert len(found) and "lexical" not in found.table.columns
    without = Memory()
    without.remember("The kettle is descaled every spring", id="a")
    found = recall(HybridConfig(mode="vector", rerank="none").profile(), made=without)
    assert [hit.id for hit in found] == ["a"] and len(found.degraded) == 1


def test_without_an_embedder_words_answer_alone() -> None:
    silent = Memory()
    silent.remember("The kettle is descaled every spring", id="a", created_at=NOW)
    found = recall(HybridConfig(rerank="none").profile(), made=silent)
    assert [hit.id for hit in found] == ["a"] and "no embedder" in found.degraded[0]


def test_a_limit_is_kept_and_said() -> None:
    made = Memory(embedder=HashingEmbedder())
    made.remember_many({"id": f"r{n:02}", "text": f"kettle {n} is descaled", "created_at": NOW} for n in range(60))
    found = recall(HybridConfig(rerank="none").profile(), "kettle descaled", made, k=30)
    assert len(found) == 20 and "gives 20" in found.table.notes[0]
    assert len(found.table.ids) + len(found.dropped) >= 20


def test_a_reranker_has_its_say_and_the_explanation_knows_it() -> None:
    profile = HybridConfig().profile(lambda query, texts: [float("Ann" in text) for text in texts])
    found = recall(profile, k=8)
    assert found.hits[0].id == "weighty" and not found.degraded
    changes = {change.name: change.operand for change in found.hits[0].explanation.changes}
    assert (changes["rerank_factor"], changes["rerank"]) == (0.4, 0.6)
    for hit in found:
        assert hit.explanation.recomputed() == hit.score


def test_a_reranker_that_is_missing_or_fails_is_said_once_and_cosines_stand_in() -> None:
    def broken(query: str, texts: Any) -> list[float]:
        raise ConnectionError("no route")

    lightweight = recall("hybrid", k=8)
    for profile, reason in (
        (HybridConfig().profile(), "no reranker was given"),
        (HybridConfig().profile(broken), "Conn"),
    ):
        found = recall(profile, k=8)
        assert [(hit.id, hit.score) for hit in found] == [(hit.id, hit.score) for hit in lightweight]
        assert len(found.degraded) == 1 and reason in found.degraded[0] and "cosine instead" in found.degraded[0]
    assert not lightweight.degraded


def test_a_deadline_reaches_the_reranker() -> None:
    release = threading.Event()
    slow = HybridConfig().profile(lambda query, texts: [float(release.wait(10.0))] * len(texts))
    found = recall(slow, k=8, deadline=0.3)
    release.set()
    assert found.degraded == ("rerank by callable failed (timeout): cosine instead",)


def test_rows_beyond_the_window_are_named() -> None:
    found = recall(HybridConfig(rerank="lightweight").profile(limit=2))
    assert len(found) == 2
    assert "beyond the rerank window (4)" in reasons(found).values()
    assert "beyond the rerank window (4)" not in reasons(recall("hybrid", k=2)).values(), "k only cuts"
    everything = recall(HybridConfig(rerank="none").profile(limit=2))
    assert "beyond the rerank window (4)" not in reasons(everything).values()


def test_floors_keep_what_words_found_strongly() -> None:
    nothing = {"reranker": lambda query, texts: [0.0 for _ in texts]}
    low = recall(HybridConfig(hard_min_score=0.0).profile(**nothing), k=8)
    kept = recall(HybridConfig(hard_min_score=0.0, rerank_floors=True).profile(**nothing), k=8)
    scores = {hit.id: hit.score for hit in low}
    assert len(kept) == len(low) and all(hit.score > scores[hit.id] for hit in kept)


def test_the_reranker_behind_http_is_the_configured_one() -> None:
    with HybridConfig(rerank_model="jina-reranker-v2").http_reranker("secret") as reranker:
        assert reranker.name == "jina:jina-reranker-v2" and "secret" not in repr(reranker)
    tei = HybridConfig(rerank_provider="tei", rerank_endpoint="http://localhost:1/rerank")
    with tei.http_reranker(timeout=0.5) as reranker:
        assert "localhost:1" in repr(reranker) and "0.5" in repr(reranker)
    with pytest.raises(errors.InvalidArgument, match="voyage has no default"):
        HybridConfig(rerank_provider="voyage").http_reranker("secret")
    with pytest.raises(errors.UnknownProvider):
        HybridConfig(rerank_provider="nobody").http_reranker("secret")


def test_profiles_are_values() -> None:
    assert HybridConfig().profile() == HybridConfig().profile()
    assert isinstance(HybridConfig().profile(), Profile)


def test_no_record_is_read_for_what_the_directory_keeps() -> None:
    usual = plan_of(HybridConfig().profile())
    assert "age_days" in usual.features and not usual.reads_records
    assert {"created_at", "importance"} <= set(usual.columns)


def test_a_profile_is_planned_once_and_never_taken_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = HybridConfig().profile(), HybridConfig(mode="vector").profile()
    assert plan_of(one) is plan_of(one)
    monkeypatch.setitem(plan._known, id(other), (one, plan_of(one)))  # as if one were gone, and other in its place
    assert plan_of(other).retrievers == other.retrievers
    assert plan_of(other) is not plan_of(one)


# ---- answers without hits


@pytest.mark.parametrize(
    ("limit", "told"),
    [("hard_min_score", "below the hard minimum of 1"), ("min_score", "below the minimum score of 1")],
)
@pytest.mark.parametrize("explain", [True, False])
def test_an_empty_answer_says_which_limit_left_out_what_was_found(limit: str, told: str, explain: bool) -> None:
    asked: dict[str, Any] = {"now": NOW, "k": 8, "exclude": ["weighty"], "explain": explain}
    profile = HybridConfig(rerank="none", **{limit: 1.0}).profile()
    found = memory().recall("when is the kettle descaled", profile=profile, **asked)
    dropped = [row for row in found.dropped if row.reason.startswith("below the ")]
    assert not found.hits and len(dropped) >= 4
    assert sum(int(note.split()[0]) for note in found.degraded) == len(dropped), "each is told once"
    assert [note for note in found.degraded if note.endswith(f" records were found, and left out: they score {told}")]
    some = memory().recall("when is the kettle descaled", profile="hybrid", **asked)
    assert some.hits and not some.degraded, "what is left speaks for itself"


def test_one_record_that_was_left_out_is_one() -> None:
    made = Memory(embedder=HashingEmbedder())
    made.remember("The kettle is descaled every spring", id="a", created_at=NOW)
    found = recall(HybridConfig(hard_min_score=1.0, rerank="none").profile(), made=made)
    assert found.degraded == ("1 record was found, and left out: it scores below the hard minimum of 1",)


def test_an_answer_that_found_nothing_says_nothing_of_limits() -> None:
    found = Memory(embedder=HashingEmbedder()).recall("zebra", profile="hybrid")
    assert not found.hits and not found.degraded
