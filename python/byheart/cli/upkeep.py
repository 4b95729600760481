"""Commands that look after a memory file: counts, checks, rebuilding, export, vectors."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict

from ..boundary.reach import Reach
from ..errors import CorruptRecord, InvalidArgument
from ..memory.memory import Memory
from ..memory.reading import to_export
from ..memory.upkeep import SET_ASIDE
from ..storage import CheckedStore, Problem, at_home, open_store
from ..storage.checking import WAY_OUT
from ..storage.exchange import as_jsonl
from .codes import Negative
from .filters import add_filter, filter_of
from .opening import embedder_of, keeps_vectors, must_exist, note_damage, open_part, open_there, open_to_ask
from .options import Commands, add_embedder, add_part, boundary_of, declared, on_memory
from .render import counted, one_line, show, show_json, stats_lines


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    add_part(
        on_memory(
            commands, "stats", "count what is remembered, by tenant and cell", stats,
            examples=["stats -m me.db", "stats -m me.db --tenant ann --json"],
        )
    )  # fmt: skip
    parser = on_memory(
        commands, "check", "look for damage in a memory file and its indexes", check, no="problems were found",
        told="The whole file is looked at.", examples=["check -m me.db", "check -m me.db --repair"],
    )  # fmt: skip
    parser.add_argument("--repair", action="store_true", help="remove for good what is damaged; the rest stays")
    add_embedder(
        on_memory(
            commands, "rebuild", "make the indexes anew from the records", rebuild,
            told="The indexes of the whole file are made anew.", examples=["rebuild -m me.db"],
        )
    )  # fmt: skip
    parser = on_memory(
        commands, "export", "write records into a new text file: all, or by a filter", export,
        no="something is damaged and was left out",
        told="Records of all tenants, scopes and classes are written, secret ones too, unless a part is named. Vectors "
        "are left out. `byheart import --exported FILE` brings the records back, times and tenants too.",
        examples=["export all.jsonl -m me.db", "export - -m me.db",
                  "export tea.jsonl -m me.db --tenant ann --where topic=tea"],
    )  # fmt: skip
    parser.add_argument("file", metavar="FILE", help="where; must not be there yet (.jsonl); - is standard output")
    add_filter(parser, "which records are written")
    add_part(parser)
    parser = on_memory(
        commands, "backup", "write a copy of the whole file, as of one moment, while it is in use", backup,
        no="something is damaged and was copied as it is",
        told="The copy opens as a memory; the whole file is copied, secret records too. What is forgotten later is "
        "still in it.",
        examples=["backup copy.db -m me.db"],
    )  # fmt: skip
    parser.add_argument("target", metavar="FILE", help="where; a new file, or an older backup of this memory")
    parser = on_memory(
        commands, "embed", "make missing vectors, or change the embedding model", embed,
        told="Each batch is kept as it is made: a command that was broken off goes on where it stopped. Until all "
        "vectors of another model are there, the old ones are searched.",
        examples=["embed -m me.db --embedder wordllama"],
    )  # fmt: skip
    add_embedder(parser)
    add_part(parser)


def stats(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Count records by tenant and cell."""
    with open_part(args) as memory:
        part = bool(boundary_of(args))  # which the memory is opened for
        values = {each: memory.stats(boundary=None if part else Reach().of(each)) for each in memory.tenants()}
        note_damage(memory)
    if args.json:
        show_json(values)
    else:
        show(stats_lines(args.memory, values))


def check(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Show what is wrong with a memory file and its indexes, a line each; with --repair, remove it."""
    must_exist(args)
    store = open_store(args.memory)
    try:
        memory = Memory(store=store, preset=args.preset, **declared(args))
        found = memory.check(repair=args.repair)
        left = memory.check() if args.repair else found
    except CorruptRecord as error:  # the file as a whole: it can be looked over, and not be used
        found = left = (store.check() if isinstance(store, CheckedStore) else []) or [Problem("file", str(error))]
    finally:
        store.close()
    if args.json:
        show_json([asdict(problem) for problem in found])
    else:
        show("\n".join(one_line(problem.message) for problem in found) or "all is well")
        repaired = sum(problem not in left for problem in found)
        if args.repair and repaired:
            show(f"{counted(repaired, 'problem')} repaired: what was damaged is removed")
    if left:
        told = f"left; {WAY_OUT}" if args.repair else "found"
        raise Negative(f"{args.memory}: {counted(len(left), 'problem')} {told}")


def rebuild(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Make the indexes anew."""
    with open_to_ask(args) as memory:
        memory.rebuild()
        opened = memory.opened
    if args.json:
        show_json({"opened": opened})
    else:
        show(one_line(opened))


def export(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Write records into a new text file: all, or those that a filter lets through."""
    where, piped = filter_of(args, parser), args.file == "-"
    if piped and args.json:
        parser.error("export: - and --json both write to standard output; leave one out")
    with open_part(args) as memory:
        if piped:
            sys.stdout.buffer.write(as_jsonl(to_export(memory, where)))
        else:
            number = memory.export_to(args.file, where)
        opened = memory.opened
    if args.json:
        show_json({"exported": number})
    elif not piped:
        show(f"{counted(number, 'record')} written to {one_line(args.file)}")
    if SET_ASIDE in opened:  # whoever takes it for a backup has to know
        raise Negative(f"left out: {one_line(opened[opened.index(SET_ASIDE) :])}")


def backup(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Write a copy of the whole file."""
    with open_there(args) as memory:
        done = memory.backup(at_home(args.target))
        opened = memory.opened
    if args.json:
        show_json(done.to_dict())
    else:
        show(f"{counted(done.records, 'record')} written to {one_line(done.path)}, {done.bytes} bytes")
    if done.damaged is not None:
        raise Negative(f"copied as it is: {one_line(done.damaged)}; see `byheart check`")
    if SET_ASIDE in opened:  # whoever has only this one left has to know
        raise Negative(f"copied as it is: {one_line(opened[opened.index(SET_ASIDE) :])}")


def embed(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Make missing vectors, or those of another model."""
    must_exist(args)
    keeps_vectors(args)
    embedder = embedder_of(args)
    if embedder is None:
        raise InvalidArgument("embed: name an embedder with --embedder")
    with open_part(args) as memory:
        done = memory.embed(embedder)
    if args.json:
        show_json(done.to_dict())
    else:
        model = f"{one_line(embedder.fingerprint.family)}, {embedder.dimensions} dimensions"
        show(f"{counted(done.made, 'vector')} made, {done.kept} there before ({model})")
