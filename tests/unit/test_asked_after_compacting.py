"""Questions once a session is compacted: values that it was told in answer, and values that were changed since."""

from __future__ import annotations

import pytest

from byheart import Memory

DAY = 86_400.0
BESIDE = (
    "I bought a green bicycle for 400 euros.",
    "We painted the kitchen yellow last weekend.",
    "The plumber comes on Thursday at noon.",
)


@pytest.mark.parametrize(
    ("asked", "said", "question"),
    [
        ("When is your birthday?", "4 August 1990", "When is my birthday?"),
        ("What is your phone number?", "0171 5556677", "What is my phone number?"),
        ("What is your email?", "ann@example.org", "What is my email?"),
    ],
)
def test_the_context_reaches_a_value_that_the_summary_stands_for(asked: str, said: str, question: str) -> None:
    """No word of the summary says a birthday: what those say that it stands for counts, too."""
    with Memory() as memory:
        turns = [("assistant", asked), ("user", said), *(("user", text) for text in BESIDE)]
        for place, (role, text) in enumerate(turns):
            memory.ingest_turn(text, session_id="s", user_id="u", role=role, created_at=DAY + place, now=DAY)
        memory.compact("s", force=True, now=2 * DAY)
        assert memory.recall(question, user_id="u", now=9 * DAY).sufficient
        assert said in memory.context(question, budget=300, user_id="u", now=9 * DAY).text


@pytest.mark.parametrize("compacted", [(), ("jan",), ("jan", "mar")])
@pytest.mark.parametrize("budget", [8, 12, 20, 30])
def test_the_older_value_stands_in_no_context_alone(compacted: tuple[str, ...], budget: int) -> None:
    """The newer turn is linked with the older one, which is archived: its durable copy stands there in its place."""
    old, new = "The gate code is 4821.", "The gate code has been changed to 9035, the caretaker told me."
    with Memory() as memory:
        for place, text in enumerate((old, "My cousin bought a boat in Malmo.", "I read a book about whales.")):
            memory.ingest_turn(text, session_id="jan", user_id="ann", created_at=DAY + place)
        memory.ingest_turn(new, session_id="mar", user_id="ann", created_at=60 * DAY)
        for session in compacted:
            memory.compact(session, force=True, now=70 * DAY)
        told = memory.context("what is the gate code?", budget=budget, user_id="ann", now=90 * DAY)
        assert new in told.text or old not in told.text
        if old in told.text:
            assert told.text.index(new) < told.text.index(old)
        assert (new in told.text) == (budget >= 20) or told.degraded


def test_who_forgets_a_durable_copy_forgets_the_turn_that_says_the_same() -> None:
    """Recall shows the copy once the session is compacted; its turn, or the summary of that, would come back."""
    code = "My locker code is 2231."
    with Memory() as memory:
        for place, text in enumerate((code, *BESIDE)):
            memory.ingest_turn(text, session_id="jan", user_id="ann", id=f"t{place}", created_at=DAY + place, now=DAY)
        [summary] = memory.compact("jan", force=True, now=2 * DAY).summaries
        found = memory.recall("what is my locker code?", user_id="ann", now=9 * DAY)[0]
        for receipt in (memory.forget(found.id, dry_run=True), memory.forget(found.id)):
            assert (receipt.ids, receipt.copies, receipt.summaries) == ((found.id,), ("t0",), (summary,))
            assert receipt.untouched == () and "t1" in receipt.released
        assert not any("2231" in record.canonical() for record in memory.records())
        both = memory.ingest_turn(code, session_id="feb", user_id="ann", id="t9", created_at=3 * DAY, now=3 * DAY)
        assert memory.forget(["t9", both.durable_id or ""]).copies == (), "both were named"


def test_a_turn_stays_that_says_something_else_than_its_copy_or_whose_copy_a_filter_found() -> None:
    with Memory() as memory:
        done = memory.ingest_turn("My locker code is 2231.", session_id="jan", user_id="ann", id="t0", now=DAY)
        assert memory.forget(where={"kind": "memory"}).ids == (done.durable_id,) and "t0" in memory
        source = {"session_id": "jan", "source_id": "t0"}
        memory.remember("My locker code is 9. ", id="own", kind="memory", user_id="ann", provenance=source)
        receipt = memory.forget("own")
        assert (receipt.ids, receipt.untouched) == (("own",), ("t0",)) and "t0" in memory
