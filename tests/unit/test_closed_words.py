"""The closed words are those that are checked at run time, and the keywords are those that are taken."""

from dataclasses import fields
from typing import Any, get_args

import pytest

from byheart import Memory, profiles, words
from byheart.activation.feedback import SIGNALS
from byheart.conversation.roles import role_of
from byheart.errors import InvalidArgument
from byheart.memory.fields import RecordChanges, RecordFields
from byheart.patterns import gate_signals, is_noise, should_skip_retrieval
from byheart.profiles import EscalatingConfig
from byheart.records import Record
from byheart.retrieval.filter.fields import KINDS
from byheart.retrieval.filter.reading import _JOINS, _NOT, _WORDS
from byheart.retrieval.filter.typed import FieldFilter, Operators
from byheart.retrieval.hypervector import EMBEDDING, ENCODERS
from byheart.retrieval.lexical import PRESETS
from byheart.retrieval.protocol import _SHIPPED

SAME = {
    "Preset": tuple(PRESETS),
    "Hypervectors": (*ENCODERS, EMBEDDING),
    "ProfileName": profiles.NAMES,
    "RetrieverName": _SHIPPED,
    "Signal": SIGNALS,
}
"""Words whose run-time list says more than the words, and so is written beside what each means."""


@pytest.mark.parametrize("name", SAME)
def test_the_words_are_those_that_are_known(name: str) -> None:
    assert set(words.words_of(getattr(words, name))) == set(SAME[name])


def test_each_kind_of_words_has_some_and_none_twice() -> None:
    kinds = {name: words.words_of(kind) for name, kind in vars(words).items() if get_args(kind) and name[0].isupper()}

    assert len(kinds) >= 35, "the scan found nothing"
    assert all(len(kind) == len(set(kind)) >= 2 for kind in kinds.values()), kinds


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda word: is_noise("x", word), words.PatternProfile),
        (lambda word: should_skip_retrieval("x", word), words.PatternProfile),
        (lambda word: gate_signals("x", word), words.GatePatternProfile),
        (lambda word: gate_signals("x", token_unit=word), words.TokenUnit),
        (role_of, words.Speaker),
        (lambda word: EscalatingConfig("mine", escalation=word), words.Escalation),
        (lambda word: Memory(noise=word), words.Noise),
    ],
)
def test_each_word_is_taken_and_no_other(call: Any, kind: Any) -> None:
    for word in words.words_of(kind):
        call(word)
    with pytest.raises((InvalidArgument, ValueError)):
        call("zzz")


def test_the_keywords_of_remember_are_fields_of_records() -> None:
    kept_by_the_memory = {
        "superseded_at",
        "superseded_from",
        "superseded_to",
        "contradicts",
        "seen_count",
        "seen_at",
        "near_duplicates",
        "revisions",
        "invariant",  # given to the memory itself
    }
    known = {spec.name for spec in fields(Record)}

    assert set(RecordFields.__annotations__) == known - kept_by_the_memory
    assert set(RecordFields.__annotations__) - set(RecordChanges.__annotations__) == {
        "id", "tenant", "created_at", "supersedes",
    }  # fmt: skip


def test_filters_are_typed_as_they_are_read() -> None:
    assert set(Operators.__annotations__) == {word for word in _WORDS if word != "="}
    assert set(FieldFilter.__annotations__) == {*KINDS, *_JOINS, *_NOT}
