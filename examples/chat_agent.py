"""A chat agent's memory: each turn is taken in, each answer is given what the memory knows, old sessions are put away.

The model here is a function that shows its prompt; put a call to your own in its place.
"""

import byheart
from byheart.embedding import HashingEmbedder

MONDAY = [
    "I prefer green tea, and I live in Turku.",
    "My sister Ida visits on Friday, she is allergic to nuts.",
]


def model(prompt: str) -> str:
    """Return what a language model would say; this one says how much it was told."""
    return f"(an answer to a prompt of {len(prompt.splitlines())} lines)"


def turn(memory: byheart.Memory, said: str, *, session: str, user: str) -> str:
    """Answer one message, and remember both sides of it."""
    # What people say is no search: where they quote something, nobody means that it must be found word for word.
    known = memory.context(said, budget=300, session_id=session, user_id=user, operators=False)
    answer = model(f"{known.text}\n\n{user}: {said}")
    memory.ingest_turn(said, session_id=session, user_id=user)
    memory.ingest_turn(answer, session_id=session, user_id=user, role="assistant")
    return answer


def main() -> None:
    """Talk on Monday, put the session away, and ask on Tuesday."""
    rules = ["Answer in the user's language."]
    with byheart.Memory("agent.db", embedder=HashingEmbedder(), invariants=rules) as memory:
        for said in MONDAY:
            print(turn(memory, said, session="monday", user="ann"))
        compacted = memory.compact("monday", force=True)
        print(f"summaries made: {len(compacted.summaries)}")

        known = memory.context("may I bake a nut cake for my sister?", budget=300, session_id="tuesday", user_id="ann")
        print(known.text)
        assert "allergic to nuts" in known.text and rules[0] in known.text
        assert known.tokens <= 300


if __name__ == "__main__":
    main()
