"""Two memories that differ outside a boundary alone, each behind a handle that sees nothing else; and every verb.

The one, `whole`, is shared with others who write outside; the other, `alone`, holds what lies inside and nothing more.
"""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import ByheartError
from byheart.profiles import EscalatingConfig
from byheart.records import Record
from byheart.storage import InProcessStore

from .strategies import honoured

NOW = 1_000_000.0
INSIDE: dict[str, Any] = {"scopes": ["s", "project"], "classes": ["public", "internal"]}
OTHERS: dict[str, dict[str, Any]] = {
    "other classes": {"scope": "s", "boundary": {"classes": ["pii", "secret"]}},
    "other scopes": {"scope": "t", "boundary": {"scopes": ["t"], "classes": ["public", "internal", "pii", "secret"]}},
    "other tenant": {"tenant": "rival", "boundary": {"tenant": "rival", "classes": ["public", "internal"]}},
}
CLASSES_OF = {"inside": ["public", "internal"], "other classes": ["pii", "secret"], "other scopes": ["internal"],
              "other tenant": ["internal"]}  # fmt: skip
SCOPES_OF = {"inside": ["s", "project"], "other classes": ["s", "project"], "other scopes": ["t"],
             "other tenant": ["s", "project"]}  # fmt: skip
WORDS = ["tea", "rice", "soup", "kettle", "boat"]
IDS = [f"r{number}" for number in range(4)]
WITH_CHILDREN = dataclasses.replace(EscalatingConfig.of("kb-balanced"), expand_aggregates=True).profile()
KINDS = ["in process", "memory.jsonl", "memory.db"]


class Tap(HashingEmbedder):
    """An embedder that remembers what it was given."""

    def __init__(self, width: int = 16) -> None:
        super().__init__(width)
        self.heard: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Any:
        self.heard += texts
        return super().embed_documents(texts)


class Pair:
    """The two memories; what is told of them is kept in `seen`, by `whole` and `alone`."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.stores = {name: InProcessStore() for name in ("whole", "alone")}
        for name in self.stores:
            (folder / name).mkdir()
        self.taps = {name: Tap() for name in self.stores}
        self.open()

    def open(self) -> None:
        self.inside = {
            name: self.opened(name, boundary=INSIDE, scope="s", embedder=self.taps[name],
                              invariants=[{"id": "rule", "text": "Be kind."}], single_valued=["part_of"])
            for name in self.stores
        }  # fmt: skip
        more: dict[str, Any] = {"single_valued": ["part_of"]}
        self.others = {name: self.opened("whole", embedder=Tap(), **how, **more) for name, how in OTHERS.items()}
        # What these write is blank.
        self.plain = {name: self.opened("whole", **how, **more) for name, how in OTHERS.items()}

    def opened(self, name: str, **how: Any) -> byheart.Memory:
        if self.kind == "in process":
            return byheart.Memory(store=self.stores[name], **how)
        return byheart.Memory(self.folder / name / self.kind, **how)

    def close(self) -> None:
        for memory in (*self.inside.values(), *self.others.values(), *self.plain.values()):
            memory._engine.saver.finish()
            if self.kind != "in process":
                memory.close()

    def reopen(self, keep: bool) -> None:
        """Close all handles and open them anew, with saved indexes or without."""
        for memory in self.inside.values():
            memory._engine.indexes.save(at_least=0)
        self.close()
        for folder in [] if keep else list(self.folder.glob("*/*.byheart-indexes")):
            shutil.rmtree(folder)
        self.open()

    def both(self, verb: str, arguments: dict[str, Any]) -> tuple[str, str]:
        """Call a verb on both, and return all that each caller can tell of it."""
        told = []
        for name, memory in self.inside.items():
            heard = self.taps[name].heard
            heard.clear()
            outcome = VERBS[verb].call(memory, self.folder / name, **arguments)
            there = [record.to_dict() for record in memory.records()]
            told.append(json.dumps([outcome, sorted(heard), there], default=repr).replace(str(self.folder / name), ""))
        return told[0], told[1]

    def outside(self, who: str, verb: str, arguments: dict[str, Any], *, plain: bool) -> None:
        """Call a verb on a handle that sees a part of the outside."""
        memory = (self.plain if plain else self.others)[who]
        VERBS[verb].call(memory, self.folder, **arguments)


@contextmanager
def pair(kind: str) -> Iterator[Pair]:
    """Give two memories of a kind; time stands still for both."""
    memory = Path("/dev/shm")
    with (
        patch("time.time", lambda: NOW),
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder,  # no disk has to turn
    ):
        made = Pair(kind, Path(folder))
        try:
            yield made
        finally:
            made.close()


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


def _fields(where: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "text": texts,
            "id": st.sampled_from([None, *IDS, *([] if where == "inside" else ["rule"])]),
            "scope": st.sampled_from(SCOPES_OF[where]),
            "boundary_class": st.sampled_from(CLASSES_OF[where]),
            "created_at": st.sampled_from([0.0, 1.0, 2.0]),
        },
        optional={
            "user_id": st.sampled_from(["ann", "bob"]),
            "session_id": st.sampled_from(["x", "x", "y"]),
            "category": st.sampled_from(["food", "home"]),
            "expires_at": st.sampled_from([1.0, NOW + 1]),
            "links": st.lists(ids, max_size=2),
            "tags": st.lists(st.sampled_from(WORDS), max_size=2, unique=True),
            "kind": st.sampled_from(["turn", "memory"]),
            "access_count": st.sampled_from([0, 3, 50]),
            "provenance": st.fixed_dictionaries({"source_id": ids}),
            "archived_by": st.just("summary:1"),
            "child_unit_ids": st.lists(ids, min_size=2, max_size=3),
        },
    ).map(_sound)


def _sound(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields that go together; what is archived is so by itself, for no other name is surely there."""
    archived = {"archived_by": fields["id"]} if "archived_by" in fields else {}
    return {**fields, **archived, **({"ku_type": "aggregate"} if "child_unit_ids" in fields else {})}


