"""Profile `scoped`: whose records count for what, how early exits are scored, copies, summaries, its configuration."""

import warnings
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory, errors
from byheart.embedding import HashingEmbedder
from byheart.profiles import get
from byheart.profiles.scoped import ScopedConfig
from byheart.ranking.algebra import worst_case
from byheart.ranking.scoped import hybrid_score
from byheart.ranking.scoped_stages import Cosine, ScopedRecency, ScopeWeight

NOW = 2_000_000.0
TEXT = "the kettle is descaled every spring"


def memory(*records: dict[str, Any], **settings: Any) -> Memory:
    made = Memory(embedder=HashingEmbedder(), **settings)
    made.remember_many({"text": TEXT, "created_at": NOW} | record for record in records)
    return made


def recalled(made: Memory, query: str = TEXT, profile: Any = "scoped", **arguments: Any) -> Any:
    return made.recall(query, profile=profile, now=NOW, session_id="s1", user_id="ann", **arguments)


def scores(recall: Any) -> dict[str, float]:
    return {hit.id: hit.score for hit in recall}


def reasons(recall: Any) -> dict[str, str]:
    return {row.id: row.reason for row in recall.dropped}


def same(recall: Any) -> float:
    """Return the cosine of a text with itself, as float32 have it; every hit has it."""
    (cosine,) = set(recall.table.columns["dense"])
    assert cosine == pytest.approx(1.0, abs=2**-20)
    return float(cosine)


def test_scopes_of_one_text_and_time() -> None:
    made = memory(
        {"id": "anyone"}, {"id": "mine", "user_id": "ann"}, {"id": "here", "user_id": "ann", "session_id": "s1"}
    )
    recall = recalled(made, explain=True)
    assert [hit.id for hit in recall] == ["here", "mine", "anyone"]
    for hit, scope in zip(recall, ("session", "user", "global"), strict=True):
        assert hit.score == hybrid_score(same(recall), 0.0, scope) == hit.explanation.recomputed()
        assert [change.name for change in hit.explanation.changes] == ["cosine", "recency", "scope_weight"]


def test_what_has_changed_hands_since_a_file_was_opened_belongs_to_its_new_user(tmp_path: Path) -> None:
    """Whose a record was is read with the saved indexes, and is let go of when it changes hands after that."""
    path = tmp_path / "memory.db"
    with Memory(path, embedder=HashingEmbedder()) as made:
        made.remember_many(
            {"id": f"{user}{number}", "text": f"{TEXT} {number}", "created_at": NOW, "user_id": user}
            for user in ("ann", "bob")
            for number in range(3)
        )
        assert made._engine.indexes.save(at_least=0)
    with Memory(path, embedder=HashingEmbedder()) as made:
        assert "opened generation" in made.opened
        made.update("ann0", user_id="bob")
        made.update("bob0", user_id="ann")
        made.forget("ann1")
        made.remember(TEXT, id="new", created_at=NOW, user_id="bob")  # where what was forgotten lay, perhaps
        assert sorted(scores(recalled(made))) == ["ann2", "bob0"]
        assert sorted(scores(made.recall(TEXT, profile="scoped", now=NOW, user_id="bob"))) == [
            "ann0",
            "bob1",
            "bob2",
            "new",
        ]
        assert made.count({"user_id": "ann"}) == 2 and made.check() == []


def test_what_belongs_to_others_is_not_asked() -> None:
    made = memory({"id": "bobs", "user_id": "bob"}, {"id": "other", "user_id": "ann", "session_id": "s2"})
    recall = recalled(made)
    assert scores(recall) == {"other": hybrid_score(same(recall), 0.0, "user")}  # the user's, from another session


def test_a_category_narrows_every_place() -> None:
    whose: list[dict[str, Any]] = [{"session_id": "s1"}, {"user_id": "ann"}, {}]
    kinds = [(place, category) for place in range(3) for category in ("tea", "rice")]
    made = memory(*({"id": f"{category}{place}", "category": category} | whose[place] for place, category in kinds))
    assert set(scores(recalled(made))) >= {"tea0", "rice0"}
    assert set(scores(recalled(made, category="rice"))) == {"rice0", "rice1", "rice2"}


