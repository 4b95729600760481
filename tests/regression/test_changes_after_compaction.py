"""What says plainly that something has changed stays first after its session was compacted, and the summary says it."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.conversation.outdated import with_updates
from byheart.ranking.summaries import summaries_behind
from byheart.summarising import Summary, Turn

CHANGES = [
    ("My flight leaves at 7:40.", "The flight was moved to 9:15.", "when does my flight leave?"),
    ("The dentist appointment is on Monday at nine.", "No, I meant Tuesday.", "when is the dentist appointment?"),
    ("The wedding is on the 12th of June.", "The wedding was moved to the 21st of June.", "when is the wedding?"),
    ("I take 20 mg of lisinopril every morning.", "The doctor raised the lisinopril to 40 mg.",
     "how much lisinopril do I take?"),
    ("The workshop is in hall B.", "No, it's hall C.", "where is the workshop?"),
]  # fmt: skip


def told(*texts: str) -> Memory:
    memory = Memory()
    for number, text in enumerate(texts):
        memory.ingest_turn(text, session_id="s", user_id="u", created_at=1767225600 + 600 * number)
    return memory


def found(memory: Memory, question: str) -> list[str]:
    return [hit.text for hit in memory.recall(question, user_id="u", now=1768e6)]


@pytest.mark.parametrize(("old", "new", "question"), CHANGES)
def test_what_has_changed_comes_first_before_and_after_a_compaction(old: str, new: str, question: str) -> None:
    memory = told(old, new)
    assert found(memory, question)[:2] == [new, old]
    [summary] = memory.compact("s", force=True, now=1767400000).summaries
    after = found(memory, question)
    assert after.index(new) < after.index(old)
    assert after[0] != old
    assert old in after[:2] or after[0] == memory.get(summary).text
    assert new in memory.get(summary).text


@pytest.mark.parametrize(("old", "new", "question"), CHANGES)
def test_who_asks_for_the_past_gets_the_old_one(old: str, new: str, question: str) -> None:
    memory = told(old, new)
    memory.compact("s", force=True, now=1767400000)
    after = found(memory, f"{question[:-1]} originally?")
    assert after.index(old) < after.index(new) if new in after else old in after


def test_what_leads_goes_along_before_a_summary() -> None:
    rows, own = ["s", "new", "x", "old"], {"s": 1.0, "new": 0.2, "x": 0.5, "old": 0.95}
    assert summaries_behind(rows, {"s"}, own) == ["old", "s", "new", "x"]
    leads = [("new", "old"), ("s", "old")]
    assert summaries_behind(rows, {"s"}, own, lambda one, row: (one, row) in leads) == ["new", "old", "s", "x"]


@pytest.mark.parametrize("between", [[], ["Noted."], ["Noted.", "Anything else?"]])
def test_a_correction_stands_in_the_summary_of_what_it_corrects(between: list[str]) -> None:
    old, new = "The dentist appointment is on Monday at nine.", "No, I meant Tuesday."
    turns = [Turn(str(number), text) for number, text in enumerate([old, *between, new, "I like tea."])]
    extract = with_updates(Summary(old, 0.9, "extractive", ("0",)), turns)
    assert extract.text == f"{old} {new}"
    told_so = with_updates(Summary("Dentist on Monday at nine.", 0.9, "by hand", ("0",)), turns)
    assert told_so.text == f"Dentist on Monday at nine. {new}"
    other = with_updates(Summary("I like tea.", 0.9, "extractive", (turns[-1].id,)), turns)
    assert other.text == "I like tea.", "nobody is told of what is not there"


def test_a_correction_is_of_the_last_that_it_may_be_of() -> None:
    turns = [Turn("0", "The gym is on Friday."), Turn("1", "The dentist is on Monday."), Turn("2", "No, on Tuesday.")]
    assert with_updates(Summary(turns[0].text, 0.9, "extractive", ("0",)), turns).source_ids == ("0",)
