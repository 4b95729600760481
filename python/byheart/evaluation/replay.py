"""Replay of conversations end to end: told turn by turn as an agent would, then asked about in a new session.

Each session goes through `Memory.ingest_turn`, with the memory closed and opened again behind it, and its old turns put
behind summaries if that is asked for. Then each question is put by `Memory.context`, in a session of its own, at the
time of the last turn; what counts is whether the text of a gold turn stands in the block. Only what its author calls an
assistant, a system or a tool has that role: everybody else is the user, whose turns the gate looks at. A turn is told
as it is searched elsewhere, its speaker first.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from ..conversation.roles import known_role
from ..errors import InvalidArgument
from ..memory.memory import Memory
from ..profiles import Profile
from . import digests
from .datasets import Collection, Document, Query
from .filling import UNDATED, Progress, newest, preset_of, silent
from .profile_files import profiles_of
from .replay_results import Asked, Replay, Run, Told
from .results import percentiles
from .tables import duration, share, table

if TYPE_CHECKING:
    from ..embedding import Embedder
    from ..summarising import Summariser
    from ..words import Durable

QUESTIONS: Final = "questions"  # the new session


@dataclass(frozen=True, slots=True)
class Compacting:
    """How sessions are compacted: by whom, or by whoever `Memory.compact` takes."""

    summariser: Summariser | None = None


def replay(
    collection: Collection,
    profiles: Iterable[str | Profile],
    *,
    budgets: Sequence[int] = (1024,),
    compaction: Sequence[bool] = (False,),
    summariser: Summariser | None = None,
    embedder: Embedder | None = None,
    preset: str | None = None,
    durable: Durable = "gate",
    limit: int | None = None,
    progress: Progress[Any] = silent,
) -> Replay:
    """Return what a prompt gets of conversations that were told turn by turn.

    Args:
        collection: turns with conversation and session, in the order in which they were said.
        profiles: as in `byheart.evaluation.runner.evaluate`.
        budgets: tokens that a context may have.
        compaction: whether each session is compacted behind its last turn: without, with, or both.
        summariser: who stands for old turns; without one, whoever `Memory.compact` takes.
        embedder: makes the vectors of the memory.
        preset: of its lexical index; without it, whichever suits the collection.
        durable: which turns are copied for good, as `Memory.ingest_turn` has it.
        limit: so many conversations only, the first ones.
        progress: shows how far it is.

    Raises:
        InvalidArgument: documents without a session, no judged question, or a budget or limit below 1.

    """
    chosen, conversations = profiles_of(profiles), _conversations(collection)
    if limit is not None:
        conversations = dict(list(conversations.items())[: max(limit, 0)])
    if not chosen or min((*budgets, len(conversations)), default=0) < 1 or not compaction:
        raise InvalidArgument("profiles, budgets, compaction, limit: give one of each at least, and 1 or more tokens")
    if not any(questions for _, questions in conversations.values()):
        raise InvalidArgument(f"{collection.name}: has no judged question; there is nothing to ask")
    runs: list[Run] = []
    telling: dict[bool, list[float]] = {}
    now = newest(collection.documents)
    for how in dict.fromkeys(compaction):
        found: dict[tuple[str, int], list[tuple[Asked, float]]] = {}
        told, times = Told(), telling.setdefault(how, [])
        steps = [*conversations.items()]
        for name, (turns, questions) in progress(f"telling{', compacting' * how}", steps, len(steps)):
            at = now.get(name, UNDATED)
            options: dict[str, Any] = {"embedder": embedder, "preset": preset or preset_of(collection)}
            with tempfile.TemporaryDirectory() as folder:
                options["path"] = Path(folder) / "memory.db"
                told = told.and_(_tell(turns, at, options, Compacting(summariser) if how else None, durable, times))
                with Memory(**options) as memory:
                    for profile in chosen:
                        for budget in budgets:
                            into = found.setdefault((profile.name, budget), [])
                            into += _ask(memory, collection, turns, questions, profile, budget, at)
        for (name_of, budget), answers in found.items():
            asked, spent = zip(*answers, strict=True)
            runs.append(Run(name_of, budget, how, told, asked, spent))
    counts = {"name": collection.name, "digest": digests.of_collection(collection), "conversations": len(conversations)}
    return Replay(counts, tuple(runs), telling)


def _conversations(collection: Collection) -> dict[str | None, tuple[list[Document], list[Query]]]:
    """Return the turns and the judged questions of each conversation."""
    found: dict[str | None, tuple[list[Document], list[Query]]] = {}
    for document in collection.documents:
        if document.session is None:
            raise InvalidArgument(
                f"{collection.name}: document {document.id!r} has no session; only turns are replayed"
            )
        found.setdefault(document.conversation, ([], []))[0].append(document)
    for query in collection.judged():
        if query.conversation in found:
            found[query.conversation][1].append(query)
    return found


def _tell(
    turns: Sequence[Document],
    now: float,
    options: Mapping[str, Any],
    compacting: Compacting | None,
    durable: Durable,
    times: list[float],
) -> Told:
    """Tell a conversation, session by session, each to a memory that was opened for it."""
    told = Told()
    for session, said in groupby(turns, key=lambda turn: turn.session or ""):
        with Memory(**options) as memory:
            for turn in said:
                told = told.and_(_tell_turn(memory, turn, session, now, durable, times))
            told = told.and_(Told(sessions=1))
            if compacting is not None:
                done = memory.compact(session, now=now, summariser=compacting.summariser)
                told = told.and_(Told(summaries=len(done.summaries), archived=done.turns_removed))
    return told


def _tell_turn(memory: Memory, turn: Document, session: str, now: float, durable: Durable, times: list[float]) -> Told:
    said = turn.record().created_at
    begun = perf_counter()
    receipt = memory.ingest_turn(
        turn.searched(),
        session_id=session,
        user_id=turn.conversation or "user",
        role=known_role(turn.speaker or "") or "user",
        id=turn.id,
        created_at=now if said is None else said,
        now=now if said is None else said,
        durable=durable,
    )
    times.append((perf_counter() - begun) * 1e6)
    return Told(turns=1, refused=receipt.refused is not None, durable=receipt.durable_id is not None)


def _ask(
    memory: Memory,
    collection: Collection,
    turns: Sequence[Document],
    questions: Sequence[Query],
    profile: Profile,
    budget: int,
    now: float,
) -> Iterator[tuple[Asked, float]]:
    """Put the questions in a new session, and look for the text of each gold turn in the block."""
    texts = {turn.id: turn.text for turn in turns}
    for query in questions:
        begun = perf_counter()
        found = memory.context(
            query.text, budget, profile, session_id=QUESTIONS, user_id=query.conversation or "user", now=now
        )
        spent = (perf_counter() - begun) * 1e6
        block = [_flat(entry.text) for entry in found.entries]
        gold = [texts[id] for id, grade in collection.grades[query.id].items() if grade and id in texts]
        held = sum(any(_flat(text) in shown for shown in block) for text in gold)
        yield Asked(query.id, query.type, len(gold), held, found.tokens, len(found.entries)), spent


def _flat(text: str) -> str:
    """Return a text with single blanks: what a block shows may be laid out otherwise."""
    return " ".join(text.split())


def markdown(found: Replay) -> str:
    """Return the runs as a table in Markdown, with what became of the turns below it."""
    types = list(dict.fromkeys(name for run in found.runs for name in run.by_type))
    head = ["profile", "budget", "compaction", "gold turns in the block", *(types if len(types) > 1 else ())]
    head += ["tokens", "entries", "p50", "p95"]
    rows = []
    for run in found.runs:
        times = percentiles(run.microseconds)
        row = [run.profile, str(run.budget), "on" if run.compaction else "off", share(run.gold_share)]
        row += [share(run.by_type[name]) for name in types if len(types) > 1]
        entries = math.fsum(one.entries for one in run.asked) / len(run.asked)
        rows.append([*row, f"{run.tokens:.0f}", f"{entries:.1f}", duration(times["p50"]), duration(times["p95"])])
    lines = []
    for how in found.telling:
        told = next(run.told for run in found.runs if run.compaction is how)
        times = percentiles(found.telling[how])
        lines.append(
            f"- compaction {'on' if how else 'off'}: {told.turns} turns in {told.sessions} sessions, "
            f"{told.refused} refused, {told.durable} copied for good, "
            f"{told.archived} behind {told.summaries} summaries; "
            f"a turn takes {duration(times['p50'])} (p95 {duration(times['p95'])})"
        )
    questions = len(found.runs[0].asked)
    told_of = f"**{found.collection['name']}**, end to end: {questions} questions in a new session"
    return "\n\n".join([told_of, table(head, rows), "\n".join(lines)])