def test_recency_fades_by_scope() -> None:
    old = {"created_at": NOW - 86_400}
    made = memory({"id": "mine", "user_id": "ann"} | old, {"id": "here", "session_id": "s1"} | old)
    recall = recalled(made)
    assert list(scores(recall).items()) == [  # after a day the session's own has faded below the user's
        ("mine", hybrid_score(same(recall), 86_400.0, "user")),
        ("here", hybrid_score(same(recall), 86_400.0, "session")),
    ]


def test_a_record_is_as_old_as_its_last_change() -> None:
    made = memory(
        {"id": "changed", "session_id": "s1", "created_at": NOW - 86_400, "updated_at": NOW - 3_600},
        {"id": "later", "session_id": "s1", "created_at": NOW - 86_400, "updated_at": NOW + 60},  # than now: no age
        {"id": "made", "session_id": "s1", "created_at": NOW - 3_600},
    )
    recall = recalled(made)
    ages = {"changed": 3_600.0, "later": 0.0, "made": 3_600.0}
    assert scores(recall) == {id: hybrid_score(same(recall), age, "session") for id, age in ages.items()}


def test_an_early_exit_scores_by_whole_vectors() -> None:
    made = Memory(embedder=HashingEmbedder())
    made.remember_many({"id": f"r{n}", "text": f"kettle number {n} is descaled", "created_at": NOW} for n in range(30))
    query = "kettle number 7 is descaled"
    early = made.recall(query, k=5, profile="scoped", mode="early_exit", now=NOW)
    assert early.receipt.mode == "early_exit"
    exact = {hit.id: hit.score for hit in made.recall(query, k=30, profile="dense", now=NOW)}
    assert len(early) == 5 and set(scores(early)) != set(list(exact)[:5])  # 64 numbers a vector were enough to answer
    assert scores(early) == {hit.id: hybrid_score(exact[hit.id], 0.0, "global") for hit in early}


def test_of_a_turn_and_its_promoted_copy_the_better_stays() -> None:
    turn = {"id": "t1", "kind": "turn", "user_id": "ann", "session_id": "s1"}
    copy = {"id": "copy", "user_id": "ann", "provenance": {"source_id": "t1"}}
    recall = recalled(memory(turn, copy))
    assert list(scores(recall)) == ["t1"] and reasons(recall) == {"copy": "same source as t1 (t1)"}
    old = turn | {"created_at": NOW - 1e6}
    recall = recalled(memory(old, copy))
    assert list(scores(recall)) == ["copy"] and reasons(recall) == {"t1": "same source as copy (t1)"}
    unlike = copy | {"provenance": {"source_id": 7}}  # names nothing
    assert set(scores(recalled(memory(turn, unlike)))) == {"t1", "copy"}


def test_what_a_summary_lost_counts_and_only_there() -> None:
    made = memory(
        {"id": "sure", "kind": "summary", "decay_rate": 0.2},
        {"id": "unsure", "kind": "summary", "decay_rate": 1.0},
        {"id": "silent", "kind": "summary"},
        {"id": "plain", "decay_rate": 1.0},
    )
    recall = made.recall(TEXT, profile="scoped", now=NOW)
    full = hybrid_score(same(recall), 0.0, "global")
    assert scores(recall) == {"sure": full * 0.9, "unsure": full * 0.5, "silent": full, "plain": full}


def test_a_minimum_score_is_a_choice() -> None:
    made = memory({"id": "near"}, {"id": "far", "text": "a timetable of trams in another town"})
    assert len(recalled(made)) == 2
    recall = recalled(made, profile=ScopedConfig(min_score=0.5).profile())
    assert list(scores(recall)) == ["near"] and "below the minimum score" in reasons(recall)["far"]
    equal = recalled(made, profile=ScopedConfig(min_score=scores(recall)["near"]).profile())
    assert list(scores(equal)) == ["near"]


def test_without_an_embedder_words_stand_in_and_say_so() -> None:
    made = Memory()
    made.remember(TEXT, id="a", created_at=NOW)
    recall = recalled(made, "kettle")
    assert list(scores(recall)) == ["a"] and "no embedder" in recall.degraded[0]


