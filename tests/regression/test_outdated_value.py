"""An update was turned down by the gate as not new, and `compact` left the old value alone to be found.

And a flight at 7:40 was not kept for good, since "at 7:40" was taken for the place of an error.
"""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.conversation.gate import gate
from byheart.embedding import HashingEmbedder

DAY = 86_400.0
START = 1.76e9
PAIRS = [
    ("The wedding is on the 12th of June.", "The wedding was moved to the 21st of June.", "When is the wedding?"),
    ("The gate code is 4821.", "The gate code has been changed to 9035.", "What is the gate code?"),
    (
        "My flight to Oslo leaves at 7:40.",
        "My flight to Oslo now leaves at 9:15.",
        "When does my flight to Oslo leave?",
    ),
    ("The wedding is on 12 June.", "The wedding will be on 21 June.", "When is the wedding?"),
    ("Die Hochzeit ist am 12. Juni.", "Die Hochzeit wurde auf den 21. Juni verschoben.", "Wann ist die Hochzeit?"),
    ("Dinner with Sara is on Monday.", "Dinner with Sara has been cancelled.", "When is dinner with Sara?"),
]
OTHERS = ("We invited eighty guests to the castle.", "The florist wants a deposit of 200 euros.")


@pytest.mark.parametrize("hashed", [False, True], ids=["words", "hashing"])
@pytest.mark.parametrize(("old", "new", "question"), PAIRS)
def test_what_says_otherwise_is_kept_linked_and_first(old: str, new: str, question: str, hashed: bool) -> None:
    memory = Memory(embedder=HashingEmbedder() if hashed else None)
    said = {}
    told = [("jan", old), ("jan", OTHERS[0]), ("mar", new), ("mar", OTHERS[1])]
    for number, (session, text) in enumerate(told):
        at = START + number * 20 * DAY
        said[text] = memory.ingest_turn(text, session_id=session, user_id="lotte", created_at=at)
        memory.ingest_turn("Got it.", session_id=session, user_id="lotte", role="assistant", created_at=at + 9)
    first, second = said[old].durable_id, said[new].durable_id
    assert first is not None and second is not None
    assert first in said[new].near_duplicates
    now = START + 100 * DAY

    def found() -> list[str]:
        hits = memory.recall(question, user_id="lotte", operators=False, now=now)
        return [hit.text for hit in hits if hit.text in (old, new)]

    assert found() == [new, old]
    for session in ("jan", "mar"):
        memory.compact(session, force=True, now=now)
    assert found() == [new, old]
    memory.forget(first)
    assert memory.get(second).near_duplicates == ()


def test_a_time_of_day_is_no_place_of_an_error() -> None:
    text = "My flight to Oslo leaves at 7:40 on Friday."
    assert gate(text).signals.technicality == 0.0 and gate(text).promoted
    assert gate("It fails at main.py:40").signals.technicality > 0.0


@pytest.mark.parametrize("text", ["I go to yoga.", "We make candles.", "My yarn shop is open.", "My class is at noon."])
def test_words_of_every_day_are_no_commands(text: str) -> None:
    assert gate(text).signals.technicality == 0.0
