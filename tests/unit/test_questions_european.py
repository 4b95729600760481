"""Questions in French, Spanish, Italian and German: days ahead and past, courtesies, and words that only ask."""

from __future__ import annotations

import pytest

from byheart import Analyzer, Memory
from byheart.retrieval.asking_words import content_of
from byheart.retrieval.courtesies import without_courtesies

NOW = "2026-06-17T10:00:00Z"  # a Wednesday
ENGLISH = Analyzer()


def asked(texts: list[tuple[str, str]], question: str) -> list[str]:
    memory = Memory()
    for day, text in texts:
        memory.remember(text, created_at=day)
    return [hit.text for hit in memory.recall(question, now=NOW, operators=False)]


DINNERS = {
    "fr": "Dîner avec Sophie jeudi 18 juin.",
    "es": "Cena con Beatriz el jueves 18 de junio.",
    "it": "Cena con Chiara giovedì 18 giugno.",
    "de": "Abendessen mit Katrin am Donnerstag, 18. Juni.",
}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("fr", "Quoi de prévu demain ?"),
        ("fr", "Qu'est-ce qu'il y a jeudi ?"),
        ("fr", "qu'est-ce que j'ai demain ?"),
        ("fr", "Qu'est-ce que j'ai cette semaine ?"),
        ("es", "¿Qué tengo mañana?"),
        ("es", "¿Qué hay el jueves?"),
        ("es", "¿Qué planes tengo esta semana?"),
        ("it", "Cosa c'è domani?"),
        ("it", "Cosa c'è giovedì?"),
        ("it", "Che impegni ho domani?"),
        ("it", "Cosa ho questa settimana?"),
        ("de", "Was habe ich morgen vor?"),
        ("de", "was habe ich morgen vor?"),
        ("de", "Was ist morgen?"),
        ("de", "Was habe ich diese Woche vor?"),
    ],
)
def test_what_is_on_a_day_ahead(language: str, question: str) -> None:
    others = [("2026-02-15", "Ich habe eine neue Nummer: 0160 9876543."), ("2026-05-21", "Die Tür ist blau.")]
    others += [("2026-02-15", "J'ai une voiture rouge."), ("2026-02-15", "Tengo un coche rojo."),
               ("2026-02-15", "Ho una macchina rossa.")]  # fmt: skip
    assert asked([*others, ("2026-06-08", DINNERS[language])], question)[:1] == [DINNERS[language]]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("2026-06-24", "Qu'est-ce que j'ai la semaine prochaine ?"),
        ("2026-06-24", "¿Qué tengo la semana que viene?"),
        ("2026-06-24", "Cosa ho la settimana prossima?"),
        ("2026-06-19", "Qu'est-ce que j'ai après-demain ?"),
        ("2026-06-19", "¿Qué tengo pasado mañana?"),
        ("2026-06-19", "Cosa ho dopodomani?"),
        ("2026-06-20", "Qu'est-ce que j'ai dans trois jours ?"),
        ("2026-06-20", "¿Qué tengo dentro de tres días?"),
        ("2026-06-20", "Cosa ho tra tre giorni?"),
        ("2026-07-10", "Qu'est-ce que j'ai le mois prochain ?"),
        ("2026-07-10", "¿Qué tengo el mes que viene?"),
        ("2026-07-10", "Cosa ho il mese prossimo?"),
    ],
)
def test_days_further_ahead(told: str, question: str) -> None:
    year, month, day = told.split("-")
    months = {"06": "06", "07": "07"}
    right = f"Bern {int(day)}.{months[month]}.{year}"
    assert asked([("2026-05-01", right), ("2026-05-01", "Rome 3.01.2027")], question)[:1] == [right]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Cosa è successo ieri?", "Visto un bel film."),
        ("Cosa è successo a marzo?", "Giulia fa nuoto."),
        ("cosa ho fatto tre mesi fa?", "Giulia fa nuoto."),
        ("Cosa è successo la settimana scorsa?", "Cena da Chiara."),
        ("Cosa abbiamo fatto questa settimana?", "Visto un bel film."),
        ("Cosa è successo il mese scorso?", "Dal dentista."),
    ],
)
def test_what_was_in_italian(question: str, found: str) -> None:
    texts = [("2026-06-16", "Visto un bel film."), ("2026-03-10", "Giulia fa nuoto.")]
    texts += [("2026-06-10", "Cena da Chiara."), ("2026-05-12", "Dal dentista.")]
    assert asked(texts, question)[:1] == [found]


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (["Mon nouveau numéro, c'est le 07 98 76 54 32."], "c'est quoi mon adresse ?"),
        (["Mon nouveau numéro, c'est le 07 98 76 54 32."], "C'est qui mon avocat ?"),
        (["J'ai rendez-vous chez l'ophtalmo mardi."], "Quelle taille j'ai ?"),
        (["J'ai rendez-vous chez l'ophtalmo mardi."], "est-ce que j'ai un chien ?"),
        (["Ich habe am Dienstag einen Termin beim Augenarzt."], "Welche Schuhgröße habe ich?"),
        (["Ich habe am Dienstag einen Termin beim Augenarzt."], "Habe ich einen Hund?"),
        (["Tengo cita con el oculista el martes."], "¿Qué talla tengo?"),
        (["Tengo cita con el oculista el martes."], "¿Tengo hermanos?"),
        (["Ho la visita dall'oculista martedì."], "Ho fratelli?"),
    ],
)
def test_who_has_something_else_answers_nothing(texts: list[str], question: str) -> None:
    assert asked([("2026-03-01", text) for text in (*texts, "Mia spielt Trompete.")], question) == []


