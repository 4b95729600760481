"""Words in other languages than English are found in any of their forms by `auto`, with or without an embedder."""

from __future__ import annotations

from pathlib import Path

import pytest

from byheart import Analyzer, Memory, Record
from byheart.retrieval.asking_words import language_of
from byheart.retrieval.inflection import marked_stems, stems_of
from byheart.retrieval.marked_terms import MARK
from byheart.retrieval.words import document

ENGLISH = Analyzer()
NOTES = {
    "de": {
        "cats": "Meine Katzen heißen Mia und Leo.",
        "children": "Wir haben zwei Kinder, Paul und Emma.",
        "brother": "Mein Bruder arbeitet als Lehrer an einer Schule in Bonn.",
        "bills": "Die Rechnungen liegen im blauen Ordner.",
    },
    "ru": {
        "cats": "Мои кошки зовут Мия и Лео.",
        "flat": "Я живу в квартире в Москве с 2019 года.",
        "brother": "Мой брат работает учителем в школе.",
        "bills": "Счета лежат в синей папке.",
    },
    "it": {
        "cats": "Le mie gatte si chiamano Mia e Lea.",
        "brother": "Mio fratello lavora come insegnante.",
        "bills": "Le fatture sono nella cartella blu.",
    },
    "fr": {
        "children": "Mes enfants aiment les pommes vertes.",
        "brother": "Mon frère travaille comme professeur.",
        "horses": "Les chevaux sont à l'écurie près de Nantes.",
    },
    "el": {"cats": "Οι γάτες μου κοιμούνται στον κήπο.", "bills": "Οι λογαριασμοί είναι στον φάκελο."},
}
QUESTIONS = [
    ("de", "Wie heißt meine Katze?", "cats"),
    ("de", "Wie heißt mein Kind?", "children"),
    ("de", "An welchen Schulen arbeiten meine Brüder?", "brother"),
    ("de", "Wo ist die Rechnung?", "bills"),
    ("ru", "Как зовут мою кошку?", "cats"),
    ("ru", "Где моя квартира?", "flat"),
    ("ru", "Где работают мои братья?", "brother"),
    ("ru", "Где лежит счёт?", "bills"),
    ("it", "Come si chiama la mia gatta?", "cats"),
    ("it", "Dove lavorano i miei fratelli?", "brother"),
    ("it", "Dov'è la fattura?", "bills"),
    ("fr", "Qu'aime mon enfant ?", "children"),
    ("fr", "Où est mon cheval ?", "horses"),
    ("el", "Πού είναι η γάτα μου;", "cats"),
    ("el", "Πού είναι ο λογαριασμός;", "bills"),
]


@pytest.mark.parametrize(("language", "question", "answer"), QUESTIONS)
def test_a_question_finds_other_forms_of_its_words(language: str, question: str, answer: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        for id, text in NOTES[language].items():
            memory.remember(text, id=id)
        assert memory.recall(question)[0].id == answer
        memory.flush()
    with Memory(path) as memory:
        assert memory.recall(question, explain=True)[0].id == answer


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("Die Häuser und die Straßen", {"häuser": "haus", "straßen": "strass"}),
        ("l'été et les animaux d'Élodie", {"animaux": "animal", "élodie": "élod"}),
        ("¿Dónde están las llaves?", {"llave": "llav"}),
        ("Где ёлка?", {"ёлка": "елк"}),
        ("The houses and the kinder eggs", {}),
        ("Las Vegas", {}),
        ("The man in the war had houses", {}),
        ("Come to the car, and pour de la Cruz a drink", {}),
        ("def find_kinder(de, la): return katzen", {}),
        ("東京の家", {}),
        ("was broken in la", {}),
        ("\ndie cast", {}),
        ("the café’s “menu”", {}),
        ("", {}),
    ],
)
def test_stems(text: str, stems: dict[str, str]) -> None:
    assert stems_of(text, language_of(text, ENGLISH), ENGLISH) == stems
    assert marked_stems(text, ENGLISH) == [MARK + stem for stem in stems.values()]


@pytest.mark.parametrize("analyzer", [Analyzer(stem=False), Analyzer(mode="ascii")])
def test_an_analyser_without_such_stems_has_none(analyzer: Analyzer) -> None:
    assert stems_of("Meine Katzen und meine Kinder, мои кошки", "de", analyzer) == {}


def test_the_explanation_names_the_stem() -> None:
    memory = Memory()
    memory.remember("Das Kind spielt im Garten.", id="child")
    told = str(memory.recall("Wo sind die Kinder?", explain=True)[0].explanation)
    assert "all:kinder " in told and "or its stem 'kind'" in told and MARK not in told


def test_the_word_as_it_is_asked_counts_more_than_another_form() -> None:
    memory = Memory()
    memory.remember("Das Kind ist im Garten.", id="one")
    memory.remember("Die Kinder sind im Garten.", id="many")
    assert [hit.id for hit in memory.recall("Wo sind die Kinder?")] == ["many", "one"]
    assert {hit.id for hit in memory.recall("Wo ist das Kind?")} == {"many", "one"}


