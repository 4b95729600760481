"""Words that are common in English weigh less than rare ones, in memories too small to tell them apart."""

from byheart import Analyzer, Memory
from byheart._core import bm25_idf, ordinary_texts
from byheart.reference import lexical

TOLD = (
    "We scrapped the Skoda and got 290 for it.",
    "Bought the upright piano off a lady in Bedminster for £240.",
    "Gave up on sourdough; the starter named Gerald went into the bin.",
    "I gave the neighbours our spare key.",
    "Agnes works nights as a nurse in Cardiff.",
    "The GP moved the appointment to Friday.",
    "In the end we went by train.",
)


def memory(**how: object) -> Memory:
    made = Memory(**how)
    for text in TOLD:
        made.remember(text)
    return made


def test_a_rare_word_goes_before_a_common_one() -> None:
    [hit, *_] = memory().recall("What did I give for the piano?")
    assert hit.text.startswith("Bought the upright piano")


def test_a_question_whose_only_rare_word_is_held_is_answered() -> None:
    found = memory().recall("what happened to the Skoda in the end?")
    assert found and found[0].text.startswith("We scrapped the Skoda")


def test_an_explanation_says_in_how_many_ordinary_texts_a_word_stands() -> None:
    found = memory().recall("Who gave the key?", explain=True)
    said = str(found[0].explanation)
    held, texts = ordinary_texts("give"), len(TOLD) + 1_000
    assert f"in 2 of {len(TOLD)}, and {held:g} of 1000 ordinary texts" in said
    taken_down = lexical.idf(texts, 2 + held) / lexical.idf(texts, 2)
    assert f"idf {lexical.idf(len(TOLD), 2) * taken_down:.8g}" in said


def test_in_a_conversation_the_records_stand_alone() -> None:
    made = memory()
    made.ingest_turn("I gave Tom the blue ladder.", user_id="ann", session_id="s")
    said = str(made.recall("Who gave the key?", explain=True)[0].explanation)
    assert "idf" in said and "ordinary texts" not in said


def test_texts_of_no_english_analyser_stand_alone() -> None:
    found = memory(analyzer=Analyzer(stop_words=None)).recall("gave key", explain=True)
    assert "ordinary texts" not in str(found[0].explanation)


def test_a_question_without_common_words_is_weighed_by_the_records_alone() -> None:
    [hit, *_] = memory().recall("Skoda", explain=True)
    assert "ordinary texts" not in str(hit.explanation) and f"{bm25_idf(len(TOLD), 1):.8g}" in str(hit.explanation)
