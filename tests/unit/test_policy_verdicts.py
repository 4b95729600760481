"""Verdicts: what is allowed, hidden and denied; and that want of an answer is a denial."""

from __future__ import annotations

import pytest

from byheart.boundary.policy import DEFAULT_POLICY, Rule, Validator, decide, read_policy
from byheart.boundary.policy.rule import MAX_RULE
from byheart.boundary.redaction import Redactor
from byheart.errors import InvalidArgument, InvalidPolicy

MAIL = "連絡は x@example.com まで"


def policy(**parts):
    classes = {"internal": {"allow": ["tool:*"]}, "pii": {"allow": ["tool:lookup"], "redact": ["email"]}}
    return read_policy({"version": "1.0.0", "boundary_classes": classes, **parts})


def test_the_two_cases_of_the_document() -> None:
    validator = Validator(DEFAULT_POLICY)
    verdict = validator.validate(MAIL, scope="project", boundary_class="pii")
    assert verdict.allowed and verdict.redacted == "連絡は [email] まで" and verdict.policy_version == "0.1.0"
    assert verdict.escalation == "human_review" and verdict.account["count"] == 1
    verdict = validator.validate("APIに破壊的変更", scope="principle", values={"api.breaking_change": True})
    assert not verdict.allowed and verdict.reason == "I(B) violation" and verdict.redacted is None
    assert verdict.broken == ("no_destructive_change",)


def test_an_invariant_holds_in_its_scopes_alone_and_in_all_where_none_is_named() -> None:
    validator = Validator(DEFAULT_POLICY)
    breaking = {"api": {"breaking_change": True}}
    assert validator.validate("x", scope="session", values=breaking).allowed
    assert not validator.validate("x", values=breaking).allowed


def test_without_a_policy_a_class_a_tag_or_a_detector_it_is_denied() -> None:
    assert Validator(None).validate("x").reason == "no policy is in force"
    assert not Validator(policy()).validate("x", boundary_class="public").allowed
    assert not Validator(DEFAULT_POLICY).validate("x", boundary_class="secret").allowed
    assert not Validator(DEFAULT_POLICY).validate("x", [], boundary_class="public").allowed
    assert not Validator(DEFAULT_POLICY).validate("x", ["tool:*"], boundary_class="pii").allowed
    assert Validator(DEFAULT_POLICY).validate("x", ["tool:contact-lookup"], boundary_class="pii").allowed
    needs = {"internal": {"allow": ["*"], "redact": ["passport"]}}
    verdict = Validator(policy(boundary_classes=needs)).validate("x")
    assert not verdict.allowed and "passport" in verdict.reason
    ours = Validator(
        policy(boundary_classes=needs), detectors={"passport": lambda text: [(0, 1)] if text[:1] == "x" else []}
    )
    assert ours.validate("xy").redacted == "[passport]y"


def test_a_detector_that_gives_nonsense_is_a_denial() -> None:
    needs = {"internal": {"allow": ["*"], "redact": ["own"]}}
    for spans in ([(3, 99)], [(2, 2)], [(-1, 1)]):
        validator = Validator(
            policy(boundary_classes=needs), detectors={"own": lambda text, s=spans: s * (len(text) > 5)}
        )
        assert not validator.validate("a longer text").allowed


def test_a_rule_of_the_longest_length_is_taken() -> None:
    word = "x" * (MAX_RULE - len('"" == a'))
    longest = f'"{word}" == a'
    assert len(longest) == MAX_RULE == 10_000
    assert Rule.read(longest).holds({"a": word}) and decide(longest, {"a": word}) == "allow"
    with pytest.raises(InvalidPolicy, match=r"rule: must be a text of at most 10000 characters"):
        Rule.read(longest + " ")
    assert decide(longest + " ", {"a": word}) == "deny"


