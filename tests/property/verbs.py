"""Every verb of a memory: how it is called, what with, and what its caller is told."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import ByheartError
from byheart.records import Record

from .verb_arguments import (
    CLASSES_OF,
    SCOPES_OF,
    asked,
    batches,
    called,
    cells,
    changes,
    claims,
    ids,
    nothing,
    records,
    statements,
    texts,
    turns,
    wheres,
)


class Tap(HashingEmbedder):
    """An embedder that remembers what it was given."""

    def __init__(self, width: int = 16) -> None:
        super().__init__(width)
        self.heard: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Any:
        self.heard += texts
        return super().embed_documents(texts)


@dataclasses.dataclass(frozen=True)
class Verb:
    """A public verb: how it is called, and what with; `writes` may be called outside too."""

    run: Callable[..., Any]
    arguments: Callable[[str], st.SearchStrategy[dict[str, Any]]]
    writes: bool = False

    def call(self, memory: byheart.Memory, folder: Path, **arguments: Any) -> Any:
        """Return what a caller is told: the answer, or the error."""
        given = {"folder": folder, **arguments} if self.run in (_export, _import, _backup) else arguments
        try:
            return shown(self.run(memory, **given))
        except (ByheartError, TypeError) as error:
            return [type(error).__name__, str(error)]


def shown(value: Any) -> Any:
    """Return all of an answer but its timings."""
    if isinstance(value, (Record, byheart.Recall)):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: shown(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if field.name != "timings"
        }
    if isinstance(value, (list, tuple)):
        return [*map(shown, value), shown(getattr(value, "cursor", None))]
    return value


def _observations(memory: byheart.Memory) -> list[Any]:
    said = [event.payload["id"] for event in memory.events("ingest") if "id" in event.payload]
    return [memory.observation(id, now=2.0) for id in said if "secret" not in id]


def _export(memory: byheart.Memory, folder: Path, **given: Any) -> tuple[int, str]:
    target = folder / "exported.jsonl"
    target.unlink(missing_ok=True)
    return memory.export_to(target, **given), target.read_text(encoding="utf-8")


def _import(memory: byheart.Memory, folder: Path, records: list[dict[str, Any]]) -> int:
    target = folder / "import.jsonl"
    target.unlink(missing_ok=True)
    with byheart.Memory(noise=None) as other:
        other.remember_many(records)
        other.export_to(target)
    return memory.import_from(target)


def _backup(memory: byheart.Memory, folder: Path) -> Any:
    return memory.backup(folder / "backup.db")


def _replace(memory: byheart.Memory, name: str, records: list[dict[str, Any]]) -> list[str]:
    said = [Record.from_dict({**record, "provenance": {"source_name": name}}) for record in records]
    return memory.replace_sources({name: said})


def _summaries(memory: byheart.Memory) -> list[str]:
    return [str(record.id) for record in memory.records({"kind": "summary"})]


def _expand(memory: byheart.Memory) -> list[Any]:
    return [memory.expand(id) for id in _summaries(memory)]


def _forget_summaries(memory: byheart.Memory, sources: str) -> Any:
    return memory.forget(_summaries(memory), sources=sources)


def _rebuild(memory: byheart.Memory) -> None:
    memory.rebuild()


def _without(given: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key != name}


def _of(name: str) -> Callable[..., Any]:
    return lambda memory, **given: getattr(memory, name)(**given)


def _always(strategy: st.SearchStrategy[dict[str, Any]]) -> Callable[[str], st.SearchStrategy[dict[str, Any]]]:
    return lambda where: strategy


def _under(name: str) -> Callable[[str], st.SearchStrategy[dict[str, Any]]]:
    return lambda where: st.fixed_dictionaries({name: batches(where)})


VERBS: dict[str, Verb] = {
    "remember": Verb(lambda memory, record: memory.remember(record),
                     lambda where: st.fixed_dictionaries({"record": records(where)}), writes=True),
    "remember_said": Verb(lambda memory, record: memory.remember(record, receipt=True),
                          lambda where: st.fixed_dictionaries({"record": statements(where)}), writes=True),
    "remember_many": Verb(_of("remember_many"), _under("records"), writes=True),
    "import_from": Verb(_import, _under("records"), writes=True),
    "replace_sources": Verb(
        _replace,
        lambda where: st.fixed_dictionaries({"name": st.sampled_from(["a.md", "b.md"]), "records": batches(where)}),
        writes=True,
    ),
    "update": Verb(
        lambda memory, id, what, cell: memory.update(id, cell=cell, **what),
        _always(st.fixed_dictionaries({"id": ids, "what": changes, "cell": st.none() | cells})), writes=True,
    ),
    "forget": Verb(
        _of("forget"),
        _always(
            st.fixed_dictionaries(
                {"ids": st.lists(ids, max_size=3)}, optional={"dry_run": st.just(True), "cell": cells}
            )
            | st.fixed_dictionaries({"where": wheres}, optional={"dry_run": st.just(True)})
        ), writes=True,
    ),
    "delete": Verb(_of("delete"), _always(st.fixed_dictionaries({"ids": ids})), writes=True),
    "forget_summaries": Verb(
        _forget_summaries, _always(st.fixed_dictionaries({"sources": st.sampled_from(["release", "forget"])})),
        writes=True,
    ),
    "ingest_turn": Verb(_of("ingest_turn"), turns, writes=True),
    "compact": Verb(
        _of("compact"),
        _always(
            st.fixed_dictionaries(
                {"session_id": st.sampled_from(["x", "y"]), "force": st.just(True), "now": st.just(9.0)},
                optional={"sources": st.just("delete"), "keep_recent": st.just(1), "target": st.just(2)},
            )
        ), writes=True,
    ),
    "expand": Verb(_expand, _always(nothing), writes=True),
    "touch": Verb(_of("touch"), _always(st.fixed_dictionaries({"ids": st.lists(ids, max_size=3)})), writes=True),
    "purge": Verb(_of("purge"), _always(nothing), writes=True),
    "embed": Verb(_of("embed"), _always(nothing), writes=True),
    "embed_anew": Verb(lambda memory: memory.embed(Tap(8)), _always(nothing)),
    "rebuild": Verb(_rebuild, _always(nothing), writes=True),
    "recall": Verb(_of("recall"), _always(asked)),
    "recall_many": Verb(
        lambda memory, question, more: memory.recall_many([question["query"], more], **_without(question, "query")),
        _always(st.fixed_dictionaries({"question": asked, "more": texts})),
    ),
    "recall_explained": Verb(lambda memory, **given: memory.recall(**given, explain=True), _always(asked)),
    "explain": Verb(
        lambda memory, question, id: str(memory.explain(id=id, **question)),
        _always(st.fixed_dictionaries({"question": asked, "id": ids})),
    ),
    "context": Verb(
        lambda memory, question, recent: memory.context(**{"session_id": "x", **question}, budget=40, recent=recent),
        _always(st.fixed_dictionaries({"question": asked, "recent": st.booleans()})),
    ),
    "get": Verb(_of("get"), _always(st.fixed_dictionaries({"ids": st.lists(ids, max_size=3) | ids}))),
    "history": Verb(_of("history"), _always(st.fixed_dictionaries({"id": ids}, optional={"cell": cells}))),
    "version": Verb(_of("version"), _always(st.fixed_dictionaries({"id": ids}))),
    "records": Verb(
        _of("records"),
        _always(
            st.fixed_dictionaries(
                {"order_by": st.sampled_from(["id", "-created_at", "access_count"])},
                optional={"where": wheres, "limit": st.integers(1, 3)},
            )
        ),
    ),
    "count": Verb(
        _of("count"),
        _always(st.fixed_dictionaries({}, optional={"where": wheres, "by": st.sampled_from(["tags", "user_id"])})),
    ),
    "sessions": Verb(_of("sessions"), _always(st.fixed_dictionaries({}, optional={"where": wheres}))),
    "users": Verb(_of("users"), _always(st.fixed_dictionaries({}, optional={"where": wheres}))),
    "export_to": Verb(_export, _always(st.fixed_dictionaries({}, optional={"where": wheres}))),
    "backup": Verb(_backup, _always(nothing)),
    "flush": Verb(_of("flush"), _always(nothing)),
    "tenants": Verb(_of("tenants"), _always(nothing)),
    "stats": Verb(_of("stats"), _always(nothing)),
    "check": Verb(_of("check"), _always(nothing)),
    "shown": Verb(lambda memory: [repr(memory), memory.records()._repr_html_()], _always(nothing)),
    "opened": Verb(lambda memory: memory.opened, _always(nothing)),
    "invariants": Verb(lambda memory: memory.invariants, _always(nothing)),
    "activate": Verb(_of("activate"), _always(called), writes=True),
    "search": Verb(_of("search"), _always(called), writes=True),
    "active_context": Verb(
        lambda memory, question: [memory.active_context(each.id, now=5.0) for each in [memory.activate(**question)]],
        _always(st.fixed_dictionaries({"question": called})), writes=True,
    ),
    "upsert": Verb(
        lambda memory, claim: memory.upsert(**claim, provenance={"at": 1.0}, now=1.0),
        lambda where: st.fixed_dictionaries({"claim": claims(where)}), writes=True,
    ),
    "feedback": Verb(
        _of("feedback"),
        _always(
            st.fixed_dictionaries(
                {"id": ids, "signal": st.sampled_from(["helpful", "harmful", "outdated", "duplicate", "duplicate"]),
                 "now": st.sampled_from([1.0, 90.0])},
                optional={"duplicate_of": ids, "cell": cells},
            )
        ), writes=True,
    ),
    "decay": Verb(_of("decay"), _always(st.fixed_dictionaries({"now": st.sampled_from([1e6, 1e7])})), writes=True),
    "observe": Verb(
        lambda memory, text, **given: memory.observe("chat", text, now=1.0, **given),
        lambda where: st.fixed_dictionaries(
            {"text": texts | st.just("key sk-abcdefghijklmnop"), "scope": st.sampled_from(SCOPES_OF[where]),
             "boundary_class": st.sampled_from(CLASSES_OF[where])}
        ), writes=True,
    ),
    "observation": Verb(_observations, _always(nothing)),
    "events": Verb(lambda memory: [event.to_dict() for event in memory.events()], _always(nothing)),
    "policy": Verb(lambda memory: memory.policy, _always(nothing)),
    "validate": Verb(_of("validate"), _always(st.fixed_dictionaries({"payload": texts}))),
    "apply_policy": Verb(_of("apply_policy"), _always(st.just({"policy": "default"}))),
}  # fmt: skip
