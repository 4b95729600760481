"""Commands over conversations: putting summaries in the place of old turns, and looking behind one."""

from __future__ import annotations

import argparse

from ..conversation.receipts import CompactReceipt
from .codes import found
from .numbers import SHARE, WHOLE
from .opening import open_there, open_to_ask
from .options import Commands, add_embedder, add_seen, boundary_of, on_memory
from .render import counted, one_line, show, show_json, shown_id
from .snippets import beginning, columns
from .wording import in_words


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    parser = on_memory(
        commands, "compact", "put summaries in the place of a session's old turns", compact,
        told="All or nothing. Turns are kept, archived: a recall finds the summary, and `byheart expand` shows what is "
        "behind it. `byheart forget` of the summary brings them back.",
        examples=["compact -m me.db --session s1", "compact -m me.db --session s1 --target 10 --keep-recent 20"],
    )  # fmt: skip
    parser.add_argument("--session", required=True, metavar="ID", help="whose turns")
    parser.add_argument("--target", type=WHOLE, default=20, metavar="N", help="turns behind a summary (default: 20)")
    parser.add_argument("--force", action="store_true", help="two turns are enough")
    parser.add_argument("--keep-recent", type=WHOLE, metavar="N", help="leave the last turns alone, N or more")
    parser.add_argument("--delete", action="store_true", help="delete the turns in place of archiving them")
    parser.add_argument(
        "--summariser", metavar="DIR", help="a folder with an ONNX sequence-to-sequence model (default: an extract)"
    )
    parser.add_argument(
        "--abstractive", metavar="DIR", help="the same, for clusters that the gate found worth remembering"
    )
    parser.add_argument(
        "--abstractive-from", type=SHARE, default=0.60, metavar="SHARE",
        help="from which mean score of the gate on --abstractive summarises, 0 to 1 (default: 0.60)",
    )  # fmt: skip
    parser.add_argument("--fallback", action="store_true", help="extract where the model fails")
    add_embedder(parser)
    add_seen(parser)

    parser = on_memory(
        commands, "expand", "show the turns behind a summary", expand,
        no="nothing is behind it, or no such record lies inside the boundary",
        told="`byheart compact` prints the ids of the summaries that it makes, and `byheart list --where kind=summary` "
        "those that there are.",
        examples=["expand summary:9dff321ce014f218 -m me.db --json"],
    )  # fmt: skip
    parser.add_argument("id", metavar="ID", help="the summary")
    add_seen(parser)


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
            abstractive=None if args.abstractive is None else OnnxSummariser(args.abstractive),
            abstractive_from=args.abstractive_from,
            sources="delete" if args.delete else "archive",
            keep_recent=args.keep_recent,
            fallback=args.fallback,
            boundary=boundary_of(args),
        )
    if args.json:
        show_json(done.to_dict())
    else:
        show("\n".join(_lines(done)))


def _lines(done: CompactReceipt) -> list[str]:
    fate = "archived" if done.sources == "archive" else "deleted"
    why = "" if done.degraded else ": fewer turns than a cluster has (--force takes two)"
    lines = [
        f"{counted(done.turns_removed, 'turn')} {fate}; summaries: {len(done.summaries)}, "
        f"{one_line(done.summary_method)}, mean confidence {done.mean_confidence:.2f}"
        if done.did_compact
        else f"nothing to compact{why}"
    ]
    lines += [f"  {shown_id(id)}" for id in done.summaries]
    lines += [
        f"left alone: {', '.join(map(shown_id, each.source_ids))} ({one_line(each.reason)})" for each in done.declined
    ]
    return lines + [f"note: {one_line(in_words(note))}" for note in done.degraded]


def expand(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Show the turns behind a summary."""
    with open_there(args) as memory:
        turns = memory.expand(args.id, boundary=boundary_of(args))
    if args.json:
        show_json([turn.to_dict() for turn in turns])
    else:
        lines = [f"{shown_id(str(turn.id))}\n     {beginning(turn.text, columns() - 5)}" for turn in turns]
        show("\n".join(lines) or "nothing is behind it any more: its turns were deleted, or lie outside the boundary")
    return found(turns)
