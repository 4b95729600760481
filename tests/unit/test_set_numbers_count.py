"""Numbers that are set change what a recall does: bounds of the closure, the cascade, and who is asked besides."""

import json
from itertools import pairwise

import pytest

from byheart import Memory, Profile, escalating, profiles
from byheart.errors import ByheartError, InvalidArgument, UnknownField
from byheart.evaluation.receipt_replay import replay
from byheart.profiles import IfUnsure, Leg
from byheart.profiles.files import changed
from byheart.retrieval.dense import exits

RULES = ("loom", "mill", "wheel", "water")


def facts() -> Memory:
    memory = Memory()
    for number, (one, other) in enumerate(pairwise(RULES)):
        memory.remember(f"The {one} depends on the {other}.", id=one, subject=one, relation="depends_on", object=other,
                        created_at=number)  # fmt: skip
    return memory


def test_the_bounds_of_a_closure_bound_it() -> None:
    near = changed(profiles.get("kb-thinkingdb"), {"legs.symbolic.settings.max_depth": 1})
    with facts() as memory:
        whole = memory.recall("loom", profile="kb-thinkingdb", explain=True)
        bound = memory.recall("loom", profile=near, explain=True)

    def found(answer: object) -> int:
        return len(next(each for each in answer.trace.strategies if each.name == "symbolic").candidates)  # type: ignore[attr-defined]

    assert (found(whole), found(bound)) == (3, 2)


def test_a_weight_of_proofs_is_in_the_score_and_its_explanation() -> None:
    dear = changed(profiles.get("kb-thinkingdb"), {"legs.symbolic.settings.distance_penalty": 1.0})
    with facts() as memory:
        explained = memory.explain("loom", "mill", profile=dear)
    assert explained.recomputed() == explained.score
    assert "(1 + 1 x" in str(explained)


def vectors() -> Memory:
    memory = Memory(vectors="own:128")
    for number in range(20):
        row = [0.0] * 128
        row[0], row[64 + number] = 1.0, 0.1 * number
        memory.remember(f"Text {number}.", id=f"{number:02}", vector=row, created_at=number)
    return memory


def test_tiers_and_thresholds_of_the_cascade() -> None:
    question = [1.0] + [0.0] * 63 + [0.0] * 10 + [0.5] + [0.0] * 53
    base = changed(profiles.get("dense"), {"mode": "early_exit"})
    leaves = changed(base, {"legs.dense.settings.thresholds": [0.5], "legs.dense.settings.rescore": "tier"})
    stays = changed(leaves, {"legs.dense.settings.thresholds": [1.5]})
    with vectors() as memory:
        left = memory.recall("x", profile=leaves, vector=question, k=1)
        stayed = memory.recall("x", profile=stays, vector=question, k=1)
        exact = memory.recall("x", profile="dense", vector=question, k=1)
        with pytest.raises(InvalidArgument, match="tiers: vectors of 128 numbers may leave at 64, not at 256"):
            memory.recall("x", profile=changed(base, {"legs.dense.settings.tiers": [256]}), vector=question)
    assert (stayed[0].id, stayed[0].score) == (exact[0].id, exact[0].score)
    assert (left[0].id, left[0].score) != (exact[0].id, exact[0].score)


def test_tiers_that_are_not_named_are_not_left_at() -> None:
    assert exits(768, [256]) == (2.0, 0.80)
    with pytest.raises(InvalidArgument, match="give one for each"):
        exits(768, [64, 256], [0.5])


FULL = escalating("full", escalation="full", min_score=0.1, min_acceptable=1, least_lead=0.2)
FEW = escalating("few", escalation="few", min_score=0.1, min_acceptable=1)


@pytest.mark.parametrize(
    ("texts", "asked", "few", "full"),
    [
        (["The kettle is old.", "The pot is new."], "kettle", False, False),  # one record, and sure
        (["The kettle is old.", "The kettle is new."], "kettle", False, True),  # two, just as good
        (["The pot is new.", "The pan is new."], "kettle", True, True),  # none
        (["The kettle is old."], '+blue kettle "old"', False, True),  # what must be there is nowhere
    ],
)
def test_full_escalation(texts: list[str], asked: str, few: bool, full: bool) -> None:
    with Memory() as memory:
        memory.remember_many([{"id": str(number), "text": text} for number, text in enumerate(texts)])
        assert memory.recall(asked, profile=FEW).receipt.escalated is few
        assert memory.recall(asked, profile=FULL).receipt.escalated is full


def test_a_filter_does_not_change_whether_more_is_asked() -> None:
    with Memory() as memory:
        memory.remember("The kettle is old.", id="a", kind="note")
        memory.remember("The kettle is new.", id="b", kind="letter")
        whole = memory.recall("kettle", profile=FULL)
        filtered = memory.recall("kettle", profile=FULL, where={"kind": "note"})
    assert whole.receipt.escalated and filtered.receipt.escalated
    assert next(hit for hit in whole if hit.id == "a").score == filtered[0].score


def test_what_lies_outside_the_boundary_does_not_change_whether_more_is_asked() -> None:
    answers = []
    for others in ([], ["The kettle is new.", "A kettle."]):
        with Memory() as memory:
            memory.remember_many([{"id": "a", "text": "The kettle is old."}, {"id": "p", "text": "The pot is new."}])
            memory.remember_many([{"text": text, "tenant": "other"} for text in others])
            memory.remember_many([{"text": text, "boundary_class": "secret"} for text in others])
            answers.append(memory.recall("kettle", profile=FULL, now=0).receipt.to_dict())
    for answer in answers:
        answer.pop("digests")  # of records, which say when they were made
    assert answers[0] == answers[1]
    assert answers[0]["escalated"] is False


def test_the_condition_is_read_back_and_checked() -> None:
    leg = Leg("hypervector", when=IfUnsure(3, 0.2, 0.3))
    assert Leg.from_dict(json.loads(json.dumps(leg.to_dict()))) == leg
    for wrong in ({"than": -1}, {"score": 2.0}, {"gap": -0.1}):
        with pytest.raises(ByheartError, match=next(iter(wrong))):
            IfUnsure(**wrong)  # type: ignore[arg-type]
    with pytest.raises(UnknownField, match="did you mean 'max_depth'"):
        Leg("symbolic", settings={"max_deph": 3})


@pytest.mark.parametrize("name", ["always", "if_unsure", "if_gate"])
def test_a_condition_takes_the_place_of_another(name: str) -> None:
    for base in (profiles.get("kb-balanced"), FULL, profiles.get("router")):
        assert changed(base, {"legs.1.when": name}).legs[1].when.to_dict()["when"] == name


def test_an_answer_is_asked_again_from_its_receipt() -> None:
    mine = changed(profiles.get("auto"), {"max_results": 1, "stages.Strength.floor": 0.0})
    with Memory() as memory:
        memory.remember("The kettle is descaled every spring.", id="kettle", created_at=0)
        answer = memory.recall("kettle spring", profile=mine, min_strength=0.01, deadline=9.0, now=5)
        receipt = json.loads(json.dumps(answer.receipt.to_dict()))
        again = replay(memory, receipt)
    assert receipt["deadline"] == 9.0 and receipt["min_strength"] == 0.01
    assert Profile.from_dict(receipt["settings"]) == mine
    assert again.same and again.receipt == answer.receipt
