"""The gating scalar, its settings, its calibration, the token estimates and the recent tail."""

from dataclasses import replace

import numpy as np
import pytest

from byheart import errors
from byheart.conversation.gate import DEFAULT, NAMES, SOURCE, Gate, GateSettings, gate, mix
from byheart.conversation.recent_tail import Turn, recent_tail
from byheart.patterns import GatePatterns
from byheart.ranking.calibration import Isotonic
from byheart.ranking.tokens import GateTokens, HostTokens

ORIGINAL = GateSettings(profile="1.3.5")

# Plain code, of several languages: no prose is found in it (A1.6.9).
CODE = [
    "def area(width, height):\n    return width * height\n",
    "func (s *Store) Get(key string) ([]byte, error) {\n\treturn s.inner.Get(key)\n}\n",
    "for (let i = 0; i < 10; i += 1) { total += rows[i].value }",
    "SELECT name FROM users WHERE id = 7;",
    "impl Ord for Hit {\n    fn cmp(&self, other: &Self) -> Ordering { other.score.total_cmp(&self.score) }\n}",
]


def test_what_the_specification_works_out():
    assert gate("hello").score == gate("").score == 0.35
    assert gate("hello").promoted
    dinner = gate("go make dinner", settings=ORIGINAL)
    assert round(dinner.signals.technicality, 4) == 0.2667
    assert round(dinner.score, 4) == 0.2567
    assert not dinner.promoted
    assert round(gate("and/or", settings=ORIGINAL).score, 4) == 0.3173
    assert gate("and/or").score == 0.35
    # Written before it is gated, a turn finds itself.
    assert round(gate("hello", turn_hits=[1.0]).score, 2) == 0.43


@pytest.mark.parametrize("near", [1e-12, 1e-9, 2**-24, 1e-3, 0.05, 0.14])
def test_no_rounding_keeps_what_is_new_out(near):
    """What is new and shows nothing else lies well above the threshold, whatever the last bits of its cosines are."""
    for cosines in ([near] * 5, [near, -near], [near], [0.0, near]):
        assert gate("hello", durable_hits=cosines).promoted
        assert gate("hello", durable_hits=cosines).score - DEFAULT.threshold > 1e-4
    assert gate("hello").score - DEFAULT.threshold >= 0.049
    assert not gate("hello", durable_hits=[0.15] * 5).promoted


def test_the_sources_threshold_is_there_by_name():
    assert gate("hello", settings=SOURCE).promoted
    assert not gate("hello", durable_hits=[2**-24], settings=SOURCE).promoted, "which is why ours is another one"
    by_house = {"keeps_questions": False, "keeps_chatter": False, "keeps_statements": True}
    ours = replace(SOURCE, threshold=DEFAULT.threshold, **by_house)
    assert (SOURCE.threshold, SOURCE.keeps_questions, ours) == (0.35, True, DEFAULT)


@pytest.mark.parametrize("code", CODE)
def test_code_states_no_facts(code):
    for profile in ("strict", "1.3.5"):
        assert gate(code, settings=GateSettings(profile=profile)).signals.natural_density <= 0.3


def test_thresholds_are_inclusive_and_only_the_best_hits_count():
    assert gate("hello", [0.80]).frequency == 0.2
    assert gate("hello", [0.8 - 1e-9]).frequency == 0.0
    assert gate("hello", [], [0.85]).saturation == 1 / 3
    assert gate("hello", [0.9] * 20).frequency == 1.0
    assert gate("hello", [], [0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5]).novelty == 0.5
    assert gate("hello", [], [-1.0, -0.5]).novelty == 1.0
    assert gate("hello", [], [-1.0, -0.5], settings=GateSettings(clamp_negative=False)).novelty == 1.75


