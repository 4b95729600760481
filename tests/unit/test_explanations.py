"""Explanations as they are printed: with a calculator, and nothing but what stands there, each row comes out."""

from __future__ import annotations

import re
from math import log

import pytest

import byheart
from byheart import Memory
from byheart._core import ordinary_texts
from byheart.embedding import HashingEmbedder
from byheart.words import Preset

from ..printed import LAST, TERM, checked, rows

DAY = 86_400.0
JANUARY = 1_767_225_600.0  # 2026-01-01


def shelf(**settings: object) -> Memory:
    """Return a memory of a few notes."""
    memory = Memory(**settings)  # type: ignore[arg-type]
    memory.remember("Ada Lovelace wrote the first published program, for the Analytical Engine.", topic="programs")
    memory.remember("The Analytical Engine was never finished.")
    memory.remember("Grace Hopper's team found a moth in a relay.", id="moth", topic="debugging")
    memory.remember("She wrote before lunch, and not after it.", id="lunch")
    return memory


def talk(**settings: object) -> Memory:
    """Return a memory of a conversation, and of a note beside it."""
    memory = Memory(**settings)  # type: ignore[arg-type]
    said = [
        ("Ann", "Where do you buy your green tea?"),
        ("Ben", "In the market hall of Turku, from an old lady."),
        ("Ann", "I drink green tea before breakfast."),
        ("Ben", "The weather is bad."),
        ("Ann", "Is there any tea in the house again, or has somebody drunk it all up?"),
        ("Ben", "A long answer: " + " ".join(f"thing{at}" for at in range(30))),
    ]
    for at, (speaker, text) in enumerate(said):
        memory.remember(
            text, id=f"t{at}", session_id="s", user_id="u", speaker=speaker, created_at=JANUARY + at * 60,
            metadata={"noise": "small talk"} if at == 3 else {},
        )  # fmt: skip
    memory.remember("Tea is sold in the old harbour.", id="note", created_at=JANUARY + 40 * DAY)
    return memory


def test_words() -> None:
    answer = shelf().recall("who wrote the first program?", explain=True, min_strength=0)
    assert checked(answer) == {"word_share", "subwords"}
    [*_, divisor] = rows(answer[0].explanation)[0].under
    [sum_] = re.findall(r"x ([\d.]+)", divisor.text)
    idfs = [idf(4, df) for df in (2, 1, 1)]  # wrote, first, program
    held = [ordinary_texts(term) for term in ("write", "first", "program")]  # of 1,000
    taken_down = [idf(1_004, df + more) / idf(1_004, df) for df, more in zip((2, 1, 1), held, strict=True)]
    assert all(held)
    assert float(sum_) == pytest.approx(sum(a * b for a, b in zip(idfs, taken_down, strict=True)), abs=LAST)


def idf(records: float, df: float) -> float:
    return log((records - df + 0.5) / (df + 0.5) + 1)


def test_words_of_a_preset() -> None:
    assert "word_share" in checked(shelf(preset="conversation").recall("the analytical engine", explain=True))


def test_pieces_of_words() -> None:
    answer = shelf().recall("who wrote the frist progam?", explain=True, min_strength=0)
    assert checked(answer) == {"word_share", "subwords"}
    answer = shelf().recall("Lovelase", explain=True, min_strength=0)
    assert checked(answer) == {"word_share", "subwords"}


def test_light_words_stand_out_as_no_part_of_what_the_words_weigh() -> None:
    answer = shelf().recall("what was written before lunch?", explain=True, min_strength=0)
    checked(answer)
    [hit] = [hit for hit in answer if hit.id == "lunch"]
    light = {TERM.fullmatch(row.text)[2]: TERM.fullmatch(row.text)[14] for row in rows(hit.explanation)[0].under[:-1]}  # type: ignore[index]
    assert light["before"] is not None
    assert light["lunch"] is None


def test_words_that_count_for_more_than_all_there_is() -> None:
    memory = Memory()
    memory.remember("Lunch, lunch, lunch: before, before and before lunch.", id="lunch")
    memory.remember("Nothing.")
    answer = memory.recall("before lunch", explain=True)
    assert "min(1, " in str(answer[0].explanation)
    checked(answer)


def test_vectors() -> None:
    answer = shelf(embedder=HashingEmbedder()).recall("who wrote the first program?", explain=True, min_strength=0)
    assert checked(answer) >= {"word_share", "meaning"}


def test_a_named_time() -> None:
    memory = Memory()
    for days in (0, 20, 40, 400):
        memory.remember(f"The kettle was descaled, says note {days}.", created_at=JANUARY + days * DAY)
    memory.remember("The kettle was descaled by Ann.")
    answer = memory.recall("was the kettle descaled in January 2026?", explain=True, now=JANUARY + 500 * DAY)
    assert "named_time" in checked(answer)
    told = [row.text for hit in answer for row in rows(hit.explanation) if "named_time" in row.text]
    assert any("(1 + 9 / 7.75)" in each for each in told), told
    answer = memory.recall("was the kettle descaled on 3 January 2026?", explain=True, now=JANUARY + 500 * DAY)
    assert "named_time" in checked(answer)
    assert any("/ 3)" in row.text for hit in answer for row in rows(hit.explanation)), "a day counts as three"