def test_a_misspelled_word_is_one_that_no_form_says() -> None:
    memory = Memory()
    memory.remember("Das Geschenk ist im Garten.", id="present")
    memory.remember("Die Geschenkee sind im Keller.", id="error")
    best = memory.recall("Wo sind die Geschenke?", explain=True)[0]
    assert best.id == "present" and "read for" not in str(best.explanation)


def test_a_summary_is_found_by_other_forms_of_what_it_stands_for() -> None:
    memory = Memory()
    for number, said in enumerate(["Meine Katzen heißen Mia und Leo.", "Ich arbeite an einer Schule.", "Bis morgen!"]):
        memory.ingest_turn(said, session_id="s", created_at=1.7e9 + number, durable="none")
    memory.compact("s", now=1.8e9)
    assert "Mia" in memory.context("Wie heißt meine Katze?", 200, now=1.8e9).text


def test_named_profiles_are_as_their_sources_have_them() -> None:
    memory = Memory()
    memory.remember("Wir haben zwei Kinder.", id="children")
    assert memory.recall("Kind") and memory.recall("Kinder", profile="kb-fast")
    assert not memory.recall("Kind", profile="kb-fast")


def test_a_word_that_no_record_holds_is_found_in_compounds() -> None:
    memory = Memory()
    memory.remember("Der Zahnarzttermin ist am Dienstag um neun Uhr.", id="dentist")
    memory.remember("Die Krankenversicherung kostet 300 Euro im Monat.", id="health")
    memory.remember("Der Kellerschlüssel hängt neben der Tür.", id="key")
    memory.remember("Meine Schwester wohnt in Bonn.", id="sister")
    for question, best in [
        ("Wann ist der Termin beim Zahnarzt?", "dentist"),
        ("Was kostet die Versicherung?", "health"),
        ("Wo sind die Schlüssel?", "key"),
    ]:
        found = memory.recall(question, explain=True)[0]
        assert found.id == best and "which no record holds" in str(found.explanation)
        assert found.explanation.recomputed() == found.score


def test_a_word_that_a_record_holds_is_not_looked_for_in_compounds() -> None:
    memory = Memory()
    memory.remember("Der Termin mit Ann ist am Montag.", id="own")
    memory.remember("Der Zahnarzttermin ist am Dienstag.", id="dentist")
    best = memory.recall("Wann ist der Termin?", explain=True)[0]
    assert best.id == "own" and "zahnarzttermin" not in str(best.explanation)


def test_forms_and_compounds_outside_the_boundary_change_nothing() -> None:
    alone, beside = Memory(), Memory()
    for memory in (alone, beside):
        memory.remember("Der Hund schläft im Garten.", id="dog", scope="a")
    beside.remember("Der Zahnarzttermin ist am Dienstag, die Hunde kommen mit.", id="dentist", scope="b")
    for question in ("Wann ist der Termin?", "Wo sind die Hunde?", "Wo schlafen Hunde im Zahnarzttermin?"):
        one, two = (memory.recall(question, boundary={"scopes": ["a"]}, explain=True) for memory in (alone, beside))
        assert [(hit.id, hit.score, hit.strength, str(hit.explanation)) for hit in one] == [
            (hit.id, hit.score, hit.strength, str(hit.explanation)) for hit in two
        ]


@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("Zahnarzttermin Dienstag", "Wann ist der Termin?"),
        ("Tandartsafspraak dinsdag", "Wanneer is de afspraak?"),
        ("Tandläkartid tisdag", "När är min tandläkare?"),
        ("Tandlægebesøg tirsdag", "Hvornår er mit besøg?"),
    ],
)
def test_four_languages_write_compounds_in_one_word(note: str, question: str) -> None:
    memory = Memory()
    memory.remember(note, id="dentist")
    best = memory.recall(question, explain=True, min_strength=0)[0]
    assert "which no record holds" in str(best.explanation)


def test_a_summary_has_the_words_of_its_sources_beside_its_own() -> None:
    said = document(Record(text="Der Hund mag findNames", source_words="Meine Katzen und ready"), ENGLISH)[
        "parts"
    ].split()
    assert {f"{MARK}{word}" for word in ("find", "name", "katz", "readi")} <= set(said)


@pytest.mark.parametrize("question", ["when is the termin?", "Où est le termin ?"])
def test_other_languages_have_no_compounds_in_one_word(question: str) -> None:
    memory = Memory()
    memory.remember("Der Zahnarzttermin ist am Dienstag.", id="dentist")
    found = memory.recall(question, explain=True, min_strength=0)
    assert not any("read for" in str(hit.explanation) for hit in found)


@pytest.mark.parametrize(
    "question", ["Termin", "mein Termin", "Termin beim Zahnarzt", "Termin zum Zahnarzt", "vom Zahnarzt"]
)
def test_one_german_word_of_few_tells_the_language(question: str) -> None:
    memory = Memory()
    memory.remember("Der Zahnarzttermin ist am Dienstag.", id="dentist")
    memory.remember_many({"text": text} for text in ("The weather is fine.", "We sail on Sunday."))
    assert [hit.id for hit in memory.recall(question)] == ["dentist"]
