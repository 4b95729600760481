"""Kinds of things: who asks by the kind finds what is told by its name; a name goes before what is of its kind."""

import pytest

from byheart import Analyzer, Memory
from byheart.patterns.kind_words import KINDS, SAME
from byheart.patterns.kind_words_beside import OTHER_KINDS
from byheart.patterns.kinds import names_of_kinds
from byheart.retrieval.marked_terms import MARK, all_marked

OTHERS = tuple(f"Note {number} of the garden shed." for number in range(20))


def asked(said: str | dict[str, str], question: str, profile: str = "auto") -> list[str]:
    memory = Memory()
    memory.remember_many(OTHERS)
    for id, text in (said if isinstance(said, dict) else {"it": said}).items():
        memory.remember(text, id=id)
    return [hit.id for hit in memory.recall(question, profile=profile)]


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I have been practising the cello on Tuesdays.", "Which instrument do I practise?"),
        ("Anna adopted two puppies from the shelter.", "What pets does Anna have?"),
        ("Tom is vegan and bakes on Sundays.", "What is Tom's diet?"),
        ("Mum lives in Leeds with her sister.", "Where does my mother live?"),
        ("The new couch arrives on Friday.", "When does the sofa arrive?"),
        ("My home is in Ghent.", "Where do I live?"),
        ("Our wedding was in Graz.", "Where did we marry?"),
        ("My height is 178 cm.", "How tall am I?"),
        ("Lena swam and went skiing in January.", "What sports does Lena do?"),
        ("We store invoices in Postgres, version 16.", "Which database holds the invoices?"),
        ("Anna übt jeden Tag Geige.", "Welches Instrument spielt Anna?"),
        ("Wir haben zwei Katzen, Mia und Leo.", "Welche Haustiere haben wir?"),
        ("Anna tra\u0308umt gru\u0308n.", "Welche Farbe träumt Anna?"),
        ("Ma voiture est rouge et vieille.", "Quelle est la couleur de ma voiture ?"),
        ("Julie joue du violoncelle.", "De quel instrument joue Julie ?"),
        ("Tenemos dos gatos, Luna y Sol.", "¿Qué mascotas tenemos?"),
        ("Her mice escaped from the kitchen.", "Whose mouse escaped?"),
    ],
)
def test_a_thing_is_found_by_its_kind(said: str, question: str) -> None:
    assert asked(said, question)[:1] == ["it"]


def test_what_is_named_goes_before_what_is_of_its_kind() -> None:
    said = {"one": "My cardiologist is Tom Jones.", "named": "My doctor, whom I see often, is Anna Smith."}
    assert asked(said, "Who is my doctor?") == ["named", "one"]
    assert asked(said, "Who is my cardiologist?") == ["one"]


def test_more_things_of_a_kind_say_more_of_it() -> None:
    said = {"one": "Mia plays the violin, the big one.", "two": "Mia plays the violin, the cello."}
    assert asked(said, "Which instruments does Mia play?") == ["two", "one"]


def test_profiles_by_name_and_what_must_be_there_do_not_see_it() -> None:
    cello = "I have been practising the cello."
    assert asked(cello, "Which instrument?", "kb-fast") == []
    assert asked(cello, "+instrument") == asked(cello, '"instrument"') == []
    assert asked(cello, "cello -instrument") == ["it"]


def test_the_explanation_names_what_says_it() -> None:
    memory = Memory()
    memory.remember("Her cello and two violins are insured.", id="it")
    told = str(memory.explain("Is the instrument insured?", "it"))
    assert "all:instrument" in told and "2x in" in told and "said by 'cello', 'violins'" in told


def test_a_summary_is_found_by_the_kinds_of_what_it_stands_for() -> None:
    said = all_marked("I play the cello.", Analyzer()).split()
    assert [MARK + term for term in ("plai", "cello", "instrument")] == said


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("PROJ-1412: race condition in the cache invalidation.", "Which competition did we enter?"),
        ("Premium members get free returns.", "What is our insurance?"),
        ("Bear in mind that the lorry comes.", "Which animals do I have?"),
        ("What kind people the Hansens are.", "What is my personality?"),
        ("J'ai été malade en février.", "Quelle saison est-ce que je préfère ?"),
    ],
)
def test_words_that_mean_something_else_are_of_no_kind(said: str, question: str) -> None:
    assert asked(said, question) == []


def test_without_stems_words_are_to_the_letter() -> None:
    memory = Memory(analyzer=Analyzer(stem=False))
    memory.remember("I play the cello.")
    assert not memory.recall("instrument").hits


def test_the_table_holds_plain_words_each_once() -> None:
    entries = [entry.split(":") for entry in f"{KINDS}{OTHER_KINDS}".split(";") if entry.strip()]
    sets = [*(words.split() for _, words in entries), *map(str.split, SAME.split(";"))]
    assert all(len(entry) == 2 and entry[0].split() and entry[1].split() for entry in entries)
    for words in sets:
        assert len(set(words)) == len(words) and all(map(str.isalpha, words)), words
        assert all(word == word.lower() and Analyzer().terms(word) for word in words), words
    assert len(names_of_kinds()) > 3_000


def test_who_moves_a_thing_lives_nowhere_and_the_explanation_says_which_word_it_was() -> None:
    assert asked("I moved the sofa to the cellar.", "Where do I live?") == []
    memory = Memory()
    memory.remember("I moved to Utrecht in January.", id="it")
    assert "said by 'moved'" in str(memory.explain("Where do I live?", "it"))


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("We adopted a beagle called Pixel.", "What is the dog's name?"),
        ("We have a tabby named Biscuit.", "What is the cat's name?"),
        ("The grandsons are Oliver and Jack.", "What are the grandchildren called?"),
    ],
)
def test_breeds_are_of_their_animal_and_grandsons_of_the_grandchildren(told: str, question: str) -> None:
    assert asked(told, question) == ["it"]
