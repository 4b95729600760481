"""Profiles of legs and stages: who is asked, for how many, among which records; and what archived means."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from byheart import Memory, errors, profiles
from byheart.boundary.policy import Retrieval
from byheart.embedding import HashingEmbedder
from byheart.profiles import IfFewer, Leg, Profile
from byheart.profiles.activation import activation
from byheart.profiles.discovery import DiscoveryConfig
from byheart.ranking import algebra, scoped_stages
from byheart.ranking.agreement import AgreementFusion, ScoreFloor
from byheart.ranking.algebra import Influence, Stage, StageContext
from byheart.ranking.candidates import Candidates, join


@dataclass(frozen=True, slots=True)
class Nearness(Stage):
    """The cosine, less what a day costs."""

    name: ClassVar[str] = "nearness"
    inputs: ClassVar[tuple[str, ...]] = ("dense", "age_days")
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    monotone: ClassVar[dict[str, int]] = {"dense": 1, "age_days": -1}

    def __call__(self, table: Candidates, about: StageContext) -> Candidates:
        table = table.scored(
            "nearness", "add", [max(0.0, cosine or 0.0) for cosine in table.columns["dense"]], clamp=True
        )
        return table.scored("age", "divide", [1.0 + (age or 0.0) for age in table.columns["age_days"]]).sorted_stably()

    def influence(self) -> tuple[Influence, ...]:
        return (Influence("age", "time", "multiply", 0.0, 1.0),)


PROFILE = Profile("near", (Leg("dense"),), (Nearness(),), max_results=50)
PLACES = Profile(
    "places",
    (Leg("dense", 8, within="session"), Leg("dense", 4, within="user"), Leg("dense", 2, within="global")),
    (Nearness(),),
    max_results=8,
)


def memory(**settings: Any) -> Memory:
    return Memory(embedder=HashingEmbedder(), **settings)


def filled(**settings: Any) -> Memory:
    """Return forty records about kettles: of three sessions, of two users, of categories, some of nobody."""
    made = memory(**settings)
    made.remember_many(
        {
            "id": f"r{number:02}",
            "text": f"kettle number {number} is descaled every spring",
            "session_id": f"s{number % 3}" if number % 4 else None,
            "user_id": ("ann", "bob", None)[number % 3],
            "category": "odd" if number % 2 else "even",
            "kind": "turn" if number % 5 == 0 else None,
            "created_at": 1_000_000 + number,
        }
        for number in range(40)
    )
    return made


def ids(recall: Any) -> list[str]:
    return [hit.id for hit in recall]


def test_the_explanation_replays_the_score() -> None:
    recall = filled().recall("when is a kettle descaled", profile=PROFILE, now=2_000_000, explain=True)
    assert len(recall) == 40
    for hit in recall:
        assert hit.explanation is not None and hit.explanation.recomputed() == hit.score
        assert [change.name for change in hit.explanation.changes] == ["nearness", "age"]


def test_places_and_their_shares() -> None:
    made = filled()
    records = {record.id: record for record in made.records()}
    recall = made.recall("kettle descaled", k=8, profile=PLACES, session_id="s1", user_id="ann", now=2_000_000)
    assert len(recall) == 8
    own = [records[id].session_id == "s1" for id in (*ids(recall), *(row.id for row in recall.dropped))]
    assert sum(own) == 8 and len(own) == 8 + 4 + 2
    recall = made.recall("kettle descaled", k=8, profile=PLACES, user_id="ann", now=2_000_000)
    mine = [records[id] for id in [*ids(recall), *(row.id for row in recall.dropped)]]
    assert {record.user_id for record in mine} == {"ann", None}
    assert all(record.kind != "turn" for record in mine if record.user_id == "ann")
    assert all(record.session_id is None for record in mine if record.user_id is None)


@pytest.mark.parametrize(("who", "elsewhere"), [({"session_id": "s1"}, set()), ({"user_id": "ann"}, {"ann"})])
def test_who_names_only_a_session_or_only_a_user_finds_nothing_of_others(
    who: dict[str, str], elsewhere: set[str]
) -> None:
    """What is nobody's is looked for beside, and not what is somebody else's."""
    made = filled()
    everybody = replace(PLACES, legs=tuple(replace(leg, pool=50) for leg in PLACES.legs), max_results=50)
    hits = made.recall("kettle descaled", k=50, profile=everybody, now=2_000_000, **who)
    others = [hit.record for hit in hits if hit.record.session_id != who.get("session_id", "none")]
    assert {record.user_id for record in others} == {None, *elsewhere} and len(others) >= 2


def test_a_score_at_the_floor_of_a_leg_is_proposed() -> None:
    made = filled()

    def cosines(floor: float | None) -> list[float]:
        profile = Profile("floor", (Leg("dense", floor=floor),), (Nearness(),), max_results=50)
        return sorted(made.recall("kettle number 7 descaled", profile=profile).table.columns["dense"])

    every = cosines(None)
    least, middle = every[0], every[20]
    assert len(every) == 40 and least < middle < every[-1]
    assert cosines(middle) == [cosine for cosine in every if cosine >= middle]


def test_nobody_named_looks_everywhere() -> None:
    wide = replace(PLACES, legs=(Leg("dense", 50, within="session"), Leg("dense", 25, within="global")))
    assert len(filled().recall("kettle descaled", k=50, profile=wide, now=2_000_000)) == 40


@pytest.mark.parametrize("profile", ["kb-balanced", "kb-fast", "dense", PROFILE])
def test_categories_and_exclusions_are_part_of_the_search(profile: Any) -> None:
    made = filled()
    recall = made.recall("kettle number 7 descaled", k=3, profile=profile, category="even", now=2_000_000)
    proposed = {*ids(recall), *(row.id for row in recall.dropped)}
    assert len(proposed) >= 3 and all(int(id[1:]) % 2 == 0 for id in proposed)
    seen = set(ids(recall))
    rest = made.recall("kettle number 7 descaled", k=3, profile=profile, category="even", exclude=sorted(seen))
    assert not seen & {*ids(rest), *(row.id for row in rest.dropped)}
    assert len({*ids(rest), *(row.id for row in rest.dropped)}) >= 3
    assert rest.receipt.category == "even" and rest.receipt.exclude == tuple(sorted(seen))


def test_a_profile_says_what_it_limits() -> None:
    small = Profile("small", (Leg("dense"),), (Nearness(),), pool=5)
    recall = filled().recall("kettle", k=9, profile=small, now=2_000_000)
    assert len(recall) == 5 and recall.table.notes == ("9 hits were asked for; profile 'small' gives 5",)


@pytest.mark.parametrize("profile", profiles.NAMES)
@pytest.mark.parametrize("embedder", [None, HashingEmbedder(64)])
def test_an_answer_says_that_more_was_asked_for_than_its_profile_gives(profile: str, embedder: Any) -> None:
    pool = profiles.get(profile).pool
    memory = Memory(embedder=embedder)
    said = f"profile {profile!r} gives {pool} hits at most, however many are asked for: more records may answer"

    def answers(k: int) -> tuple[bool, bool]:
        answer = memory.recall("tap drips 7", k, profile, now=2)
        assert answer.degraded == memory.recall("tap drips 7", k, profile, now=2, explain=True).degraded
        return len(answer) > 0, said in answer.degraded

    memory.remember_many([{"text": f"tap number {number} drips", "created_at": 1} for number in range(2)])
    assert answers(100_000)[1] is False, "all that there is was weighed"
    memory.remember_many([{"text": f"tap number {number} drips", "created_at": 1} for number in range(2, pool + 9)])
    for k in (pool + 1, 100_000):
        some, told = answers(k)
        assert told == some or profile == "activation", "whose searches have larger pools than it gives hits"
        assert told or profile not in ("auto", "dense", "hybrid", "scoped")
    assert answers(pool)[1] is False, "what was asked for was given"


@pytest.mark.parametrize("profile", ["hybrid", "scoped", "discovery", Profile("w", (Leg("dense", 9),), ())])
def test_as_many_hits_as_a_recall_may_ask_for(profile: Any) -> None:
    assert len(filled().recall("kettle", k=100_000, profile=profile, now=2_000_000)) > 0


def test_without_an_embedder_words_stand_in_and_say_so() -> None:
    silent = Memory()
    silent.remember("the kettle is descaled every spring", id="a")
    none = silent.recall("kettle", profile=PROFILE, now=2_000_000_000)
    assert ids(none) == [] and "no embedder" in none.degraded[0]
    words = Profile("words", (Leg("dense", stand_in="lexical"),), (Nearness(),))
    some = silent.recall("kettle", profile=words, now=2_000_000_000)
    assert ids(some) == ["a"] and "no embedder" in some.degraded[0]


def test_a_filter_leaves_the_scale_of_words_as_it_is() -> None:
    """In the profile `activation` the worst of all that words find is the end of the scale, found or filtered away."""
    made = Memory()
    for id, text, kind in (
        ("best", "kettle kettle kettle", "fact"), ("some", "kettle and a pot of tea", "fact"),
        ("worst", "kettle beside cups, milk, plates, spoons, jars and whatever else is there", "note"),
    ):  # fmt: skip
        made.remember(text, id=id, kind=kind)
    profile = activation(Retrieval(min_score=0.0))
    whole, some = (made.recall("kettle", profile=profile, now=0.0, where=where) for where in (None, {"kind": "fact"}))
    assert [hit.id for hit in whole] == ["best", "some", "worst"]
    assert [(hit.id, hit.score) for hit in some] == [(hit.id, hit.score) for hit in whole][:2]


def test_archived_records_are_kept_and_not_found(tmp_path: Path) -> None:
    path = tmp_path / "memory.byheart"
    for _ in range(2):
        with filled(path=path) if not path.exists() else memory(path=path) as made:
            made.update("r07", archived_by="r07")
            made.update("r09", archived_by="r09", expires_at=1_500_000)
            for profile in ("kb-balanced", "dense", PROFILE):
                assert not {"r07", "r09"} & set(ids(made.recall("kettle number 7", k=50, profile=profile)))
            assert made.stats()["records"] == 38 and len(made.records()) == 40 and made.check() == []
            made.rebuild()
            assert made.stats()["records"] == 38
    with memory(path=path) as made:
        assert made.purge(now=1_500_000).ids == ("r09",)
        made.update("r07", archived_by=None)
        assert "r07" in ids(made.recall("kettle number 7", k=50, profile=PROFILE))
        assert made.forget(["r07"]).ids == ("r07",)


def test_expired_records_leave_their_place_to_others() -> None:
    made = memory()
    made.remember_many({"id": f"r{n}", "text": f"kettle {n}", "expires_at": 10 if n else None} for n in range(5))
    assert ids(made.recall("kettle 3", k=1, profile=PROFILE, now=20)) == ["r0"]


def test_bad_profiles() -> None:
    for wrong in (
        {"retriever": "oracle"},
        {"retriever": "dense", "within": "town"},
        {"retriever": "dense", "pool": 0},
    ):
        with pytest.raises(errors.InvalidArgument):
            Leg(**wrong)  # type: ignore[arg-type]
    for wrong in ({"legs": ()}, {"mode": "fast"}, {"pool": 0}):
        with pytest.raises(errors.InvalidArgument):
            Profile(**{"name": "x", "legs": (Leg("dense"),), "stages": (), **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"legs": ("dense",)}, {"stages": (len,)}])
def test_profiles_are_made_of_legs_and_stages(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=f"{next(iter(wrong))} must be"):
        Profile(**{"name": "x", "legs": (Leg("dense"),), "stages": (), **wrong})


def test_a_stage_of_ones_own_gives_finite_scores() -> None:
    @dataclass(frozen=True, slots=True)
    class Undefined(Stage):
        name: ClassVar[str] = "undefined"

        def __call__(self, table: Candidates, about: StageContext) -> Candidates:
            return table.scored("undefined", "add", [float("nan")] * len(table.ids))

    profile = Profile("own", (Leg("dense"),), (Nearness(), Undefined()))
    with pytest.raises(errors.InvalidArgument, match=r"profile 'own': a stage gives 'r\d\d' the score nan"):
        filled().recall("kettle", profile=profile, now=2_000_000)


def test_the_cosine_of_a_place_can_add_as_much_as_it_says_and_no_more() -> None:
    table = Candidates(("a",), {"dense": (1.0,), "score": (1.0,)})
    assert scoped_stages.Cosine(1.0)(table, StageContext(now=0.0, k=1)).scores() == [2.0]
    assert scoped_stages.Cosine.range == (0.0, 2.0)


@pytest.mark.parametrize(("than", "asked"), [(2, False), (3, True)])
def test_a_later_leg_is_asked_if_fewer_were_found_before_it(than: int, asked: bool) -> None:
    profile = Profile("few", (Leg("lexical"), Leg("dense", when=IfFewer(than))), (AgreementFusion(),))
    made = memory()
    made.remember_many([{"id": "a", "text": "kettle"}, {"id": "b", "text": "kettles"}, {"id": "c", "text": "teapot"}])
    assert made.recall("kettle", profile=profile).receipt.escalated is asked


def test_promises_are_looked_at() -> None:
    table = join({"dense": [("a", 0.9), ("b", 0.2), ("c", -0.1)]}).with_column("age_days", [0.0, 2.0, 3.0])
    about = StageContext(now=0.0, k=3)
    assert algebra.violations(Nearness(), table, about) == []

    class Empty(Nearness):
        def __call__(self, table: Candidates, about: StageContext) -> Candidates:
            return Candidates((), {})

    assert algebra.violations(Empty(), table, about) == [f"{id}: vanished without a reason" for id in "abc"]
    assert algebra.worst_case([Nearness()]) == ({"time": float("inf")}, {})

    class Broken(Nearness):
        monotone: ClassVar[dict[str, int]] = {"dense": -1}
        range: ClassVar[tuple[float, float]] = (0.5, 1.0)

        def __call__(self, table: Candidates, about: StageContext) -> Candidates:
            table = table.scored("first", "add", [0.5, *([0.0] * (len(table.ids) - 1))])
            after = Nearness.__call__(self, table, about)
            return Candidates(after.ids[:-1], {name: column[:-1] for name, column in after.columns.items()})

    found = algebra.violations(Broken(), table, about)
    assert any("vanished" in each for each in found) and any("outside" in each for each in found)
    assert any("order of the rows" in each for each in found) and any("dense rose" in each for each in found)


def test_the_most_used_record_is_the_one_that_can_be_found() -> None:
    made = memory()
    made.remember_many({"id": f"r{n}", "text": f"kettle {n}", "access_count": n, "created_at": 10} for n in range(4))

    def omega(id: str) -> float:
        table = made.recall("kettle", profile="discovery", now=10).table
        return float(table.columns["omega"][table.ids.index(id)] or 0.0)

    assert (omega("r3"), omega("r2")) == (0.7, pytest.approx(0.5 + 0.2 * math.log(3) / math.log(4)))
    made.touch(["r3"], now=10)
    assert omega("r2") == pytest.approx(0.5 + 0.2 * math.log(3) / math.log(5)), "counted anew once it has changed"
    made.update("r3", archived_by="r3")
    assert omega("r2") == 0.7, "an archived record is not the measure of others"


# ---- answers without hits


@pytest.mark.parametrize("explain", [True, False])
@pytest.mark.parametrize("profile", ["kb-fast", "kb-balanced", "kb-thinkingdb"])
def test_an_empty_answer_says_that_what_was_found_scores_below_the_minimum(profile: str, explain: bool) -> None:
    made = Memory(embedder=HashingEmbedder(64))
    made.remember_many([f"The kettle boils at {number} degrees in room {number}." for number in range(300)])
    found = made.recall("kettle boils", profile=profile, explain=explain)
    [least] = [stage.at_least for stage in profiles.get(profile).stages if isinstance(stage, ScoreFloor)]
    assert not found.hits and any(row.reason.startswith("below minimum") for row in found.dropped)
    assert found.degraded == (f"what was found was left out: it scores below the minimum of {least:g}",)
    assert made.recall("zebra", profile=profile, explain=explain).degraded == (), "nothing was found"
    made.remember("Whistling.", id="one")
    some = made.recall("whistling", profile=profile, explain=explain)
    assert some.hits and some.degraded == (), "what is left speaks for itself"


@pytest.mark.parametrize("explain", [True, False])
def test_an_empty_answer_of_discovery_says_that_what_was_found_is_not_like_the_question(explain: bool) -> None:
    made = Memory(embedder=HashingEmbedder(64))
    made.remember_many([f"The kettle boils at {number} degrees in room {number}." for number in range(300)])
    profile = DiscoveryConfig(theta1=0.99).profile()
    found = made.recall("kettle boils", profile=profile, explain=explain, now=2_000_000)
    below = [row for row in found.dropped if row.reason.startswith("below the floor")]
    assert not found.hits and below
    said = f"{len(below)} records were found, and left out: they score below the floor of 0.99"
    assert found.degraded == (said,)


def test_rows_are_dropped_by_number_each_with_a_reason() -> None:
    table = Candidates(("a", "b", "c"), {"score": (3.0, 2.0, 1.0)})
    left = table.drop({1: "too old"})
    assert (left.ids, left.dropped) == (("a", "c"), (("b", "too old"),)) and table.drop({}) is table
    for given in ([None, "too old", None], ["too old"], [], "too old"):
        with pytest.raises(TypeError, match=r'reasons must be a mapping such as \{3: "too old"\}, not'):
            table.drop(given)  # type: ignore[arg-type]
    for row in (3, -1):
        with pytest.raises(errors.InvalidArgument, match=f"there is no row {row}; the table has 3"):
            table.drop({0: "too old", row: "too old"})
