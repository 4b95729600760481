"""Words of a question that only ask are left out in `auto`: of other languages, and those of politeness."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Analyzer, Memory
from byheart.retrieval.asking_words import _WORD, _words, content_of

ENGLISH = Analyzer()
LEFT = {
    "¿Dónde está la lavadora?": "lavadora",
    "¿Cuál es el color favorito de Lucía?": "color favorito lucía",
    "Où est l'école de Lucie ?": "l'école lucie",
    "qu'est-ce que nous avons mangé lundi ?": "mangé lundi",
    "Wo ist das Fahrrad?": "fahrrad",
    "Wann haben wir die Waschmaschine gekauft?": "waschmaschine gekauft",
    "Wer wohnt in Berlin?": "wohnt berlin",
    "Was kostet die Versicherung?": "kostet versicherung",
    "Dove sono le chiavi della macchina?": "chiavi macchina",
    "Qual é a capital do Brasil?": "capital brasil",
    "Quando foi a reunião com o João?": "reunião joão",
    "Waar is mijn fiets?": "fiets",
    "Var är nyckeln till källaren?": "nyckeln källaren",
    "Hvor er nøglen til kælderen?": "nøglen kælderen",
    "Где лежат мои ключи от подвала?": "лежат ключи подвала",
    "Как зовут нашу кошку?": "кошку",
    "Wie heißt mein Hund?": "hund",
    "Comment s'appelle mon chien ?": "chien",
    "Wann ist die Probe vom Chor?": "probe chor",
    "Could you remind me about Quentin please?": "quentin",
    "can you check 118130 for me please?": "118130",
    "status of 118130 please": "status 118130",
    "Hi! Please tell me who called": "called",
    "I'd like to know where Bob lives, thanks": "bob lives",
    "do you remember the gate code": "gate code",
    "How many planets are there?": "planets",
    "how much is the rent?": "rent",
    "How often does the bus go?": "bus go",
    "how soon will the parcel come?": "parcel come",
    "How old is Leo?": "leo",
    "Wie viele Planeten gibt es?": "planeten gibt",
    "Wie oft ist Probe?": "probe",
    "Wie alt ist Leo?": "leo",
    "What kind of tea is it?": "tea",
    "which types of wood burn?": "wood burn",
    "what sort of car do I drive?": "car drive",
    "What happens if the CEO resigns?": "ceo resigns",
    "what will happen when the lease ends?": "lease ends",
    "What happened to my bike?": "bike",
}
WHOLE = [
    "who was the man in the war", "men at war", "over het", "die was cast",
    "what's the reason you don't come", "La La Land", "die hard", "who is de la cruz?",
    "when was der spiegel founded", "how to convert list de strings", "Las Vegas", "es la una", "Wo ist das?", "please",
    "Please!", "thank you", "", "?", "tell", "I like the show", "what did Ann tell me about the show?", "東京タワー",
    "does Bob still know the code", "the kettle pleases Ann", "how many?", "how long is the garden?", "old and kind",
    "the kind of tea", "it often happens",
]  # fmt: skip


@pytest.mark.parametrize(("question", "left"), LEFT.items())
def test_what_asks_is_left_out(question: str, left: str) -> None:
    assert ENGLISH.terms(content_of(question, ENGLISH)) == ENGLISH.terms(left)
    assert ENGLISH.terms(content_of(question.upper(), ENGLISH)) == ENGLISH.terms(left)


@pytest.mark.parametrize("question", WHOLE)
def test_a_question_is_left_whole(question: str) -> None:
    assert content_of(question, ENGLISH) == question


@pytest.mark.parametrize("question", LEFT)
def test_an_analyser_that_keeps_stop_words_keeps_these(question: str) -> None:
    assert content_of(question, Analyzer(stop_words=None)) == question


words = st.sampled_from([*" ".join(LEFT).split(), *" ".join(WHOLE).split(), "red", "fox", "?", "-", "'"])


@given(st.lists(words, max_size=9).map(" ".join) | st.text(max_size=40))
def test_what_is_left_was_asked_and_is_never_nothing(question: str) -> None:
    left, asked = ENGLISH.terms(content_of(question, ENGLISH)), ENGLISH.terms(question)
    assert bool(left) == bool(asked) and len(left) <= len(asked)
    rest = iter(asked)
    assert all(term in rest for term in left), "in their order"


NOTES = {
    "wash": "Hoy compré una lavadora nueva por 420 euros.",
    "dog": "El perro de Lucía se llama Canelo.",
    "school": "La reunión del colegio es a las seis en el aula 12.",
    "bike": "Jörg hat mir sein Fahrrad geliehen.",
    "wifi": "Das WLAN-Passwort im Ferienhaus lautet Sonnenblume42.",
    "paid": "Quentin paid in cash.",
}


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    for id, text in NOTES.items():
        memory.remember(text, id=id, created_at=0)
    return memory


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("¿Dónde está la lavadora?", "wash"),
        ("wo ist das Fahrrad?", "bike"),
        ("¿Cómo se llama el perro de la Lucía?", "dog"),
        ("please remind me about Quentin", "paid"),
        ("¿Cuál es la capital de Mongolia?", None),
        ("Wo ist das Auto?", None),
    ],
)
def test_the_word_that_is_asked_for_decides(memory: Memory, question: str, best: str | None) -> None:
    found = memory.recall(question, 3, explain=True)
    assert [hit.id for hit in found][:1] == ([best] if best else []) and found.sufficient == bool(best)
    assert all(hit.explanation.recomputed() == hit.score for hit in found)
    alone = memory.recall(question, 3, where={"id": best} if best else None)
    assert [(hit.id, hit.score) for hit in alone] == [(hit.id, hit.score) for hit in found if hit.id == best]
    assert [[(hit.id, hit.score) for hit in each] for each in memory.recall_many([question], 3)] == [
        [(hit.id, hit.score) for hit in found]
    ]


def test_profiles_by_name_count_all_words(memory: Memory) -> None:
    assert {hit.id for hit in memory.recall("¿Dónde está la lavadora?", 9, "kb-fast")} >= {"wash", "school"}


PARTS = st.sampled_from(["est", "-ce", "que", "c'", "a", "_", "1", " ", "-", "é", "der", ".", "x-cell", "\n"])


@given(st.one_of(st.text(max_size=40), st.lists(PARTS, max_size=12).map("".join)))
def test_words_of_ascii_are_parted_as_the_expression_does(text: str) -> None:
    lower = text.lower()
    assert _words(lower) == set(_WORD.findall(lower))
