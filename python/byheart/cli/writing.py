"""Commands that change records: remember, update, forget, purge."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from ..errors import InvalidArgument, VersionMismatch
from ..memory.memory import Memory
from ..retrieval.filter import Filter
from ..retrieval.filter.canonical import MAX_VALUES
from ..storage.attempts import attempts
from ..validation import CLASSES, MAX_TEXT_BYTES
from ..words import SourcesFate
from ..writing.receipts import ForgetReceipt
from .codes import Negative, found
from .fields import CELL, FIXED, MAPPINGS, add_fields, cleared, emptied, fields_of
from .filters import add_filter, filter_of, is_asked, time_of
from .opening import open_part, open_there, open_to_add, open_to_ask, vector_of
from .options import (
    Commands,
    add_cell,
    add_embedder,
    add_part,
    add_seen,
    add_vectors,
    boundary_of,
    on_memory,
)
from .render import Style, counted, one_line, show, show_json, shown_id


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    _remember(
        on_memory(
            commands, "remember", "remember one text", remember, no="the text is noise, and --refuse-noise was given",
            examples=['remember "The kettle is descaled every spring." -m me.db --topic kitchen --tag home',
                      "remember - -m me.db --id notes < notes.txt"],
        )
    )  # fmt: skip
    _update(
        on_memory(
            commands, "update", "change fields of a record", update,
            no="no such record lies inside the boundary, or it is in another version",
            told="Fields that are not named keep their values, and so do names of metadata and provenance: --metadata "
            "sets one, --clear metadata.KEY takes one away, and --clear metadata all of them, before any is set.",
            examples=['update kettle -m me.db --text "It is descaled every autumn."',
                      "update kettle -m me.db --clear topic --importance 0.9"],
        )
    )  # fmt: skip
    _forget(
        on_memory(
            commands, "forget", "remove records", forget, no="nothing was forgotten",
            examples=["forget kettle -m me.db", "forget -m me.db --where session_id=s1 --yes",
                      "forget -m me.db --source notes/tea.md --class secret"],
        )
    )  # fmt: skip
    parser = on_memory(
        commands, "purge", "remove the records whose end has come", purge,
        told="Recalls leave out what has expired in any case. To remove what summaries stand for: byheart forget "
        "--where archived=true.",
        examples=["purge -m me.db", "purge -m me.db --now 2030-01-01T00:00:00Z --tenant ann"],
    )  # fmt: skip
    parser.add_argument("--now", metavar="TIME", type=time_of, help="measure against this time (default: the clock's)")
    add_part(parser)


def _remember(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "text", metavar="TEXT", nargs="?", help="what to remember; - reads standard input; may be left out with --topic"
    )
    parser.add_argument(
        "--refuse-noise", action="store_true", help="refuse it if it is a greeting, thanks or very short"
    )
    add_fields(parser, without=("text", *CELL))
    add_vectors(parser, "text")
    add_embedder(parser)
    add_cell(parser)


def _update(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="of the record")
    parser.add_argument(
        "--clear",
        action="append",
        default=[],
        metavar="FIELD",
        help="take away what the field says, or one name of it: metadata.KEY; may be repeated",
    )
    parser.add_argument("--if-version", metavar="VERSION", help="only if it is in this one: see `byheart show`")
    parser.add_argument("--to-scope", metavar="SCOPE", help="move it there")
    parser.add_argument("--to-class", choices=CLASSES, help="move it there")
    add_fields(parser, without=(*FIXED, *CELL))
    add_embedder(parser)
    add_seen(parser)


def _forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="records by id")
    parser.add_argument("--source", metavar="NAME", help="records that were imported from this file")
    parser.add_argument(
        "--with-turns",
        action="store_true",
        help="the turns behind a summary go with it (without: they are found again)",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before forgetting by a filter or --source")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be forgotten")
    add_filter(parser, "records by what they are, in place of ids")
    add_seen(parser, "public, internal; with a filter by user_id: every class")


def remember(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Remember one text."""
    fields = fields_of(args, parser, without=("text",))
    if args.text is None and not fields.keys() & {"topic", "claim", "procedure", "subject", "metadata"}:
        parser.error("remember: give a text, or at least --topic, --claim, a fact or --metadata")
    text = _stdin() if args.text == "-" else args.text or ""
    with open_to_add(args, refuse_noise=args.refuse_noise) as memory:
        id = memory.remember({"text": text, **fields}, vector=vector_of(args))
    if args.json:
        show_json({"id": id})
    else:
        show(shown_id(id))


