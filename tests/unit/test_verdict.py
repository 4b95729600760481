"""The verdict: what states nothing is not kept for good, what states something is; and the receipt says why."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from byheart import Memory
from byheart.conversation.gate import SOURCE, GateSettings
from byheart.conversation.receipts import TurnReceipt
from byheart.conversation.verdict import is_chatter
from byheart.embedding import HashingEmbedder
from byheart.patterns.chatter import chatter
from byheart.patterns.stating import KINDS, stated

from .judged_turns import CHATTER_CHOSEN, CHATTER_CONFIRMING, DURABLE_CHOSEN, DURABLE_CONFIRMING

JUDGED = {
    ("durable", "chosen"): DURABLE_CHOSEN,
    ("durable", "confirming"): DURABLE_CONFIRMING,
    ("chatter", "chosen"): CHATTER_CHOSEN,
    ("chatter", "confirming"): CHATTER_CONFIRMING,
}


def said(memory: Memory, text: str, **more: object) -> TurnReceipt:
    return memory.ingest_turn(text, session_id="s", user_id="ann", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("hashed", [False, True], ids=["words", "hashing"])
def test_most_of_what_is_durable_is_kept_and_most_chatter_is_not(hashed: bool) -> None:
    told = [(key, text) for key, texts in JUDGED.items() for text in texts]
    assert len({text for _, text in told}) == 120
    random.Random(7).shuffle(told)
    memory = Memory(embedder=HashingEmbedder() if hashed else None)
    kept: Counter[tuple[str, str]] = Counter()
    for number, (key, text) in enumerate(told):
        kept[key] += said(memory, text, created_at=1.76e9 + 60 * number).durable_id is not None
    assert all(kept["durable", half] >= 29 and kept["chatter", half] <= 1 for half in ("chosen", "confirming")), kept
    assert memory.count({"kind": "turn"}) == 120, "whatever is made of it, what was said is kept"


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("never mind", "fillers"), ("that was fun!", "fillers"), ("haha, je ne sais pas", "fillers"),
        ("à demain", "fillers"), ("haha, I am pas", None),
        ("asdf jkl;", "keyboard"), ("sdfghj", "keyboard"), ("xkcdwq zzzz", "keyboard"), ("ok asdf", "keyboard"),
        ("Я живу в Риме", None), ("나는 서울에 살아요", None), ("Ο γιατρός μου λέγεται Νίκος", None),
        ("were", "fillers"), ("power", None), ("rhythms", None), ("aaaa 7", None), ("I have a hat", None),
        ("すごいですね", "fillers"), ("猫がすごい", None), ("well " * 100, None), ("", None), ("?!", None),
    ],
)  # fmt: skip
def test_chatter_is_made_of_nothing_else(text: str, how: str | None) -> None:
    assert chatter(text) == how


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("yeah that tracks", False), ("hang on, phone", False), ("trop fort", False), ("Our boiler broke again.", True),
        ("She is pregnant.", True), ("The key is outside.", True),
        ("Sono allergico alle noci", True), ("blue, please", False),
        ("we invited guests to the castle", True),
    ],
)  # fmt: skip
def test_small_talk_is_short_and_states_nothing(text: str, kept: bool) -> None:
    assert (said(Memory(), text).durable_id is not None) is kept


def test_a_message_is_chatter_if_every_sentence_is_or_asks() -> None:
    assert is_chatter("Wow, that's great! How was it? Yes.")
    assert not is_chatter("Is it far?") and not is_chatter("Wow! We won the cup.")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("meeting at noon", ("time",)), ("bring two umbrellas", ("number",)), ("our cat, called rex", ("name",)),
        ("dinner in Rome", ("name",)), ("Die Katze jagt Mäuse und schläft", ()), ("i'd rather walk", ("preference",)),
        ("we booked it", ("plan", "fact")), ("keep in mind: keys outside", ("request",)),
        ("it was postponed", ("change",)),
        ("our roof is leaking", ("fact",)), ("the guests sang", ()), ("i'm here", ("fact",)),
    ],
)  # fmt: skip
def test_what_a_message_states(text: str, kinds: tuple[str, ...]) -> None:
    assert stated(text) == kinds
    assert set(kinds) <= set(KINDS)


def test_the_receipt_says_why() -> None:
    memory = Memory(embedder=HashingEmbedder())
    nothing = said(memory, "never mind")
    assert nothing.gate is not None and nothing.durable_id is None
    assert (nothing.gate.turned_down, nothing.gate.stated, nothing.gate.novelty) == ("chatter", (), 1.0)
    plan = said(memory, "I'm going to fly to Oslo on Friday at 7:40.")
    assert plan.gate is not None and plan.gate.stated == ("number", "time", "name", "plan", "fact")


def test_what_is_known_is_not_kept_again_and_what_is_new_is() -> None:
    memory = Memory(embedder=HashingEmbedder())
    texts = [f"My flight to Oslo leaves at {hour}:40 on Friday." for hour in range(7, 12)]
    for text in texts:
        assert said(memory, text).durable_id is not None
    again = said(memory, "My flight leaves at 8:40.")
    assert again.gate is not None and again.gate.novelty < 0.6 and again.gate.stated == () and again.durable_id is None
    other = said(memory, "My flight to Oslo leaves at 6:40 on Friday.")
    assert other.gate is not None and other.gate.score < 0.30 <= other.gate.worth and other.durable_id is not None


def test_a_caller_decides_otherwise() -> None:
    closed = said(Memory(), "My flight leaves at 7:40.", gate=GateSettings(threshold=0.9))
    assert closed.durable_id is None and closed.gate is not None and closed.gate.worth < 0.9
    assert said(Memory(), "never mind", gate=SOURCE).durable_id is not None, "the source's gate keeps its letter"
    assert said(Memory(), "never mind", gate=GateSettings(keeps_chatter=True)).durable_id is not None
    assert said(Memory(), "never mind", durable="all").durable_id is not None
    plain = said(Memory(), "My flight leaves at 7:40.", gate=GateSettings(keeps_statements=False))
    assert plain.gate is not None and plain.gate.stated == ()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Can you remember that I eat no nuts?", True), ("Could you remind me to call mum on Friday?", True),
        ("Kannst du dir merken, dass ich keine Nüsse esse?", True), ("Can you remember that?", False),
        ("Do you remember my code?", False), ("Can you remember my code?", False),
    ],
)  # fmt: skip
def test_a_request_to_remember_is_kept_though_it_asks(text: str, kept: bool) -> None:
    assert (said(Memory(), text).durable_id is not None) is kept
