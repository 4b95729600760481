"""Commands that ask: recall, context, explain, replay."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from ..knowledge import ACTS
from ..profiles import NAMES
from ..profiles.profile import MODES, PACKINGS
from ..recall.answers import Recall
from ..recall.hits import Hit
from ..recall.recaller import UNREADABLE
from . import replaying
from .codes import found
from .configuring import profile_of
from .filters import add_filter, filter_of, time_of
from .numbers import AMOUNT, COUNT, HITS, SHARE
from .opening import note_damage, open_to_ask, vector_of
from .options import Commands, add_embedder, add_seen, add_vectors, boundary_of, on_memory
from .render import Style, clean, counted, of_text, one_line, show, show_json, shown_id
from .snippets import columns, excerpt
from .vectors import notes
from .wording import in_words

if TYPE_CHECKING:
    from ..conversation.receipts import Context

OPTIONS: Final = ("act", "needed_roles", "session_id", "user_id", "category", "exclude", "mode", "deadline",
                  "min_strength", "operators", "include_superseded")  # fmt: skip
"""The options of a recall that are handed on as they are typed."""


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    parser = on_memory(
        commands, "recall", "find the records that answer a question", recall, no="nothing was found",
        told="The best come first, by score; but a newer one stands before one that says nearly the same, if it fits "
        "the question about as well, and others such right behind it. --explain says which were moved.",
        examples=['recall "when do I descale the kettle?" -m me.db',
                  'recall kettle -m me.db --where topic=kitchen --since 2026-05-01T00:00:00Z --json',
                  "recall kettle -m me.db --profile hybrid --set max_results=3"],
    )  # fmt: skip
    parser.add_argument("query", metavar="QUERY", help="a question, or words of the answer")
    parser.add_argument("--explain", action="store_true", help="show how each score was made")
    _adaptive(parser)
    _question(parser)

    _context(
        on_memory(
            commands, "context", "pack what answers a question into a block for a prompt", context,
            no="there is nothing to say", told="What is printed stands in a prompt as it is: it says of the memories "
            "that they are untrusted, and quotes them so that none can pretend to be another part of the prompt.",
            examples=['context "what does Ann drink?" -m me.db --budget 500 --user ann',
                      'context "and then?" -m me.db --budget 500 --session s1 --recent --invariant "Be brief."'],
        )
    )  # fmt: skip

    parser = on_memory(
        commands, "explain", "show how one record is scored for a question", explain,
        no="no such record lies inside the boundary",
        examples=['explain "when do I descale the kettle?" kettle -m me.db'],
    )  # fmt: skip
    parser.add_argument("query", metavar="QUERY", help="the question")
    parser.add_argument("id", metavar="ID", help="the record")
    _question(parser)

    parser = on_memory(
        commands, "replay", "ask again what a receipt says was asked, and compare", replaying.replay,
        no="the answer is another one, with a line for each record that changed",
        told="`byheart recall --json` prints a receipt among the rest; either will do. The boundary is the receipt's.",
        examples=["replay receipt.json -m me.db", "replay - -m me.db < receipt.json"],
    )  # fmt: skip
    parser.add_argument("receipt", metavar="RECEIPT", help="a file of JSON; - reads standard input")
    add_embedder(parser)


def _context(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="the question")
    parser.add_argument(
        "--budget", type=AMOUNT, metavar="TOKENS", help="tokens that there are (default: the settings')"
    )
    parser.add_argument("--fraction", type=SHARE, default=1.0, metavar="SHARE", help="of the budget, for memories")
    parser.add_argument("--packing", choices=PACKINGS, help="how it is filled (default: the profile's own way)")
    parser.add_argument("--count-frame", action="store_true", help="let sections, tags and escapes count too")
    parser.add_argument("--flatten", action="store_true", help="show what was found on one line each")
    parser.add_argument("--characters", type=COUNT, metavar="N", help="show so many of each entry at most")
    parser.add_argument("--recent", action="store_true", help="begin with the last turns of --session")
    parser.add_argument(
        "--invariant",
        action="append",
        default=[],
        metavar="TEXT",
        help="stands in it in any case; may be repeated",
    )
    _adaptive(parser)
    _question(parser)


def _adaptive(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--adaptive", nargs="?", const=True, default=False, metavar="PATTERNS",
        help="search nothing for what needs no memory, such as \"thanks!\"; by a profile of patterns",
    )  # fmt: skip


def _question(parser: argparse.ArgumentParser) -> None:
    """Add what shapes a recall."""
    parser.set_defaults(asks=True)
    parser.add_argument("-k", type=HITS, metavar="N", help="hits at most (default: the profile's own number)")
    parser.add_argument(
        "--profile",
        default="auto",
        help=f"one of {', '.join(NAMES)}, or of the settings; or a .toml file with one (default: %(default)s)",
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="PLACE=VALUE",
        help="change a number of the profile, such as max_results=3 or legs.dense.pool=50; may be repeated",
    )  # fmt: skip
    parser.add_argument("--mode", choices=MODES, help="how vectors are searched (default: the profile's own way)")
    parser.add_argument("--act", choices=ACTS, help="what the answer is for: records that serve it come first")
    parser.add_argument(
        "--role", dest="needed_roles", action="append", default=[], metavar="ROLE",
        help="a role that the answer needs; may be repeated",
    )  # fmt: skip
    parser.add_argument("--session", dest="session_id", metavar="ID", help="the conversation that it is for")
    parser.add_argument("--user", dest="user_id", metavar="ID", help="whom it is for: never another user's records")
    parser.add_argument("--category", metavar="NAME", help="look only at records of this category")
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="ID", help="a record that is not to be found; may be repeated"
    )
    parser.add_argument(
        "--min-strength", type=SHARE, metavar="SHARE", help="no hits if the best is weaker, 0 to 1 (profile auto)"
    )
    parser.add_argument(
        "--deadline", type=AMOUNT, metavar="SECONDS", help="after them facts and rerankers are cut short"
    )
    parser.add_argument(
        "--no-operators",
        dest="operators",
        action="store_false",
        help='take "a phrase", +word and -word as plain text (default: what a record must hold, or must not)',
    )
    parser.add_argument("--as-of", metavar="TIME", type=time_of, help="find what was known and held then; as --since")
    parser.add_argument("--include-superseded", action="store_true", help="find what others stand in the place of, too")
    parser.add_argument(
        "--now", metavar="TIME", type=time_of, help="the time of the question (default: the clock's); as --since"
    )
    add_filter(parser, "which records may be found; it changes no score")
    add_vectors(parser, "question")
    add_embedder(parser)
    add_seen(parser)


def _asked(args: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Return what a recall is told beside the question."""
    return {
        "k": args.k,
        "profile": profile_of(args),
        "boundary": boundary_of(args),
        "where": filter_of(args, parser),
        "now": args.now,
        "as_of": args.as_of,
        "vector": vector_of(args),
        **{name: getattr(args, name) for name in OPTIONS},
    }


