"""What a quick look takes for no time names none: the forms, each tried, find nothing in it."""

import itertools
import re
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.patterns.letters import small_words
from byheart.ranking import dates
from byheart.ranking import time_forms_european as european
from byheart.ranking.time_feasts import FEAST
from byheart.ranking.time_forms import MONTHS, SEASONS, WEEKDAYS

from ..counts import examples

NOW = 1_700_000_000.0
FEASTS = [word for word in re.split(r"[^a-z' ]+", FEAST) if len(word) > 3]
LEADS = (
    "", "last", "past", "previous", "this", "the", "on", "in", "during", "of", "from", "since", "before", "until",
    "between", "in the year", "around", "the day before", "the last", "3", "a few", "couple of", "the second", "am",
    "vor", "le", "summary",
)  # fmt: skip
NAMES = (
    *MONTHS, *(name[:3] for name in MONTHS), "sept", *SEASONS, *WEEKDAYS, *FEASTS, *["q1", "q4"] * 4, "quarter", "day",
    "days", "weeks", "week", "months", "weekend", "fortnight", "year", "years", "today", "tonight", "yesterday",
    "night", "morning", "2023", "1999", "3rd", "08", "1850-05-08", "2023/5", "5/3/2023", "1.2.2023", "5. 3", "marker",
    "mayor", "backup", "thesis", "mai", "lundi", "semana", "l'an", "gestern", "hoy",
    "avant-hier", "aujourd'hui", "tagen", "vorgestern", "valentines day", "new years eve",
)  # fmt: skip
TAILS = ("", "", "2023", "of 2023", ", 1999", "ago", "back", "earlier", "q2", "to", "and", "morning", "-")
PHRASES = [" ".join(filter(None, parts)) for parts in itertools.product(LEADS, NAMES, TAILS)]
texts = st.lists(st.sampled_from(PHRASES), max_size=3).map(" ".join) | st.lists(st.sampled_from(NAMES)).map("-".join)


def each_tried(text: str) -> object:
    """Return what is read of a text where no quick look is taken."""
    dates._read.cache_clear()
    with patch.object(dates, "_is_named", lambda text, words: True):
        return dates._read(text, NOW)


def read(text: str) -> object:
    dates._read.cache_clear()
    return dates._read(text, NOW)


@settings(max_examples=examples(2_000))
@given(texts)
def test_no_form_finds_a_time_in_what_a_quick_look_passes_over(text: str) -> None:
    assert read(text) == each_tried(text)


def assert_words_tell(text: str) -> None:
    words = small_words(text)
    assert dates._is_named(text, words) == (dates._named().search(text) is not None), text
    assert european.may_name(text, words) == (european._MAY_NAME.search(text) is not None), text


@given(texts)
def test_words_tell_that_an_expression_finds_nothing(text: str) -> None:
    assert_words_tell(text)


def test_they_do_of_each_form_by_itself() -> None:
    for phrase in PHRASES:
        assert_words_tell(phrase)


def test_nor_in_any_form_by_itself() -> None:
    passed_over = [phrase for phrase in PHRASES if dates._named().search(phrase) is None]
    assert len(passed_over) > 1_000
    assert [phrase for phrase in passed_over if read(phrase) != each_tried(phrase)] == []
