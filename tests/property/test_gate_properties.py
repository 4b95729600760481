"""The gate's invariants (A1.6.9), its estimators, its calibration and the recent tail, for every input."""

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.conversation.gate import gate, mix
from byheart.conversation.recent_tail import Turn, recent_tail
from byheart.ranking.calibration import Isotonic
from byheart.ranking.tokens import GateTokens, HostTokens
from byheart.reference import gate as oracle
from byheart.reference import length

from ..counts import examples
from .test_patterns_oracle import GATE_PIECES, text_of

shares = st.floats(0, 1)
cosines = st.sampled_from([-1.0, -0.2, 0.0, 0.5, 0.7999999, 0.8, 0.84, 0.85, 0.9, 1.0]) | st.floats(-1, 1)
texts = text_of(GATE_PIECES, 8) | st.text(st.sampled_from("aé世ж界ー😀\u0590\u9fb0 \n"), max_size=40)


@settings(max_examples=examples(4_000))
@given(texts, st.lists(cosines, max_size=12), st.lists(cosines, max_size=7), st.randoms())
def test_the_gate_is_its_definition_and_keeps_its_invariants(text, turns, durable, random):
    found = gate(text, turns, durable)
    seen = oracle.signals(text)
    assert found.signals.tokens == seen.tokens
    assert tuple(oracle.gate(seen, turns, durable)) == (
        found.score,
        found.conversational,
        found.technical,
        found.novelty,
        found.repetition,
        found.frequency,
        found.saturation,
    )
    assert 0.0 <= found.score <= 1.0
    low, high = sorted((found.conversational, found.technical))
    assert low <= found.score <= high
    if not durable:
        assert found.novelty == 1.0
    if found.saturation == 1.0:
        assert found.repetition == 0.0
    if found.signals.technicality in (0.0, 1.0):
        assert found.score == (found.technical if found.signals.technicality else found.conversational)
    assert found.promoted == (found.score >= 0.30 and found.turned_down is None)
    random.shuffle(turns)
    random.shuffle(durable)
    assert gate(text, turns, durable) == found


@given(shares, shares, shares, shares)
def test_the_mixture_has_no_jump(first, second, conversational, technical):
    # Its slope in T is the difference of the branches, everywhere.
    step = mix(second, conversational, technical) - mix(first, conversational, technical)
    assert abs(step - (second - first) * (technical - conversational)) <= 1e-12


@given(texts)
def test_estimates_are_their_definitions(text):
    for unit in ("codepoint", "utf16"):
        assert HostTokens(unit).count(text) == length.host_tokens(text, unit)
    for unit in ("byte", "codepoint"):
        assert GateTokens(unit).count(text) == length.gate_tokens(text, unit)
    mixture = HostTokens(mixture=True).count(text)
    assert -(-len(text) // 4) <= mixture <= HostTokens().count(text)


turns = st.lists(st.tuples(st.integers(0, 9), st.sampled_from([None, None, "p", "q"])), max_size=9)


@settings(max_examples=examples(2_000))
@given(turns, st.integers(0, 6), st.integers(0, 40))
def test_the_recent_tail_is_its_definition(parts, least, budget):
    items = [(f"t{number}", float(cost), bundle) for number, (cost, bundle) in enumerate(parts)]
    found = recent_tail([Turn(*item) for item in items], least, budget)
    assert tuple(map(list, (found.older, found.base, found.recent))) == length.recent_tail(items, least, budget)
    assert found.older + found.recent == tuple(item[0] for item in items)


points = st.lists(st.tuples(st.integers(0, 6), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=1, max_size=12)


@settings(max_examples=examples(2_000))
@given(points)
def test_isotonic_regression_is_its_definition(observed):
    curve = Isotonic.fit(observed)
    scores = sorted({float(score) for score, _ in observed})
    expected = oracle.isotonic([(float(score), worth) for score, worth in observed])
    fitted = [curve.predict(score) for score in scores]
    # Quarters add up without rounding, and so do few of them divided; the last bits of the interpolation may differ.
    assert all(abs(mine - theirs) <= 2**-50 for mine, theirs in zip(fitted, expected, strict=True))
    assert fitted == sorted(fitted)
    for worth in (0.0, 0.25, 0.3, 0.5, 1.0, 1.1):
        least = curve.threshold(worth)
        above = [score for score, value in zip(scores, fitted, strict=True) if value >= worth]
        assert least == min(above, default=None)
