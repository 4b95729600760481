"""Phrases, words that must be there and words that must not: how they are read, and what they leave to be found."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart import Analyzer, Memory, profiles
from byheart.embedding import HashingEmbedder
from byheart.errors import LimitExceeded
from byheart.evaluation.receipt_replay import replay
from byheart.reference import operators as slow
from byheart.retrieval.operators import MAX_OPERATORS, parse, words_of

from .conftest import Run

ANALYZER = Analyzer()


def ids(found: Any) -> list[str]:
    return [hit.id for hit in found]


# ---- how a question is read


@pytest.mark.parametrize(
    ("query", "plain", "read"),
    [
        ('where is the "annual report"?', "where is the annual report?", ['"annual report"']),
        ("kettle +descaled", "kettle descaled", ["+descaled"]),
        ("kettle -blue", "kettle", ["-blue"]),
        ('kettle -"blue pot" rest', "kettle rest", ['-"blue pot"']),
        ('+"blue pot"', "blue pot", ['"blue pot"']),
        ("“blue pot” „green pot“ «red pot» ＂grey pot＂", "blue pot green pot red pot grey pot",
         ['"blue pot"', '"green pot"', '"red pot"', '"grey pot"']),
        ('"東京タワー"の高さ', "東京タワーの高さ", ['"東京タワー"']),
        ("-夏 京都", "京都", ["-夏"]),
        ("+well-known, -tea", "well-known", ["+well-known", "-tea"]),
        ("a\t-item\n", "a", ["-item"]),
        ("\u3000+tea", "tea", ["+tea"]),
        ('"the of"', "the of", ['"the of"']),
        ("-tea -tea -tea", "", ["-tea"]),
        ('-"5"', "", ['-"5"']),
    ],
)  # fmt: skip
def test_operators(query: str, plain: str, read: list[str]) -> None:
    found = parse(query, ANALYZER)
    assert found is not None
    assert found.plain == plain == slow.read(query).plain
    assert [str(clause) for clause in (*found.wanted, *found.unwanted)] == read


@pytest.mark.parametrize(
    "text",
    [
        "well-known", "state-of-the-art", "-5 degrees", "+5", "+49 30 1234", "- item", "+ item", "-- item", "--flag",
        "a - b", '"no end', 'a 24" screen and a 27" one', "say \"\n\"", '""', '" "', '"--"', '" tea"', "don't", "'tea'",
        "‘tea’", "5-3", "x+y", "C++", "「東京」", "–tea", "−tea", "-_x", "+", "-", '"', "", 'x"tea"',
        "kubectl -n delivery", "tar -c, -x.", "ls -l", "a\n-item", '"blue\npot" "tea"', '\r"tea"\r\nx',
    ],
)  # fmt: skip
def test_plain_text(text: str) -> None:
    assert parse(text, ANALYZER) is None and slow.read(text) == slow.Read(text, (), ())


def test_there_is_a_limit() -> None:
    many = " ".join(f"-w{number}" for number in range(MAX_OPERATORS))
    assert parse(many, ANALYZER) is not None
    memory = Memory()
    with pytest.raises(LimitExceeded, match="operators=False"):
        memory.recall(many + " -more")
    assert list(memory.recall(many + " -more", operators=False)) == []
    with pytest.raises(TypeError, match="operators must be bool"):
        memory.recall("x", operators="yes")  # type: ignore[typeddict-item]


# ---- what they leave to be found

TEXTS = {
    "spring": "The kettle is descaled every spring.",
    "blue": "A blue kettle, well known to all, stands on the stove.",
    "bluer": "The kettle is blue; kettles are descaled.",
    "tea": "Ada drinks tea from Ann's cup.",
    "tower": "東京タワーは高い。",
}


@pytest.fixture
def memory() -> Memory:
    made = Memory(embedder=HashingEmbedder())
    for id, text in TEXTS.items():
        made.remember(text, id=id, created_at=0)
    return made


@pytest.mark.parametrize("name", profiles.NAMES)
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"blue kettle"', {"blue"}),
        ('"Blue KETTLE" kettle', {"blue"}),
        ('"kettle is" +blue', {"bluer"}),
        ("kettle +kettles", {"bluer"}),
        ('"well-known"', {"blue"}),
        ('+ann "ada drinks"', {"tea"}),
        ('kettle "blue tea"', set()),
        ("東京 +タワー", {"tower"}),
        ('"京タ" 東京', {"tower"}),
        ('"東タ" 東京', set()),
    ],
)
def test_only_what_holds_them_is_found_in_every_profile(memory: Memory, name: str, query: str, found: set[str]) -> None:
    answer = memory.recall(query, 50, name, now=1.0)
    assert set(ids(answer)) == found
    assert any("nothing that may be found" in reason for reason in answer.degraded) is (not found)


@pytest.mark.parametrize("name", profiles.NAMES)
def test_what_holds_an_excluded_word_is_not_found_in_any_profile(memory: Memory, name: str) -> None:
    with_it = set(ids(memory.recall("kettle descaled", 50, name, now=1.0)))
    without = set(ids(memory.recall('kettle descaled -blue -"every spring"', 50, name, now=1.0)))
    assert with_it >= {"spring", "bluer"} and not without & {"spring", "blue", "bluer"}


@pytest.mark.parametrize("name", profiles.NAMES)
def test_a_question_of_exclusions_finds_nothing_by_words_and_says_so(memory: Memory, name: str) -> None:
    answer = memory.recall("-kettle", profile=name, now=1.0)
    assert not {"spring", "blue", "bluer"} & set(ids(answer))
    assert "no word to look for" in answer.degraded[0]
    assert list(Memory().recall("-kettle", profile="kb-fast")) == []


COMMON = {
    "band": "We saw The Who live in 2019.",
    "play": "To be or not to be, that is the question.",
    "will": "Will is my brother.",
    "sister": "She is my sister, and will come.",
}


@pytest.mark.parametrize("name", profiles.NAMES)
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["words", "vectors"])
def test_marks_of_words_that_no_index_keeps_find_what_holds_them(name: str, embedder: Any) -> None:
    memory = Memory(embedder=embedder)
    memory.remember_many([{"id": id, "text": text, "created_at": 0} for id, text in COMMON.items()])
    for query, expected in [
        ('"The Who"', ["band"]), ('"to be or not to be"', ["play"]), ("+Will", ["sister", "will"]),
        ("is +Will", ["sister", "will"]), ("+Will -she", ["will"]), ('+will "will is"', ["will"]),
        ('"who the"', []), ("+Will -is", []),
    ]:  # fmt: skip
        answer = memory.recall(query, profile=name, now=1.0, explain=True)
        assert ids(answer) == expected, query
        assert all(hit.explanation and hit.explanation.recomputed() == hit.score for hit in answer)
        assert bool(expected) or any("nothing that may be found" in reason for reason in answer.degraded)
        assert ids(memory.recall(query, 1, name, now=1.0)) == expected[:1]
    answer = memory.recall("+Will", profile=name, now=1.0, where={"id": ["will"]})
    assert ids(answer) == ["will"]
    assert answer.strength == answer[0].strength == (1.0 if profiles.get(name).tells_strength else None)
    outside = memory.recall("+Will", profile=name, now=1.0, boundary={"classes": ["public"]})
    assert not outside and outside.degraded[0] == "nothing that may be found holds +Will"


def test_what_marks_alone_find_stands_in_contexts_receipts_and_explanations() -> None:
    memory = Memory()
    memory.remember_many([{"id": id, "text": text, "created_at": 0} for id, text in COMMON.items()])
    assert COMMON["band"] in memory.context('"The Who"', 200, now=1.0).text
    assert memory.explain('"The Who"', "band", now=1.0).score == 1.0
    assert memory.explain('"The Who"', "will", now=1.0).notes[0] == 'does not hold "The Who"'
    answer = memory.recall('"The Who"', now=1.0)
    assert byheart.Recall.from_dict(answer.to_dict()) == answer
    assert memory.recall_many(['"The Who"'], now=1.0)[0].hits == answer.hits


def test_an_answer_without_hits_says_what_marks_did_to_it() -> None:
    memory = Memory()
    memory.remember("tar -czf backup.tgz folder", id="tar")
    memory.remember_many([{"id": id, "text": text} for id, text in COMMON.items()])
    text = "operators=False takes marks as text"
    for query, said in {
        "tar -czf backup": (f"'-czf' left out 1 record; {text}",),
        'my brother sister -"is my"': (f"'-\"is my\"' left out 2 records; {text}",),
        'concert "Who"': (f'1 record passes "Who", but is no answer to the other words of the question; {text}',),
        "concert +will": (f"2 records pass +will, but are no answer to the other words of the question; {text}",),
        "zebra -czf": (),
        "who will it be?": (
            "no word of the question is searched for: all are very common ones; what holds one is found by +word",
        ),
        "???": ("nothing of the question is searched for: it has neither a letter nor a digit",),
        "\U0001f993": ("nothing of the question is searched for: it has neither a letter nor a digit",),
        " ": (),
        "zebra": (),
    }.items():
        answer = memory.recall(query)
        assert not answer and answer.degraded == said, query
    assert memory.recall("tar -czf backup -zebra").degraded == (f"'-czf' left out 1 record; {text}",)
    assert ids(memory.recall("tar -czf backup", operators=False)) == ["tar"]
    assert ids(memory.recall("who is Will?")) == ["will"]
    outside = memory.recall("tar -czf backup", boundary={"classes": ["public"]})
    assert outside.degraded == (), "nothing is told of what lies outside"


def test_the_last_record_of_many_is_found_at_once() -> None:
    memory = Memory()
    some = [f"annual kettle, the annual kettle {number}" for number in range(300)]
    others = [f"a garden of the house {number}" for number in range(4_700)]
    memory.remember_many([{"text": text, "id": f"r{number}"} for number, text in enumerate(some + others)])
    memory.remember("A kettle annual for gardens, long and dull and on many things, is late", id="late")
    for name in profiles.NAMES:
        assert "late" not in ids(memory.recall("kettle annual", 100, name, now=1.0)), "it is far behind"
        for query in ('"kettle annual"', "annual kettle -the", "kettle annual +is", 'kettle annual "is late"'):
            answer = memory.recall(query, profile=name, now=1.0)
            weak = [row.id for row in answer.dropped]  # by a profile's own least score, which no filter changes
            assert ids(answer) + weak == ["late"] and (not weak or name == "activation"), (name, query)


def test_they_come_before_the_search_and_after_the_boundary(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    for scope, text in (("project", "the secret plan"), ("session", "the plain plan")):
        with Memory(path, boundary={"scopes": [scope]}) as memory:
            memory.remember(text, id="a", scope=scope, created_at=0)
    with Memory(path) as memory:
        memory.remember("the secret plan is kept", id="b", boundary_class="secret", created_at=0)
        [hit] = memory.recall('"secret plan"')
        assert hit.record.scope == "project", "of one id the record that holds it"
        [hit] = memory.recall("plan -secret")
        assert hit.record.scope == "session"
        answer = memory.recall('"is kept" plan')
        assert ids(answer) == [] and answer.degraded == ('nothing that may be found holds "is kept"',)
        answer = memory.recall('"secret plan"', where={"scope": "session"})
        assert ids(answer) == [] and answer.degraded == ('nothing that may be found holds "secret plan"',)


def test_what_has_ended_and_what_is_archived_is_not_found() -> None:
    memory = Memory()
    memory.remember("blue kettle", id="over", created_at=0, expires_at=5)
    assert ids(memory.recall('"blue kettle"', now=4)) == ["over"]
    assert ids(memory.recall('"blue kettle"', now=6)) == []
    turns = [f"blue kettle number {number}" for number in range(4)]
    for number, text in enumerate(turns):
        memory.ingest_turn(text, session_id="s", now=10.0 + number)
    memory.compact("s", now=99.0, force=True)
    found = memory.recall('"kettle number"', now=100.0)
    assert [hit.record.kind for hit in found if hit.record.archived_by is not None] == []


def test_a_policy_hides_from_phrases_too(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        memory.remember("Write to ada@example.com about it", id="a", created_at=0)
        assert ids(memory.recall('"ada@example.com" write')) == ["a"]
    from byheart.boundary.policy import DEFAULT_POLICY

    with Memory(path, policy=DEFAULT_POLICY) as memory:
        shown = memory.recall("write")
        assert ids(shown) == ["a"] and "ada@" not in shown.hits[0].text
        assert ids(memory.recall("write +example")) == [] and ids(memory.recall("write -example")) == ["a"]


# ---- what is told


def test_they_are_told_and_asked_again(memory: Memory) -> None:
    answer = memory.recall('the "blue kettle" +stove -tea', explain=True)
    receipt = answer.receipt.to_dict()
    assert receipt["query"] == 'the "blue kettle" +stove -tea'
    assert receipt["operators"] == {"phrase": ["blue kettle"], "must": ["stove"], "must_not": ["tea"]}
    assert 'passes "blue kettle" +stove -tea' in str(answer.hits[0].explanation)
    assert replay(memory, receipt).same
    plain = memory.recall('the "blue kettle" -tea', operators=False)
    assert plain.receipt.operators is None and len(plain) > 1
    assert replay(memory, plain.receipt.to_dict()).same


def test_why_a_record_is_not_found(memory: Memory) -> None:
    told = str(memory.explain('kettle "every spring" -stove', "blue"))
    assert 'does not hold "every spring"' in told and "holds what -stove excludes" in told
    assert 'passes "every spring"' in str(memory.explain('kettle "every spring"', "spring"))
    assert "outside the filter" in str(memory.explain('kettle "blue kettle"', "blue", where={"id": "tea"}))
    together = memory.recall('"blue kettle" "every spring"')
    assert together.degraded == ('nothing that may be found passes "blue kettle" "every spring"',)


def test_messages_are_no_questions(memory: Memory) -> None:
    message = 'I said "something else" about the kettle -anyway'
    assert ids(memory.recall(message)) == []
    for found in (memory.recall(message, adaptive=True), memory.recall(message, operators=False)):
        assert found.receipt.operators is None and "spring" in ids(found)
    assert ids(memory.recall(message, adaptive=True, operators=True)) == []
    assert memory.context('"blue kettle"', budget=100).entries[0].id == "blue"
    assert len(memory.context(message, budget=100, adaptive=True).entries) > 1
    terms = memory.recall(["kettle", '"blue', 'kettle"'], profile="kb-fast")
    assert ids(terms) == ids(memory.recall(["kettle"], profile="kb-fast")), "terms are no text"
    receipt = memory.ingest_turn(message, session_id="s", now=5.0)
    assert receipt is not None and ids(memory.recall("anyway", now=6.0))


def test_a_language_of_its_own_is_left_alone(memory: Memory) -> None:
    typed = "lex: tea -blue"
    assert memory.recall(typed, profile="router").receipt.operators is None
    assert "tea" in ids(memory.recall(typed, profile="router"))
    assert memory.recall(typed, profile="kb-fast").receipt.operators == {"phrase": [], "must": [], "must_not": ["blue"]}


def test_in_mode_ascii_a_date_is_one_word() -> None:
    memory = Memory(analyzer=Analyzer(mode="ascii"))
    memory.remember("on 2023-05-08 the re-opened kettle", id="a", created_at=0)
    memory.remember("on 2023 05 08 the re opened kettle", id="b", created_at=0)
    assert ids(memory.recall('kettle "2023-05-08"')) == ["a"]
    assert sorted(ids(memory.recall('kettle "re-opened"'))) == ["a", "b"]
    assert byheart.Analyzer(mode="ascii").name.startswith("ascii")


@pytest.mark.parametrize(
    ("text", "question", "held"),
    [
        ("error_code=E42;retry", "error_code", True),
        ("Deploy with rate=3.5 now", "3.5", True),
        ("see https://example.com/kettle-manual.html#top", "kettle", True),
        ("see https://example.com/kettle-manual.html#top", "kettle manual", True),
        ("price:12.50 paid", "12.50", True),
        ("price:12.50 paid", "50", False),
        ("go to x.org/a-b today", "a-b", True),
        ("x.org/alpha-beta?c=d", "alpha", True),
        ("PI=3.14", "3.14", True),
        ("PI=3.14", "14", False),
        ("GET_user/ERROR_code", "error_code", True),
        ("x/errorCode", "errorcode", True),
        ("x/get_errorCode", "errorcode", False),
        ("x/get_errorCode", "get_errorcode", True),
        ("self.get_errorCode()", "get_errorCode", True),
        ("errorCode", "errorcode", True),
        ("Our accounts: GitLab/GitHub.", "github", True),
        ("The GitHub\u2014it fails.", "GitHub", True),
        ("chargers,iPhone,iPad", "ipad", True),
        ("call self.getName() first", "getName", True),
        ("GitHub's/ours", "github", True),
        ("Adapter 5v/12v, room:4b.", "12v", True),
        ("Adapter 5v/12v, room:4b.", "4b", True),
        ("Adapter 5v/12v, room:4b.", "v", False),
        ("ann/2nd floor", "2nd floor", True),
        ("2.5mm/3mm", "5mm", False),
        ("at 2026-01-02T10:00:00Z", "00z", False),
        ("Zoe\u0308/Bo", "zoë", True),
        ("a cafe\u0301/bar", "café", True),
        ("covid-19/flu", "19", True),
        ("v1.2.3/x", "2.3", False),
    ],
)
def test_words_of_runs_are_found_one_by_one(text: str, question: str, held: bool) -> None:
    memory = Memory()
    memory.remember(text, id="x", created_at=0)
    memory.remember("deploy error see paid other", id="y", created_at=0)
    assert ids(memory.recall(f'"{question}"', min_strength=0)) == (["x"] if held else [])
    assert ("x" in ids(memory.recall(f'other deploy see paid error go to -"{question}"'))) in (False, not held)
    assert bool(memory.recall(f'error deploy see paid go errors -"{question}"').receipt.operators)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("+école", ["plain", "school"]),
        ('"école fermée"', ["plain", "school"]),
        ("+l'École", ["school"]),
        ("fermée -école", ["shop"]),
        ("+arte", ["museum"]),
        ("+don", []),  # of "don't"
        ("+roll", []),  # of "rock'n'roll"
    ],
)
def test_a_word_behind_an_elided_article(question: str, found: list[str]) -> None:
    memory = Memory()
    for id, text in {
        "school": "L'école fermée lundi",
        "plain": "une école fermée",
        "shop": "la boutique fermée",
        "museum": "il museo dell’arte",
        "music": "they don't play rock'n'roll",
    }.items():
        memory.remember(text, id=id, created_at=0)
    assert sorted(ids(memory.recall(question))) == found


# ---- where questions are asked


def test_on_the_command_line(run: Run, memory_file: Path) -> None:
    with Memory(memory_file) as memory:
        for id, text in TEXTS.items():
            memory.remember(text, id=id, created_at=0)

    def found(*arguments: str) -> set[str]:
        return {hit["id"] for hit in json.loads(run("recall", "--json", *arguments))["hits"]}

    assert found('"blue kettle"') == {"blue"}
    assert found("kettle -stove") == {"spring", "bluer"} == found("-stove kettle")
    assert found("kettle -stove", "--no-operators") >= {"blue"}
    assert 'note: nothing that may be found holds "kettle blue"' in run("recall", '"kettle blue"', code=1)
    assert 'does not hold "blue kettle"' in run("explain", '"blue kettle"', "spring")
    assert 'passes "blue kettle"' in run("recall", '"blue kettle"', "--explain")


def test_of_a_server_and_of_a_coroutine(memory: Memory) -> None:
    from byheart.mcp.dispatch import Dispatch
    from byheart.mcp.registry import Registry
    from byheart.mcp.tool import Service
    from byheart.mcp.tools import TOOLS

    tools = Dispatch(Service(memory), Registry.of(TOOLS, "all"))
    outcome = tools("recall", {"query": 'kettle "blue kettle"'})
    assert [hit["id"] for hit in outcome.data["hits"]] == ["blue"] and outcome.data["notes"] == []
    assert tools("recall", {"query": '"kettle blue"'}).data["notes"] == [
        'nothing that may be found holds "kettle blue"'
    ]
    assert ids(asyncio.run(memory.arecall('"blue kettle"'))) == ["blue"]


def test_more_records_may_hold_a_phrase_than_a_filter_has_values() -> None:
    memory = Memory(noise=None)
    memory.remember_many(
        [{"id": f"a{n}", "text": "the kettle"} for n in range(10_050)] + [{"id": "pot", "text": "the pot"}]
    )
    assert [hit.text for hit in memory.recall('"the kettle"', min_strength=0)] == ["the kettle"], "copies are one hit"
    assert ids(memory.recall("the pot -kettle", profile="kb-fast")) == ["pot"]


def test_what_was_pasted_is_searched_for_as_it_is() -> None:
    memory = Memory()
    memory.remember("On web-03 the worker fails: ConnectionResetError when pool.acquire waits.", id="reset")
    memory.remember("The kettle leaks.", id="kettle")
    pasted = 'Traceback:\n  File "/srv/app/worker.py", line 41, in run\nConnectionResetError: -x\n'
    answer = memory.recall(pasted)
    assert ids(answer) == ["reset"] and answer.receipt.operators is None and answer.degraded == ()
    assert ids(memory.recall('the worker of "/srv/app/worker.py"')) == []


@pytest.mark.parametrize(
    ("query", "text", "is_held"),
    [
        ('"report_2024.pdf"', "It is in /share/report_2024.pdf now.", True),
        ('"share/report_2024"', "It is in /share/report_2024.pdf now.", True),
        ('"2024.pdf"', "It is in /share/report_2024.pdf now.", False),
        ('"IMG_0042.jpg"', "See photos/2024/IMG_0042.jpg", True),
        ('"MG_0042.jpg"', "See photos/2024/IMG_0042.jpg", False),
        ('"setup-1.4"', "Run x/setup-1.4.exe", True),
        ('"1.4"', "Run x/setup-1.4.exe", True),
        ('"4.exe"', "Run x/setup-1.4.exe", False),
        ('"0042"', "See DSC-0042.0042", False),
    ],
)
def test_a_part_of_a_name_is_found_where_the_whole_name_begins_or_ends(query: str, text: str, is_held: bool) -> None:
    memory = Memory()
    memory.remember(text, id="x")
    assert ids(memory.recall(query)) == (["x"] if is_held else [])
    assert slow.holds(text, query.strip('"')) is is_held


def test_of_ascii_a_hyphenated_word_that_begins_with_a_digit_is_one() -> None:
    in_ascii = Analyzer(mode="ascii")
    assert words_of("1-a a-1b covid-19", in_ascii) == ["1-a", "a", "1b", "covid", "19"]
    assert words_of("well-known", in_ascii) == ["well", "known"]