POLITE = {
    "Pourriez-vous me rappeler comment s'appelle notre chat ?": "chat",
    "Tu peux me dire où est la clé, s'il te plaît ?": "clé",
    "Dis-moi où est la clé": "clé",
    "Je voudrais savoir où est la clé": "clé",
    "¿Podría recordarme cómo se llama nuestra perra?": "perra",
    "¿Sería tan amable de decirme quién es el fontanero?": "fontanero",
    "¿Me puedes decir dónde está la llave, por favor?": "llave",
    "Potrebbe ricordarmi come si chiama il nostro cane?": "cane",
    "Mi puoi dire dove è la chiave, per favore?": "chiave",
    "Könnten Sie mir bitte sagen, wie unser Kater heißt?": "kater",
    "Kannst du mir nochmal sagen, wie der Klempner heißt?": "klempner",
    "Weißt du noch, wo der Schlüssel ist?": "schlüssel",
    "Hallo, sag mir bitte wo der Schlüssel ist, danke": "schlüssel",
}


@pytest.mark.parametrize(("question", "left"), POLITE.items())
def test_courtesies_are_left_out(question: str, left: str) -> None:
    assert ENGLISH.terms(content_of(question, ENGLISH)) == ENGLISH.terms(left)


@pytest.mark.parametrize(
    ("said", "language"),
    [("Kann ich das Auto haben?", "de"), ("danke", "de"), ("Sabes", "es"), ("où est la clé ?", "fr"), ("x", "nl")],
)
def test_what_is_no_courtesy_stays(said: str, language: str) -> None:
    assert without_courtesies(said, language) == said


@pytest.mark.parametrize(
    "question", ["うちの猫の名前を教えていただけますか？", "猫の名前を教えてもらえますか？", "猫の名前は何だっけ？"]
)
def test_japanese_courtesies(question: str) -> None:
    texts = [
        ("2026-03-01", "猫の名前はミケです。"),
        *(("2026-03-01", f"Module m{n} is of squad {n}.") for n in range(9)),
    ]
    assert asked(texts, question)[:1] == ["猫の名前はミケです。"]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("携帯番号は090-1234-5678です。", "09012345678"),
        ("Il numero di Gino è 347 123 4567.", "3471234567"),
        ("Il numero di Gino è 347 123 4567.", "+393471234567"),
        ("El móvil de Paco es 655 11 22 33.", "655112233"),
        ("El móvil de Paco es 655 11 22 33.", "+34655112233"),
        ("Le numéro de Karim est le 06 12 34 56 78.", "06.12.34.56.78"),
        ("Le numéro de Karim est le 06.12.34.56.78.", "0612345678"),
    ],
)
def test_telephone_numbers_as_each_country_parts_them(text: str, question: str) -> None:
    assert asked([("2026-03-01", text), ("2026-03-01", "La clé est au bureau.")], question) == [text]


@pytest.mark.parametrize(
    ("wrong", "right", "question"),
    [
        ("J'ai rendez-vous chez l'ophtalmo mardi 21 avril à 14h.", "Non, pas mardi, mercredi 22 avril.",
         "Quand est mon rendez-vous chez l'ophtalmo ?"),
        ("Ho la visita dall'oculista martedì 21 aprile alle 15.", "No, non martedì, mercoledì 22.",
         "Quando è la visita dall'oculista?"),
        ("Il codice dell'allarme è 4411.", "Scusa, 4412.", "Qual è il codice dell'allarme?"),
        ("El código de la alarma es 4411.", "Perdona, 4412.", "¿Cuál es el código de la alarma?"),
        ("警報の暗証番号は4411です。", "間違えた、4412でした。", "警報の暗証番号は？"),
    ],
)  # fmt: skip
def test_short_corrections_come_first_and_after_compaction_too(wrong: str, right: str, question: str) -> None:
    memory = Memory()
    for minute, text in enumerate((wrong, right)):
        memory.ingest_turn(text, session_id="s", user_id="me", created_at=f"2026-04-03T10:0{minute}:00Z")
    how = {"user_id": "me", "now": "2026-04-11", "operators": False}
    assert memory.recall(question, **how)[0].text == right  # type: ignore[arg-type]
    memory.compact("s", force=True, now="2026-04-10")
    assert memory.recall(question, **how)[0].text == right  # type: ignore[arg-type]
    block = memory.context(question, 300, **how).text  # type: ignore[arg-type]
    assert right.split()[-1].rstrip(".。") in block


def test_a_part_of_a_town_is_where_somebody_lives() -> None:
    texts = [("2026-01-10", "東京の三軒茶屋に住んでいます。"), ("2026-03-10", "大阪に引っ越しました。")]
    assert asked(texts, "私はどこに住んでいますか？")[:1] == ["大阪に引っ越しました。"]