def _said(where: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return records that say how they stand beside others: facts, statements, and whatever they supersede."""
    facts = st.sampled_from(WORDS).map(lambda word: {"subject": "cup", "relation": "part_of", "object": word})
    like = st.sampled_from(["we meet at {}", "{} is part of the boat"]).flatmap(
        lambda form: st.sampled_from(WORDS).map(lambda word: {"text": form.format(word)})
    )
    more = st.one_of(facts, like, st.fixed_dictionaries({"supersedes": st.lists(ids, min_size=1, max_size=2)}))
    held = st.fixed_dictionaries({}, optional={"valid_from": st.sampled_from([0.0, NOW]), "valid_to": st.just(NOW)})

    def said(parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
        fields, *others = parts
        whole = {name: value for other in (fields, *others) for name, value in other.items()}
        made_of = ("child_unit_ids", "ku_type") if "subject" in whole else ()
        return {name: value for name, value in whole.items() if name not in made_of}

    return st.tuples(_fields(where), more, held).map(said)


def _batch(where: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    def once(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return list({record["id"] or number: record for number, record in enumerate(records)}.values())

    return st.lists(_fields(where), min_size=1, max_size=5).map(once)


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
ids = st.sampled_from(IDS)
wheres = st.sampled_from(
    [{"user_id": "ann"}, {"category": "food"}, {"tags": "tea"}, {"kind": "summary"}, {"access_count": {">=": 1}}]
)
cells = st.tuples(st.sampled_from(["s", "project", "t"]), st.sampled_from(["public", "internal", "secret"]))
asked = st.fixed_dictionaries(
    {
        "query": texts,
        "profile": st.sampled_from(["kb-fast", "kb-balanced", "dense", "hybrid", "scoped", "discovery", WITH_CHILDREN]),
    },
    optional={
        "session_id": st.sampled_from(["x", "y"]),
        "user_id": st.sampled_from(["ann", "bob"]),
        "category": st.sampled_from(["food", "home"]),
        "exclude": st.lists(ids, max_size=2),
        "where": wheres,
        "k": st.integers(1, 3),
        "mode": st.sampled_from(["exact", "early_exit", "approx"]),
        "as_of": st.sampled_from([1.0, NOW]),
        "include_superseded": st.booleans(),
    },
).map(honoured)


def _turns(where: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "text": texts,
            "session_id": st.sampled_from(["x", "x", "y"]),
            "now": st.sampled_from([1.0, 1.0, 2.0]),
            "boundary_class": st.sampled_from(CLASSES_OF[where]),
        },
        optional={
            "user_id": st.sampled_from(["ann", "bob"]),
            "id": ids,
            "durable": st.sampled_from(["all", "none", "gate"]),
            "durable_duplicates": st.just("refuse"),
        },
    )


changes = st.fixed_dictionaries(
    {},
    optional={
        "text": texts,
        "category": st.sampled_from(["food", "home"]),
        "expires_at": st.sampled_from([1.0, NOW + 1]),
        "boundary_class": st.sampled_from(["public", "internal", "secret"]),
        "scope": st.sampled_from(["s", "project", "t"]),
    },
)
nothing = st.just(dict[str, Any]())
called = st.fixed_dictionaries(
    {"query": texts, "now": st.sampled_from([3.0, 4.0])},
    optional={"k": st.integers(1, 3), "where": wheres, "scope": st.just(["s"]), "after": st.just(1)},
)


def _claims(where: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"text": texts.map("a claim of {}".format), "scope": st.sampled_from(SCOPES_OF[where]),
         "boundary_class": st.sampled_from(CLASSES_OF[where])},
        optional={"entities": st.lists(st.sampled_from(WORDS), max_size=2, unique=True)},
    )  # fmt: skip


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
    return lambda where: st.fixed_dictionaries({name: _batch(where)})


VERBS: dict[str, Verb] = {
    "remember": Verb(lambda memory, record: memory.remember(record),
                     lambda where: st.fixed_dictionaries({"record": _fields(where)}), writes=True),
    "remember_said": Verb(lambda memory, record: memory.remember(record, receipt=True),
                          lambda where: st.fixed_dictionaries({"record": _said(where)}), writes=True),
    "remember_many": Verb(_of("remember_many"), _under("records"), writes=True),
    "import_from": Verb(_import, _under("records"), writes=True),
    "replace_sources": Verb(
        _replace,
        lambda where: st.fixed_dictionaries({"name": st.sampled_from(["a.md", "b.md"]), "records": _batch(where)}),
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
    "ingest_turn": Verb(_of("ingest_turn"), _turns, writes=True),
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
        lambda where: st.fixed_dictionaries({"claim": _claims(where)}), writes=True,
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


OFTEN = {  # by whether it writes: what leads to most other things, or tells most
    True: [
        "ingest_turn",
        "ingest_turn",
        "ingest_turn",
        "compact",
        "compact",
        "update",
        "remember_said",
        "remember_said",
    ],
    False: ["context", "context", "recall", "history"],
}


def any_of(draw: st.DrawFn, names: list[str]) -> str:
    """Return one of some names, each as likely as the others; drawn as it is, one is drawn again and again."""
    return random.Random(draw(st.integers(0, 2**32 - 1))).choice(names)


@st.composite
def inside_steps(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Return a verb that both memories are asked, writes as often as reads."""
    writes = draw(st.booleans())
    verb = any_of(draw, [name for name, verb in VERBS.items() if verb.writes == writes] + OFTEN[writes])
    return verb, draw(VERBS[verb].arguments("inside"))


@st.composite
def outside_steps(draw: st.DrawFn) -> tuple[str, str, dict[str, Any], bool]:
    """Return what somebody does outside; whether without an embedder."""
    who = draw(st.sampled_from(sorted(OTHERS)))
    verb = any_of(draw, [name for name, verb in VERBS.items() if verb.writes] + OFTEN[True])
    return who, verb, draw(VERBS[verb].arguments(who)), draw(st.booleans())
