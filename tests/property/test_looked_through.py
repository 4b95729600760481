"""What is found in a text at once, by its first letter or word, is what the plain rule finds."""

import re

from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from byheart import Record, knowledge
from byheart.patterns import saying, stating
from byheart.patterns.asking import sentences, unlabelled
from byheart.retrieval import plain_facts, sameness

from ..counts import examples

SAID = """vegan Rome now actually today by way btw anyway not no longer at the moment
    12 3rd a1b é naïve ok haha thank you for help with boat mein meine ich und der see tomorrow
    these days I live in work sorry, nope wait correction mean Ann: Bo: isn't was moved to changed Oslo flight leaves on
    Friday 7:40 9:15 Dr. x.y@b.c http://a/b か。 です。 a_b"""
WORDS = SAID.split()
GAPS = [
    " ",
    " ",
    " ",
    " ",
    "",
    ", ",
    ". ",
    "! ",
    "? ",
    "; ",
    ".\n",
    "\n",
    "  ",
    "。",
    "_",
    "'",
    "\u2019",
    "`",
    "\u0301",
]
PIECES = st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)).map("".join)
ASIDES = ["", " now", ", by the way", " these days", ", at the moment", ", not in Rome", ", no longer at 9:15"]
PARTS = st.lists(PIECES, max_size=14).map("".join)
ASIDE_BEHIND = st.tuples(st.one_of(PARTS, st.just("I live in Rome")), st.sampled_from(ASIDES)).map("".join)
TEXTS = st.one_of(PARTS, ASIDE_BEHIND, st.text("abI sn.!?,;'\n。É", max_size=24))

ENDS = re.compile(r"[.!?]\s+|[。！？]\s*|\n+")
ASIDE = re.compile(
    r"^(actually|now|today|well|oh|by the way|btw),? "
    r"|,? (actually|now|nowadays|today|currently|these days|at the moment|by the way|btw|anyway)$",
    re.IGNORECASE,
)
NOT_THAT = re.compile(r",(?: and)? (?:not|no longer) (?:[^,.;:!?]|[.:](?=\d))+$", re.IGNORECASE)
CAPITAL = re.compile(r"(?<=[a-zà-öø-ÿß,;0-9] )[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+\b(?!['\u2019]?(?:m|ll|d|ve)\b)")
GERMAN = re.compile(
    r"\b(?:ich|und|ist|der|das|nicht|mein\w*|wir|ein|eine|mit|auf|für|den|dem)\b", re.IGNORECASE
)  # fmt: skip


@settings(max_examples=examples(400))
@given(TEXTS)
def test_sentences_asides_and_names_are_those_of_the_plain_patterns(text: str) -> None:
    found, begins = [], 0
    whole = text.strip()
    for end in ENDS.finditer(whole):
        at, after = end.span()
        found.append(whole[begins : at if whole[at] == "\n" else at + 1])
        begins = after
    assert sentences(text) == tuple(part.strip() for part in [*found, whole[begins:]] if part.strip())
    assert unlabelled(text) == re.sub(r"^[A-Z]\w{0,20}: ", "", text)
    before, left = "", text
    while left != before:
        before, left = left, NOT_THAT.sub("", ASIDE.sub("", left))
    assert plain_facts.without_asides(text) == left
    assert [each.span() for each in stating._CAPITAL.finditer(text)] == [each.span() for each in CAPITAL.finditer(text)]
    assert stating._is_german(text) is (GERMAN.search(text) is not None)


@settings(max_examples=examples(400))
@given(TEXTS.filter(str.isascii))
def test_what_a_statement_speaks_of_is_among_the_stems_of_its_text(text: str) -> None:
    assert saying.stems(text).issuperset(saying.said(saying.statement(text)).about)


SAYS = re.compile(saying._changes().pattern, saying._changes().flags)
CHANGED = st.tuples(PARTS, st.from_regex(SAYS), PARTS).map("".join)


@settings(max_examples=examples(400))
@given(st.one_of(CHANGED, TEXTS))
@example("with\u0301no longer")
@example("no longer\u200d")
@example("no longer\u203fa")
def test_where_a_word_of_change_is_found_a_look_at_once_finds_one(text: str) -> None:
    plain = knowledge.lowered(text.replace("'", "").replace("\u2019", ""))
    event(f"changes: {saying._changes().search(plain) is not None}")
    assert saying.may_change(text) or saying._changes().search(plain) is None


@given(st.sampled_from(["I live in Rome.", " tea\n", "tea"]), st.sampled_from(["memory", "turn", None]))
def test_where_it_was_told_changes_no_ones_identity(text: str, kind: str | None) -> None:
    told = Record(text=text, kind=kind, provenance={"source_id": "s:1", "session_id": "s"})
    assert sameness.identity(told) == sameness.identity(told.completed(provenance={}))
    assert sameness.identity(told) == sameness.identity(told.completed(claim=text))
    assert sameness.identity(told) != sameness.identity(told.completed(provenance={"source_name": "a.md"}))
