"""Noise, adaptive retrieval and gate signals: a text for every rule, patterns of one's own, and bad input."""

import pytest

from byheart import errors, is_noise, should_skip_retrieval
from byheart import patterns as text_rules

BETA = "1.1.0-beta.11"
MB = 1_000_000

# A text for each rule, in the order of the tables; a rule without a text is a rule that nobody has seen fire.
NOISE = {
    "denial: has no information": "I don't have any data on that",
    "denial: is not sure": "Im not sure about it",
    "denial: does not recall": "she said I don't recall",
    "denial: does not remember": "no, I dont remember",
    "denial: looks like it does not": "It looks like I don't",
    "denial: could not find": "I wasn't able to find it",
    "denial: no memories found": "No relevant memories found",
    "denial: has no access": "I don't have access to it",
    "meta: do you remember": ["Do you know about Atlas?", "你还记得那次"],
    "meta: can you remember": "can you recall it",
    "meta: did I tell": "did i share it",
    "meta: have I told": "have I mentioned it",
    "meta: what did I tell": "what did I mention",
    "meta: if you know, only answer": "如果你知道答案请只回复它",
    "meta: if you do not, only answer none": "如果不知道就只回复 None",
    "meta: only answer the code name": "请只回复精确代号",
    "meta: only answer none": "请你只回复none",
    "meta: remember or not": "记不记得上次",
    "meta: still remember": "还记得那件事吗",
    "meta: do you know": "你晓道这件事吗",
    "meta: have I said": "我以前提过它吗",
    "frustration: you never remember": "you cannot understand",
    "frustration: why do you forget": "why do you keep forget it",
    "frustration: did you understand": "did you get what i meant",
    "frustration: what changed": "what just changed?",
    "frustration: memory is broken": "why are the memories missing",
    "boilerplate: greeting": "good evening",
    "boilerplate: new session": "Fresh session",
    "boilerplate: heartbeat": "heartbeat",
    "diagnostic: query without an answer": "query -> unknown",
    "diagnostic: user asked in vain": "user asked for x: not found",
    "diagnostic: no explicit solution": "no explicit solution here",
}
ADAPTIVE = {
    "force: memory words": ["I forgot", "提到过", "妳記得", "Weißt du noch"],
    "force: past": "/help before",
    "force: personal": "my email",
    "force: what did we": "what did we do",
    "skip: greeting": "Goodmorning team",
    "skip: slash command": "/help",
    "skip: shell word": "grep -r foo .",
    "skip: short shell command": "git status",
    "skip: shell command": "git log --oneline -n 20",
    "skip: affirmation": ["thank you!", "awesome", "perfect ."],
    "skip: continuation": ["go ahead", "proceed.", "繼續    .", "开始    !"],
    "skip: emoji": "🚀🚀🚀🚀🚀",
    "skip: heartbeat": "HEARTBEAT ok",
    "skip: system": "[System: model]",
    "skip: ping": "debug.",
    "exempt: question": "port?",
    "exempt: number": "12345",
}


def texts(examples):
    return [examples] if isinstance(examples, str) else examples


@pytest.mark.parametrize("profile", ["byheart", "1.0.11", BETA])
def test_every_noise_rule_fires(profile):
    table = text_rules.NoiseFilter(profile).rules
    assert len(table) >= 16
    told = {is_noise(text, profile) for examples in NOISE.values() for text in texts(examples)}
    assert {f"{group}: {name}" for group, name, _, _ in table} <= told


@pytest.mark.parametrize("profile", ["byheart", "1.0.11", BETA])
def test_every_adaptive_rule_fires(profile):
    table = text_rules.AdaptiveRetrieval(profile).rules
    assert len(table) >= 14
    told = {should_skip_retrieval(text, profile).reason for examples in ADAPTIVE.values() for text in texts(examples)}
    assert {f"{group}: {name}" for group, name, _, _ in table} <= told


def test_the_examples_give_their_own_rule():
    for reason, examples in NOISE.items():
        assert {is_noise(text, BETA) for text in texts(examples)} == {reason}
    ours = {reason: examples for reason, examples in ADAPTIVE.items() if reason != "skip: shell word"}
    for reason, examples in ours.items():
        for text in texts(examples):
            assert reason in (should_skip_retrieval(text).reason, should_skip_retrieval(text, BETA).reason)


def test_a_decision_is_a_truth_value():
    decision = should_skip_retrieval("good morning")
    assert decision and decision.skip and not should_skip_retrieval("what did we decide?")
    assert decision == should_skip_retrieval("good evening") and hash(decision) == hash(decision)


def test_own_patterns_stand_behind_the_profile():
    noise = text_rules.NoiseFilter("1.0.11", own=[("slogan", r"(?i)\bbuy now\b")])
    assert noise.reason("BUY NOW and save") == "own: slogan"
    assert noise.reason("hi, buy now") == "boilerplate: greeting"
    assert noise.rules[-1] == ("own", "slogan", "own", r"(?i)\bbuy now\b")
    adaptive = text_rules.AdaptiveRetrieval(force=[("ticket", r"^T-\d")], skip=[("weather", "weather")])
    assert adaptive.decide("T-1").reason == "force: ticket"
    assert adaptive.decide("T-1 and the weather").reason == "force: ticket"
    assert adaptive.decide("how is the weather?").reason == "skip: weather"
    gate = text_rules.GatePatterns(own=[("A", "incident", r"(?i)\boutage\b", 0.5), ("P", "ticket", r"T-\d", 0.1)])
    found = gate.signals("Outage: T-1, T-2")
    assert (found.actionability, found.specificity, found.counts) == (
        0.5,
        0.2,
        [("quantity", 1), ("incident", 1), ("ticket", 2)],
    )


