"""Patterns of a policy's own: what is refused when it is read, what they find, and what they stand in the place of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from byheart._core import find_spans
from byheart.boundary.policy import Policy, Validator, read_policy
from byheart.boundary.policy.model import RedactionRule
from byheart.boundary.policy.version import Version
from byheart.boundary.redaction import DETECTORS, Pattern, Redactor
from byheart.errors import InvalidArgument, InvalidPolicy, LimitExceeded


def policy(*rules: dict[str, str], **more: Any) -> Policy:
    given = {"version": "1.0.0", "boundary_classes": {"internal": {"allow": ["*"]}}, **more}
    return read_policy({**given, "redact_policies": {"default": {"rules": list(rules)}}})


def hidden(text: str, *rules: dict[str, str]) -> str:
    return Validator(policy(*rules)).redact(text).text


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(?=a)b", "look-around"),
        ("(?<=a)b", "look-around"),
        ("(?!a)b", "look-around"),
        (r"(a)\1", "backreferences"),
        ("(a", "unclosed group"),
        ("[z-a]", "invalid"),
        (r"(?:[0-9a-f]{200}){200}", "limit"),
        (r"\b社員", "leave it out"),
        (r"a\Bb", "word boundaries"),
        ("(" * 300 + ")" * 300, "nest"),
    ],
)
def test_what_cannot_be_used_is_refused_when_it_is_read(pattern: str, message: str) -> None:
    with pytest.raises(InvalidPolicy, match=message) as told:
        policy({"name": "employee", "find": pattern})
    assert "rules, number 1" in str(told.value) and "'employee'" in str(told.value)
    by_hand = Policy(Version.read("1.0.0"), redaction=(RedactionRule("employee", "[x]", pattern),))
    with pytest.raises(InvalidPolicy, match=message):
        Validator(by_hand)


def test_the_length_of_a_pattern_is_bounded() -> None:
    assert policy({"name": "long", "find": "é" * 10_000}).redaction[0].find == "é" * 10_000
    with pytest.raises(InvalidPolicy, match="1 to 10000 characters"):
        policy({"name": "long", "find": "x" * 10_001})
    with pytest.raises(InvalidPolicy, match="10001 is over the limit of 10000"):
        Pattern("long", "x" * 10_001)
    with pytest.raises(LimitExceeded):
        find_spans("x" * 10_001, "")
    with pytest.raises(InvalidArgument):
        find_spans("(", "")


def test_a_pattern_hides_what_it_finds() -> None:
    rule = {"name": "employee", "find": r"(?i)emp-\d{4}", "replace": "[who]"}
    assert hidden("See EMP-1234, emp-99 and 社員emp-5678号.", rule) == "See [who], emp-99 and 社員[who]号."
    validator = Validator(policy(rule))
    verdict = validator.validate("EMP-1234")
    assert (verdict.decision, verdict.redacted, verdict.account["by_rule"]) == ("redact", "[who]", {"employee": 1})


def test_digits_and_words_are_those_of_ascii() -> None:
    assert find_spans(r"\d+", "٣ ४ 12") == [(4, 6)]
    assert find_spans(r"\w+", "é_9") == [(1, 3)]
    assert find_spans(r"\b\d+\b", "号12 a34") == [(1, 3)]


def test_full_width_characters_are_seen_as_what_they_mean_and_as_they_are_written() -> None:
    assert hidden("社員 ＥＭＰ－１２３４ です", {"name": "employee", "find": r"EMP-\d{4}"}) == "社員 [employee] です"
    assert hidden("㈱０１２ ㍿3", {"name": "firm", "find": "㈱[０-９]+|㍿[0-9]"}) == "[firm] [firm]"


def test_its_own_pattern_stands_in_the_place_of_a_detector() -> None:
    text = "x@example.com, 090-1234-5678, sk-abcdefghijkl, MAIL:me"
    assert hidden(text, {"name": "email"}, {"name": "phone"}) == "[email], [phone], sk-abcdefghijkl, MAIL:me"
    own = [{"name": "email", "find": "MAIL:[a-z]+"}, {"name": "phone", "find": "1234"}]
    assert hidden(text, *own) == "x@example.com, 090-[phone]-5678, sk-abcdefghijkl, [email]"
    seen: list[str] = []

    def mine(given: str) -> Sequence[tuple[int, int]]:
        seen.append(given)
        return []

    Validator(policy(own[0]), detectors={"email": mine}).redact(text)
    assert seen == []
    assert policy({"name": "email", "find": r"(?i)[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}"}).redaction[0].find is None


def test_a_secret_of_its_own_raises_the_class() -> None:
    verdict = Validator(policy({"name": "secret", "find": "pass:[a-z]+"})).validate("pass:word")
    assert verdict.effective_class == "secret" and verdict.redacted == "[secret]"


def test_the_longer_find_wins_and_the_earlier_rule_of_equal_ones() -> None:
    short, long = {"name": "short", "find": "ab"}, {"name": "long", "find": "[a-c]{3}"}
    assert hidden("abc ab", short, long) == hidden("abc ab", long, short) == "[long] [short]"
    one, other = {"name": "one", "find": "x+", "replace": "[1]"}, {"name": "other", "find": "xx", "replace": "[2]"}
    assert (hidden("xx", one, other), hidden("xx", other, one)) == ("[1]", "[2]")


def test_what_would_find_its_own_placeholder_is_refused() -> None:
    with pytest.raises(InvalidPolicy, match="found again"):
        Validator(policy({"name": "word", "find": "[a-z]+"}))


def test_a_text_that_needs_too_many_steps_is_denied_and_not_passed_on() -> None:
    validator = Validator(policy({"name": "rest", "find": r"[^\n]*[^A\n]|A", "replace": "\n"}))
    text = "A" * 200_000
    with pytest.raises(InvalidPolicy, match="steps of the pattern"):
        validator.redact(text)
    verdict = validator.validate(text)
    assert verdict.decision == "deny" and "steps" in verdict.reason and verdict.redacted is None


def test_long_texts_are_looked_at_to_their_end() -> None:
    rules = [r"(a+)+b", r"(?i)[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}", r"(x|xx|xxx)*y"]
    redactor = Redactor(["0", "1", "2"], detectors={str(n): Pattern(str(n), each) for n, each in enumerate(rules)})
    for part in ("a", "a@", "x", "a.a@a."):
        text = part * (1_000_000 // len(part))
        assert redactor.redact(text).text == text
        assert redactor.redact(text + " aab").text == text + " [0]"


def test_the_table_of_detectors_is_as_it_was() -> None:
    Validator(policy({"name": "email", "find": "x+"}))
    assert Redactor(["email"]).redact("x@example.com").text == "[email]" and "employee" not in DETECTORS
