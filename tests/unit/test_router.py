"""The router over two lists: gate, budget, fusion, order, and what is told of a question and of a run."""

import json

import pytest

from byheart.errors import InvalidArgument, UnknownField
from byheart.evaluation.router_report import Answered, as_json, as_markdown, report, without_timings
from byheart.profiles import IfGate, Leg, Profile
from byheart.profiles.router import RouterConfig
from byheart.ranking.router import fusion, gate
from byheart.ranking.router.acceptance import acceptance
from byheart.ranking.router.fusion import Placed
from byheart.ranking.router.routing import Constants, route

# ---- the gate


@pytest.mark.parametrize(("found", "asked"), [(0, True), (1, True), (2, True), (3, False), (9, False)])
def test_the_second_stage_is_asked_below_three(found: int, asked: bool) -> None:
    decision = route([f"s{n}" for n in range(found)], ["x"]).decision
    assert (decision.stage2_should_trigger, decision.stage2_used) == (asked, asked)
    assert decision.reason == ("used" if asked else "not_triggered")


def test_three_to_nine_are_not_filled_up() -> None:
    assert route(["a", "b", "c"], ["d", "e"]).ids == ["a", "b", "c"]


def test_the_gate_counts_different_ids_of_the_first_that_were_delivered() -> None:
    assert route(["a", "a", "a"], ["b"]).decision.stage2_should_trigger
    assert route(["a", "a", "b", "c"], ["z"], Constants(n1=3)).ids == ["a", "b", "z"]


def test_the_threshold_does_not_grow_with_the_hits() -> None:
    assert route(["a", "b", "c"], ["d"], Constants(top_k=50)).ids == ["a", "b", "c"]


# ---- the budget


@pytest.mark.parametrize(("took", "used"), [(599.0, True), (600.0, True), (600.0000001, False), (9e9, False)])
def test_what_took_longer_than_the_cap_does_not_count(took: float, used: bool) -> None:
    routed = route(["a"], ["b"], latency_ms={"stage1": 2.0, "stage2": took})
    assert routed.ids == (["a", "b"] if used else ["a"])
    assert (routed.decision.stage2_used, routed.decision.stage2_skipped_budget) == (used, not used)
    assert routed.latency_ms == {"stage1": 2.0, "stage2": took, "fusion": 0.0, "total": 2.0 + took}


@pytest.mark.parametrize(("estimate", "asked"), [(None, True), (600.0, True), (601.0, False)])
def test_what_is_estimated_above_the_cap_is_not_begun(estimate: float | None, asked: bool) -> None:
    routed = route(["a"], ["b"], estimate_ms=estimate, latency_ms={"stage2": 5.0})
    assert routed.decision.stage2_used is asked and routed.decision.estimate_ms == estimate
    assert routed.latency_ms["stage2"] == (5.0 if asked else 0.0)
    assert asked or routed.decision.reason == "estimated_over_cap"


def test_a_time_that_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="milliseconds"):
        gate.exceeds(float("nan"))


# ---- failures


def test_a_first_stage_that_failed_found_nothing_and_opens_the_gate() -> None:
    routed = route(["a", "b", "c"], ["d"], errors={"stage1": "TIMEOUT"})
    assert routed.ids == ["d"]
    assert routed.to_dict()["errors"] == {"stage1": "TIMEOUT"} and routed.decision.stage2_used


def test_a_second_stage_that_failed_leaves_the_first_alone() -> None:
    routed = route(["a"], ["b"], errors={"stage2": "TIMEOUT"})
    assert (routed.ids, routed.decision.reason) == (["a"], "error")
    assert not routed.decision.stage2_used and not routed.decision.stage2_skipped_budget


def test_a_second_stage_that_was_not_asked_cannot_fail() -> None:
    assert route(["a", "b", "c"], [], errors={"stage2": "TIMEOUT"}).decision.reason == "not_triggered"


# ---- fusion and order