@pytest.mark.parametrize("settings", [{}, {"embedder": HashingEmbedder()}])
def test_a_conversation(settings: dict[str, object]) -> None:
    answer = talk(**settings).recall(
        "what did Ben say about green tea before breakfast in January 2026?", explain=True, min_strength=0,
        session_id="s", user_id="u", now=JANUARY + 100 * DAY,
    )  # fmt: skip
    around = {"before", "after", "whole", "speaker", "asking", "named_time", "this_session", "marked_noise"}
    assert checked(answer) >= {"word_share", *around}
    under = {
        row.text for hit in answer for each in rows(hit.explanation) if " before  " in each.text for row in each.under
    }
    assert any("t0" in each and "asks" in each for each in under), "a question right before counts four times"
    assert any("24 / " in each for each in under), "and less before a long answer"


@pytest.mark.parametrize("preset", ["default", "conversation"])
def test_a_whole_session_among_others(preset: Preset) -> None:
    memory = Memory(preset=preset)
    said = {
        "tea": ["I drink green tea.", "Tea is what I had before lunch.", "And tea again, with a cup of tea."],
        "boat": ["The boat is green.", "It leaves at nine."],
        "sky": ["The sky is grey today.", "I had it before.", "What of the cups?", "They are gone."],
        "else": ["Nothing of all that."],
    }
    for session, texts in said.items():
        for text in texts:
            memory.ingest_turn(text, session_id=session, user_id="u")
    memory.remember("Tea, green tea: that is in no session.", id="alone")
    answer = memory.recall("did they drink green tea before the regatta?", 20, explain=True, min_strength=0)
    assert "whole" in checked(answer)
    for hit in answer:
        assert hit.explanation is not None
        whole = [change for change in hit.explanation.changes if change.name == "whole"]
        assert len(whole) == (hit.id != "alone")
        for change in whole:
            assert change.inner is not None and change.inner.recomputed() == change.inner.score
            assert change.operand == 0.4 * change.inner.score
            assert ("all:tea" in str(change.inner)) == (hit.record.session_id == "tea")
            assert change.inner.id == hit.id and "of 4)" in str(change.inner)
    assert "(0.9 + 1) x " in str(answer[0].explanation)
    assert memory.explain("green tea", answer[0].id).recomputed() > 0


def test_near_duplicates_that_nothing_found() -> None:
    memory = Memory()
    memory.remember("I live in Rome.", id="rome", created_at=JANUARY)
    memory.remember("I live in Paris.", id="paris", created_at=JANUARY + DAY)
    memory.remember("Rome has a very long history of its own.", id="city", created_at=JANUARY)
    answer = memory.recall("Rome", explain=True)
    assert [hit.id for hit in answer] == ["rome", "paris", "city"]
    assert "near_duplicate" in checked(answer)
    assert "the score of rome, which says nearly the same" in str(answer[1].explanation)


def notes(hit: byheart.Hit) -> list[str]:
    """Return what an explanation says of where a hit stands."""
    return [row.text for row in rows(hit.explanation) if row.text.startswith("stands ")]


def test_a_hit_that_stands_before_a_better_one_says_why() -> None:
    memory = Memory(embedder=HashingEmbedder())
    memory.remember("The launch is on 3 May.", id="d0", created_at=JANUARY)
    memory.remember("The launch is on 10 May.", id="d1", created_at=JANUARY + DAY)
    memory.remember("Nobody launches a ship here.", id="ship", created_at=JANUARY)
    first, second, *others = memory.recall("when is the launch?", explain=True)
    assert (first.id, second.id) == ("d1", "d0") and first.score < second.score
    [note] = notes(first)
    assert note.startswith("stands before d0, which says nearly the same: was said later, and scores about as high (")
    one, share, other = map(float, re.findall(r"\d\.\d+", note))
    assert one == pytest.approx(first.score, abs=LAST) and other == pytest.approx(second.score, abs=LAST)
    assert one >= share * other
    assert not notes(second) and not any(map(notes, others))
    assert notes(memory.recall("when is the launch?", 1, explain=True)[0]) == [note]


def test_a_hit_that_is_moved_behind_another_says_so() -> None:
    memory = Memory()
    memory.remember("I have an appointment with the dentist on Monday.", id="dentist", created_at=JANUARY)
    memory.remember("I have an appointment with the barber on Monday.", id="barber", created_at=JANUARY + DAY)
    text = "My dentist has a house where appointment books are kept on the shelf."
    memory.remember(text, id="moved", created_at=JANUARY)
    answer = memory.recall("is my dentist appointment on Monday?", explain=True)
    assert [hit.id for hit in answer] == ["dentist", "barber", "moved"] and answer[1].score < answer[2].score
    assert [notes(hit) for hit in answer] == [[], ["stands behind dentist, which says nearly the same"], []]


def test_a_newer_hit_that_says_as_much_itself_says_so() -> None:
    memory = Memory()
    memory.remember("Where do you live now, Ann? In which town do you live?", id="t0", session_id="a", created_at=1)
    memory.remember("I live in Rome.", id="t1", session_id="a", created_at=2)
    memory.remember("Do you still live there? Who else lives there?", id="t2", session_id="a", created_at=3)
    memory.remember("I live in Oslo.", id="t3", session_id="b", created_at=4)
    answer = memory.recall("where do you live?", explain=True, session_id="a")
    hits = {hit.id: hit for hit in answer}
    assert list(hits).index("t3") + 1 == list(hits).index("t1") and hits["t3"].score < 0.9 * hits["t1"].score
    [note] = notes(hits["t3"])
    assert "stands before t1" in note and "says about as much of the question itself (" in note
