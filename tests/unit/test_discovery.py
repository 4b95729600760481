"""Profile `discovery`: two passes and a hop through a memory, what it says of each record, its configuration."""

from math import inf
from typing import Any

import pytest

from byheart import Boundary, Memory, errors
from byheart.embedding import HashingEmbedder
from byheart.profiles import get
from byheart.profiles.discovery import DiscoveryConfig
from byheart.ranking.algebra import worst_case
from byheart.ranking.discovery import Document, Hops, assemble, authority_weight, final_score
from byheart.ranking.discovery.stages import CoarseFloor, SecondPass

NOW = 2_000_000.0
RULE = "the kettle is descaled every spring"


def memory(*records: dict[str, Any], **settings: Any) -> Memory:
    made = Memory(embedder=HashingEmbedder(), **settings)
    made.remember_many({"text": RULE, "created_at": NOW} | record for record in records)
    return made


def recalled(made: Memory, query: str = RULE, profile: Any = "discovery", **arguments: Any) -> Any:
    return made.recall(query, profile=profile, now=NOW, **arguments)


def scores(recall: Any) -> dict[str, float]:
    return {hit.id: hit.score for hit in recall}


def reasons(recall: Any) -> dict[str, str]:
    return {row.id: row.reason for row in recall.dropped}


def test_key_terms_are_looked_for_in_every_field_that_is_searched() -> None:
    made = memory(
        {"id": "in the text", "text": "the kettle is descaled every spring"},
        {"id": "beside it", "text": "the kettle is descaled", "topic": "spring"},
        {"id": "nowhere", "text": "the kettle is descaled"},
    )
    recall = recalled(made, "kettle descaled spring", explain=True)
    table = dict(zip(recall.table.ids, recall.table.columns["coverage"], strict=True))
    assert table == {"in the text": 1.0, "beside it": 1.0, "nowhere": 2 / 3}


FAR = {"text": "a timetable of trams in another town"}


def test_authority_orders_what_is_equally_near() -> None:
    made = memory({"id": "plain"}, {"id": "authored", "authority": 1.0}, {"id": "used", "access_count": 9})
    recall = recalled(made, explain=True)
    (cosine,) = set(recall.table.columns["dense"])  # of a text with itself, as float32 have it
    assert scores(recall) == {
        "authored": final_score(authority_weight(0.0, 0, 9, 1.0), cosine, 1.0),
        "used": final_score(authority_weight(0.0, 9, 9, None), cosine, 1.0),
        "plain": final_score(authority_weight(0.0, 0, 9, None), cosine, 1.0),
    }
    assert [hit.id for hit in recall] == ["authored", "used", "plain"]
    for hit in recall:
        assert hit.explanation.recomputed() == hit.score
        assert [change.name for change in hit.explanation.changes] == [
            "similarity",
            "omega",
            "keywords",
            "keyword_ceiling",
        ]


def test_links_bring_in_what_is_unlike_the_query() -> None:
    made = memory({"id": "near", "links": ["far", "gone"]}, FAR | {"id": "far"}, FAR | {"id": "alone"})
    recall = recalled(made, explain=True)
    near, far = recall
    assert (near.id, far.id, far.record.text) == ("near", "far", FAR["text"])
    assert far.score == near.score * 0.5 == far.explanation.recomputed()
    assert recall.table.notes == ("links to what is not there: gone",)
    assert reasons(recall).keys() == {"alone"} and "below the floor" in reasons(recall)["alone"]
    assert "below the floor" in str(made.explain(RULE, "alone", profile="discovery", now=NOW))


def test_weak_hops_are_dropped_with_both_reasons() -> None:
    made = memory({"id": "near", "links": ["far"]}, FAR | {"id": "far"})
    recall = recalled(made, profile=DiscoveryConfig(theta_hop=0.9).profile())
    assert list(scores(recall)) == ["near"]
    assert "below the floor" in reasons(recall)["far"] and "linked from near" in reasons(recall)["far"]


def test_links_do_not_leave_the_boundary_nor_reach_what_is_gone() -> None:
    made = memory(
        {"id": "near", "links": ["secret", "archived", "ended", "forgotten"]},
        FAR | {"id": "secret", "boundary_class": "secret"},
        FAR | {"id": "archived", "archived_by": "archived"},
        FAR | {"id": "ended", "expires_at": NOW - 1},
        FAR | {"id": "forgotten"},
        boundary=Boundary(classes=("public", "internal", "secret")),
    )
    made.forget(["forgotten"])
    recall = recalled(made, boundary=Boundary(classes=("public", "internal")))
    assert list(scores(recall)) == ["near"]
    assert "secret" not in reasons(recall)
    assert recall.table.notes == ("links to what is not there: archived, ended, forgotten, secret",)
    assert "secret" in scores(recalled(made))


def test_only_so_many_pass() -> None:
    made = memory(*({"id": f"r{n:02}", "text": f"{RULE} {n}"} for n in range(20)))
    recall = recalled(made, profile=DiscoveryConfig(k1=5, k2=2).profile())
    assert len(recall) == 2 and len(recall.dropped) == 3
    assert set(reasons(recall).values()) == {"beyond k2 (2)"}
    assert len(recalled(made)) == 8 and len(recalled(made).dropped) == 8


def test_without_an_embedder_words_stand_in_and_say_so() -> None:
    made = Memory()
    made.remember(RULE, id="a", created_at=NOW)
    recall = recalled(made, "kettle")
    assert list(scores(recall)) == ["a"] and "no embedder" in recall.degraded[0]


def test_an_empty_memory_and_a_query_without_terms() -> None:
    assert len(recalled(memory())) == 0
    assert scores(recalled(memory({"id": "a"}), "of a")).get("a", 0.0) >= 0.0


