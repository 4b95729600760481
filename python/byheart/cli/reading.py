"""Commands that read records as they are: list, get, show. Nothing here is ranked."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from ..memory.upkeep import SET_ASIDE
from ..records import Record
from ..retrieval.filter import KINDS
from .filters import add_filter, filter_of
from .numbers import COUNT
from .opening import note_damage, open_there
from .options import Commands, add_seen, boundary_of, on_memory
from .render import Style, of_text, one_line, show, show_json, shown_id, written_at
from .snippets import beginning, columns

_INSIDE = "no such record lies inside the boundary"


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    parser = on_memory(
        commands, "list", "list records as they are kept, in order, a page at a time", listed, aliases=["records"],
        told="Archived and expired records are listed too. A list of none is a list: the exit code is 0.",
        examples=["list -m me.db --limit 20 --order-by=-created_at", "list -m me.db --where topic=kitchen --json"],
    )  # fmt: skip
    parser.add_argument(
        "--order-by", default="id", metavar="FIELD", help="id, or another field; -FIELD: the greatest first"
    )
    parser.add_argument("--limit", type=COUNT, metavar="N", help="at most so many (default: all)")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on behind the page that ended with it")
    add_filter(parser, "which records are listed")
    add_seen(parser)

    parser = on_memory(
        commands, "get", "print the text of a record, and nothing else", get, no=_INSIDE,
        told="Control characters are left out, so that a text cannot command a terminal; --raw prints every byte.",
        examples=["get kettle -m me.db", "get notes -m me.db --raw > notes.txt"],
    )  # fmt: skip
    parser.add_argument("id", metavar="ID", help="of the record")
    parser.add_argument("--raw", action="store_true", help="as it is, for files; without a line end of its own")
    add_seen(parser)

    parser = on_memory(
        commands, "show", "show one record in full: every field, and its version", shown, no=_INSIDE,
        examples=["show kettle -m me.db", "show kettle -m me.db --json"],
    )  # fmt: skip
    parser.add_argument("id", metavar="ID", help="of the record")
    add_seen(parser)

    parser = on_memory(
        commands, "history", "show what became of a record: who changed what, and when", history, no=_INSIDE,
        told="No text is shown: what a record said before it was changed is erased.",
        examples=["history kettle -m me.db", "history kettle -m me.db --json"],
    )  # fmt: skip
    parser.add_argument("id", metavar="ID", help="of the record")
    add_seen(parser)


def listed(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """List records."""
    where = filter_of(args, parser)
    with open_there(args) as memory:
        page = memory.records(
            where, order_by=args.order_by, limit=args.limit, cursor=args.cursor, boundary=boundary_of(args)
        )
        note_damage(memory)
        whole = SET_ASIDE not in memory.opened
    if args.json:
        show_json(page.to_dict())
    else:
        show(_lines(page, page.cursor) or ("no records" if whole else "no records that can be read"))


def get(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Print a text."""
    if args.raw and args.json:
        parser.error("get: give --raw or --json, not both")
    with open_there(args) as memory:
        record = memory.get(args.id, boundary=boundary_of(args))
    if args.json:
        show_json({"id": record.id, "text": record.text})
    elif args.raw:
        sys.stdout.flush()
        sys.stdout.buffer.write(record.text.encode())
    else:
        show(of_text(record.text))


def shown(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Show a record in full."""
    with open_there(args) as memory:
        record = memory.get(args.id, boundary=boundary_of(args))
    if args.json:
        show_json({"record": record.to_dict(), "version": record.version})
    else:
        show(_in_full(record))


def history(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Show what became of a record."""
    with open_there(args) as memory:
        happened = memory.history(args.id, boundary=boundary_of(args))
    if args.json:
        show_json([each.to_dict() for each in happened])
        return
    for each in happened:
        notes = (each.by, ", ".join(each.fields), each.count and f"{each.count} times", each.user_id, each.session_id)
        said = "".join(f"  {shown_id(str(note))}" for note in notes if note)
        show(f"{written_at(each.at) or '-':<32} {each.what}{said}")


def _in_full(record: Record) -> str:
    """Return every field that is filled, a line each, and the text below."""
    style = Style(sys.stdout)
    told = {name: value for name, value in record.to_dict().items() if name != "text"}
    told["version"] = record.version
    lines = [f"{style.dim(name.ljust(16))} {_value(name, value)}" for name, value in told.items()]
    return "\n".join([*lines, "", of_text(record.text)] if record.text else lines)


def _value(name: str, value: Any) -> str:
    if KINDS.get(name) == "time":
        return written_at(value)
    if isinstance(value, list):
        return ", ".join(one_line(str(each)) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{one_line(str(key))}={one_line(str(each))}" for key, each in value.items())
    return one_line(str(value))


def _lines(records: Sequence[Record], cursor: str | None) -> str:
    """Return records, id, time and topic on one line, the text on the next; and where more begin."""
    style, lines = Style(sys.stdout), []
    for record in records:
        about = (written_at(record.created_at), record.topic, record.provenance.get("source_name"))
        notes = "".join(f"  {shown_id(str(note))}" for note in about if note)
        lines.append(f"{style.bold(shown_id(str(record.id)))}{style.dim(notes)}")
        lines.append(f"     {beginning(record.text, columns() - 5)}")
    return "\n".join(lines + [f"more behind --cursor {cursor}"] * (cursor is not None))