def test_pii_is_looked_for_in_what_is_left() -> None:
    bare = {"redact_policies": {"default": {"rules": []}}}
    rule = {"invariants": [{"name": "pii", "rule": "prompt.contains_pii == false"}]}
    assert Validator(policy(**rule)).validate(MAIL).decision == "redact"
    assert Validator(policy(**rule, **bare)).validate(MAIL).decision == "allow", "nobody looks for it there"
    verdict = Validator(policy(**rule)).validate("x", values={"prompt": {"contains_pii": True}})
    assert not verdict.allowed, "a caller can make it true"
    assert Validator(policy(**rule)).validate("x", values={"prompt.contains_pii": False}).allowed


def test_a_secret_raises_the_class_and_is_hidden() -> None:
    verdict = Validator(DEFAULT_POLICY).validate("use sk-abcdefghij0123456789")
    assert verdict.effective_class == "secret" and verdict.redacted == "use [secret]"
    row = verdict.audit(actor="agent", tool="validate", ts=1.0)
    assert row["decision"] == "redacted" and row["redacted_count"] == 1 and len(row["hashes_of_PII"]) == 1
    assert "abcdefghij" not in repr(row)


@pytest.mark.parametrize("kind", ["", "RSA ", "OPENSSH "])
@pytest.mark.parametrize("end", ["", "... and so on", "-----BEGIN CERTIFICATE-----"])
def test_a_private_key_without_an_end_is_hidden_as_far_as_its_letters_go(kind: str, end: str) -> None:
    begin = f"-----BEGIN {kind}PRIVATE KEY-----"
    body = "\nMIIEpAIBAAKCAQEA7bq9\nHx+z/4kq0w=="
    found = Redactor(["secret"]).redact(f"Here: {begin}{body}{end}")
    assert found.holds_secret and found.text == f"Here: [secret]{end}"


def test_what_one_character_stands_for_may_be_several() -> None:
    assert Redactor(["email"]).redact("㍿㍿ x@example.com! ½").text == "㍿㍿ [email]! ½"
    assert Redactor(["email"]).redact("㍿x@example.com").text == "㍿[email]"
    assert Redactor(["phone"]).redact("０９０−１２３４−５６７８㍿").text == "[phone]㍿"


def test_digests_are_keyed() -> None:
    one, other = (Redactor(["phone"], key=key).redact("090-1234-5678").finds[0].digest for key in (b"a", b"b"))
    assert one != other and one == Redactor(["phone"], key=b"a").redact("tel 090-1234-5678").finds[0].digest


def test_arguments_are_checked() -> None:
    validator = Validator(DEFAULT_POLICY)
    with pytest.raises(InvalidArgument, match="team"):
        validator.validate("x", scope="team")
    with pytest.raises(InvalidArgument, match="class"):
        validator.validate("x", boundary_class="top")
    with pytest.raises(InvalidPolicy, match="look-around"):
        Validator(policy(redact_policies={"default": {"rules": [{"name": "email", "find": "(?=x)"}]}}))
    with pytest.raises(InvalidPolicy, match="found again"):
        Redactor([("email", "hidden@example.com")])
    with pytest.raises(InvalidPolicy, match="every round"):
        calls: list[str] = []

        def restless(text: str) -> list[tuple[int, int]]:
            calls.append(text)
            return [(0, 1)] if len(calls) > 1 else []

        Redactor(["own"], detectors={"own": restless}).redact("text")


@pytest.mark.parametrize(
    "piece",
    ["a", "@", "a@", "a@b.", "1 ", " ", "sk-", "eyJ", "eyJ.", "password=", 'password":"', '"password": "\\', "Mr. A",
     "4", "-----BEGIN PRIVATE KEY-----", "佐藤", "東京都",
     "a.b@c-", "0-", "１", "大市", "xox-", "2025-11-11 ", "4111 1111 1111 1111 "],
)  # fmt: skip
def test_a_long_text_takes_time_as_its_length(piece: str) -> None:
    """Something that is tried anew at every character would take hours here."""
    text = piece * (100_000 // len(piece))
    redactor = Redactor(["email", "card", "phone", "secret", "name", "address"])
    assert isinstance(redactor.redact(text).text, str)
