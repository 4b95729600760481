"""Rows that no text puts before others or behind them: what says something else keeps its place."""

from __future__ import annotations

import pytest

from .test_asked_first import NOW, memory_of

KEPT = [
    ("Kemal eats meat.", "Kemal doesn't eat meat any more.", "What does Kemal eat?"),
    ("The pool is in hall A.", "The pool is not in hall A but in hall C.", "Where is the pool?"),
    ("My dentist is Dr. Weiss.", "My dentist has a new assistant, Ms. Blum.", "Who is my dentist?"),
    ("The code of the garage is 1188.", "The new code of the shed is 2299.", "What is the code of the garage?"),
    ("Anna's teacher is Mrs. Brandt.", "Tom has a new teacher, Mr. Vogel.", "Who is Anna's teacher?"),
    ("My gym is FitOne.", "My gym is closed now because of water damage.", "What is my gym called?"),
    ("My gym is FitOne.", "My gym has Pilates now.", "What is my gym called?"),
    ("My work phone is a Galaxy.", "My phone is a Pixel.", "What is my work phone?"),
    ("The landlord is Mr. Adler.", "The landlord wants the new keys now.", "Who is the landlord?"),
    ("Our plumber is Mr. Haas.", "Our neighbours have a new plumber, Mr. Ricci.", "Who is our plumber?"),
    ("My dentist is Dr. Weiss.", "My dentist has a new assistant now, Ms. Blum.", "Who is my dentist?"),
    ("My boss is Ulla Berg.", "My boss has lunch with Karel now.", "Who is my boss?"),
    ("My boss is Ulla Berg.", "The new boss of Anna is Ken Ito.", "Who is my boss?"),
    ("Carla hosts the birthday party at her place.", "Ben likes cake.", "Where is Ben's birthday party?"),
    ("Dr. Seidl treats my knee on Mondays.", "I hurt my knee while skiing.", "Who treats my knee?"),
    ("Petra feeds the cat on weekends.", "I feed the cat in the morning.", "Who feeds my cat when I am away?"),
    ("Samuel is the landlord.", "I met the landlord yesterday.", "Who is my landlord?"),
    ("Our CTO is Marek.", "Priya is now CTO.", "Who is our CTO?"),
    ("The rehearsal is planned for June.", "The rehearsal won't take place.", "When is the rehearsal?"),
    ("My last name is Kowalczyk.", "My name day is in May.", "What is my last name?"),
    ("The first aid kit is under the sink.", "The repair kit is in the car.", "Where is the first aid kit?"),
    ("The last bus leaves at 23:40.", "The bus leaves every hour.", "When does the last bus leave?"),
    ("My first car was a Renault.", "My car is a Toyota.", "What was my first car?"),
]


@pytest.mark.parametrize(("one", "other", "question"), KEPT)
def test_what_says_something_else_keeps_its_place(one: str, other: str, question: str) -> None:
    memory = memory_of(one, other)
    told = [
        str(memory.explain(question, hit.id, user_id="u", now=NOW))
        for hit in memory.recall(question, user_id="u", now=NOW)
    ]
    assert told and not any(
        why in text for text in told for why in ("that one ", "says that what it gives", "asks for the")
    )
