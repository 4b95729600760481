"""Every turn is kept: what noise does to it, what says nothing at all, which roles there are, what a refusal is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import byheart
from byheart.conversation.receipts import TurnReceipt
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, NoiseRefused, UnknownRole
from byheart.patterns import says_nothing
from byheart.ranking.algebra import StageContext, violations
from byheart.ranking.candidates import join
from byheart.ranking.session_stages import MarkedNoise
from byheart.records import Record

TURNS = {"kind": "turn"}
SILENT = ["", " \n", "...", "👍", "ok", "OK.", "thanks!", "Thank you so much!", "got it", "hello!", "なるほど", "好的",
          "HEARTBEAT 12:00"]  # fmt: skip
MARKED = {
    "tea": "noise: length: below 5",
    "yes": "noise: length: below 5",
    "Hi Anna!": "noise: boilerplate: greeting",
    "I don't recall the name.": "noise: denial: does not recall",
    "Do you remember the boat?": "noise: meta: do you remember",
}
SAID = ["Hi Anna, my flight is on Tuesday", "hello, the boat leaves at nine", "thanks, then at nine", "no, the red one"]


def say(memory: byheart.Memory, text: str, **fields: object) -> TurnReceipt:
    return memory.ingest_turn(text, **{"session_id": "s", "user_id": "ann", "now": 1.0, **fields})  # type: ignore[arg-type]


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> byheart.Memory:
    where = None if request.param == "in process" else tmp_path / request.param
    return byheart.Memory(where, embedder=HashingEmbedder(32))


def test_what_says_nothing_is_kept_and_not_found(memory: byheart.Memory) -> None:
    for text in SILENT:
        done = say(memory, text)
        assert done.id and done.archived and done.refused and done.durable_id is None and done.gate is None, text
        turn = memory.get(done.id)
        assert (turn.text, turn.metadata["noise"], turn.archived_by) == (text, done.refused, turn.id)
        for profile in ("kb-balanced", "dense", "scoped", "hybrid"):
            found = memory.recall(text or "nothing", profile=profile, user_id="ann")
            assert done.id not in [hit.id for hit in found], (text, profile)
    assert [turn.text for turn in memory.records(TURNS)] == SILENT


@pytest.mark.parametrize(("text", "reason"), MARKED.items())
def test_noise_that_says_something_is_marked_and_found(memory: byheart.Memory, text: str, reason: str) -> None:
    done = say(memory, text, durable="all")
    assert (done.refused, done.archived, done.durable_id, done.gate) == (reason, False, None, None)
    assert memory.get(done.id).metadata == {"role": "user", "noise": reason}  # type: ignore[union-attr]
    assert [hit.id for hit in memory.recall(text, profile="dense")] == [done.id]


@pytest.mark.parametrize("text", SAID)
def test_a_greeting_before_something_is_no_noise(memory: byheart.Memory, text: str) -> None:
    done = say(memory, text, metadata={"noise": "a word of ours", "channel": 7})
    assert done.refused is None and not done.archived and done.durable_id
    assert memory.get(done.id).metadata.keys() >= {"role", "channel"}  # type: ignore[union-attr]
    assert "noise" not in memory.get(done.id).metadata, "the mark is the policy's"  # type: ignore[union-attr]
    assert text in [hit.text for hit in memory.recall(text)]


def test_to_refuse_is_asked_for() -> None:
    strict = byheart.Memory(noise="refuse")
    for text in ("hello!", "", "tea", "I don't recall it", "thanks!"):  # no pattern of the profile knows the last
        assert say(strict, text) == TurnReceipt(refused=strict._engine.noise.judged(text).reason)
        if text:
            with pytest.raises(NoiseRefused, match='noise="mark"'):
                strict.remember(text)
    assert strict.records() == []
    old = byheart.Memory(noise="refuse", noise_profile="1.0.11")
    assert say(old, "His name is Bob").refused == "noise: boilerplate: greeting"


def test_nothing_is_judged_where_nobody_wants_it() -> None:
    memory = byheart.Memory(noise=None)
    done = [say(memory, text) for text in [*SILENT, *MARKED]]
    assert all(each.refused is None and not each.archived for each in done)
    assert len(memory.records(TURNS)) == len(done)


def test_remember_keeps_what_it_is_given() -> None:
    memory = byheart.Memory()
    for text in ("ok", "hello!", "tea", "Do you remember me?"):
        assert memory.get(memory.remember(text)).text == text  # type: ignore[union-attr]
    with pytest.raises(NoiseRefused):
        memory.upsert("hello!", provenance={"at": 0}, boundary_class="internal")
    assert memory.recall("hello").hits


@pytest.mark.parametrize("wrong", ["byheart", "1.0.11", "marks", ""])
def test_other_words_for_noise_are_an_error(wrong: str) -> None:
    with pytest.raises(InvalidArgument, match="noise_profile="):
        byheart.Memory(noise=wrong)
    with pytest.raises(InvalidArgument, match="no profile of noise"):
        byheart.Memory(noise_profile="nope")


def test_a_marked_turn_is_judged_again_with_its_text(memory: byheart.Memory) -> None:
    id = say(memory, "ok").id
    assert id is not None
    memory.update(id, text="ok, the boat leaves at nine")
    turn = memory.get(id)
    assert turn.archived_by is None and turn.metadata == {"role": "user"}
    assert id in [hit.id for hit in memory.recall("when does the boat leave", profile="dense")]
    memory.update(id, topic="boats")
    assert memory.get(id).archived_by is None
    marked = say(memory, "tea").id
    memory.update(str(marked), text="thanks!")
    assert memory.get(str(marked)).metadata["noise"] == "noise: backchannel"
    assert memory.get(str(marked)).archived_by == marked
    behind = [say(memory, text, session_id="t", durable="none").id for text in ("tea", "the boat leaves at nine")]
    memory.compact("t", force=True, now=9.0)
    memory.update(str(behind[0]), text="green tea, please, and no sugar")
    assert memory.get(str(behind[0])).metadata == {"role": "user"}
    assert [memory.get(str(id)).archived_by for id in behind] == [None, None], "the summary said the old text"
    assert memory.check() == []


def test_the_same_id_said_again_takes_the_place_of_what_said_nothing(memory: byheart.Memory) -> None:
    say(memory, "ok", id="mine")
    assert say(memory, "the boat leaves at nine", id="mine").durable_id
    assert say(memory, "thanks!", id="mine").archived
    assert [(each.id, each.text) for each in memory.records()] == [("mine", "thanks!")], "its copy went"
    assert not memory.recall("boat", profile="dense").hits


def test_compaction_and_the_end_of_a_conversation_pass_over_silence(memory: byheart.Memory) -> None:
    for at, text in enumerate(["the boat leaves at nine", "ok", "bring the red bag", "thanks!"]):
        say(memory, text, created_at=at, durable="none")
    done = memory.compact("s", force=True, now=9.0)
    assert done.turns_removed == 2
    assert [turn.text for turn in memory.expand(done.summaries[0])] == ["the boat leaves at nine", "bring the red bag"]
    memory.forget(done.summaries[0])
    archived = {turn.text for turn in memory.records(TURNS) if turn.archived_by is not None}
    assert archived == {"ok", "thanks!"}, "nothing stood for them, so nothing lets them go"


def test_what_is_said_inside_a_message_is_seen() -> None:
    for text in ("ok at nine", "thanks Ann", "oh no", "ha", "yes", "42", "hello 你好，我的航班是星期二"):
        assert says_nothing(text) is None, text
    assert [says_nothing(text) for text in ("", "?!", "OK", "hm... thanks, you're welcome")] == [
        "empty", "signs", "backchannel", "backchannel",
    ]  # fmt: skip


# ---- roles


@pytest.mark.parametrize(
    ("said", "kept"),
    [("User", "user"), ("human", "user"), ("ai", "assistant"), ("AI", "assistant"), ("Assistant", "assistant"),
     ("system", "system"), ("SYSTEM", "system"), ("Tool", "tool")],
)  # fmt: skip
def test_roles_are_kept_in_one_word(said: str, kept: str) -> None:
    memory = byheart.Memory()
    done = say(memory, "I live in Turku by the river.", role=said)
    assert memory.get(done.id).metadata["role"] == kept
    assert (done.gate is not None) == (kept == "user")


@pytest.mark.parametrize(
    ("said", "near"), [("asistant", "assistant"), ("users", "user"), ("Humen", "human"), ("narrator", "")]
)
def test_other_roles_are_refused_with_the_nearest(said: str, near: str) -> None:
    memory = byheart.Memory()
    with pytest.raises(UnknownRole, match="use user, assistant, system, tool, human or ai") as caught:
        say(memory, "I live in Turku.", role=said)
    assert (f"did you mean {near!r}" in str(caught.value)) if near else "did you mean" not in str(caught.value)
    assert memory.records() == []


# ---- rank


def test_a_mark_costs_rank_where_a_stage_looks_at_it() -> None:
    table = join({"lexical": [("a", 0.5), ("b", 0.4), ("c", 0.3)]}).scored("lexical_part", "add", [0.5, 0.4, 0.3])
    marked = Record(text="tea", metadata={"noise": "noise: length: below 5"})
    context = StageContext(now=0.0, k=3, records={"a": marked, "b": Record(text="x"), "c": Record(text="y")})
    assert MarkedNoise(0.5)(table, context).ids == ("b", "c", "a")
    assert MarkedNoise(0.5)(table, StageContext(now=0.0, k=3)).ids == ("a", "b", "c")
    assert violations(MarkedNoise(0.5), table, context) == []


@pytest.mark.parametrize("of", [InvalidArgument, ValueError])
def test_a_factor_is_a_share(of: Callable[..., Exception]) -> None:
    with pytest.raises(of):  # type: ignore[call-overload]
        MarkedNoise(1.5)


WISHES = [
    "No dairy for me.", "No nuts, please.", "No meat or fish for us.", "Ich vertrage keine Laktose.",
    "Bitte duze mich.",
    "Never book me a window seat.", "Always answer in bullet points.", "Please keep answers short.", "Got a dog!",
    "We just got a new car.",
]  # fmt: skip
NO_WISHES = [
    "No problem for me.", "No rush, please.", "No more questions, please.", "Never mind.", "Never heard of it.",
    "Always good to see you!", "Got a minute?", "Got it!",
]  # fmt: skip


@pytest.mark.parametrize("text", WISHES)
def test_what_somebody_does_not_eat_or_always_wants_is_kept_for_good(memory: byheart.Memory, text: str) -> None:
    """They were chatter, in a few words; a compaction that deletes its sources lost them."""
    assert say(memory, text).durable_id is not None


@pytest.mark.parametrize("text", NO_WISHES)
def test_what_begins_like_a_wish_and_wants_nothing_is_not(memory: byheart.Memory, text: str) -> None:
    assert say(memory, text).durable_id is None
