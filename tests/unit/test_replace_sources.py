"""Replacing what sources said: which records are theirs, and that no other is taken, or goes."""

from typing import Any

import pytest

import byheart
from byheart.errors import BoundaryViolation, DuplicateId
from byheart.memory.remembering import follow_sources


def said(id: str | None, source: str = "a", text: str = "tea", **fields: Any) -> byheart.Record:
    return byheart.Record(id=id, text=text, **{"provenance": {"source_name": source}, **fields})


def there(memory: byheart.Memory, **boundary: Any) -> dict[str | None, str]:
    whole = {"classes": ["public", "internal", "pii", "secret"], **boundary}
    return {record.id: record.text for record in memory.records(boundary=whole)}


def test_an_id_from_elsewhere_is_refused_and_nothing_is_written(memory: byheart.Memory) -> None:
    memory.remember("mine", id="x", boundary_class="secret")
    memory.replace_sources({"b": [said("y", "b")]})
    before = there(memory)
    line = {"source_name": "a", "line": 7}
    for taking, told in (
        (said("x"), "a: the id 'x' is that of a record that was remembered by hand"),
        (said("x", boundary_class="secret", provenance=line), "a, line 7: the id 'x'"),
        (said("y"), "a: the id 'y' is that of a record from 'b'"),
    ):
        with pytest.raises(DuplicateId, match=told):
            memory.replace_sources({"a": [said("new"), taking]})
    assert there(memory) == before


def test_what_a_source_lets_go_another_may_take_at_once(memory: byheart.Memory) -> None:
    memory.replace_sources({"a": [said("x"), said("y")]})
    memory.replace_sources({"a": [said("y")], "b": [said("x", "b", "rice")]})
    assert there(memory) == {"x": "rice", "y": "tea"}
    memory.replace_sources({"a": []})
    assert there(memory) == {"x": "rice"}


def test_a_source_is_of_the_memorys_tenant_alone() -> None:
    memory = byheart.Memory(tenant="mine")
    memory.remember("acme's", id="k", tenant="acme")
    with pytest.raises(BoundaryViolation, match="a: names tenant 'acme', and the memory was opened for 'mine'"):
        memory.replace_sources({"a": [said("new"), said("k", tenant="acme")]})
    assert there(memory, tenant="acme") == {"k": "acme's"} and memory.tenants() == ["acme"]
    memory.remember_many([said("k", tenant="acme", text="of a file of theirs")])
    memory.replace_sources({"a": [said("k", tenant="mine")]})
    memory.replace_sources({"a": []})
    assert memory.tenants() == ["acme"]


def test_what_no_import_wrote_stays_where_only_imports_count(memory: byheart.Memory) -> None:
    def line(id: str, text: str = "tea") -> byheart.Record:
        return said(id, text=text, provenance={"source_name": "a", "source_id": "src-1", "line": 1})

    memory.remember_many([said("named"), said("listed", provenance={"source_name": ["a"]})])
    cell = ("project", "internal")
    follow_sources(memory, {"a": [line("x")]}, cell)
    with pytest.raises(DuplicateId, match="remembered by hand"):
        follow_sources(memory, {"a": [line("named")]}, cell)
    follow_sources(memory, {"a": []}, cell)
    assert sorted(there(memory)) == ["listed", "named"]  # type: ignore[type-var]
    memory.replace_sources({"a": []})
    assert list(there(memory)) == ["listed"], "without it the name is enough"


def test_a_fact_that_was_stated_by_hand_is_not_taken_over(memory: byheart.Memory) -> None:
    fact = {"subject": "rain", "relation": "causes", "object": "floods"}
    mine = memory.remember("Rain causes floods.", **fact)
    [theirs] = memory.replace_sources({"a": [said(None, text="Floods come of rain.", **fact)]})
    assert theirs != mine and memory.get(mine).provenance == {}
    memory.replace_sources({"a": []})
    assert there(memory) == {mine: "Rain causes floods."}
