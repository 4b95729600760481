"""What is looked up by words, or read by one expression of many, is what the slow ways find: of questions and texts."""

import re
from collections.abc import Callable
from typing import Final
from unittest.mock import patch

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from byheart.patterns import order_asked, places, property_forms, subjects, successors

WORDS: Final = """i me mine we us US ours My our mein meine Meiner unserer nuestra nuestro mon ma mes notre nos mi mis j
    ich moi yo uns Wir tell show Give remind help let find sage zeig dis dites montre dime dis-moi montremoi mir the
    Emma Emma's sister sisters sister's freundin frau frauen kollegen fiancée fiancé grandmother landlady bosses Boss
    what neighbours is are was did old how what What's when where which who age birthday b-day born phone number mobile
    email e-mail address name names surname job living price cost charge size shoe weight tall many cats time day date
    hometown called named work live first last latest most recent erste letzte zuletzt dernier now new manager Tomasz
    took over as please again today right these days for me with about of car color drive does do you know"""
MARKS: Final = ["", "", "", "", "", ",", "?", ".", "!", " ", "\u2019s"]
TEXTS: Final = st.lists(st.tuples(st.sampled_from(WORDS.split()), st.sampled_from(MARKS)), max_size=9).map(
    lambda parts: " ".join(word + mark for word, mark in parts)
)
SELF: Final = re.compile(
    rf"\b(?:i|me|mine|we|(?-i:us)|ours|ich|mich|mir|wir|uns|je|j|moi|nous|yo|nosotros|{subjects._OWN})\b", re.IGNORECASE
)
KIN: Final = re.compile(rf"\b{places.KIN}(?:s|in|e|en)?\b", re.IGNORECASE)
Look = Callable[[str], object]


def own(text: str) -> bool:
    return SELF.search(subjects._OF_KIN.sub(" ", text)) is not None


def form_by_form(question: str) -> tuple[str, str | None] | None:
    """Return the property that a question asks for, and what is counted: each form is tried, one after the other."""
    before = property_forms._BEFORE.match(question)
    assert before is not None
    low = property_forms._BEHIND.sub("", question[before.end() :]).lower().replace("\u2019", "'")
    for label, nouns, other in property_forms._FORMS:
        whole = "|".join(filter(None, (other, nouns and property_forms._of(nouns))))
        if (found := re.fullmatch(whole, low)) is not None:
            return label, found.groupdict().get("kind")
    return None


def form_at_once(question: str) -> tuple[str, str | None] | None:
    found = property_forms.form_of(question)
    known = {label for label, *_ in property_forms._FORMS}
    return None if found is None or found.property not in known else (found.property, found.kind)


def in_order(question: str) -> object:
    with patch.object(order_asked, "words_in", lambda text: order_asked._ORDERS):
        return order_asked.order_asked(question)


LOOKS: Final[dict[str, tuple[Look, Look]]] = {
    "kin": (places.people, lambda text: {each["who"].lower() for each in KIN.finditer(text)}),
    "the speaker": (subjects.names_own, lambda text: SELF.search(text) is not None),
    "what is the speaker's": (subjects.says_own, own),
    "what is the asker's": (
        lambda text: subjects._Asked(text).is_own,
        lambda text: own(subjects._TO_ME.sub(" ", text.replace("\u2019", "'"))),
    ),
    "what is said behind": (property_forms._without_end, lambda text: property_forms._BEHIND.sub("", text)),
    "an order": (order_asked.order_asked, in_order),
}


@pytest.mark.parametrize("name", LOOKS)
@given(text=TEXTS)
def test_a_quick_look_finds_what_the_slow_one_does(name: str, text: str) -> None:
    quick, slow = LOOKS[name]
    found = quick(text)

    event(f"{name}: {bool(found)}")
    assert found == slow(text)


ASKED: Final = st.tuples(
    st.sampled_from(["what is", "What's", "what are", "Tell me, what was", "my", "hey, what", "how", "when is"]),
    st.sampled_from(["", "the", "my", "Emma's", "the matter with my", "our old car's", "my sister\u2019s"]),
    st.sampled_from([*property_forms._FORMS, ("", "cats", "")]).flatmap(
        lambda form: st.sampled_from([re.sub(r"[^a-z ]", "", part) for part in form[1].split("|")])
    )
    | st.sampled_from(["old is Emma", "many cats has Ben", "much is it", "tall is Ben", "Ben work", "did it start"]),
    st.sampled_from(["", " of Emma", " is", " for him", " called", " born", " again", " right now, please"]),
    st.sampled_from(["", "?", " ?!", "\u2026"]),
).map(lambda parts: f"{parts[0]} {parts[1]} {parts[2]}{parts[3]}{parts[4]}".replace("  ", " "))


@given(ASKED)
@example("what is my home")  # a thing of a kind, of which a property has the name
def test_all_forms_at_once_find_what_each_finds_by_itself(question: str) -> None:
    found = form_at_once(question)

    event("none" if found is None else found[0])
    if question.isascii() or "\u2019" in question:
        assert found == form_by_form(question)


BEHIND = "again please now currently right_now these_days today exactly for_me pleased nowadays"
ORDERS = """first earliest original originally erste erstes zuerst früheste ursprünglich ursprüngliche premier
    erster erstem ersten letzter letztes letztem neuester neuestes neuesten neuestem original primer primero
    première primera last latest newest most_recent most_recently letzte letzten zuletzt neueste dernier dernière último
    plus_récent más_reciente lasting firstly"""
NO_ORDERS: Final = ("lasting", "firstly")


@pytest.mark.parametrize("mark", ["", "?", " ?!\n", "\u2026 ", "_", "\u0301"])
@pytest.mark.parametrize("last", BEHIND.split())
def test_what_is_said_behind_is_seen_in_each_form(last: str, mark: str) -> None:
    quick, slow = LOOKS["what is said behind"]
    phrase = last.replace("_", " ")
    for text in (
        phrase,
        f"Where is it {phrase}{mark}",
        f"Where is it, {phrase.upper()}, please{mark}",
        f"Is{phrase}{mark}",
    ):
        assert quick(text) == slow(text)
    assert (
        mark in ("_", "\u0301")
        or last in ("pleased", "nowadays")
        or quick(f"Where is it, {phrase}{mark}") == "Where is it"
    )


@pytest.mark.parametrize("order", ORDERS.split())
def test_each_word_of_an_order_is_seen(order: str) -> None:
    said = order.replace("_", " ")
    for question in (
        f"Where was my {said} sauna?",
        f"{said.capitalize()} sauna",
        f"Wann war die {said.upper()} Sauna?",
    ):
        assert order_asked.order_asked(question) == in_order(question)
    assert order in NO_ORDERS or order_asked.order_asked(f"Where was my {said} sauna?") is not None


@pytest.mark.parametrize("mark", ["", ".", "!", "?", " ?", "?!", "? "])
def test_no_question_says_who_holds_a_role(mark: str) -> None:
    for text in ("Tomasz is the new manager", "Tomasz took over as captain", "The new captain is Ann since May"):
        found = successors.holder_in(text + mark)
        assert (found is None) == ("?" in mark)
        assert (found is None) == all(form.match((text + mark).strip()) is None for form in successors._forms())