def test_filling_keeps_the_first_list_and_ends_at_the_hits_and_at_the_cap() -> None:
    second = [f"l{n}" for n in range(20)]
    assert route(["b", "a"], ["a", *second]).ids == ["b", "a", *second[:8]]
    assert route(["b"], second, Constants(max_append=3)).ids == ["b", "l0", "l1", "l2"]
    assert route([], second).ids == second[:10]
    assert route([], second, Constants(n2=4)).ids == second[:4]


def test_both_modes_and_their_order_come_out_the_same_each_time() -> None:
    first, second = ["x", "y"], ["z", "y", "w", "x"]
    for mode in fusion.MODES:
        routed = [route(first, second, Constants(mode=mode)) for _ in range(3)]
        assert routed[0].placed == routed[1].placed == routed[2].placed


def test_reciprocal_ranks_and_their_ties() -> None:
    rows = route(["x", "y"], ["y", "x"], Constants(mode="rrf_fusion")).placed
    assert rows[0] == Placed("x", 1 / 61 + 1 / 62, 0, 1) and rows[1] == Placed("y", 1 / 62 + 1 / 61, 0, 2)
    assert fusion.rrf([["b"], ["a"]])[0].id == "b", "the first stage goes before the second"


def test_ids_are_compared_letter_by_letter() -> None:
    rows = [Placed(id, 0.5, 0, 1) for id in ("s2", "S2", "s10", "é")]
    assert [row.id for row in fusion.in_order(rows)] == ["S2", "s10", "s2", "é"]


def test_scores_that_differ_in_the_last_bit_differ() -> None:
    rows = [Placed("a", 0.3, 0, 1), Placed("b", 0.1 + 0.2, 1, 9)]
    assert [row.id for row in fusion.in_order(rows)] == ["b", "a"]


def test_rrf_obeys_the_gate_unless_both_are_wanted() -> None:
    first, second = ["a", "b", "c"], ["d", "a"]
    assert route(first, second, Constants(mode="rrf_fusion")).ids == first
    both = route(first, second, Constants(mode="rrf_fusion", always_stage2=True))
    assert set(both.ids) == {"a", "b", "c", "d"} and both.decision.stage2_used
    assert not both.decision.stage2_should_trigger


# ---- constants


def test_receipts_name_the_constants_as_the_contract_does() -> None:
    assert Constants().to_dict() == {
        "fusion": "append_fill", "top_k": 10, "n1": 20, "n2": 20, "max_stage2_append": 10, "min_must_count": 3,
        "k_rrf": 60, "stage2_cap_ms": 600.0, "p95_target_ms": 1500.0, "always_stage2": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    "wrong", [{"mode": "weighted"}, {"top_k": 0}, {"n1": 0}, {"min_must": -1}, {"cap_ms": float("nan")}]
)
def test_constants_are_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(wrong))):
        Constants(**wrong)  # type: ignore[arg-type]


def test_a_configuration_is_read_in_every_spelling() -> None:
    config = RouterConfig.from_dict({"minMustCount": 5, "stage2_cap_ms": 50, "fusion": "rrf_fusion"})
    assert (config.min_must, config.cap_ms, config.mode) == (5, 50, "rrf_fusion")
    assert config.merged({"topK": 3}).top_k == 3 and RouterConfig.from_dict(config.to_dict()) == config
    for read in (RouterConfig.from_dict, config.merged):
        with pytest.raises(UnknownField, match=r"^configuration: unknown name 'min_mus'.*min_must"):
            read({"min_mus": 1})
    with pytest.raises(InvalidArgument, match="two stages"):
        RouterConfig(stage1="dense")


def test_a_profile_with_a_gate_is_read_back_from_its_mapping() -> None:
    config = RouterConfig(estimate="p95", always_stage2=True, cap_ms=7.5, mode="rrf_fusion")
    profile = config.profile()
    assert Profile.from_dict(json.loads(json.dumps(profile.to_dict()))) == profile
    assert profile.legs[1].when == IfGate(3, 7.5, "p95", True)
    assert profile.runs_secondary(9) and not RouterConfig().profile().runs_secondary(3)
    assert RouterConfig().profile().runs_secondary(2)
    with pytest.raises(InvalidArgument, match="p95"):
        IfGate(estimate="p50")
    with pytest.raises(InvalidArgument, match="several have a gate"):
        Profile("two", legs=(Leg("dense", when=IfGate()), Leg("lexical", when=IfGate())), stages=())


