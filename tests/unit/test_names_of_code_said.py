"""Names of code, channels and addresses of machines are names, places and addresses, too."""

from __future__ import annotations

import pytest

from byheart import Memory


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("The retry helper is with_retry() in ledger/core/retry.py.", "What is the retry helper called?"),
        ("Backups go to the bucket s3://acme-backups-eu.", "What is the name of the backups bucket?"),
        ("Staging runs on 10.0.4.12.", "What is the address of staging?"),
        ("Staging runs on 10.0.4.12.", "where does staging run?"),
        ("The ledger repo: git@github.com:acme/ledger-api.git", "What is the address of the ledger repo?"),
        ("The nightly job is recon-nightly.", "what is the nightly job called?"),
        ("Deploys are announced in #ship-it.", "what is the deploy channel called?"),
        ("Our table of users is `app_users`.", "What is the users table called?"),
        ("The cache listens at localhost.", "What is the address of the cache?"),
    ],
)
def test_they_answer(text: str, asked: str) -> None:
    memory = Memory()
    memory.remember(text)
    assert memory.recall(asked)[0].text == text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Our cat sleeps on the stove.", "What is our cat called?"),
        ("I take my dog to the park at 8.", "what is the name of my dog?"),
        ("Staging is slow today.", "What is the address of staging?"),
    ],
)
def test_what_has_none_does_not(text: str, asked: str) -> None:
    memory = Memory()
    memory.remember(text)
    assert not memory.recall(asked)


@pytest.mark.parametrize(
    ("wrong", "right", "asked"),
    [
        (
            "I want to see the diff before you commit anything.",
            "I see Dr. Orr on 3 May at 9.",
            "when is my appointment?",
        ),
        ("Deadlock: two transfers locked the rows in opposite order.", "I ordered a lamp.", "What did I buy?"),
        (
            "Pinned pydantic to 2.7.4 because 2.8 broke unions.",
            "The pin of the wifi is 4711.",
            "what is the wifi password?",
        ),
    ],
)
def test_another_word_is_read_in_its_own_sense_alone(wrong: str, right: str, asked: str) -> None:
    memory = Memory()
    memory.remember(wrong)
    memory.remember_many([f"Module m{n} belongs to squad {n % 5}." for n in range(20)])
    assert not memory.recall(asked)
    memory.remember(right)
    assert memory.recall(asked)[0].text == right
