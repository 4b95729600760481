"""What was said in a session that was compacted with its turns deleted: it is forgotten as it is where they stayed."""

from collections.abc import Callable

import pytest

from byheart import Memory
from byheart.words import SourcesFate
from byheart.writing.receipts import ForgetReceipt

TEXTS = ("I have lupus since my birth in May.", "My car is a red Volvo from Sweden.")


def compacted(sources: str, session: str = "g") -> tuple[Memory, str]:
    memory = Memory()
    for at, text in enumerate(TEXTS):
        memory.ingest_turn(text, session_id=session, user_id="ann", id=f"t{at}", now=at)
    memory.ingest_turn("The kettle is blue and stands on the stove.", session_id="other", id="other", now=5)
    [summary] = memory.compact(session, force=True, sources=sources, now=10).summaries  # type: ignore[arg-type]
    return memory, summary


FORGET: dict[str, Callable[[Memory, str], ForgetReceipt]] = {
    "session": lambda memory, summary: memory.forget(where={"session_id": "g"}),
    "sessions": lambda memory, summary: memory.forget(where={"session_id": ["g", "none"], "user_id": "ann"}),
    "summary": lambda memory, summary: memory.forget(summary, sources="forget"),
}


@pytest.mark.parametrize("sources", ["archive", "delete"])
@pytest.mark.parametrize("how", FORGET)
def test_copies_go_with_what_they_were_made_of(how: str, sources: str) -> None:
    memory, summary = compacted(sources)
    copies = {record.id for record in memory.records() if record.kind == "memory" and record.text in TEXTS}
    assert len(copies) == 2
    receipt = FORGET[how](memory, summary)
    assert summary in receipt.ids and not receipt.missing
    assert copies <= {*receipt.copies, *receipt.ids}
    assert not any(record.text in TEXTS for record in memory.records())
    assert any("kettle" in record.text for record in memory.records())


@pytest.mark.parametrize("fate", ["release", "forget"])
def test_a_summary_alone_takes_none_along(fate: SourcesFate) -> None:
    memory, summary = compacted("delete")
    memory.forget(summary, sources=fate)
    left = {record.text for record in memory.records()} & set(TEXTS)
    assert left == (set(TEXTS) if fate == "release" else set())


def test_by_something_else_than_the_session_copies_stay() -> None:
    memory, _ = compacted("delete")
    memory.forget(where={"kind": "summary"})
    assert {record.text for record in memory.records()} >= set(TEXTS)