# ---- acceptance and the report of a run


@pytest.mark.parametrize(
    ("p95", "recall", "told", "accepted"),
    [(1500.0, 0.9, False, True), (1500.1, 1.0, True, False), (1.0, 0.89, False, False), (1.0, 0.89, True, True)],
)
def test_acceptance(p95: float, recall: float, told: bool, accepted: bool) -> None:
    assert acceptance(p95, recall, 0.9, degradation_quantified=told).accepted is accepted


def answered(took: float = 1.0) -> list[Answered]:
    rules = Constants()
    runs = {
        "q1": route(["a", "b", "c"], ["d"], rules, latency_ms={"stage1": took}),
        "q2": route(["a"], ["d"], rules, latency_ms={"stage1": took, "stage2": 2.0}),
        "q3": route(["a"], ["d"], rules, latency_ms={"stage1": took, "stage2": 700.0}),
        "q4": route(["a"], ["d"], rules, errors={"stage2": "TIMEOUT"}),
    }
    return [Answered(id, routed.ids, ["d"], routed.to_dict()) for id, routed in runs.items()]


BASELINE = {"hit": 0.5, "precision": 0.1, "recall": 0.5, "mrr": 0.5, "ndcg": 0.5}


def test_the_report_of_a_run_counts_and_scores() -> None:
    told = report(answered(), Constants(), failures=[("q5", "TIMEOUT")], baseline=BASELINE)
    assert told["stages"] == {
        "stage2_should_trigger": 3, "stage2_used": 1, "stage2_skipped_budget": 1, "stage2_not_triggered": 1,
        "stage2_errors": 1, "stage1_errors": 0,
    }  # fmt: skip
    assert told["config"]["mode"] == "hybrid_router" and told["config"]["stage3"] == "off"
    assert (told["summary"]["recall"], told["summary_failures_as_zero"]["recall"]) == (0.25, 0.2)
    assert told["deltas"]["recall"] == -0.25
    assert told["acceptance"] == {"p95_ok": True, "recall_non_degrading": False, "accepted": False}
    assert told["results"][1]["stage2_used"] and told["results"][1]["latency_ms"]["total"] == 3.0
    assert told["latency"]["total"]["p50"] == pytest.approx(2.0)
    page = as_markdown(told)
    for line in ("| skipped for time | 1 |", "| recall | 0.2500 | 0.2000 | 0.5000 | -0.2500 |", "| k_rrf | 60 |"):
        assert line in page.splitlines()


def test_two_reports_of_one_run_differ_in_times_alone() -> None:
    one, two = (report(answered(took), Constants(), baseline=BASELINE) for took in (1.0, 2000.0))
    assert one["acceptance"] != two["acceptance"]
    assert as_json(one) != as_json(two)
    assert as_json(without_timings(one)) == as_json(without_timings(two))
    assert as_json(one) == as_json(report(answered(), Constants(), baseline=BASELINE))


def test_a_report_refuses_a_question_twice_and_judges_nothing_without_a_baseline() -> None:
    with pytest.raises(InvalidArgument, match="'q1' occurs twice"):
        report(answered(), Constants(), failures=[("q1", "TIMEOUT")])
    told = report(answered(), Constants())
    assert told["acceptance"] is None and "Not judged" in as_markdown(told)


def test_times_of_no_question_are_zero() -> None:
    told = report([], Constants(), failures=[("q1", "TIMEOUT")])
    assert set(told["latency"]) == {"total", "stage1", "stage2", "fusion"}
    assert all(figures == {"p50": 0.0, "p95": 0.0, "mean": 0.0} for figures in told["latency"].values())
