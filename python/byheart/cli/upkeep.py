"""Commands that look after a memory: counts, checks, rebuilding, export, vectors, models."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict

from ..boundary.reach import Reach
from ..errors import ByheartError, CorruptRecord, InvalidArgument
from ..memory.memory import Memory
from ..memory.upkeep import SET_ASIDE
from ..storage import CheckedStore, Problem, open_store
from .filters import filter_of
from .opening import embedder_of, keeps_vectors, must_exist, open_there, open_to_ask
from .render import counted, one_line, show, show_json, stats_lines


class _Damaged(ByheartError):
    """A check has found problems, and they have been shown."""


def stats(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Count records by tenant and cell."""
    with open_there(args) as memory:
        values = {tenant: memory.stats(boundary=Reach().of(tenant)) for tenant in memory.tenants()}
    if args.json:
        show_json(values)
    else:
        show(stats_lines(args.memory, values))


def check(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Show what is wrong with a memory file and its indexes, a line each; with --repair, remove it."""
    must_exist(args)
    store = open_store(args.memory)
    try:
        memory = Memory(store=store, preset=args.preset)
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
        if args.repair and found:
            show(f"{counted(len(found), 'problem')} repaired: what was damaged is removed")
    if left:
        raise _Damaged(f"{args.memory}: {counted(len(left), 'problem')} {'left' if args.repair else 'found'}")


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
    where = filter_of(args, parser)
    with open_there(args) as memory:
        number = memory.export_to(args.file, where)
        opened = memory.opened
    if args.json:
        show_json({"exported": number})
    else:
        show(f"{counted(number, 'record')} written to {one_line(args.file)}")
    if SET_ASIDE in opened:  # whoever takes it for a backup has to know
        sys.stderr.write(f"left out: {one_line(opened[opened.index(SET_ASIDE) :])}\n")


def embed(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Make missing vectors, or those of another model."""
    must_exist(args)
    keeps_vectors(args)
    embedder = embedder_of(args)
    if embedder is None:
        raise InvalidArgument("embed: name an embedder with --embedder")
    with open_there(args) as memory:
        done = memory.embed(embedder)
    if args.json:
        show_json(asdict(done))
    else:
        model = f"{one_line(embedder.fingerprint.family)}, {embedder.dimensions} dimensions"
        show(f"{counted(done.made, 'vector')} made, {done.kept} there before ({model})")


def models(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Put an embedding model together."""
    from ..embedding.assemble import FAMILY, assemble

    def say(step: str) -> None:
        sys.stderr.write(f"{one_line(step)}\n")
        sys.stderr.flush()

    folder = assemble(args.folder, args.precision, wheels=args.wheels, say=say)
    if args.json:
        show_json({"folder": str(folder), "profile": FAMILY, "precision": args.precision})
    else:
        show(one_line(f"OnnxEmbedder({str(folder)!r}, {FAMILY!r})"))