def test_the_metadata_names_every_signal():
    found = gate("I decided to use f(x)", [0.9], [0.9, 0.2])
    said = found.signals
    assert list(found.to_metadata().items()) == [
        ("gating_score", found.score), ("gating_t", said.technicality), ("gating_h", found.novelty),
        ("gating_r", found.repetition), ("gating_d", said.natural_density), ("gating_p", said.specificity),
        ("gating_a", said.actionability), ("gating_dtech", said.technical_density),
        ("gating_gconv", found.conversational), ("gating_gtech", found.technical),
        ("gating_input_freq", found.frequency), ("gating_mem_saturation", found.saturation),
    ]  # fmt: skip
    assert set(found.to_metadata()) == NAMES and said.actionability == 0.5


@pytest.mark.parametrize(("name", "wrong"), [("technicality", "x"), ("tokens", 1.5), ("counts", 3)])
def test_a_wrong_signal_of_a_document_is_named_with_its_place(name: str, wrong: object):
    written = gate("I decided to use f(x)").to_dict()
    written["signals"][name] = wrong
    with pytest.raises(errors.InvalidArgument, match=rf"^Gate\.signals\.{name}: must be "):
        Gate.from_dict(written)


def test_own_patterns_reach_the_gate():
    patterns = GatePatterns(own=[("D_nl", "allergy", r"(?i)\ballergic\b", 0.8)])
    assert gate("she is allergic", patterns=patterns).score > gate("she is allergic").score


@pytest.mark.parametrize(
    "bad",
    [
        {"conversational": (0.5, 0.5, 0.5)},
        {"conversational": (1.5, -0.25, -0.25)},
        {"technical": (0.5, 0.5)},
        {"technical": (float("nan"), 0.5, 0.5)},
        {"threshold": 1.5},
        {"technicality_norm": float("inf")},
        {"repeated_from": 2.0},
        {"known_from": -1.5},
        {"known_cap": 0},
        {"profile": "loose"},
        {"token_unit": "word"},
    ],
    ids=str,
)
def test_settings_out_of_range_are_refused(bad):
    with pytest.raises(errors.InvalidArgument):
        GateSettings(**bad)


@pytest.mark.parametrize("name", ["repeated_cap", "known_cap", "turn_hits", "durable_hits"])
def test_a_count_of_the_gate_is_whole(name):
    for wrong in (2.5, float("nan"), True):
        with pytest.raises(TypeError, match=rf"^{name} must be int, not (float|bool)$"):
            GateSettings(**{name: wrong})
    assert getattr(GateSettings(**{name: np.int64(7)}), name) == 7


def test_bad_hits_and_shares_are_refused():
    for hits in ([float("nan")], [float("inf")]):
        for given in ("turn_hits", "durable_hits"):
            with pytest.raises(errors.InvalidArgument, match=f"^{given}: {hits[0]} is no cosine$"):
                gate("hello", **{given: [0.5, *hits]})
    with pytest.raises(errors.InvalidArgument, match="technicality"):
        mix(1.5, 0.3, 0.9)


def test_isotonic_edges_and_thresholds():
    curve = Isotonic.fit([(0.2, 0.0), (0.2, 1.0), (0.4, 0.25), (0.8, 1.0)])
    assert [(block.low, block.high, block.value) for block in curve.blocks] == [
        (0.2, 0.4, (0.0 + 1.0 + 0.25) / 3),
        (0.8, 0.8, 1.0),
    ]
    assert (curve.predict(0.0), curve.predict(0.3), curve.predict(9.0)) == (1.25 / 3, 1.25 / 3, 1.0)
    assert (curve.threshold(0.4), curve.threshold(0.5), curve.threshold(1.01)) == (0.2, 0.8, None)
    for points in ([], [(0.1, float("nan"))], [(float("inf"), 1.0)]):
        with pytest.raises(errors.InvalidArgument, match="points"):
            Isotonic.fit(points)