def test_shares_of_the_places() -> None:
    profile = get("scoped")
    assert [(leg.within, leg.pool) for leg in profile.legs] == [("session", 8), ("user", 4), ("global", 2)]
    assert (profile.max_results, profile.pool, profile.mode, profile.name) == (8, 14, "by_model", "scoped")
    assert [leg.pool for leg in ScopedConfig(top_k=3).profile().legs] == [3, 2, 1]


def test_how_far_other_causes_can_turn_a_ranking() -> None:
    factors, summands = worst_case(ScopedConfig().profile().stages)
    assert factors == {"quality": 2.0}
    assert summands == {"time": 0.2, "scope": pytest.approx(0.07)}


def test_configuration_by_the_seeds_names_and_by_ours() -> None:
    given = {"alpha": 0.5, "beta": 0.4, "gamma": 0.1, "compactionQualityWeight": 0.25, "topK": 3}
    config = ScopedConfig.from_dict(given | {"recencyLambdaUser": 2e-5})
    assert (config.delta, config.top_k, config.recency_lambda_user) == (0.25, 3, 2e-5)
    assert config == ScopedConfig.from_dict(
        {"alpha": 0.5, "beta": 0.4, "gamma": 0.1, "delta": 0.25, "top_k": 3, "recency_lambda_user": 2e-5}
    )
    stages = config.profile().stages
    assert stages[:3] == (Cosine(0.5), ScopedRecency(0.4, (1e-4, 2e-5, 2e-6)), ScopeWeight(0.1))
    with pytest.raises(errors.UnknownField, match=r"'alfa'.*did you mean 'alpha'"):
        ScopedConfig.from_dict({"alfa": 0.5})
    with pytest.raises(errors.InvalidArgument, match="delta is given twice"):
        ScopedConfig.from_dict({"delta": 0.5, "compactionQualityWeight": 0.5})
    with pytest.raises(TypeError, match="names are str"):
        ScopedConfig.from_dict({1: 0.5})  # type: ignore[dict-item]


def test_weights_are_taken_as_given_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"sum to 1\.3, not 1") as seen:
        config = ScopedConfig(alpha=1.0)
    assert seen[0].filename == __file__
    assert config.weights() == (1.0, 0.2, 0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ScopedConfig(alpha=1.0, beta=0.5, gamma=0.5, normalize_weights=True).weights() == (0.5, 0.25, 0.25)
        assert ScopedConfig(alpha=0.7, beta=0.2, gamma=0.1 + 1e-12).gamma == 0.1 + 1e-12
    with pytest.raises(errors.InvalidArgument, match="all 0"):
        ScopedConfig(alpha=0.0, beta=0.0, gamma=0.0, normalize_weights=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": 1.5},
        {"beta": -0.1},
        {"gamma": float("nan")},
        {"delta": 2.0},
        {"min_score": -1.0},
        {"top_k": 0},
        {"recency_lambda_user": -1e-5},
        {"recency_lambda_global": float("inf")},
        {"scope_user": 1.1},
    ],
)
def test_numbers_outside_their_domain(wrong: dict[str, Any]) -> None:
    with pytest.raises(errors.InvalidArgument, match=next(iter(wrong)).split("_")[-1]):
        ScopedConfig(**wrong)


def test_a_switch_is_no_word() -> None:
    with pytest.raises(TypeError, match="normalize_weights must be bool"):
        ScopedConfig(normalize_weights="no")  # type: ignore[arg-type]


def test_the_formula_checks_what_it_is_given() -> None:
    for wrong in ({"scope": "town"}, {"alpha": 2.0}, {"delta": -1.0, "summary": True}, {"rates": (1e-4, 1e-5)}):
        with pytest.raises(errors.InvalidArgument):
            hybrid_score(0.5, 0.0, **{"scope": "user", **wrong})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="rate"):
        hybrid_score(0.5, 0.0, "user", rates=(1e-4, "1e-5", 0.0))  # type: ignore[arg-type]
    for stage, argument in ((Cosine, 1.5), (ScopedRecency, -1.0), (ScopeWeight, 2.0)):
        with pytest.raises(errors.InvalidArgument):
            stage(argument)


@pytest.mark.parametrize("name", ["alpha", "beta", "gamma"])
def test_a_weight_outside_its_range_is_named(name: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=name):
        hybrid_score(0.5, 0.0, "user", **{name: 1.5})
