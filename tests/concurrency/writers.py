"""Writers that are killed: a nursery, which has imported everything, forks them; each tells what it does in a log.

Started by `test_killed_writers.py` as `python writers.py`; a job a line on standard input, the process ids of the
writers on standard output. A writer has a user and a session of its own, so that what it left can be told from what
the others wrote, and a log to which it says each call before and after: a kill loses nothing that was said.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any, Final

import byheart
from byheart.embedding import HashingEmbedder
from byheart.index import saving

EMBEDDER: Final = HashingEmbedder(16)
SHARED: Final = "shared"
MOST: Final = 2_000  # calls of a writer that nobody kills


def opened(path: Path | None) -> byheart.Memory:
    """Open a memory file, or a memory in this process that takes records as that file would."""
    embedder = None if path is not None and path.suffix == ".jsonl" else EMBEDDER
    return byheart.Memory(path, embedder=embedder, noise=None)


def word(name: str, number: int) -> str:
    """Return a word that is in one text alone, in letters, so that no analyser takes it apart."""
    return f"z{name}" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:05}") + "q"


def planned(chance: random.Random, memory: byheart.Memory, name: str, number: int) -> dict[str, Any]:
    """Return the next call of a writer, with all that it takes to make it again."""
    own = memory.records(where={"user_id": name})
    turns = [record for record in own if record.kind == "turn"]
    text = f"{word(name, number)} I always take the {chance.choice(['ferry', 'tram', 'bus'])} to the harbour"
    call: dict[str, Any] = {"number": number, "text": text, "durable": chance.choice(["all", "gate", "none"])}
    verb = chance.choice(["say", "say", "say", "say again", "update", "update", "forget", "compact", "touch"])
    if verb in ("say again", "update", "forget"):
        among = turns if verb == "say again" else own
        if not among:
            return {**call, "verb": "say"}
        chosen = chance.choice(among)
        call |= {"id": chosen.id, "said": chosen.text}
    return {**call, "verb": verb, "sources": chance.choice(["archive", "delete"])}


def call(memory: byheart.Memory, name: str, what: dict[str, Any]) -> None:
    """Make a call."""
    at, verb = float(what["number"]), what["verb"]
    said: dict[str, Any] = {"session_id": name, "user_id": name, "durable": what["durable"], "now": at}
    if verb == "say":
        memory.ingest_turn(what["text"], **said)
    elif verb == "say again":
        memory.ingest_turn(what["text"], id=what["id"], **said)
    elif verb == "update":
        memory.update(what["id"], text=what["text"], updated_at=at)
    elif verb == "forget":
        memory.forget(what["id"])
    elif verb == "compact":
        memory.compact(name, target=4, force=True, sources=what["sources"], now=at)
    else:
        memory.touch(SHARED, now=at)


def write(path: Path, log: Path, name: str, number: int, seed: int) -> None:
    """Write until somebody kills this process."""
    chance = random.Random(seed)
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    memory = opened(path)
    for at in range(number, number + MOST):
        what = planned(chance, memory, name, at)
        os.write(out, json.dumps(what).encode() + b"\n")
        call(memory, name, what)
        os.write(out, b"done\n")


def main() -> None:
    """Fork writers as told, line by line."""
    saving.MIN_CHANGES = 20  # type: ignore[misc]  # so that generations are written all the time
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever is killed is gone
    for line in sys.stdin:
        pids = []
        for job in json.loads(line):
            pid = os.fork()
            if pid == 0:
                status = 1
                try:
                    write(Path(job["path"]), Path(job["log"]), job["name"], job["number"], job["seed"])
                    status = 0
                except BaseException:
                    import traceback

                    Path(job["log"]).with_suffix(".error").write_text(traceback.format_exc())
                finally:
                    os._exit(status)
            pids.append(pid)
        print(json.dumps(pids), flush=True)


if __name__ == "__main__":
    main()
