"""A newer statement that is linked with a hit stands before it, with vectors as without: they find anything near."""

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder

PAIRS = [
    ("I weigh 94 kilos.", "Down to 91 kilos now!", "How much do I weigh?"),
    (
        "I work as a barista at Cafe Rosso.",
        "I quit the cafe and started at a bookshop called Page One.",
        "Where do I work?",
    ),
    ("Our holiday is in Crete in July.", "We've decided on Sardinia instead of Crete.", "Where is our holiday?"),
]
DAY = 86_400


@pytest.mark.parametrize("width", [None, 64, 256])
@pytest.mark.parametrize("others", [0, 8])
@pytest.mark.parametrize(("old", "new", "question"), PAIRS)
def test_it_is_not_left_out_as_near_by_nothing(
    old: str, new: str, question: str, others: int, width: int | None
) -> None:
    memory = Memory(embedder=None if width is None else HashingEmbedder(width))
    for at, text in enumerate([old, *(f"Chapter {n} of the novel about a ship." for n in range(others)), new]):
        memory.ingest_turn(text, session_id=f"s{at}", user_id="u", now=at * 7 * DAY)
    found = memory.recall(question, user_id="u", now=400 * DAY)
    assert [hit.text for hit in found][:2] == [new, old]
    assert memory.context(question, 40, user_id="u", now=400 * DAY).entries[0].text == new
    assert len({hit.text for hit in found}) == len(found), "a turn and its durable copy are one hit"
    told = str(memory.explain(question, found[0].id, user_id="u", now=400 * DAY))
    assert "which says nearly the same" in told and "dropped" not in told


@pytest.mark.parametrize("width", [None, 64])
def test_a_correction_is_one_hit_and_stays_first_once_its_session_is_compacted(width: int | None) -> None:
    memory = Memory(embedder=None if width is None else HashingEmbedder(width))
    said = ["Got a loan of 25,000 euros from KBC.", "No wait, it was 28,000.", "Arun turned 15 yesterday."]
    for at, text in enumerate(said):
        memory.ingest_turn(text, session_id="s", user_id="u", now=at * 30)
    for _ in range(2):
        texts = [hit.text for hit in memory.recall("How much is the loan?", user_id="u", now=10 * DAY)]
        assert texts[:2] == [said[1], said[0]] and texts.count(said[1]) == 1
        memory.compact("s", force=True, now=DAY)
