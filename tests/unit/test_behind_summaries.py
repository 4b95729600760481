"""A context after compaction: a question that finds a summary gets the turns behind it that fit."""

import pytest

from byheart import Analyzer, Context, Memory, Record
from byheart.conversation.behind import worths
from byheart.conversation.filling import Filling
from byheart.embedding import HashingEmbedder
from byheart.retrieval.question import Question

TURNS = [
    "Ann: We moved to Lisbon in May.",
    "Ben: How is the flat?",
    "Ann: Bright, and the harbour is near.",
    "Ben: And the kettle?",
    "Ann: It was lost with the blue box.",
    "Ben: What a pity, I liked it.",
    "Ann: The piano came a week later.",
    "Ben: In tune?",
]


@pytest.fixture
def memory() -> Memory:
    made = Memory(embedder=HashingEmbedder(64))
    for at, text in enumerate(TURNS):
        made.ingest_turn(text, session_id="s", id=f"t{at}", now=60 * at)
    done = made.compact("s", target=8, now=1_000)
    assert done.turns_removed == 8
    return made


def shown(context: Context) -> list[str]:
    return [entry.id for entry in context.entries]


def asked(memory: Memory, budget: float = 30, **given: object) -> Context:
    return memory.context("Which kettle was lost with the box?", budget, min_strength=0.0, now=2_000, **given)  # type: ignore[arg-type]


def test_turns_behind_a_summary_stand_in_its_place(memory: Memory) -> None:
    context = asked(memory)
    [hit] = context.recall.hits
    assert hit.record.kind == "summary" and "t4" in shown(context)
    assert shown(context) == sorted(shown(context)) and len(context.entries) < len(TURNS)
    assert {entry.beside for entry in context.entries} == {hit.id}
    assert [(row.id, row.reason) for row in context.receipt if row.beside is None] == [(hit.id, "expanded")]
    assert {row.id for row in context.receipt} == {hit.id, *(f"t{at}" for at in range(8))}
    assert shown(asked(memory, 1_000)) == [f"t{at}" for at in range(8)]


def test_other_ways_of_packing_show_the_summary(memory: Memory) -> None:
    for how in ({"policy": "first_fit"}, {"policy": "prefix"}, {"profile": "kb-balanced"}):
        assert [entry.id[:8] for entry in asked(memory, 1_000, **how).entries] == ["summary:"]


def test_what_may_not_be_found_stays_behind(memory: Memory) -> None:
    assert "t4" not in shown(asked(memory, 1_000, exclude=["t4"]))
    for given in ({"where": {"kind": "turn"}}, {"until": 61}):
        assert not {*shown(asked(memory, 1_000, **given))} - {"t0", "t1"}
    context = memory.context("Which kettle was lost with the box? -piano", 1_000, min_strength=0.0, now=2_000)
    assert "t6" not in shown(context)


def test_a_summary_without_turns_stands_for_itself() -> None:
    memory = Memory(embedder=HashingEmbedder(64))
    for at, text in enumerate(TURNS):
        memory.ingest_turn(text, session_id="s", id=f"t{at}", now=60 * at)
    memory.compact("s", target=8, sources="delete", now=1_000)
    [entry] = asked(memory, 1_000).entries
    assert entry.id.startswith("summary:") and entry.score is not None and entry.beside is None


def test_what_a_turn_is_worth() -> None:
    texts = ["Ann: a blue kettle", "Ben: yes", "Ben: no", "Ann: and tea"]
    turns = [Record(text=text, id=str(at)) for at, text in enumerate(texts)]
    question = Question("which kettle, ann", ["kettl", "ann"], None, 10)  # type: ignore[arg-type]
    plainly = Analyzer(stop_words=None)
    alone = Filling(before=(), after=())
    [plain] = worths(question, [(turns[0], 0.0, turns)], plainly, alone)
    assert plain[0] > plain[3] > plain[1] > plain[2] > 0, "words, words of a name, and what was told before"
    [near] = worths(question, [(turns[0], 0.0, turns)], plainly, Filling(before=(), after=(0.8,)))
    assert near == [plain[0], 0.8 * plain[0], 0.8 * plain[1], plain[3]]
    [more] = worths(question, [(turns[0], 0.5, turns)], plainly, alone)
    assert [round(one - other, 9) for one, other in zip(more, plain, strict=True)] == [0.24, 0.2, 0.2, 0.24]
    assert worths(question, [], plainly, alone) == []


def test_a_durable_copy_stands_where_its_turn_was_told() -> None:
    memory = Memory()
    said = ("We adopted a cat from the shelter, her name is Pixel.", "How sweet! How old is Pixel?")
    memory.ingest_turn(said[0], session_id="s", user_id="mia", created_at=60.0)
    memory.ingest_turn(said[1], session_id="s", user_id="mia", role="assistant", created_at=120.0)
    memory.ingest_turn("She is about two and afraid of hoovers.", session_id="s", user_id="mia", created_at=180.0)
    memory.compact("s", force=True, now=1_000.0)
    context = memory.context("how old is Emma, two years?", 400, user_id="mia")
    assert [entry.text for entry in context.entries][:2] == list(said)
    assert context.entries[2].id.startswith("durable:")
