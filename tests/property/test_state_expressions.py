"""The expressions of states find what the forms find as they are written, each with all that it holds."""

import re
from functools import cache
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart.patterns import state_expressions as made
from byheart.patterns.state_forms import STATES

KINDS: Final = [(name, kind) for name in STATES for kind in ("saying", "changing", "anew")]
STAND_INS: Final = {
    "<who>": r"(?:my\ brother|Anna|our\ son\ Leo)", "<v>": "(?:Rome|New\\ York\\ City|oslo|Älvsjö)",
    "<o>": "(?:Tom|Anna\\ Lee)", "<n>": "(?:7|41)", "<kg>": r"(?:80(?:[.,]5)?\ ?kg|70\ pounds)",
    "<t>": r"(?:cat|old\ car\ in\ red)", "<g>": r"(?:cat|old\ red\ car)", "<f>": r"(?:gato|voiture\ bleue)",
    "<a>": "(?:Rome|27\\ Elm\\ Street)", "<s>": "(?:self-employed|retired)", "<l>": "(?:the\\ council|the\\ Trust)",
    "<j>": "(?:nurse|head\\ of\\ design)", "<m>": "(?:58,500|€ 40k|3000)", "<i>": "", "<we>": "", "?P<kind>": "?:",
    "<mate_en>": "(?:wife|partner)", "<mate_de>": "(?:frau|mann)",
    "<mate_fr>": "(?:femme|mari)", "<mate_es>": "(?:novia|mujer)",
    "<adv>": r"(?:(?:just|now|ya|seit\ heute|por\ fin|Actually)\ )?",
    "<ends>": r"(?:\ last\ week|\.|\ and\ so|\ on\ Monday|\ heute|\ slowly|\ in\ may)?",
}  # fmt: skip
BEFORE = st.sampled_from(["", "", "", "So ", "hey, ", "- ", "Last week ", "yes, and ", "Übrigens ", "Whatever "])
BEHIND = st.sampled_from(
    ["", "", ".", " last week.", " and so on", " on Monday", " heute", " slowly", "!", " just now"]
)


@cache
def as_written(name: str, kind: str) -> re.Pattern[str]:
    """Return the pattern with every list in every place where a form has it."""
    forms = STATES[name]
    written = forms.changing if kind == "changing" else forms.saying
    if kind != "saying":
        written = re.sub(r"<([vgfoaslmj])>(?=\n\s*\||$)", r"<\1><ends>", written)
    lists = {"<ends>": made._ENDS, "<adv>": rf"(?:(?:{made._ADVERBS})\ )*", **made._MATES}
    for mark, text in lists.items():
        written = written.replace(mark, text)
    written = written.replace("<kg>", f"<n>(?:[.,]\\d)?{made._WEIGHT}").replace("?P<kind>", "<kind>")
    count = iter(range(1, 1_000))
    parts = {**made._PARTS, "<v>": made._LAX if kind == "saying" else made._NAME}
    pattern = re.sub("|".join(parts), lambda mark: f"(?P<{mark[0][1:-1]}{next(count)}>{parts[mark[0]]})", written)
    pattern = re.sub("<kind>", lambda mark: f"?P<kind{next(count)}>", pattern)
    return re.compile(rf"\W*(?:(?:{made._LEADS})[,:!]?\ )*(?:{pattern})", re.VERBOSE | re.IGNORECASE)


@cache
def told(name: str, kind: str) -> st.SearchStrategy[str]:
    """Return texts of the forms, and some that are nearly of them."""
    forms = STATES[name].changing if kind == "changing" else STATES[name].saying
    each = []
    for alternative in made._alternatives(forms):
        text = alternative
        for mark, stand_in in STAND_INS.items():
            text = text.replace(mark, stand_in)
        each.append(st.from_regex(re.compile(text.replace(r"(?=\W*$)", ""), re.VERBOSE), fullmatch=True))
    of_forms = st.tuples(BEFORE, st.one_of(each), BEHIND).map("".join)
    cut = st.tuples(of_forms, st.integers(1, 6)).map(lambda pair: pair[0][: -pair[1]])
    return of_forms | cut | of_forms.map(str.title) | of_forms.map(str.upper)


def read(found: re.Match[str] | None) -> dict[str, str | tuple[int, int]] | None:
    return None if found is None else {**found.groupdict(), "": found.span()}


@pytest.mark.parametrize(("name", "kind"), KINDS)
@given(data=st.data())
def test_a_sentence_is_read_as_it_is_by_the_form_as_written(name: str, kind: str, data: st.DataObject) -> None:
    sentence = data.draw(told(name, kind))

    assert read(made.form_of(name, kind, sentence).match(sentence)) == read(as_written(name, kind).match(sentence))


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_less_is_compiled_than_is_written(name: str, kind: str) -> None:
    short, whole = (made.form_of(name, kind, text).pattern for text in ("I moved to Rome", "I just moved to Rome"))

    assert len(short) < len(whole) <= len(as_written(name, kind).pattern)
    assert whole.count(made._ENDS) <= 5
    assert made._ADVERBS in whole and made._ADVERBS not in short
