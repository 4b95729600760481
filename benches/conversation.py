"""What: taking in one message of a conversation. The gate without its searches, beside its definition in Python; then
the whole of `ingest_turn`: noise, embedding, two searches, gate, one write of turn and copy. Corpus: English
turns, seed 7, half of them turns and half durable records, of one user or of a hundred; the embedder hashes into 384
dimensions. Every engine gets a memory of its own each round, which grows by what it ingests.

    python benches/conversation.py --records 10000
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable, Sequence

import corpora
from harness import emit, in_turns, note, per_call, pin, row

import byheart
from byheart.conversation.gate import gate
from byheart.embedding import HashingEmbedder
from byheart.reference import gate as reference

CALLS = 200
DIMENSIONS = 384
TURN_HITS = [0.91, 0.83, 0.8, 0.71, 0.66, 0.6, 0.52, 0.4, 0.33, 0.1]
DURABLE_HITS = [0.88, 0.7, 0.61, 0.5, 0.2]
PYTHON_RE = f"reference, Python re {platform.python_version()}"


def memory_of(turns: Sequence[str], users: int) -> byheart.Memory:
    """Return a memory of turns and durable records that belong to so many users."""
    memory = byheart.Memory(embedder=HashingEmbedder(DIMENSIONS))
    memory.remember_many(
        byheart.Record(
            id=f"r{number}",
            text=turn,
            kind="turn" if number % 2 else "memory",
            session_id=f"s{number % 50}" if number % 2 else None,
            user_id=f"u{number // 2 % users}",
            created_at=1.7e9 + number,
        )
        for number, turn in enumerate(turns)
    )
    return memory


def ingesting(memory: byheart.Memory) -> Callable[[str], object]:
    """Return the call that takes in what the first user says."""
    return lambda text: memory.ingest_turn(text, session_id="s1", user_id="u0")


def fresh(turns: Sequence[str], said: Sequence[str], users: int, verb: str) -> float:
    """Return the microseconds of one call on a new memory."""
    memory = memory_of(turns, users)
    calls = {"ingest": ingesting(memory), "remember": memory.remember}
    return per_call(calls[verb], said)


def main() -> None:
    """Measure the gate, then whole messages."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    corpus = corpora.load("english", wanted.records + CALLS)
    turns, said = corpus[: wanted.records], corpus[wanted.records :]
    note("conversation, gate")
    gates = {
        "byheart": lambda: per_call(lambda text: gate(text, TURN_HITS, DURABLE_HITS), said),
        PYTHON_RE: lambda: per_call(
            lambda text: reference.gate(reference.signals(text), TURN_HITS, DURABLE_HITS), said, seconds=0.2
        ),
    }
    emit(row("conversation", "gate without its searches, a turn", "us", in_turns(gates)))
    embedder = HashingEmbedder(DIMENSIONS)
    for users in (1, 100):
        name = f"ingest_turn, {wanted.records:,} records of {users} user{'s' * (users > 1)}"
        note(f"conversation, {name}")
        engines: dict[str, Callable[[], float]] = {
            "byheart": lambda users=users: fresh(turns, said, users, "ingest"),
            "remember alone": lambda users=users: fresh(turns, said, users, "remember"),
            "its embedding alone": lambda: per_call(lambda text: embedder.embed_documents([text]), said),
        }
        emit(row("conversation", name, "us", in_turns(engines, rounds=3), limit="remember alone"))


if __name__ == "__main__":
    main()
