"""Operators of a question are a filter: a recall with them is one of what the slow version lets through, bit by bit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart import Analyzer, Memory, Record, profiles
from byheart.embedding import HashingEmbedder
from byheart.profiles.router import RouterConfig
from byheart.profiles.scoped import ScopedConfig
from byheart.reference import operators as slow
from byheart.retrieval.operators import parse, words_of

from ..counts import examples
from .strategies import WORDS, records, unique

PROFILES = ["kb-fast", "kb-balanced", "kb-thinkingdb", "dense", "activation", "hybrid", "discovery",
            RouterConfig(always_stage2=True).profile(), ScopedConfig(top_k=60).profile()]  # fmt: skip
BY_RANKS = ("activation", "hybrid", "discovery", "router")
"""Profiles that work on ranks, or on what the candidates have in common."""

letters = st.text(st.sampled_from("abABlLé27京ש-+ \"“»\n\t5_'.é/:—\u2011\u0301,;℃×’"), max_size=24)
phrases = st.lists(st.sampled_from([*WORDS, "Red", "FOX", "ＲＥＤ", "well", "3", "京"]), min_size=1, max_size=3).map(
    " ".join
)
PIECES = [
    *("red", "fox", "hen", "3", "42", "2024", "10.0.4.17", "x2", "redFox", "red_fox", "שם", "京", "l", "école"),
    *("a_b", "well-red", "red-3", "3.5", "red_Fox"),
]
NAMED = [
    "DSC",
    "0042",
    "JPG",
    "report",
    "2024",
    "1",
    "4",
    "v2",
    "rc1",
    "3d",
    "getName",
    "x",
    "beta",
    "2fa",
    "10",
    "ISO",
]
JOINS = ("—", "/", ":", ",", ".", "\u2011", "\u2013", "’,", "…", "×", "-", "'", "\u0301", ";", "|")
marked = st.one_of(
    phrases,
    phrases.map('"{}"'.format),
    phrases.map('-"{}"'.format),
    phrases.map("“{}”".format),
    st.sampled_from(WORDS).map("+{}".format),
    st.sampled_from(WORDS).map("-{}".format),
    st.sampled_from(["+a_b", '"3.5"', '"well red"', "-red_fox", '"3"', "+b", "-a_b", '"red 3"', '"5"']),
    st.sampled_from(["+école", "+l'école", '"l école"', "-école", "L’École", '"l’red"', "+l'fox"]),
)
common = st.sampled_from(["+of", '"the"', '"of the"', "-the"])  # words that no index keeps
questions = st.lists(marked | common, min_size=1, max_size=4).map(" ".join)


def wide(name: Any) -> profiles.Profile:
    """Return a profile whose legs have room for every record of a test."""
    profile = profiles.get(name)
    return replace(profile, pool=50, legs=tuple(replace(leg, pool=50) for leg in profile.legs))


def bits(recall: Any) -> list[tuple[str, str]]:
    return [(hit.id, hit.score.hex()) for hit in recall]


@settings(max_examples=examples(4_000))
@given(st.one_of(letters, questions), st.sampled_from(["unicode", "ascii"]))
@example('"_ "5"', "unicode")  # a phrase without a word takes its closing mark with it
def test_a_question_is_read_as_it_is_defined(query: str, mode: str) -> None:
    analyzer = Analyzer(mode=mode)
    found, expected = parse(query, analyzer), slow.read(query, mode=mode)
    if found is None:
        assert expected == slow.Read(query, (), ())
        return
    assert found.plain == expected.plain and found.written == query
    assert {clause.text for clause in found.wanted} == set(expected.wanted)
    assert {clause.text for clause in found.unwanted} == set(expected.unwanted)


@settings(max_examples=examples(2_000))
@given(st.one_of(letters, phrases), st.sampled_from(["unicode", "ascii"]))
def test_words_are_those_of_the_slow_version(text: str, mode: str) -> None:
    assert words_of(text, Analyzer(mode=mode)) == slow.words(text, mode=mode)


@settings(max_examples=examples(1_000))
@given(
    texts=st.lists(
        st.lists(
            st.sampled_from(PIECES),
            min_size=1,
            max_size=4,
        ),
        max_size=5,
    ),
    joins=st.lists(st.sampled_from([*JOINS, " "]), min_size=24, max_size=24),
    query=questions,
)
def test_words_that_marks_join_are_found_one_by_one(texts: list[list[str]], joins: list[str], query: str) -> None:
    marks = iter(joins)
    said = ["".join(part for word in words for part in (word, next(marks, " "))).rstrip() for words in texts]
    batch = [{"text": text, "id": f"r{number}"} for number, text in enumerate(dict.fromkeys(said))]
    memory = Memory(vectors="all:2")
    for record in batch:
        memory.remember(record, vector=[1.0, 0.0])  # all are as near
    query = f"red {query}"  # what only excludes finds nothing
    asked = slow.read(query)
    expected = {str(record["id"]) for record in batch if slow.passes(record, asked)}
    assert {hit.id for hit in memory.recall(query, k=50, profile=wide("dense"), vector=[1.0, 0.0])} == expected


@settings(max_examples=examples(2_000))
@given(
    pieces=st.lists(st.sampled_from(NAMED), min_size=1, max_size=7),
    joins=st.lists(st.sampled_from(["_", "-", ".", "/", ":", "@", "=", " "]), min_size=7, max_size=7),
    around=st.sampled_from(["{}", "Photo {} is blurred", "at x/{}", "({}), now", "{}/x"]),
    part=st.tuples(st.integers(0, 6), st.integers(1, 7)),
    sign=st.sampled_from(["", "-", "+"]),
)
@example(["DSC", "0042", "JPG"], ["_", ".", ""], "Photo {} is blurred", (0, 3), "")
@example(["setup", "1", "4", "exe"], ["-", ".", ".", ""], "{}", (0, 4), "-")
@example(["v2", "3", "1", "beta", "2"], [".", ".", "-", ".", ""], "{}", (0, 5), "")
@example(["DSC", "0042", "0042"], ["-", ".", ""], "{}", (1, 1), "")
@example(["DSC", "0042", "0042", "DSC"], ["_", ".", "-", ""], "{}", (1, 1), "")
def test_names_of_files_and_versions_are_found_as_they_are_written(
    pieces: list[str], joins: list[str], around: str, part: tuple[int, int], sign: str
) -> None:
    def said(first: int, last: int) -> str:
        run = [
            text for piece, join in zip(pieces[first:last], joins[first:last], strict=False) for text in (piece, join)
        ]
        return "".join(run[:-1])

    first = min(part[0], len(pieces) - 1)
    name = said(first, max(part[1], first + 1))
    query = f"Photo {sign}{name}" if sign == "+" else f'Photo {sign}"{name}"'
    batch = [{"text": around.format(said(0, 7)), "id": "x"}, {"text": "Photo of a hen", "id": "y"}]
    memory = Memory(vectors="all:2")
    for record in batch:
        memory.remember(record, vector=[1.0, 0.0])  # all are as near
    asked = slow.read(query)
    expected = {str(record["id"]) for record in batch if slow.passes(record, asked)}
    assert {hit.id for hit in memory.recall(query, k=50, profile=wide("dense"), vector=[1.0, 0.0])} == expected


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: getattr(profile, "name", profile))
@settings(max_examples=examples(300))
@given(batch=st.lists(records(), max_size=9).map(unique), query=questions, embedder=st.booleans())
def test_a_recall_finds_what_the_slow_version_lets_through(
    profile: Any, batch: list[dict[str, Any]], query: str, embedder: bool
) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    memory.remember_many(batch)
    asked = {"k": 50, "profile": wide(profile), "now": 10.0, "boundary": {"classes": ["public", "internal", "pii"]}}
    read = slow.read(query)
    passing = [str(record["id"]) for record in batch if slow.passes(record, read)]

    found = memory.recall(query, explain=True, **asked)
    plain = memory.recall(read.plain, where={"id": passing}, operators=False, **asked)
    of_marks = [(id, score.hex()) for id, score in slow.by_marks(batch, read)]
    assert bits(found) == (bits(plain) or of_marks)
    assert all(hit.explanation.recomputed() == hit.score for hit in found)
    assert (found.receipt.operators is None) is (not read.wanted and not read.unwanted)
    if wide(profile).name not in BY_RANKS and not of_marks:
        every = bits(memory.recall(read.plain, operators=False, **asked))
        kept = [hit for hit in every if hit[0] in passing]
        assert [hit for hit in bits(found) if hit in kept] == kept


@settings(max_examples=examples(300))
@given(batch=st.lists(records(), max_size=9).map(unique), query=questions, id=st.sampled_from(["r0", "r1", "r2"]))
def test_what_a_record_lacks_is_said_where_it_does_not_pass(batch: list[dict[str, Any]], query: str, id: str) -> None:
    memory = Memory()
    memory.remember_many(batch)
    found, read = parse(query, Analyzer()), slow.read(query)
    for record in batch:
        if record["id"] == id and found is not None:
            lacking = found.lacking(Record.from_dict(record))
            assert (not lacking) is slow.passes(record, read) is found.admits(Record.from_dict(record))
            told = str(memory.explain(query, id, boundary={"classes": ["public", "internal", "pii"]}))
            assert all(reason in told for reason in lacking)
