"""A score taken apart: where it comes from, down to the last bit, and why another record is no hit."""

import byheart

NOTES = {
    "ada": "Ada Lovelace wrote the first published program.",
    "engine": "The Analytical Engine was never finished.",
    "moth": "Grace Hopper's team found a moth in a relay.",
}


def main() -> None:
    """Ask, and read why."""
    memory = byheart.Memory()
    for id, text in NOTES.items():
        memory.remember(text, id=id)
    question = "who wrote the first program?"

    best = memory.recall(question, explain=True).hits[0]
    explanation = best.explanation
    assert explanation is not None
    print(explanation)
    # The parts, added in their order and then changed in theirs, give the score: equal, not nearly equal.
    assert explanation.recomputed() == best.score

    print(memory.explain(question, "moth"))  # of a record that is no hit, it says why


if __name__ == "__main__":
    main()