def _handed_on(args: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Return the same for a text that may be no question: whether its marks are read depends on that."""
    told = _asked(args, parser) | {"adaptive": args.adaptive}
    if args.adaptive is not False and args.operators:
        del told["operators"]
    return told


def recall(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Find records."""
    with open_to_ask(args) as memory:
        answer = memory.recall(args.query, explain=args.explain, **_handed_on(args, parser))
        note_damage(memory)
    if args.json:
        explanations = {hit.id: asdict(hit.explanation) for hit in answer if hit.explanation}
        show_json(answer.to_dict() | ({"explanations": explanations} if args.explain else {}))
    elif args.explain:
        table = answer.table
        show(clean(str(replace(table, degraded=tuple(map(in_words, table.degraded))))))
    else:
        show("\n".join([_lines(answer, args.query), *notes(answer.degraded, args.memory)]))
    return found(answer.hits)


def context(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Pack a block for a prompt."""
    budget = args.opening.get("context_budget") if args.budget is None else args.budget
    if budget is None:
        parser.error("context: give --budget TOKENS")
    with open_to_ask(args, invariants=args.invariant) as memory:
        packed = memory.context(
            args.query, budget, fraction=args.fraction, policy=args.packing, count_frame=args.count_frame,
            flatten=args.flatten, characters=args.characters, recent=args.recent, **_handed_on(args, parser),
        )  # fmt: skip
        if args.json:
            note_damage(memory)
    if args.json:
        show_json(_packed(packed))
    else:
        if packed.text:
            show(of_text(packed.text))
        else:
            sys.stderr.write(f"{_why_empty(packed)}\n")
        for note in notes(packed.degraded, args.memory):
            sys.stderr.write(f"{note}\n")
    return found(packed.entries)


def _why_empty(packed: Context) -> str:
    """Return why a context holds nothing, in words."""
    if packed.skipped is not None:
        return f"not searched: {packed.skipped}"
    return f"found, but nothing fits a budget of {packed.budget:g}" if packed.receipt else "nothing found"


def _packed(packed: Context) -> Mapping[str, Any]:
    return {
        "text": packed.text,
        "entries": [asdict(entry) for entry in packed.entries],
        "tokens": packed.tokens,
        "frame_tokens": packed.frame_tokens,
        "budget": packed.budget,
        "considered": [asdict(charge) for charge in packed.receipt],
        "degraded": list(packed.degraded),
        "skipped": packed.skipped,
        "receipt": packed.recall.receipt.to_dict(),
    }


def explain(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Show how a score was made."""
    with open_to_ask(args) as memory:
        explanation = memory.explain(args.query, args.id, **_asked(args, parser))
    if args.json:
        show_json(explanation.to_dict())
    else:
        show(clean(str(explanation)))


def _lines(answer: Recall, query: str) -> str:
    """Return the hits of a recall, score, id and topic on one line, the text on the next."""
    style, width = Style(sys.stdout), columns()
    lines = [_hit_lines(rank, hit, query, style, width) for rank, hit in enumerate(answer.hits, 1)]
    if not lines:
        left = " that can be read" if UNREADABLE in answer.degraded else ""
        near = "; nearest: " + ", ".join(map(one_line, answer.nearest)) if answer.nearest else ""
        lines = [f"nothing found among {counted(answer.receipt.records, 'record')}{left}{near}"]
    if answer.skipped is not None:
        lines = [f"not searched: {one_line(answer.skipped)}"]
    return "\n".join(lines)


def _hit_lines(rank: int, hit: Hit, query: str, style: Style, width: int) -> str:
    about = (hit.record.topic, hit.record.provenance.get("source_name"))
    notes = "".join(f"  {one_line(str(note))}" for note in about if note)
    text = excerpt(hit.text, query, width - 5, style.marked)
    return f"{rank:>3}. {style.bold(f'{hit.score:.4f}')}  {shown_id(hit.id)}{style.dim(notes)}\n     {text}"