BAD = {
    "noise of no str": (lambda: is_noise(7), TypeError, "text must be str"),
    "noise of None": (lambda: is_noise(None), TypeError, "text must be str"),
    "noise of bytes": (lambda: is_noise(b"hello"), TypeError, "text must be str"),
    "a lone surrogate": (lambda: is_noise("hello \ud800"), errors.InvalidArgument, "lone surrogates"),
    "a surrogate in a query": (lambda: should_skip_retrieval("\udfff"), errors.InvalidArgument, "lone surrogates"),
    "a surrogate at the gate": (lambda: text_rules.gate_signals("\udfff"), errors.InvalidArgument, "lone surrogates"),
    "a text over 10 MB": (lambda: is_noise("x" * (10 * MB + 1)), errors.LimitExceeded, "10000000"),
    "a query over 1 MB": (lambda: should_skip_retrieval("x" * (MB + 1)), errors.LimitExceeded, "1000000"),
    "an unknown profile": (lambda: is_noise("a", "v1.0.11"), errors.InvalidArgument, "byheart, 1.0.11"),
    "an unknown unit": (lambda: is_noise("a", length_unit="bytes"), errors.InvalidArgument, "utf16"),
    "an unknown gate": (lambda: text_rules.gate_signals("a", "lax"), errors.InvalidArgument, "strict, 1.3.5"),
    "a norm of NaN": (lambda: text_rules.gate_signals("a", norm=float("nan")), errors.InvalidArgument, "finite"),
    "a length of 0": (lambda: should_skip_retrieval("a", min_length=0), errors.InvalidArgument, "at least 1"),
    "a length of 2^70": (lambda: should_skip_retrieval("a", min_length=2**70), errors.LimitExceeded, "1000000"),
    "a length that is no int": (lambda: should_skip_retrieval("a", min_length=1.5), TypeError, "must be int"),
    "an open group": (lambda: text_rules.NoiseFilter(own=[("a", "(b")]), errors.InvalidArgument, "unclosed group"),
    "look-around": (lambda: text_rules.NoiseFilter(own=[("a", "(?=b)")]), errors.InvalidArgument, "look-around"),
    "a reference back": (lambda: text_rules.NoiseFilter(own=[("a", r"(b)\1")]), errors.InvalidArgument, "backref"),
    "a pattern that grows": (
        lambda: text_rules.NoiseFilter(own=[("a", r"((\w{99}){99}){99}")]),
        errors.InvalidArgument,
        "compiles to more than",
    ),
    "deep nesting": (lambda: text_rules.NoiseFilter(own=[("a", "(" * 5000 + ")" * 5000)]), errors.InvalidArgument, "a"),
    "a long pattern": (
        lambda: text_rules.AdaptiveRetrieval(skip=[("a", "b" * 10_001)]),
        errors.LimitExceeded,
        "10001 is over the limit of 10000",
    ),
    "too many patterns": (lambda: text_rules.NoiseFilter(own=[("a", "b")] * 300), errors.LimitExceeded, "256"),
    "a surrogate in a pattern": (lambda: text_rules.NoiseFilter(own=[("a", "\ud800")]), errors.InvalidArgument, "lone"),
    "a pattern without a name": (lambda: text_rules.NoiseFilter(own=[("", "b")]), errors.InvalidArgument, "1 to 64"),
    "patterns that are one str": (lambda: text_rules.NoiseFilter(own="ab"), TypeError, "own must be a list"),
    "a row that is a str": (lambda: text_rules.NoiseFilter(own=["ab"]), TypeError, "tuple of 2"),
    "an unknown signal": (
        lambda: text_rules.GatePatterns(own=[("T2", "a", "b", 0.5)]),
        errors.InvalidArgument,
        "T, D_nl, P, A, D_tech",
    ),
    "a weight over 1": (lambda: text_rules.GatePatterns(own=[("T", "a", "b", 2)]), errors.InvalidArgument, "above 0"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_clear_error(name):
    call, kind, words = BAD[name]
    with pytest.raises(kind) as caught:
        call()
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def test_what_looks_bad_but_is_defined():
    assert is_noise("") == is_noise(" \u3000\ufeff") == "length: below 5"
    assert is_noise("\x00\x01\x02\x03\x04") is None
    assert is_noise("x" * (10 * MB)) is None
    assert should_skip_retrieval("").reason == "length: below 5"
    assert should_skip_retrieval("\x00" * MB).reason == "default: nothing speaks against it"
    assert text_rules.gate_signals("").tokens == 0
    assert text_rules.gate_signals("/" * MB).counts == [("URL or endpoint", 1), ("doc comment", 1)]
