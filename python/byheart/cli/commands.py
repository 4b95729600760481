"""What each command does: open the memory, call one verb, print."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import InvalidArgument
from ..memory import Memory
from ..storage.jsonl import JsonlStore
from ..validation import CLASSES
from .progress import Progress

CELL = ("tenant", "scope", "boundary_class")
RECORD = ("id", "role", "topic", "kind", "condition", "procedure", "utility_note")


def run(options: Namespace) -> None:
    """Run the command that was asked for."""
    verbs: Mapping[str, Callable[[Namespace], None]] = {
        "demo": _demo,
        "import": _import,
        "remember": _remember,
        "recall": _recall,
        "explain": _explain,
        "forget": _forget,
        "stats": _stats,
    }
    verbs[options.verb](options)


@contextmanager
def _open(options: Namespace) -> Iterator[tuple[Memory, JsonlStore]]:
    """Open the memory's file; all that is written in the block is written at its end, or not at all."""
    store = JsonlStore(options.memory)
    with Memory(store=store, preset=options.preset) as memory, store.gather():
        yield memory, store


def _demo(options: Namespace) -> None:
    from ..demo import run

    run(quick=options.quick)


def _import(options: Namespace) -> None:
    from ..ingestion import sources

    found = sources.find(Path(options.path))
    remembered = 0
    with _open(options) as (memory, _), Progress(len(found), "files") as progress:
        for name, file in found:
            source = sources.read(name, file, **_filled(options, *CELL))
            remembered += len(source.records)
            memory.replace_source(source.name, source.records)
            progress.step(name)
    print(f"{remembered} records of {len(found)} files remembered in {options.memory}")


def _remember(options: Namespace) -> None:
    text = sys.stdin.read() if options.text == "-" else options.text
    with _open(options) as (memory, _):
        id = memory.remember(text, **_filled(options, *CELL, *RECORD))
    print(id)


def _recall(options: Namespace) -> None:
    with _open(options) as (memory, _):
        answer = memory.recall(options.query, explain=options.explain, **_question(options))
    if options.json:
        print(json.dumps(answer.to_dict(), ensure_ascii=False, sort_keys=True))
    else:
        print(answer.explain())


def _explain(options: Namespace) -> None:
    with _open(options) as (memory, _):
        print(memory.explain(options.query, options.id, **_question(options)))


def _forget(options: Namespace) -> None:
    if bool(options.ids) == bool(options.where):
        raise InvalidArgument("forget: give either ids or --where")
    where = dict(_pair(text) for text in options.where or ())
    if where and not options.yes and not _confirmed(where):
        print("nothing was removed")
        return
    with _open(options) as (memory, _):
        receipt = memory.forget(options.ids or None, where=where or None, boundary=_boundary(options))
    print(f"{len(receipt.ids)} records removed")
    for id in receipt.missing:
        print(f"byheart: no record {id!r} lies inside the boundary", file=sys.stderr)


def _confirmed(where: Mapping[str, str]) -> bool:
    if not sys.stdin.isatty():
        raise InvalidArgument("forget --where: add --yes where nobody can be asked")
    print(f"remove every record with {where}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _stats(options: Namespace) -> None:
    with _open(options) as (memory, store):
        tenants = sorted({record.tenant or "" for record in store.records()})
        every = [memory.stats(boundary={"tenant": tenant, "classes": CLASSES}) for tenant in tenants]
    if options.json:
        print(json.dumps(dict(zip(tenants, every, strict=True)), ensure_ascii=False, sort_keys=True))
        return
    print(f"{options.memory}: {sum(stats['records'] for stats in every)} records, {len(tenants)} tenants")
    for tenant, stats in zip(tenants, every, strict=True):
        cells = ", ".join(f"{cell} {count}" for cell, count in stats["cells"].items())
        print(f"  {tenant}: {stats['records']} ({cells})")


def _filled(options: Namespace, *names: str) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _question(options: Namespace) -> dict[str, Any]:
    return {"k": options.k, "profile": options.profile, "boundary": _boundary(options), "act": options.act}


def _boundary(options: Namespace) -> dict[str, Any] | None:
    values = {"tenant": options.tenant, "scopes": options.scope, "classes": options.classes}
    return {name: value for name, value in values.items() if value is not None} or None


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InvalidArgument(f"--where {text!r}: write FIELD=VALUE")
    return name, value
