"""The commands: each opens the memory, calls one verb, and prints what came back."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from ..errors import ByheartError, InvalidArgument
from ..memory.memory import Memory
from ..validation import MAX_TEXT_BYTES
from . import conversations, upkeep
from .conversations import boundary_of
from .importing import import_paths
from .opening import open_there, open_to_add, open_to_ask
from .render import Style, clean, counted, one_line, recall_lines, show, show_json

Command = Callable[[argparse.Namespace, argparse.ArgumentParser], None]


class _Unconfirmed(ByheartError):
    """The question before forgetting was not answered with yes."""


def _demo(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    from .demo import run

    run(sys.stdout, quick=args.quick)


def _import(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if args.exported and len(args.paths) != 1:
        parser.error("import: --exported takes one file")
    with open_to_add(args, tenant=args.tenant) as memory:
        if args.exported:
            counts = {"remembered": memory.import_from(args.paths[0])}
        else:
            defaults = {"tenant": args.tenant, "scope": args.scope, "boundary_class": args.boundary_class}
            counts = asdict(import_paths(args.paths, args.memory, memory, defaults, facts=args.facts))
    if args.json:
        show_json(counts)
    elif args.exported:
        show(f"{counted(counts['remembered'], 'record')} remembered")
    else:
        sources = counted(counts.pop("sources"), "source")
        show(f"{sources} read; records: " + ", ".join(f"{number} {name}" for name, number in counts.items()))


def _remember(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    fields = {
        "id": args.id,
        "topic": args.topic,
        "role": args.role,
        "condition": args.condition,
        "procedure": args.procedure,
        "utility_acts": args.act or (),
        "utility_note": args.utility_note,
        "kind": args.kind,
        "importance": args.importance,
        "session_id": args.session,
        "user_id": args.user,
        "tenant": args.tenant,
        "scope": args.scope,
        "boundary_class": args.boundary_class,
    }
    text = _stdin() if args.text == "-" else args.text
    with open_to_add(args, noise=None if args.keep_noise else "byheart") as memory:
        id = memory.remember(text, **fields)
    if args.json:
        show_json({"id": id})
    else:
        show(one_line(id))


def _recall(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    with open_to_ask(args) as memory:
        answer = memory.recall(args.query, explain=args.explain, **_question(args))
    if args.json:
        explanations = {hit.id: asdict(hit.explanation) for hit in answer if hit.explanation}
        show_json(answer.to_dict() | ({"explanations": explanations} if args.explain else {}))
    else:
        show(clean(str(answer.table)) if args.explain else recall_lines(answer))


def _explain(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    with open_to_ask(args) as memory:
        explanation = memory.explain(args.query, args.id, **_question(args))
    if args.json:
        show_json(asdict(explanation))
    else:
        show(clean(str(explanation)))


def _forget(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if sum(map(bool, (args.ids, args.where, args.source))) != 1:
        parser.error("forget: give ids, or --where, or --source")
    if not args.ids and not args.yes and not sys.stdin.isatty():
        parser.error("forget: give --yes to forget by --where or --source without being asked")
    chosen: dict[str, Any] = {"where": _where(args.where, parser)} if args.where else {"ids": args.ids}
    boundary, sources = boundary_of(args), "forget" if args.with_turns else "release"
    with open_there(args) as memory:
        if args.source:
            chosen = {"ids": _of_source(memory, args.source, boundary)}
        if not args.ids and not args.yes:
            ids = memory.forget(**chosen, boundary=boundary, dry_run=True, sources=sources).ids
            _ask(ids)
            chosen = {"ids": ids}
        receipt = memory.forget(**chosen, boundary=boundary, sources=sources)
    if args.json:
        shown = {"forgotten": receipt.ids, "missing": receipt.missing}
        shown |= {"summaries": receipt.summaries, "released": receipt.released, "copies": receipt.copies}
        show_json({name: list(ids) for name, ids in shown.items()})
        return
    show(f"{counted(len(receipt.ids), 'record')} forgotten")
    notes = (
        ("not there", receipt.missing),
        ("summaries that went with them", receipt.summaries),
        ("archived before, found again", receipt.released),
        ("durable copies that went with them", receipt.copies),
    )
    for note, ids in notes:
        if ids:
            show(f"{note}: " + ", ".join(map(one_line, ids)))


COMMANDS: Final[Mapping[str, Command]] = {
    "demo": _demo,
    "import": _import,
    "remember": _remember,
    "recall": _recall,
    "explain": _explain,
    "forget": _forget,
    "compact": conversations.compact,
    "expand": conversations.expand,
    "stats": upkeep.stats,
    "check": upkeep.check,
    "rebuild": upkeep.rebuild,
    "export": upkeep.export,
    "embed": upkeep.embed,
    "models": upkeep.models,
}


def _question(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "k": args.k,
        "profile": args.profile,
        "act": args.act,
        "needed_roles": args.role,
        "session_id": args.session,
        "user_id": args.user,
        "category": args.category,
        "boundary": boundary_of(args),
    }


def _stdin() -> str:
    """Return all of standard input as text, without the line end that a shell adds."""
    data = sys.stdin.buffer.read(MAX_TEXT_BYTES + 1)
    try:
        return data.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InvalidArgument(f"standard input: byte {error.start} is not UTF-8") from None


def _where(pairs: list[str], parser: argparse.ArgumentParser) -> dict[str, list[Any]]:
    """Return the values asked for, by field: each as it was typed, and as the number or truth value it may mean."""
    wanted: dict[str, list[Any]] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            parser.error(f"--where: {pair!r} is not FIELD=VALUE")
        wanted.setdefault(name, []).append(value)
        try:
            meant = json.loads(value)
        except ValueError:
            continue
        if isinstance(meant, (bool, int, float)):
            wanted[name].append(meant)
    return wanted


def _of_source(memory: Memory, name: str, boundary: Mapping[str, Any]) -> list[str]:
    """Return the ids of the records inside the boundary that were imported from the file of this name."""
    records = memory.records(boundary=boundary)
    ids = [str(record.id) for record in records if record.provenance.get("source_name") == name]
    if not ids:
        raise InvalidArgument(f"--source: nothing was imported from {name!r}")
    return ids


def _ask(ids: tuple[str, ...]) -> None:
    """Ask on the terminal whether these records may go; if there are none, nothing is asked."""
    if not ids:
        return
    style = Style(sys.stderr)
    named = ", ".join(map(one_line, ids[:3])) + (" ..." if len(ids) > 3 else "")
    sys.stderr.write(f"forget {style.bold(counted(len(ids), 'record'))} ({named})? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise _Unconfirmed("nothing was forgotten")
