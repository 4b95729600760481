"""Redaction against the published patterns; and that nothing is left of what was found, whatever overlaps."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart.boundary.redaction import DETECTORS, Redactor
from byheart.reference import contacts
from byheart.reference import redaction as oracle

from ..counts import examples

NAMES = ["email", "phone", "secret"]
pieces = st.sampled_from(
    ["x", "@", ".", "co", "sk-", "SK-", "abcdefghij", "0", "12", "3456", "-", " ", "+", "2025-11-11",
     "3.5.2026", "(", ")", ".", "/", "call ", "tel", "555", "0171", "'", "ü", "用", "e\u0301", ",", "1234567",
     "[", "]", "%",
     "é", "\n", "090-1234-5678", "a@b.co", "c@d.ef", "4111 1111 1111 1111", "http://", ",", "99999999"]
)  # fmt: skip
texts = st.lists(pieces, max_size=14).map("".join)
hostile = st.lists(
    st.sampled_from(
        ["AKIAABCDEFGHIJKLMNOP", "ghp_" + "a" * 36, "eyJhbGci", ".eyJzdWIi", ".c2ln", "１２３", "０９０", "＠",
        "password", '":"', "=", '"', "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
        "xoxb-1234567890", "山田", "太郎", "さん", "東京都", "千代田区", "1-2-3", "Mr. ", "Smith", "name: ",
        "sk-" + "b-" * 12, "\\", "ſ", "①", "−", "ﾔﾏﾀﾞ"]
    )
    | pieces,
    max_size=14,
).map("".join)  # fmt: skip


@settings(max_examples=examples(1_500))
@given(texts, st.permutations(NAMES))
@example("+81 90 1234 5678@example.com", NAMES)
@example("a@b.com_x@y.de", NAMES)
@example("x@a.b.cd.e1", NAMES)
def test_letters_are_the_patterns(text, names):
    found = Redactor(names, literal=True).redact(text)
    assert (found.text, found.count) == oracle.literal(text, names)


@settings(max_examples=examples(1_500))
@given(texts, st.permutations(NAMES))
@example("+81 90 1234 5678@example.com", NAMES)
@example("2025-11-11 090-1234-5678", NAMES)
def test_each_character_is_hidden_by_the_best_that_holds_it(text, names):
    found = [(*span, "email") for span in contacts.mails(text)] + [
        (*span, "phone") for span in contacts.telephones(text)
    ]
    found += [(*letters.span(), "secret") for letters in re.finditer(oracle.PATTERNS["secret"], text)]
    ours = {"secret": lambda seen: [letters.span() for letters in re.finditer(oracle.PATTERNS["secret"], seen)]}
    redactor = Redactor(names, detectors=ours)
    once = oracle.painted(text, found, names)
    assert redactor.redact(text).text == (redactor.redact(once).text if redactor.finds(once) else once)


@settings(max_examples=examples(3_000))
@given(texts)
@example("call 555-1234, 1234567 or 7654321")
@example("用'a@b.co")
@example("ISBN 978-3-16-148410-0 2024-2026")
def test_addresses_and_numbers_are_those_of_the_slow_definition(text):
    assert list(DETECTORS["email"](text)) == contacts.mails(text)
    assert list(DETECTORS["phone"](text)) == contacts.telephones(text)


@settings(max_examples=examples(2_000))
@given(hostile, st.permutations(sorted(DETECTORS)))
@example("090123456789AKIAABCDEFGHIJKLMNOP", sorted(DETECTORS))
def test_redacting_again_changes_nothing(text, names):
    redactor = Redactor(names)
    once = redactor.redact(text)
    assert redactor.redact(once.text).text == once.text
    assert not redactor.finds(once.text)


@settings(max_examples=examples(1_000))
@given(hostile)
def test_finds_are_places_of_the_text_in_order(text):
    found = Redactor(sorted(DETECTORS)).redact(text)
    at, parts = 0, []
    for find in found.finds:
        assert at <= find.start < find.end <= len(text)
        parts += [text[at : find.start], f"[{find.name}]"]
        at = find.end
    assert "".join([*parts, text[at:]]) == found.text
    account = found.account()
    assert account["count"] == len(found.finds) == sum(account["by_rule"].values())
