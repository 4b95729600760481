"""A memory that is closed beside calls in flight: who is told that the store is closed has nothing kept."""

import asyncio
from pathlib import Path

import pytest

from byheart import Memory, errors


@pytest.mark.parametrize("name", ["memory.db", "memory.jsonl"])
def test_closed_right_after_the_commit(tmp_path: Path, name: str) -> None:
    memory = Memory(tmp_path / name)
    memory.remember("The kettle is blue.", id="a")
    store = memory._engine.store
    write = store.write_if  # type: ignore[attr-defined]

    def written(*given: object) -> bool:
        done: bool = write(*given)
        with Memory(tmp_path / name) as other:  # so that the file has to be looked at again
            other.remember("The cup is red.", id="b")
        memory.close()
        return done

    memory._engine.writer.commits.amid.check = lambda: None  # type: ignore[method-assign]  # as another thread would
    store.write_if = written  # type: ignore[attr-defined]
    assert memory.remember("The tea is green.", id="c") == "c"
    with pytest.raises(errors.StoreError, match="is closed"):
        memory.remember("The door is shut.", id="d")
    with Memory(tmp_path / name) as again:
        assert [record.id for record in again.records()] == ["a", "b", "c"]


def test_beside_forty_calls(tmp_path: Path) -> None:
    for number in range(6):
        path = tmp_path / f"{number}.db"

        async def called(path: Path = path, number: int = number) -> list[str | BaseException]:
            memory = Memory(path)
            calls = [asyncio.create_task(memory.aremember(f"note {n}", id=f"n{n}")) for n in range(40)]
            await asyncio.sleep(0.002 * number)
            closing = asyncio.create_task(memory.aclose())
            answers = await asyncio.gather(*calls, return_exceptions=True)
            await closing
            return answers

        answers = asyncio.run(called())
        with Memory(path) as again:
            kept = {record.id for record in again.records()}
        assert kept == {answer for answer in answers if isinstance(answer, str)}
        assert all("closed" in str(answer) for answer in answers if not isinstance(answer, str))