def test_sizes_of_the_passes() -> None:
    profile = get("discovery")
    assert [leg.pool for leg in profile.legs] == [16] and DiscoveryConfig(top_k=2).profile().legs[0].pool == 8
    assert (profile.max_results, profile.mode) == (8, "exact")
    stages = DiscoveryConfig(k2=20).profile()
    assert stages.legs[0].pool == 20 and stages.stages[0] == CoarseFloor(0.2, 20, 2.0)


def test_how_far_other_causes_can_turn_a_ranking() -> None:
    # A record that is new, used or authored outranks one that is none of these however near the latter is.
    assert worst_case(DiscoveryConfig().stages()) == ({"time": inf, "access": inf, "authority": inf}, {})
    assert worst_case(DiscoveryConfig(alpha_r=1.0, alpha_f=0.0, alpha_a=0.0).stages())[0] == {"time": inf}


def test_configuration_in_both_spellings() -> None:
    config = DiscoveryConfig.from_dict({"thetaHop": 0.3, "hop_decay": 0.25, "alphaR": 0.2, "alphaA": 0.6, "k1": 4})
    assert (config.theta_hop, config.hop_decay, config.alpha_r, config.alpha_a) == (0.3, 0.25, 0.2, 0.6)
    with pytest.raises(errors.UnknownField, match=r"'hopDecai'.*'hop_decay'"):
        DiscoveryConfig.from_dict({"hopDecai": 0.5})


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"k1": 4, "k2": 5}, "at most k1"),
        ({"k1": 0}, "k1: is 0"),
        ({"k2": 0}, "k2: is 0; it must lie between 1 and 100000"),
        ({"top_k": 0}, "top_k: is 0"),
        ({"alpha_r": 0.6}, "sum to 1.1"),
        ({"alpha_r": -0.1, "alpha_f": 0.8}, "weight of recency"),
        ({"kappa": -0.1}, "kappa: is -0.1"),
        ({"kappa": float("inf")}, "kappa: is inf"),
        ({"hop_decay": 0.0}, "both exclusive"),
        ({"hop_decay": 1.0}, "both exclusive"),
        ({"theta1": 1.5}, "between -1 and 1"),
        ({"theta_hop": float("nan")}, "between 0 and 1"),
        ({"lambda_r": -1.0}, "rate"),
        ({"smoothing": "none"}, "smoothing"),
        ({"keywords": "latin"}, "key terms"),
    ],
)
def test_numbers_outside_their_domain(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=says):
        DiscoveryConfig(**wrong)


def test_stages_check_what_they_are_given() -> None:
    for make in (lambda: SecondPass(0), lambda: CoarseFloor(at_least=0), lambda: CoarseFloor(times=-1.0)):
        with pytest.raises(errors.InvalidArgument):
            make()
    with pytest.raises(TypeError, match="kappa"):
        final_score(1.0, 1.0, 0.0, "0.3")  # type: ignore[arg-type]
    for uses, most in ((-1, 0), (0, float("inf"))):
        with pytest.raises(errors.InvalidArgument, match="uses"):
            authority_weight(0.0, uses, most, 0.0)
    with pytest.raises(errors.InvalidArgument, match="one each"):
        authority_weight(0.0, 0, 0, 0.0, weights=(1.0,))


def test_many_dead_links_make_a_short_note() -> None:
    made = memory({"id": "near", "links": [f"gone{n:02}" for n in range(12)]})
    (note,) = recalled(made).table.notes
    assert note.endswith("gone07 and 4 more")


def test_invariants_that_do_not_fit_are_refused() -> None:
    rules = Document(id="rules", tokens=30, invariant=True)
    with pytest.raises(errors.InvariantBudgetError, match=r"is 29\.5 tokens and the 1 invariants need 30") as raised:
        assemble([rules], 29.5)
    assert isinstance(raised.value, errors.ByheartError)
    assert assemble([rules], 30).injected == ("rules",)


def test_documents_are_checked() -> None:
    one = Document(id="a", tokens=1)
    with pytest.raises(errors.DuplicateId, match="same id"):
        assemble([one, Document(id="a", tokens=1, invariant=True)], 9)
    for budget in (-1.0, float("nan"), float("inf")):
        with pytest.raises(errors.InvalidArgument, match="budget"):
            assemble([one], budget)
    for wrong in ({"tokens": -1}, {"similarity": float("nan")}, {"authority_weight": 1.5}, {"coverage": -0.5}):
        with pytest.raises(errors.InvalidArgument, match="of a"):
            Document(**{"id": "a", "tokens": 1, **wrong})  # type: ignore[arg-type]
    with pytest.raises(errors.RecordNotFound, match="'b'"):
        assemble([one], 9).explain("b")


def test_a_document_that_says_nothing_of_the_question_is_not_found() -> None:
    """What is not said is the least: neither near nor covered, linked to nothing, and no invariant."""
    near = {"tokens": 1, "similarity": 0.5}
    plain, said = Document(id="a", tokens=1), Document(id="b", **near)
    assert assemble([plain, said], 9).injected == ("b",) and assemble([plain], 9).injected == ()
    least = Document(id="c", **near, authority_weight=1.0, coverage=0.0, hops=(), invariant=False)
    scores = assemble([said, least], 9).scores
    assert scores["b"] == scores["c"] > assemble([Document(id="d", **near, authority_weight=0.9)], 9).scores["d"]


def test_hops_leave_a_table_without_links_alone() -> None:
    made = memory({"id": "near"})
    recall = recalled(made)
    assert "hop_parent" not in recall.table.columns and Hops().decay == 0.5
