"""Irregular word forms: each side finds the other, the table is in order, and profiles by name do not see it."""

import pytest

from byheart import Analyzer, Memory
from byheart.patterns.word_forms import BASE_OF
from byheart.retrieval.marked_terms import MARK, all_marked


def ids(memory: Memory, question: str, profile: str = "auto") -> list[str]:
    return [hit.id for hit in memory.recall(question, profile=profile)]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I bought a red bike in Lyon.", "what did I buy?"),
        ("We went to Rome.", "where did we go?"),
        ("My children like pizza.", "does my child like it?"),
        ("Please write to Ann.", "who wrote?"),
        ("Ann has written to us.", "who wrote?"),
        ("A knife lay there.", "KNIVES"),
    ],
)
def test_a_form_and_its_base_find_each_other(said: str, asked: str) -> None:
    memory = Memory()
    memory.remember("The kettle is on the stove.", id="other")
    memory.remember(said, id="it")
    assert ids(memory, asked)[:1] == ["it"]


def test_a_question_by_a_form_is_the_question_by_its_base() -> None:
    memory = Memory()
    memory.remember_many(["We went to Rome.", "They go to school.", "Rome is old.", "Rome is big.", "Rome is far."])
    went, go = memory.recall("who went to Rome"), memory.recall("who go to Rome")
    assert [(hit.id, hit.score) for hit in went] == [(hit.id, hit.score) for hit in go]


def test_profiles_by_name_do_not_see_it() -> None:
    memory = Memory()
    memory.remember("We went to Rome.")
    assert ids(memory, "where did we go?", "kb-fast") == []


def test_a_summary_is_found_by_the_base_of_what_it_stands_for() -> None:
    said = all_marked("They took the mice.", Analyzer()).split()
    assert [MARK + term for term in ("took", "mice", "take", "mous")] == said


def test_what_is_stemmed_by_rule_and_what_is_not_stemmed_at_all_is_left_alone() -> None:
    analyzer = Analyzer()
    for form, base in BASE_OF.items():
        [known], [own] = analyzer.terms(form), analyzer.terms(base)
        assert known != own, f"{form}: the stem is that of {base} without a table"
        assert base not in BASE_OF, f"{base}: is a form of {BASE_OF.get(base)}"
    plain = Memory(analyzer=Analyzer(stem=False))
    plain.remember("We went to Rome.", id="it")
    assert not plain.recall("who did go").hits


def test_phrases_and_what_must_be_there_are_words_to_the_letter() -> None:
    memory = Memory()
    memory.remember("We went to Rome.", id="went")
    memory.remember("They go to school.", id="go")
    assert ids(memory, "+go") == ["go"]
    assert ids(memory, '"went"') == ["went"]


def test_letters_with_signs_are_languages_of_their_own() -> None:
    memory = Memory()
    memory.remember("C is an old language.", id="c")
    memory.remember("C++ is my favourite language.", id="c++")
    memory.remember("At work we write C#.", id="c#")
    assert ids(memory, "C++")[0] == "c++"
    assert ids(memory, "who writes C#?")[0] == "c#"
    assert ids(memory, "csharp") == ["c#"]
