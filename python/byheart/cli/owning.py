"""Commands that say whose records there are: sessions, users."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from ..memory.owners import Session, User
from .filters import add_filter, filter_of
from .opening import note_damage, open_there
from .options import Commands, add_seen, boundary_of, on_memory
from .render import show, show_json, shown_id, written_at


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    _add(commands, "sessions", "the one that was last added to first", "--where user_id=ann ", sessions)
    _add(commands, "users", "the one whose record is the newest first", "", users)


def _add(commands: Commands, name: str, order: str, where: str, run: Callable[..., None]) -> None:
    told = "A list of none is a list: the exit code is 0."
    examples = [f"{name} -m me.db", f"{name} -m me.db {where}--json"]
    parser = on_memory(commands, name, f"list the {name} that have records, {order}", run, told=told, examples=examples)
    add_filter(parser, "which records are looked at")
    add_seen(parser)


def sessions(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """List sessions."""
    where = filter_of(args, parser)
    with open_there(args) as memory:
        found = memory.sessions(where, boundary=boundary_of(args))
        note_damage(memory)
    _show(args, [(each, each.users) for each in found])


def users(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """List users."""
    where = filter_of(args, parser)
    with open_there(args) as memory:
        found = memory.users(where, boundary=boundary_of(args))
        note_damage(memory)
    _show(args, [(each, each.sessions) for each in found])


def _show(args: argparse.Namespace, found: Sequence[tuple[Session | User, tuple[str, ...]]]) -> None:
    """Print owners, each with who or what is named beside it."""
    if args.json:
        show_json([each.to_dict() for each, _ in found])
    else:
        show("\n".join(_line(each, beside) for each, beside in found) or f"no {args.command}")


def _line(owner: Session | User, beside: tuple[str, ...]) -> str:
    """Return an owner on a line: how many records, from when to when, and who or what is named beside it."""
    records = "1 record" if owner.records == 1 else f"{owner.records} records"
    named = "".join(f"  {shown_id(each)}" for each in beside)
    return f"{shown_id(owner.id)}  {records}  {written_at(owner.first)} to {written_at(owner.last)}{named}"
