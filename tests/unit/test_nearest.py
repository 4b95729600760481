"""Who asks for an answer of any strength gets what is nearest, also where nothing of the question is in any record."""

from __future__ import annotations

import pytest

from byheart import Memory

TEXTS = {"flat": "My flat has two bedrooms.", "server": "The server crashed.", "boat": "The boat leaves at nine."}
VECTORS = {"flat": [0.15, 1.0, 0.0], "server": [0.05, 0.0, 1.0], "boat": [-0.5, 1.0, 1.0]}
ASKED = "how big is the castle?"


@pytest.fixture
def memory() -> Memory:
    memory = Memory(vectors="own:3")
    for id, text in TEXTS.items():
        memory.remember(text, id=id, vector=VECTORS[id])
    return memory


def test_the_nearest_by_vectors_come_in_order(memory: Memory) -> None:
    vector = [1.0, 0.0, 0.0]
    assert not memory.recall(ASKED, vector=vector)
    answer = memory.recall(ASKED, vector=vector, min_strength=0, explain=True)
    assert [(hit.id, hit.score) for hit in answer] == [("flat", 0.0), ("server", 0.0)]
    assert answer.strength < 0.1 and all(hit.strength is not None and hit.strength < 0.1 for hit in answer)
    assert "nothing of the question is in any record: the nearest by cosine" in str(answer.table)
    assert [hit.id for hit in memory.recall(ASKED, 1, vector=vector, min_strength=0)] == ["flat"]
    assert [hit.id for hit in memory.recall(ASKED, vector=vector, min_strength=0, exclude=["flat"])] == ["server"]
    weaker = memory.recall(ASKED, vector=vector)
    assert not weaker and weaker.nearest == ("flat", "server") and weaker.strength == answer.strength
    assert weaker.dropped[0].reason == "near, but nothing of the question is in it"
    filtered = memory.recall(ASKED, vector=vector, where={"id": ["server", "boat"]})
    assert not filtered and filtered.nearest == ("server",)


def test_the_nearest_by_pieces_of_words_where_nothing_has_a_vector() -> None:
    memory = Memory()
    memory.remember("My flat has two bedrooms.", id="flat")
    memory.remember("The server crashed.", id="server")
    assert not memory.recall("flaxseed")
    assert [hit.id for hit in memory.recall("flaxseed", min_strength=0)][:1] == ["flat"]


def test_what_shares_words_is_scored_as_ever(memory: Memory) -> None:
    vector = [1.0, 0.0, 0.0]
    one, two = (memory.recall("server", vector=vector, min_strength=least) for least in (None, 0))
    assert [(hit.id, hit.score) for hit in one] == [(hit.id, hit.score) for hit in two]


def test_what_says_the_same_comes_once_and_what_is_not_there_not_at_all(memory: Memory) -> None:
    memory.remember("My flat has two bedrooms.", id="again", session_id="s", vector=[0.2, 1.0, 0.0])
    memory.forget(["server"])
    found = memory.recall(ASKED, vector=[1.0, 0.0, 0.0], min_strength=0)
    assert [hit.text for hit in found] == ["My flat has two bedrooms."]
    assert not Memory().recall(ASKED, min_strength=0)
