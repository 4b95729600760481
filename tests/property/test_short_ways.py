"""The short ways of most records give what the long ones do: values of metadata, parts of identifiers, filters."""

import random
import re
from unittest.mock import patch

import numpy as np
from hypothesis import event, given
from hypothesis import strategies as st

from byheart import Record
from byheart.index import vectors, whose
from byheart.records import SUMMARY
from byheart.retrieval import identifiers
from byheart.retrieval.filter import fields
from byheart.retrieval.filter.canonical import all_of, distinct, membership
from byheart.validation import normal_forms

keys = st.text("ab.é\U0001f375", max_size=4) | st.sampled_from(["k" * 200, "k" * 247, "k" * 248, "k" * 1_100])
numbers = st.sampled_from([0, -0.0, 1, True, 1.5, 2**53 + 1, -(10**400), 1.7976931348623157e308]) | st.floats(-9, 9)
scalars = st.none() | st.booleans() | numbers | st.text(max_size=3)
values = scalars | st.lists(scalars, max_size=2) | st.dictionaries(keys, scalars, max_size=2)
singles = st.floats(width=32, allow_nan=False, allow_infinity=False)
metadata = st.dictionaries(keys, st.one_of(scalars, scalars, scalars, values), max_size=4)


@given(metadata)
def test_flat_metadata_is_seen_as_any_other(held: dict[str, object]) -> None:
    record = Record(text="-", metadata=held)
    with patch.object(fields, "_flat", lambda *given: False):
        long = fields.fields_of(record)
    event("flat" if fields._flat(record.metadata, {}) else "nested")
    assert repr(fields.fields_of(record)) == repr(long)  # -0.0, True and 1.0 are told apart


@given(st.text("aB1._: é-'/,東\u0301\u093f", max_size=12))
def test_a_word_in_one_piece_is_not_split(text: str) -> None:
    with patch.object(identifiers, "_MAYBE", re.compile("")):
        long = identifiers.parts_plainly(text)
    event("parts" if long else "none")
    assert identifiers.parts_plainly(text) == long
    assert identifiers.parts_of(text) == long


@given(st.lists(st.text("aB1._: é-'/,東\u0301\u001c\u2003", max_size=6), max_size=4).map(" ".join))
def test_a_token_without_parts_is_passed_over(text: str) -> None:
    parts = identifiers.parts_of(text)
    event("parts" if parts else "none")
    assert parts == [part for token in text.split() for part in identifiers.parts_of(token)]


@given(st.lists(st.lists(singles, min_size=3, max_size=3), max_size=600), st.randoms())
def test_vectors_that_are_stored_together_have_the_bytes_they_have_alone(
    rows: list[list[float]], draw: random.Random
) -> None:
    made = [np.array(row, dtype=np.float32) for row in rows]
    draw.shuffle(made)
    assert vectors.as_stored(made) == [stored for row in made for stored in vectors.as_stored([row])]


@given(st.text(max_size=4))
def test_filters_of_one_value_are_in_the_canonical_form(id: str) -> None:
    assert whose.summaries_of(id) == all_of([membership("kind", (SUMMARY,)), membership("source_ids", (id,))])
    forms = distinct(normal_forms(id))
    assert membership("source_ids", (id,)) == membership("source_ids", [id]) == ("in", "source_ids", forms)
