"""The check of indexes against the store: what an index holds differently, or not at all, is named by record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.index.partition import Partition

RECORDS = [
    {
        "id": "loom",
        "text": "Ada uses the loom",
        "subject": "Ada",
        "relation": "uses",
        "object": "loom",
        "role": "claim",
    },
    {"id": "tea", "text": "green tea in the morning", "topic": "tea", "tags": ["drink"], "importance": 0.5},
]
Put = dict[str, Any]


def hypervectors(put: Put) -> None:
    put["hypervectors"] = [
        None if vectors is None else dict(list(vectors.items())[:-1]) for vectors in put["hypervectors"]
    ]


def fact(put: Put) -> None:
    put["facts"] = [None if each is None else (*each[:3], 0.25) for each in put["facts"]]


def no_fact(put: Put) -> None:
    put["facts"] = [None for _ in put["facts"]]


def embedding(put: Put) -> None:
    put["embeddings"] = [None if row is None else row[4:] + row[:4] for row in put["embeddings"]]


def content(put: Put) -> None:
    put["hashes"] = [bytes(16) for _ in put["hashes"]]


def field(put: Put) -> None:
    put["fields"] = [{**fields, "archived": (True,)} for fields in put["fields"]]


def word(put: Put) -> None:
    put["texts"] = [{name: text.replace("tea", "rice") for name, text in texts.items()} for texts in put["texts"]]


class Wrong:
    """The indexes of a tenant that change what they are given, as a bug would."""

    def __init__(self, core: Any, change: Callable[[Put], None]) -> None:
        self._core, self._change = core, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def __len__(self) -> int:
        return len(self._core)

    def put(
        self, ids: Sequence[str], texts: Any, fields: Any, cells: Sequence[str], **given: Mapping[str, Any] | Any
    ) -> None:
        put = {"texts": texts, "fields": fields, **given}
        self._change(put)
        self._core.put(ids, put.pop("texts"), put.pop("fields"), cells, **put)


@pytest.mark.parametrize(
    ("change", "ids"),
    [
        (hypervectors, ["loom", "tea"]), (fact, ["loom"]), (no_fact, ["loom"]), (embedding, ["loom", "tea"]),
        (content, ["loom", "tea"]), (field, ["loom", "tea"]), (word, ["tea"]),
    ],
)  # fmt: skip
def test_what_an_index_holds_otherwise_is_named(change: Callable[[Put], None], ids: list[str]) -> None:
    memory = Memory(embedder=HashingEmbedder(16), noise=None)
    memory.remember({"id": "other", "text": "rice"})
    memory.recall("Ada", profile="kb-thinkingdb")  # so that facts are learnt
    memory.recall("Ada")  # and hypervectors made
    partition: Partition = memory._engine.indexes["default"]
    core = partition.core
    partition.core = Wrong(core, change)  # type: ignore[assignment]
    memory.remember_many(RECORDS)
    partition.core = core
    assert [each.key.id for each in memory.check() if each.key is not None] == ids
    memory.rebuild()
    assert memory.check() == []
