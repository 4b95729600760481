"""Conversations are told turn by turn, with restarts; what counts is the text of gold turns in the block."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument
from byheart.evaluation import replay as replaying
from byheart.evaluation.datasets import Collection, load
from byheart.evaluation.replay import markdown, replay
from byheart.summarising import FunctionSummariser, Turn

from . import judged


@pytest.fixture
def told(tmp_path: Path) -> Collection:
    return load(judged.conversations(tmp_path / "told"))


def test_turns_come_in_by_session_with_a_restart_before_each(told: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[tuple[str, ...]] = []

    class Logged(byheart.Memory):
        def __init__(self, *rest: object, **options: object) -> None:
            log.append(("open", Path(str(options["path"])).name))
            super().__init__(*rest, **options)  # type: ignore[arg-type]

        def ingest_turn(self, text: str, **given: object):  # type: ignore[no-untyped-def, override]
            log.append(("turn", str(given["session_id"]), str(given["id"]), str(given["user_id"])))
            return super().ingest_turn(text, **given)  # type: ignore[arg-type]

        def context(self, *rest: object, **given: object):  # type: ignore[no-untyped-def, override]
            log.append(("ask", str(given["session_id"]), str(given["user_id"])))
            return super().context(*rest, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(replaying, "Memory", Logged)
    replay(told, ["kb-balanced"])
    opened, ask = ("open", "memory.db"), ("ask", "questions", "c1")
    assert log[: log.index(ask) + 3] == [
        opened, ("turn", "1", "c1/0", "c1"), ("turn", "1", "c1/1", "c1"),
        opened, ("turn", "2", "c1/2", "c1"), ("turn", "2", "c1/3", "c1"),
        opened, ask, ask, ask,
    ]  # fmt: skip
    assert log.count(opened) == 2 + 1 + 1 + 1


def test_gold_turns_are_counted_in_the_block(told: Collection) -> None:
    found = replay(told, ["kb-balanced"], budgets=(10, 200))
    small, large = found.runs
    assert (small.budget, large.budget) == (10, 200)
    assert large.gold_share == 1.0 and small.gold_share < 1.0
    assert [(one.query, one.gold, one.found) for one in large.asked] == [
        ("c1/q0", 1, 1),
        ("c1/q1", 2, 2),
        ("c1/q2", 1, 1),
        ("c2/q0", 1, 1),
    ]
    assert all(one.tokens <= 10 for one in small.asked) and small.tokens < large.tokens
    assert large.by_type == {"multi-hop": 1.0, "single-hop": 1.0}
    assert large.told == replaying.Told(turns=6, sessions=3, durable=large.told.durable)


def test_a_conversation_finds_its_own_turns_alone(told: Collection) -> None:
    swapped = {"c1/q0": {"c2/4": 1}}
    queries = (replace(told.queries[0], text="Where does the choir sing on Sunday?"),)
    found = replay(replace(told, queries=queries, grades=swapped), ["kb-balanced"])
    assert [(one.gold, one.found) for one in found.runs[0].asked] == [(0, 0)]


def test_compaction_puts_sessions_behind_summaries(told: Collection) -> None:
    many = tuple(
        replace(told.documents[0], id=f"c1/{number}", text=f"{told.documents[number % 3].text} Again, {number}.")
        for number in range(60)
    )
    told = replace(told, documents=many, queries=told.queries[:1], grades={"c1/q0": {"c1/0": 1}})
    found = replay(told, ["kb-balanced"], compaction=(False, True))
    off, on = found.runs
    assert (off.compaction, on.compaction) == (False, True)
    assert off.told.summaries == off.told.archived == 0
    assert on.told.summaries == 3 and on.told.archived == 60
    assert "60 behind 3 summaries" in markdown(found) and set(found.telling) == {False, True}
    asked: list[int] = []

    def first_words(turns: Sequence[Turn]) -> tuple[str, float]:
        asked.append(len(turns))
        return " ".join(turn.text.split()[0] for turn in turns), 0.5

    replay(told, ["kb-balanced"], compaction=(True,), summariser=FunctionSummariser(first_words, "first words"))
    assert asked == [20, 20, 20]


def test_two_replays_are_the_same_but_for_timings(told: Collection) -> None:
    one, two = (replay(told, ["scoped"], embedder=HashingEmbedder(32)).to_dict() for _ in range(2))
    assert json.dumps(one.pop("timings")) != "{}" and two.pop("timings")["ingest_microseconds"]["false"]["p50"] > 0
    assert json.dumps(one) == json.dumps(two)


def test_an_assistant_is_one_and_speakers_are_users(told: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    roles: list[str] = []
    plain = byheart.Memory.ingest_turn

    def ingest(self, text, **given):  # type: ignore[no-untyped-def]
        roles.append(given["role"])
        return plain(self, text, **given)

    monkeypatch.setattr(byheart.Memory, "ingest_turn", ingest)
    documents = tuple(replace(each, speaker="Assistant") if each.speaker == "Ben" else each for each in told.documents)
    replay(replace(told, documents=documents), ["kb-balanced"])
    assert roles == ["user", "assistant", "user", "assistant", "user", "user"]


def test_what_cannot_be_replayed_is_refused(told: Collection) -> None:
    bare = replace(told, documents=(replace(told.documents[0], session=None),))
    for collection, options, message in (
        (bare, {}, "document 'c1/0' has no session"),
        (replace(told, grades={}), {}, "no judged question"),
        (told, {"budgets": (0,)}, "give one of each at least"),
        (told, {"limit": 0}, "give one of each at least"),
        (told, {"compaction": ()}, "give one of each at least"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            replay(collection, ["kb-balanced"], **options)  # type: ignore[arg-type]


def test_real_conversations_are_replayed(shared: Path) -> None:
    folder = shared / "data" / "locomo-dev"
    if not folder.is_dir():
        pytest.skip(f"needs the collection {folder}")
    whole = load(folder)
    first = whole.documents[0].conversation
    turns = [turn for turn in whole.documents if turn.conversation == first and int(turn.session or "") <= 6]
    known = {turn.id for turn in turns}
    queries = [query for query in whole.judged() if query.conversation == first and known >= {*whole.grades[query.id]}]
    run = replay(replace(whole, documents=tuple(turns), queries=tuple(queries)), ["kb-balanced"]).runs[0]
    assert (run.told.turns, run.told.sessions) == (len(turns), 6) and len(run.asked) >= 20
    assert run.gold_share > 0.3 and max(one.tokens for one in run.asked) <= 1024
