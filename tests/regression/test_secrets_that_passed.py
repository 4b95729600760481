"""The usual policy kept passwords of words and digits with a hyphen, and what a sign without width stood in."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.boundary.redaction import Redactor
from byheart.errors import BoundaryViolation

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
UNSEEN = {"zero-width space": "\u200b", "word joiner": "\u2060", "soft hyphen": "\xad", "mark of direction": "\u200e"}


@pytest.mark.parametrize(
    "text",
    [
        "My password is maple-42.",
        "my password for the router is correct-horse-9",
        "password: abc-123",
        "password: maple_42",
        "password = maple.42",
        "Password for wifi: hunter2",
        "Passwort für das WLAN: Sonnenblume42",
        "PIN for the gate: 4711",
        "the passcode is 42-maple",
        "The wifi password is sha-maple-7",
    ],
)
def test_a_password_is_refused(text: str) -> None:
    with Memory(policy="default") as memory, pytest.raises(BoundaryViolation, match="holds a secret"):
        memory.remember(text)
    assert Redactor().redact(text).holds_secret


@pytest.mark.parametrize(
    "text",
    [
        "the password is 12-characters long",
        "the password is 8-12 characters long",
        "my password is long",
        "the password is case-sensitive",
        "the password is base64-encoded",
        "password: sha-256",
        "password: utf-8",
        "the password is from 2026-05-03",
        "the password was 2026-05-03",
        "the password was 3-May-2026",
        "the PIN is 4-digit",
        "das Passwort ist 12-stellig",
        "the password is version-2",
        "Password for wifi: see the vault",
        "password rules for 2026: use 12-characters",
        "the token limit for 2026: gpt-4o has more",
        "token: next-2",
    ],
)
def test_what_only_speaks_of_one_is_kept(text: str) -> None:
    with Memory(policy="default") as memory:
        kept = memory.get(memory.remember(text))
    assert kept is not None and kept.text == text


@pytest.mark.parametrize("sign", UNSEEN.values(), ids=UNSEEN)
def test_a_sign_without_width_hides_nothing_from_a_detector(sign: str) -> None:
    redactor = Redactor()
    assert redactor.redact(f"Write to ann{sign}@exam{sign}ple.com.").text == "Write to [email]."
    assert redactor.redact(f"token {TOKEN[:14]}{sign}{TOKEN[14:]}!").text == "token [secret]!"
    assert redactor.redact(f"tea{sign}time ﬁ, call +49 170{sign}1234567").text == f"tea{sign}time ﬁ, call [phone]"
    assert redactor.redact(f"a{sign}b{sign}").text == f"a{sign}b{sign}"
    with Memory(policy="default") as memory:
        with pytest.raises(BoundaryViolation, match="holds a secret"):
            memory.remember(f"token {TOKEN[:14]}{sign}{TOKEN[14:]}")
        kept = memory.get(memory.remember(f"Write to ann{sign}@example.com."))
    assert kept is not None and kept.text == "Write to [email]."
