"""What a memory knows of a question: how strong an answer is, when it is empty, and what it says then."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from byheart import Analyzer, Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import CannotHonour, InvalidArgument
from byheart.profiles import get
from byheart.ranking.absolute import SUBWORD_FLOOR, meaning
from byheart.ranking.curves import CURVES, curve_of, words_in

NOTES = {
    "kettle": "The kettle is descaled every spring with vinegar.",
    "gate": "The garden gate squeaks when the wind comes from the sea.",
    "tea": "Green tea is steeped for two minutes, black tea for four.",
    "train": "The night train to Lisbon leaves from platform nine.",
}
LENGTH = (
    25 + 10
) / 4  # words of a note, on average, without stop words; and kinds: of kettle, spring, green, tea, black, train, Lisbon
KNOWN, UNKNOWN = "when is the kettle descaled?", "how do I renew a passport?"


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    for number, (id, text) in enumerate(NOTES.items()):
        memory.remember(text, id=id, created_at=number)
    return memory


def test_what_is_known_is_strong_and_what_is_not_is_empty_and_says_what_came_nearest(memory: Memory) -> None:
    known, unknown = memory.recall(KNOWN), memory.recall(UNKNOWN)
    assert known.sufficient and known[0].id == "kettle"
    assert known.strength is not None and known.strength > 0.5
    assert not unknown.sufficient and not unknown.hits
    assert unknown.strength is not None and unknown.strength < 0.1
    assert all("seems to know nothing" in gone.reason for gone in unknown.dropped)


def test_the_strength_of_an_answer_is_that_of_its_best_hit_and_worked_out_by_hand(memory: Memory) -> None:
    answer = memory.recall(KNOWN, min_strength=0)
    assert answer[0].strength == answer.strength == max(hit.strength or 0 for hit in answer)
    columns = answer.table.columns
    curve, share = curve_of(None), columns["word_share"][0] or 0
    assert answer.table.ids[0] == "kettle" and columns["subwords"][0], "words alone find less than four"
    # Each of the two words stands in one record of four; a record has 6 1/4 words on average.
    familiar = curve.familiar * min(math.sqrt(0.25 / (LENGTH / 25) ** 0.25 + (0.36 * share) ** 2), 0.3)
    logit = curve.bias + curve.words * share + familiar
    assert answer.strength == pytest.approx(1 / (1 + math.exp(-logit)), abs=1e-12)


def test_where_no_word_is_met_pieces_stand_for_words(memory: Memory) -> None:
    answer = memory.recall("ketteldescal", min_strength=0)  # nothing of two edits or fewer
    columns, curve = answer.table.columns, curve_of(None)
    assert answer[0].id == "kettle" and not any(columns["words"])
    share = 2.6 * meaning(columns["hypervector"][0], SUBWORD_FLOOR)
    assert share > 0 and answer[0].strength == answer.strength
    assert answer.strength == pytest.approx(1 / (1 + math.exp(-(curve.bias + curve.words * share))), abs=1e-12)


def test_how_familiar_words_are_is_worked_out_by_hand(memory: Memory) -> None:
    memory.remember_many([f"The lamp flickers {at}." for at in range(4)] + [f"Boxes arrive {at}." for at in range(32)])
    answer = memory.recall("kettle lamp passport", min_strength=0)
    inverse = {held: idf(40, held) for held in (0, 1, 4)}
    inverse[4] *= idf(1_040, 4 + 1) / idf(1_040, 4)  # of 1,000 ordinary texts one says "lamp"
    shares = (inverse[1] * 1 / 40 + inverse[4] * 4 / 40) / sum(inverse.values())
    average = (4 * LENGTH + 36 * 3) / 40
    figures = answer.account.bare().figures["strength"]
    short = 0.36 * 0.25 * figures["share"]  # of three words a share says a quarter of what it does of two
    assert figures["familiarity"] == pytest.approx(math.sqrt(shares / (average / 25) ** 0.25 + short**2))
    curve = curve_of(None)
    logit = curve.bias + curve.words * figures["share"] + curve.familiar * figures["familiarity"]
    assert answer.strength == pytest.approx(1 / (1 + math.exp(-logit)), abs=1e-12)


def idf(records: int, held: int) -> float:
    return math.log(1 + (records - held + 0.5) / (held + 0.5))


@pytest.mark.parametrize(("words", "factor"), [(3, 1.0), (4, 1.0), (6, 1.5**0.5), (8, 2**0.5), (12, 2**0.5)])
def test_a_share_of_a_longer_question_says_more(memory: Memory, words: int, factor: float) -> None:
    others = ["passport", "embassy", "photo", "visa", "border", "consul", "stamp", "ferry", "harbour", "island", "quay"]
    answer = memory.recall(" ".join(["kettle", *others[: words - 1]]), min_strength=0)
    columns, curve = answer.table.columns, curve_of(None)
    share = columns["word_share"][0] or 0
    familiar = curve.familiar * answer.account.bare().figures["strength"]["familiarity"]
    logit = curve.bias + factor * curve.words * share + familiar
    assert answer.strength == pytest.approx(1 / (1 + math.exp(-logit)), abs=1e-12)
    assert answer[0].strength == answer.strength


def test_a_question_in_writing_without_spaces_has_a_fifth_of_its_pieces_as_words() -> None:
    assert words_in(Analyzer().terms("東京の天気は")) == pytest.approx(11 / 5)
    assert words_in(Analyzer().terms("The kettle, the kettle and the pot")) == 2


def test_an_answer_exactly_as_strong_as_it_has_to_be_is_given(memory: Memory) -> None:
    strength = memory.recall(KNOWN, min_strength=0).strength
    assert strength is not None
    assert [hit.id for hit in memory.recall(KNOWN, 1, min_strength=strength)] == ["kettle"]
    assert not memory.recall(KNOWN, 1, min_strength=math.nextafter(strength, 1)).hits


def test_a_question_named_with_a_time_goes_through_the_stages_to_the_same_equality(memory: Memory) -> None:
    question = "was the kettle descaled on 3 May 2026?"
    strength = memory.recall(question, min_strength=0, now=0).strength
    assert strength is not None
    assert memory.recall(question, min_strength=strength, now=0).hits
    assert not memory.recall(question, min_strength=math.nextafter(strength, 1), now=0).hits


def test_k_changes_nothing_about_it_and_what_may_not_be_found_is_not_known(memory: Memory) -> None:
    strength = memory.recall(KNOWN, min_strength=0).strength
    assert memory.recall(KNOWN, 1, min_strength=0).strength == strength
    assert memory.recall(KNOWN, where={"id": ["kettle", "tea"]}, min_strength=0).strength == strength
    for left in ({"where": {"id": ["tea", "gate"]}}, {"exclude": ["kettle"]}, {"since": 2.0}, {"as_of": -1.0}):
        answer = memory.recall(KNOWN, **left)
        assert not answer.sufficient and answer.strength is not None and answer.strength < 0.1, left


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
@pytest.mark.parametrize("many", [0, 30])
def test_what_another_user_said_is_not_known(embedder: HashingEmbedder | None, many: int) -> None:
    with Memory(embedder=embedder) as memory:
        memory.remember_many(
            [{"text": f"Bob waters garden {at} on Sundays.", "user_id": "bob"} for at in range(3 + many)]
        )
        before = memory.recall(UNKNOWN, user_id="bob")
        memory.remember("You renew a passport at the embassy with two photos.", user_id="ann")
        assert memory.recall(UNKNOWN, user_id="ann").sufficient
        after = memory.recall(UNKNOWN, user_id="bob")
        assert not before.hits and not after.hits
        assert before.strength is not None and after.strength == pytest.approx(before.strength, abs=0.02)


def test_vectors_have_a_curve_of_their_own() -> None:
    with Memory(embedder=HashingEmbedder()) as memory:
        for id, text in NOTES.items():
            memory.remember(text, id=id)
        assert memory.recall("descaling a kettle").sufficient
        assert not memory.recall(UNKNOWN).sufficient
    assert curve_of("hashing") != curve_of(None)


def test_words_alone_have_the_curve_of_words_in_a_memory_with_vectors_too(memory: Memory) -> None:
    question = "was the kettle descaled on 3 May 2026?"
    with Memory(vectors="all-MiniLM-L6-v2:3") as other:
        for number, (id, text) in enumerate(NOTES.items()):
            other.remember(text, id=id, created_at=number, vector=[1.0, 0.0, 0.0])
        answer = other.recall(question, min_strength=0, now=0)
    assert answer.strength == memory.recall(question, min_strength=0, now=0).strength is not None
    assert answer.account.bare().figures["strength"]["model"] is None


def test_a_profile_without_vectors_has_the_curve_of_words(memory: Memory) -> None:
    auto = get("auto")
    words = replace(auto, name="words", legs=tuple(leg for leg in auto.legs if leg.retriever != "dense"))
    question = "was the kettle descaled on 3 May 2026?"
    with Memory(embedder=HashingEmbedder()) as other:
        for number, (id, text) in enumerate(NOTES.items()):
            other.remember(text, id=id, created_at=number)
        answer = other.recall(question, profile=words, min_strength=0, now=0)
    assert answer.strength == memory.recall(question, min_strength=0, now=0).strength is not None


def test_who_published_a_model_is_no_part_of_its_name() -> None:
    assert curve_of("sentence-transformers/all-MiniLM-L6-v2") == CURVES["all-MiniLM-L6-v2"]
    with Memory(vectors="sentence-transformers/all-MiniLM-L6-v2:3") as memory:
        memory.remember("The gate squeaks.", id="gate", vector=[1.0, 0.0, 0.0])
        assert memory.recall("a noise outside", vector=[0.9, 0.1, 0.0]).sufficient
        assert not memory.recall("a passport", vector=[0.0, 0.1, 0.9]).hits


def test_a_model_that_nobody_has_measured_empties_no_answer() -> None:
    with Memory(vectors="mine:3") as memory:
        memory.remember("The gate squeaks.", id="gate", vector=[1.0, 0.0, 0.0])
        assert memory.recall("a noise outside", vector=[0.9, 0.1, 0.0])[0].id == "gate"


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, math.inf, "0.5", True])
def test_a_bound_that_is_no_share_is_refused(memory: Memory, bad: Any) -> None:
    with pytest.raises((InvalidArgument, TypeError), match="min_strength"):
        memory.recall(KNOWN, min_strength=bad)


def test_words_are_familiar_as_far_as_what_may_be_found_says_them() -> None:
    """Common words say much of a question, unless it is others that say them."""
    with Memory() as memory:
        memory.remember_many([{"text": f"Ann descales kettle {at}.", "user_id": "ann"} for at in range(60)])
        memory.remember_many([{"text": f"Bob waters garden {at}.", "user_id": "bob"} for at in range(60)])
        asked = "which kettle did she descale?"
        [anns, bobs] = [memory.recall(asked, user_id=user, min_strength=0).strength for user in ("ann", "bob")]
        assert anns is not None and bobs is not None
        assert anns > 0.9 and bobs < 0.02 and memory.recall(asked, user_id="ann").sufficient


SAID = (
    "My salary is 51500 euros.", "I live in Bergen near the fish market.", "My daughter Ingrid is allergic to peanuts.",
    "My flight to Lisbon is on 5 February with TAP.", "My locker code at work is 4711.",
    "I prefer green tea over coffee.",
)  # fmt: skip


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["words", "vectors"])
def test_a_question_that_was_just_taken_in_and_is_left_out_empties_no_answer(embedder: HashingEmbedder | None) -> None:
    """An agent takes in what its user says and asks then: its own question says more of itself than any answer does."""
    asked = "Recommend me a tea shop nearby"
    with Memory(embedder=embedder) as memory:
        for text in SAID:
            memory.ingest_turn(text, session_id="monday", user_id="bob")
        before = memory.recall(asked, user_id="bob")
        turn = memory.ingest_turn(asked, session_id="tuesday", user_id="bob")
        after = memory.recall(asked, user_id="bob", exclude=[turn.id or ""])
        assert before[0].text == after[0].text == SAID[-1] and after.sufficient
        told = memory.context(asked, 200, user_id="bob", session_id="tuesday", recent=True, operators=False)
        assert {SAID[-1], asked} <= {entry.text for entry in told.entries}


def test_what_another_user_asks_empties_no_answer() -> None:
    asked = "Which bus goes to Bergen tomorrow morning?"
    with Memory() as memory:
        for text in SAID:
            memory.ingest_turn(text, session_id="monday", user_id="bob")
        assert memory.recall(asked, user_id="bob")[0].text == SAID[1]
        memory.ingest_turn(asked, session_id="elsewhere", user_id="alice")
        assert memory.recall(asked, user_id="bob")[0].text == SAID[1]


def test_a_memory_of_eight_records_knows_what_it_does_not_know() -> None:
    with Memory() as memory:
        memory.remember_many([*NOTES.values(), *(f"{text} ({at})" for at, text in enumerate(FALCON))])
        for question in ("when is the passport office in Lima open?", "which court heard the case of the brothers?"):
            assert not memory.recall(question).hits, question
        for question in ("when is the kettle descaled?", "who leads Falcon?", "how long is black tea steeped?"):
            assert memory.recall(question).sufficient, question


@pytest.mark.parametrize("question", ["was ist am 03.05.?", "was ist am Freitag?", "wxyz"])
def test_an_answer_for_which_no_search_found_a_row_is_as_strong_as_nothing(question: str) -> None:
    memory = Memory()
    memory.remember("Der Termin ist gut.", created_at=1.6e9)
    answer = memory.recall(question, now=1.7e9)
    assert not answer.hits and not answer.sufficient
    assert answer.strength == curve_of(None).of(0.0)


@pytest.mark.parametrize("question", ["kettel", "when is the kettel descalled?", "Lisabon"])
def test_a_misspelled_word_is_known_by_its_pieces(memory: Memory, question: str) -> None:
    assert memory.recall(question).sufficient


def test_other_profiles_tell_no_strength(memory: Memory) -> None:
    answer = memory.recall(KNOWN, profile="kb-fast")
    assert answer.strength is None
    assert [hit.strength for hit in answer] == [None] * len(answer)
    with pytest.raises(CannotHonour, match="min_strength: answers of profile 'kb-fast' have no strength"):
        memory.recall(KNOWN, profile="kb-fast", min_strength=0.1)
    assert memory.recall(KNOWN, profile="kb-fast", min_strength=0).hits == answer.hits


def test_nothing_is_known_by_an_empty_memory() -> None:
    answer = Memory().recall(KNOWN)
    assert not answer.sufficient and not answer.hits


FALCON = [
    "Project Falcon kicks off in June.",
    "Project Falcon uses Rust.",
    "Falcon's lead is Sara.",
    "Falcon demo went well.",
]


@pytest.mark.parametrize("many", range(1, 12))
@pytest.mark.parametrize("question", ["tell me about Falcon", "status of Falcon", "Falcon deadline"])
def test_a_small_memory_about_one_thing_knows_it(many: int, question: str) -> None:
    memory = Memory()
    memory.remember_many([f"{FALCON[at % 4]} ({at})" for at in range(many)])
    assert memory.recall(question).sufficient
    assert not memory.recall("how do I renew a passport?").hits
    assert not memory.recall(question, min_strength=1.0).hits, "who names a bound gets it"


def test_a_long_record_is_found_by_its_word_with_an_embedder_too() -> None:
    mail = ("Sehr geehrter Herr Weber, anbei das Angebot für die neue Wärmepumpe: 18.400 Euro inkl. Montage. "
            "Das Angebot gilt bis 31. März. Mit freundlichen Grüßen, Petra Müller")  # fmt: skip
    for embedder in (None, HashingEmbedder()):
        memory = Memory(embedder=embedder)
        memory.remember_many([mail, "The rent is due on the third.", "Cats sleep a lot."])
        assert memory.recall("Was kostet die Wärmepumpe?")[0].text == mail
