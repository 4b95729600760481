"""Commands over conversations: putting summaries in the place of old turns, and looking behind one."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from ..conversation.receipts import CompactReceipt
from ..recall.answers import snippet
from .opening import open_there, open_to_ask
from .render import clean, counted, one_line, show, show_json


def compact(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Put summaries in the place of a session's turns."""
    from ..summarising import OnnxSummariser

    summariser = None if args.summariser is None else OnnxSummariser(args.summariser)
    with open_to_ask(args) as memory:
        done = memory.compact(
            args.session,
            target=args.target,
            force=args.force,
            summariser=summariser,
            sources="delete" if args.delete else "archive",
            keep_recent=args.keep_recent,
            fallback=args.fallback,
            boundary=boundary_of(args),
        )
    if args.json:
        show_json(asdict(done))
    else:
        show("\n".join(_lines(done)))


def _lines(done: CompactReceipt) -> list[str]:
    fate = "archived" if done.sources == "archive" else "deleted"
    lines = [
        f"{counted(done.turns_removed, 'turn')} {fate}; summaries: {len(done.summaries)}, "
        f"{one_line(done.summary_method)}, mean confidence {done.mean_confidence:.2f}"
        if done.did_compact
        else "nothing to compact: fewer turns than a cluster has (--force takes two)"
    ]
    lines += [f"  {one_line(id)}" for id in done.summaries]
    lines += [f"left alone: {one_line(', '.join(each.source_ids))} ({one_line(each.reason)})" for each in done.declined]
    return lines + [f"note: {one_line(note)}" for note in done.degraded]


def expand(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Show the turns behind a summary."""
    with open_there(args) as memory:
        turns = memory.expand(args.id, boundary=boundary_of(args))
    if args.json:
        show_json([turn.to_dict() for turn in turns])
    else:
        lines = [f"{one_line(str(turn.id))}\n     {snippet(clean(turn.text))}" for turn in turns]
        show("\n".join(lines) or "nothing is behind it any more: its turns were deleted, or lie outside the boundary")


def boundary_of(args: argparse.Namespace) -> dict[str, object]:
    """Return what a command may see, as far as it was said."""
    asked = {"tenant": args.tenant, "scopes": args.scope, "classes": args.classes}
    return {name: value for name, value in asked.items() if value is not None}
