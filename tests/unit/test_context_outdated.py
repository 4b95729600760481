"""Contexts that show no older value without the newer one that a recall puts before it, linked or not."""

from __future__ import annotations

from typing import Any

import pytest

from byheart import Memory
from byheart.conversation.candidates import Candidate
from byheart.conversation.newer import behind_later

START, DAY = 1.78e9, 86_400.0
TOLD_ANEW = [
    ("My salary is 3400 euros.", "I got a raise, my salary is 3900 euros from April on, which is great.", "salary"),
    ("Our babysitter is Lilli.", "Lilli moved away, so our new babysitter is a student called Marek.", "babysitter"),
    ("My phone number is 0171 555.", "I have a new phone number, it is 0160 999, please use only that one.", "number"),
]
ASKED = {"salary": "What is my salary?", "babysitter": "Who is our babysitter?", "number": "What is my phone number?"}


@pytest.mark.parametrize("budget", [8, 12, 16, 20, 24, 40])
@pytest.mark.parametrize(("older", "newer", "asked"), TOLD_ANEW)
def test_no_older_value_is_shown_alone(older: str, newer: str, asked: str, budget: int) -> None:
    memory = Memory()
    for day, text in enumerate((older, newer, "The bakery sells rye bread.")):
        at = START + day * DAY
        memory.ingest_turn(text, session_id=f"s{day}", user_id="ann", created_at=at, now=at)
    assert [hit.text for hit in memory.recall(ASKED[asked], 2, user_id="ann", now=START + 9 * DAY)] == [newer, older]
    told = memory.context(ASKED[asked], budget=budget, user_id="ann", now=START + 9 * DAY)
    texts = [entry.text for entry in told.entries]
    assert (newer in texts) == (budget >= 20) and (older not in texts or texts.index(newer) < texts.index(older))
    assert newer in texts or "a newer one that says otherwise did not fit" in str(told.degraded)


@pytest.mark.parametrize("budget", [7, 10, 13, 30])
@pytest.mark.parametrize(
    ("older", "newer", "asked"),
    [
        ("On-call this week: Jonas.", "Jonas swapped, so Mira is on call this week.", "Who is on call this week?"),
        ("Secrets are stored in 1Password.", "We moved the secrets to Vault.", "Where are secrets stored?"),
        ("Planning is in room Curie.", "We meet in room Noether for planning.", "Where is planning?"),
    ],
)
def test_a_note_that_is_first_by_itself_is_shown_before_the_older_one_too(
    older: str, newer: str, asked: str, budget: int
) -> None:
    memory = Memory()
    for day, text in enumerate((older, newer, "The bakery sells rye bread.")):
        memory.remember(text, created_at=START + day * DAY)
    texts = [entry.text for entry in memory.context(asked, budget=budget, now=START + 9 * DAY).entries]
    assert older not in texts or newer in texts
    assert budget < 30 or texts[:2] == [newer, older]


def test_a_summary_that_was_given_another_text_stands_for_itself() -> None:
    memory = Memory()
    for at, text in enumerate(["The gate code is 4821.", "I have a cat called Miso.", "We fly to Lisbon in June."]):
        memory.remember(text, session_id="s", created_at=START + at)
    [summary] = memory.compact("s", force=True, now=START + DAY).summaries
    asked = {"query": "What is the gate code?", "budget": 100, "now": START + 9 * DAY}
    assert "4821" in memory.context(**asked).text
    memory.update(summary, text=memory.get(summary).text.replace("4821", "7777"))
    assert "7777" in memory.context(**asked).text and "4821" not in memory.context(**asked).text


@pytest.mark.parametrize("own", [{"speaker": "ann"}, {"user_id": "ann"}, {"provenance": {"source_name": "a.md"}}])
def test_what_is_another_s_or_stands_in_a_file_leaves_no_older_one_out(own: dict[str, Any]) -> None:
    memory = Memory()
    memory.remember("My shoe size is 42.", id="old", created_at=START, **own)
    memory.remember("Turns out my shoe size is 43, at least in Italy.", id="new", created_at=START + DAY)
    told = behind_later(
        [Candidate(memory.get("old"), 0.8)],
        [(memory.get("new"), 0.9), (memory.get("old"), 0.8)],
        "What is my shoe size?",
    )
    assert told[0].later == ()


@pytest.mark.parametrize("budget", range(6, 40))
def test_what_says_that_its_value_is_new_leaves_the_old_one_out(budget: int) -> None:
    memory = Memory()
    old, new = "My rent is 1,020 euros.", "Since May my rent is 1,050 euros, the landlord wrote to us last week."
    memory.remember(old, id="old", user_id="ann", created_at=START)
    memory.remember(new, id="new", user_id="ann", created_at=START + 120 * DAY)
    found = memory.context("how much is my rent?", budget, user_id="ann", now=START + 150 * DAY)
    texts = [entry.text for entry in found.entries]
    assert texts in ([], [new], [new, old]), texts
    assert bool(texts) or "budget: 1 record is left out, since a newer one" in found.degraded[0]


@pytest.mark.parametrize("budget", [200, 800])
def test_a_long_log_leaves_room_for_what_answers_behind_it(budget: int) -> None:
    memory = Memory()
    lines = [f"10:{at // 60:02d}:{at % 60:02d} INFO http.server status=200 path=/v1/{at}" for at in range(400)]
    lines[200] = "10:03:20 ERROR outbox.poller PayloadTooLarge: webhook body"
    turns = [
        ("user", "Look at the log of run B, something is wrong."),
        ("tool", "\n".join(lines)),
        ("assistant", "Webhook bodies above 512 kB are now split."),
    ]
    for at, (role, text) in enumerate(turns):
        memory.ingest_turn(text, session_id="s", role=role, id=f"t{at}", created_at=START + at, now=START + at)
    found = memory.context("what was wrong in run B?", budget, now=START + DAY)
    assert [entry.id for entry in found.entries] == ["t0", "t1", "t2"]
    assert budget - 40 <= found.tokens <= budget, "and the log has all that is left"