def test_token_estimates_at_the_edges_of_their_ranges():
    host = HostTokens()
    assert [host.count(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]
    assert (host.count("xxx\u9faf"), host.count("xxx\u9fb0"), host.count("ー" * 4)) == (3, 1, 1)
    assert (host.count("xxx\u0590"), host.count("xxx\u058f")) == (2, 1)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    assert {HostTokens(mixture=True, script_ranges=name).count(letters) for name in ("original", "extended")} == {13}
    extended = HostTokens(script_ranges="extended")
    assert (extended.count("xxx\u9fb0"), extended.count("ー" * 4), extended.count("\U00020000" * 8)) == (3, 3, 5)
    assert HostTokens(mixture=True).count("a" * 10_000 + "世") == 2_501
    assert host.count("a" * 10_000 + "世") == 6_251
    assert [GateTokens().count(text) for text in ("", "abc", "abcdefgh", "жжжж")] == [1, 1, 2, 2]
    for made in (
        lambda: HostTokens(unit="byte"),
        lambda: GateTokens(unit="utf16"),
        lambda: HostTokens("codepoint", "x"),
    ):
        with pytest.raises(errors.InvalidArgument):
            made()
    with pytest.raises(errors.InvalidArgument, match="surrogate"):
        GateTokens().count("\ud800")


def test_a_tail_refuses_bad_costs_and_takes_nothing():
    assert recent_tail([]).recent == ()
    assert recent_tail([Turn("a", 0)], least=0, budget=0).recent == ("a",)
    for turns, least, budget in (([Turn("a", -1)], 1, 1), ([Turn("a", float("nan"))], 1, 1), ([], -1, 1), ([], 1, -1)):
        with pytest.raises(errors.InvalidArgument):
            recent_tail(turns, least, budget)


ASKING = [
    "What's the code of my locker at work?", "Recommend me a tea shop nearby", "What do you know about me?",
    "what was my locker code again", "remind me of the code of my locker", "is my flight on the 5th",
    "how much do I weigh",
    "Hey, please show me my notes", "Yes. What is it?", "Wie hei\u00dft mein Hund", "Wei\u00dft du, wann ich fliege",
    "Erinnere mich an meinen Termin", "\u4f55\u6642\u3067\u3059\u304b\u3002", "\u79c1\u306e\u540d\u524d\u306f\uff1f",
]  # fmt: skip
STATING = [
    "I live in Rome.", "My code is 4711. Can you remember that?", "When I was ten, I lived in Rome.",
    "Will is my brother.",
    "What I like most is tea.", "Remind me to buy sunscreen", "Have a meeting at 3", "Do not forget: the code is 4711",
    "List price is 30 euros", "Which is why I moved to Oslo.", "Ich wohne in Kiel.", "Wo ich wohne, regnet es",
    "\u79c1\u306f\u6771\u4eac\u306b\u4f4f\u3093\u3067\u3044\u307e\u3059\u3002", "Yes, at nine.",
]  # fmt: skip


@pytest.mark.parametrize("text", ASKING)
def test_a_question_is_not_kept_for_good_whatever_its_score(text):
    found = gate(text, [0.9] * 5)
    assert (found.turned_down, found.promoted) == ("question", False)
    assert gate(text, [0.9] * 5, settings=SOURCE).promoted, "the source's gate keeps its letter"


@pytest.mark.parametrize("text", STATING)
def test_what_states_something_is_weighed(text):
    assert gate(text).turned_down is None and gate(text).promoted


@pytest.mark.parametrize("text", ["\u306f\u3044", "Yes, please!", "ok", "genau", "No."])
def test_a_short_reply_is_not_kept_for_good(text):
    assert (gate(text).turned_down, gate(text).promoted) == ("reply", False)


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf")])
def test_a_recent_tail_is_told_by_name_what_is_no_number_of_it(wrong):
    for said, given in (
        ("least", {"turns": [], "least": wrong, "budget": 1}),
        ("budget", {"turns": [], "least": 0, "budget": wrong}),
        ("cost of 'a'", {"turns": [Turn("a", wrong)], "least": 0, "budget": 1}),
    ):
        with pytest.raises(errors.InvalidArgument, match=rf"^{said}: is {wrong}; give a number of at least 0"):
            recent_tail(**given)


@pytest.mark.parametrize(
    "name",
    ["repeated_from", "known_from", "technicality_norm", "threshold"],
)
def test_a_setting_of_the_gate_is_refused_by_name(name):
    with pytest.raises(errors.InvalidArgument, match=rf"\b{name}\b"):
        GateSettings(**{name: float("nan")})
