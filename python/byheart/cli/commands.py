"""The commands: each opens the memory, calls one verb, and prints what came back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from ..errors import ByheartError, InvalidArgument
from ..memory.memory import Memory
from ..retrieval.filter import Filter
from ..retrieval.filter.canonical import MAX_VALUES
from ..validation import MAX_TEXT_BYTES
from . import benching, conversations, evaluating, replaying, serving, upkeep
from .conversations import boundary_of
from .filters import filter_of, is_asked, time_of
from .importing import import_paths
from .opening import open_there, open_to_add, open_to_ask
from .render import Style, clean, counted, one_line, recall_lines, records_lines, show, show_json

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
    with open_to_add(args, noise="refuse" if args.refuse_noise else None) as memory:
        id = memory.remember(text, **fields)
    if args.json:
        show_json({"id": id})
    else:
        show(one_line(id))


def _recall(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    with open_to_ask(args) as memory:
        answer = memory.recall(args.query, explain=args.explain, **_question(args, parser))
    if args.json:
        explanations = {hit.id: asdict(hit.explanation) for hit in answer if hit.explanation}
        show_json(answer.to_dict() | ({"explanations": explanations} if args.explain else {}))
    else:
        show(clean(str(answer.table)) if args.explain else recall_lines(answer))


def _explain(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    with open_to_ask(args) as memory:
        explanation = memory.explain(args.query, args.id, **_question(args, parser))
    if args.json:
        show_json(asdict(explanation))
    else:
        show(clean(str(explanation)))


def _records(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    where = filter_of(args, parser)
    with open_there(args) as memory:
        page = memory.records(
            where, order_by=args.order_by, limit=args.limit, cursor=args.cursor, boundary=boundary_of(args)
        )
    if args.json:
        show_json({"records": [record.to_dict() for record in page], "cursor": page.cursor})
    else:
        show(records_lines(page, page.cursor))


def _forget(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if sum((bool(args.ids), is_asked(args), args.source is not None)) != 1:
        parser.error("forget: give ids, or a filter, or --source")
    if not args.ids and not args.yes and not sys.stdin.isatty():
        parser.error("forget: give --yes to forget by a filter or --source without being asked")
    chosen: dict[str, Any] = {"ids": args.ids} if args.ids else {"where": filter_of(args, parser)}
    boundary, sources = boundary_of(args), "forget" if args.with_turns else "release"
    with open_there(args) as memory:
        if args.source is not None:
            chosen = {"where": _of_source(memory, args.source, boundary)}
        if not args.ids and not args.yes:
            ids = memory.forget(**chosen, boundary=boundary, dry_run=True, sources=sources).ids
            _ask(ids)
            few = args.source is None and len(ids) <= MAX_VALUES // 2
            chosen = {"where": Filter.all_of(chosen["where"], Filter.parse({"id": list(ids)}))} if few else {"ids": ids}
        receipt = memory.forget(**chosen, boundary=boundary, sources=sources)
    if args.json:
        shown = {"forgotten": receipt.ids, "missing": receipt.missing}
        shown |= {"summaries": receipt.summaries, "released": receipt.released, "copies": receipt.copies}
        shown |= {} if args.ids else {"untouched": receipt.untouched}
        show_json({name: list(ids) for name, ids in shown.items()})
        return
    show(f"{counted(len(receipt.ids), 'record')} forgotten")
    notes = (
        ("not there", receipt.missing),
        ("summaries that went with them", receipt.summaries),
        ("archived before, found again", receipt.released),
        ("what was made of them, gone with them", receipt.copies),
        ("left, though it may speak of them", receipt.untouched),
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
    "records": _records,
    "replay": replaying.replay,
    "forget": _forget,
    "compact": conversations.compact,
    "expand": conversations.expand,
    "stats": upkeep.stats,
    "check": upkeep.check,
    "rebuild": upkeep.rebuild,
    "export": upkeep.export,
    "embed": upkeep.embed,
    "models": upkeep.models,
    "eval": evaluating.run,
    "bench": benching.run,
    "mcp": serving.mcp,
}


def _question(args: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Any]:
    return {
        "k": args.k,
        "profile": args.profile,
        "act": args.act,
        "needed_roles": args.role,
        "session_id": args.session,
        "user_id": args.user,
        "category": args.category,
        "boundary": boundary_of(args),
        "where": filter_of(args, parser),
        "now": time_of(args.now),
        "operators": args.operators,
    }


def _stdin() -> str:
    """Return all of standard input as text, without the line end that a shell adds."""
    data = sys.stdin.buffer.read(MAX_TEXT_BYTES + 1)
    try:
        return data.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InvalidArgument(f"standard input: byte {error.start} is not UTF-8") from None


def _of_source(memory: Memory, name: str, boundary: Mapping[str, Any]) -> dict[str, str]:
    """Return what names the records that were imported from the file of this name; refuse it if there are none."""
    where = {"source": name}
    if not memory.forget(where=where, boundary=boundary, dry_run=True).ids:
        raise InvalidArgument(f"--source: nothing was imported from {name!r}")
    return where


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