def update(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Change fields of a record."""
    changes = fields_of(args, parser, without=("id", *CELL))
    whole, keys = cleared(args.clear)
    empty = emptied(whole, parser)
    twice = changes.keys() & (empty.keys() - {*MAPPINGS})
    twice |= {f"{name}.{key}" for name, gone in keys.items() for key in gone if key in changes.get(name, ())}
    if twice:
        parser.error(f"update: {min(twice)} is to be cleared, and to be changed")
    kept = {name: keys.pop(name, []) for name in MAPPINGS if name not in empty and (name in changes or name in keys)}
    changes = {**empty, **{name: {} for name in kept}, **changes}
    moved = {"scope": args.to_scope, "boundary_class": args.to_class}
    changes |= {name: value for name, value in moved.items() if value is not None}
    if not changes:
        _check_unmoved(args, parser)
        parser.error("update: give a field to change, such as --text or --topic, or --clear FIELD")
    with open_to_ask(args) as memory:
        id = _updated(memory, args, changes, kept)
    if args.json:
        show_json({"id": id})
    else:
        show(shown_id(id))


def _updated(
    memory: Memory, args: argparse.Namespace, changes: Mapping[str, Any], kept: Mapping[str, list[str]]
) -> str:
    """Change a record; of the mappings that are kept, only some names are taken away and others set.

    Raises:
        StoreBusy: others changed the record during each of several attempts.

    """
    boundary, version = boundary_of(args), args.if_version
    if not kept:
        return memory.update(args.id, boundary=boundary, if_version=version, **changes)
    for _ in attempts(f"change record {args.id!r}"):
        old = memory.get(args.id, boundary=boundary)
        stays = {name: {key: value for key, value in getattr(old, name).items() if key not in gone}
                 for name, gone in kept.items()}  # fmt: skip
        merged = {**changes, **{name: {**values, **changes[name]} for name, values in stays.items()}}
        try:
            return memory.update(args.id, boundary=boundary, if_version=version or old.version, **merged)
        except VersionMismatch:
            if version is not None:
                raise
    raise AssertionError("attempts end with an error")


def _check_unmoved(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Tell whoever names a class or a scope, and nothing to change, how a record is moved there."""
    for option, values in (("class", args.classes), ("scope", args.scopes)):
        if values:
            place = one_line(values[-1])
            parser.error(f"update: --{option} says where to look for the record; --to-{option} {place} moves it there")


def forget(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Remove records by id, filter or source; ask first, unless they were named."""
    ways = {"ids": bool(args.ids), "a filter": is_asked(args), "--source": args.source is not None}
    given = [way for way, is_given in ways.items() if is_given]
    if not given:
        parser.error("forget: give ids, or a filter, or --source")
    if len(given) > 1:
        parser.error(f"forget: {' and '.join(given)} are given, and only one of them may be")
    asking = not (args.ids or args.yes or args.dry_run)
    if asking and not sys.stdin.isatty():
        parser.error("forget: give --yes to forget by a filter or --source without being asked")
    chosen: dict[str, Any] = {"ids": args.ids} if args.ids else {"where": filter_of(args, parser)}
    boundary = boundary_of(args)
    sources: SourcesFate = "forget" if args.with_turns else "release"
    with open_there(args) as memory:
        if args.source is not None:
            chosen = {"where": _of_source(memory, args.source, boundary)}
        if asking:
            ids = memory.forget(**chosen, boundary=boundary, dry_run=True, sources=sources).ids
            _ask(ids)
            if args.source is not None:
                chosen = {"ids": ids}
            elif len(ids) <= MAX_VALUES // 2:  # else what has come meanwhile and matches goes, too
                chosen = {"where": Filter.all_of(chosen["where"], Filter.parse({"id": list(ids)}))}
        receipt = memory.forget(**chosen, boundary=boundary, sources=sources, dry_run=args.dry_run)
    _tell(receipt, args, "would be forgotten" if args.dry_run else "forgotten")
    return found(receipt.ids)


def purge(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Remove what has expired."""
    with open_part(args) as memory:
        receipt = memory.purge(args.now)
    _tell(receipt, args, "purged")


def _tell(receipt: ForgetReceipt, args: argparse.Namespace, done: str) -> None:
    """Show which records went, and what went with them."""
    if args.json:
        shown = {"forgotten": receipt.ids, "missing": receipt.missing}
        shown |= {"summaries": receipt.summaries, "released": receipt.released, "copies": receipt.copies}
        shown |= {"reinstated": receipt.reinstated, "untouched": receipt.untouched, "damaged": receipt.damaged}
        show_json({name: list(ids) for name, ids in shown.items()})
        return
    show(f"{counted(len(receipt.ids), 'record')} {done}")
    notes = (
        ("not there", receipt.missing),
        ("summaries that went with them", receipt.summaries),
        ("archived before, found again", receipt.released),
        ("they stood in the place of these, found again", receipt.reinstated),
        ("what was made of them, gone with them", receipt.copies),
        ("left, though it may speak of them", receipt.untouched),
        ("damaged, so that no filter can look at it, and left; forget it by its id", receipt.damaged),
    )
    for note, ids in notes:
        if ids:
            show(f"{note}: " + ", ".join(map(shown_id, ids)))


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
        raise Negative(f"--source: nothing was imported from {name!r}")
    return where


def _ask(ids: tuple[str, ...]) -> None:
    """Ask on the terminal whether these records may go; if there are none, nothing is asked."""
    if not ids:
        return
    style = Style(sys.stderr)
    named = ", ".join(map(shown_id, ids[:3])) + (" ..." if len(ids) > 3 else "")
    sys.stderr.write(f"forget {style.bold(counted(len(ids), 'record'))} ({named})? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Negative("nothing was forgotten")
