"""A program as somebody writes it who checks types strictly: nothing in it is of an unknown type."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from byheart import ByheartError, Context, Hit, Memory, Recall, Record, Where, field
from byheart.profiles import HybridConfig


def learn(memory: Memory) -> list[str]:
    first = memory.remember("The kettle is descaled every spring.", topic="kettle", metadata={"room": "kitchen"})
    second = memory.remember(Record(text="Ann drinks green tea.", user_id="ann"), created_at=datetime.now(UTC))
    memory.update(first, text="The kettle is descaled every autumn.", importance=0.5)
    receipt = memory.remember("ann drinks green tea.", user_id="ann", receipt=True)
    print(receipt.status, receipt.superseded)
    return [first, second]


def ask(memory: Memory, question: str) -> Hit | None:
    kitchen: Where = {"metadata.room": "kitchen", "importance": {">=": 0.5}}
    answer: Recall = memory.recall(question, 5, where=kitchen, since="2026-01-01", explain=True)
    for hit in answer:
        print(hit.id, f"{hit.score:.3f}", hit.text.upper(), hit.record.created_at, hit.explanation)
    tuned = memory.recall(question, profile=HybridConfig(min_score=0.2).profile(), where=field("kind") != "turn")
    print(tuned.receipt.profile, [hit.strength for hit in tuned[:2]], answer.to_dict().keys())
    return answer[0] if answer else None


def show(memory: Memory) -> int:
    context: Context = memory.context("who drinks tea?", budget=200, recent=False)
    spent = sum(entry.tokens for entry in context.entries if entry.kind == "hit")
    page = memory.records({"user_id": "ann"}, order_by="-created_at", limit=10)
    print(context.text, spent, [record.text for record in page], page.cursor)
    print([(session.id, session.records) for session in memory.sessions()], memory.stats()["records"])
    print([(event.at, event.what) for event in memory.history(page[0].id or "")])
    return memory.count() + sum(memory.count(by="topic").values())


async def both(memory: Memory) -> list[Hit]:
    answers = await asyncio.gather(memory.arecall("tea"), memory.arecall("kettle"))
    id = await memory.aremember("Ann moved to Rome.", user_id="ann")
    there = await memory.aget(id)
    print(there.text.title(), (await memory.aforget(id)).ids)
    return [hit for answer in answers for hit in answer]


if __name__ == "__main__":
    with Memory(Path("me.db"), preset="conversation") as memory:
        try:
            print(learn(memory), ask(memory, "when is the kettle descaled?"), show(memory))
        except ByheartError as error:
            print(error)
        found = asyncio.run(both(memory))
        print([hit.metadata for hit in found], memory.get(["a", "b"]), memory)
