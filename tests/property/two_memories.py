"""Two memories that differ outside a boundary alone, each behind a handle that sees nothing else; and their steps.

The one, `whole`, is shared with others who write outside; the other, `alone`, holds what lies inside and nothing more.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

import byheart
from byheart.storage import InProcessStore

from .verb_arguments import NOW
from .verbs import VERBS, Tap

INSIDE: dict[str, Any] = {"scopes": ["s", "project"], "classes": ["public", "internal"]}
OTHERS: dict[str, dict[str, Any]] = {
    "other classes": {"scope": "s", "boundary": {"classes": ["pii", "secret"]}},
    "other scopes": {"scope": "t", "boundary": {"scopes": ["t"], "classes": ["public", "internal", "pii", "secret"]}},
    "other tenant": {"tenant": "rival", "boundary": {"tenant": "rival", "classes": ["public", "internal"]}},
}
KINDS = ["in process", "memory.jsonl", "memory.db"]


class Pair:
    """The two memories; what is told of them is kept in `seen`, by `whole` and `alone`."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.stores = {name: InProcessStore() for name in ("whole", "alone")}
        for name in self.stores:
            (folder / name).mkdir()
        self.taps = {name: Tap() for name in self.stores}
        self.open()

    def open(self) -> None:
        self.inside = {
            name: self.opened(name, boundary=INSIDE, scope="s", embedder=self.taps[name],
                              invariants=[{"id": "rule", "text": "Be kind."}], single_valued=["part_of"])
            for name in self.stores
        }  # fmt: skip
        more: dict[str, Any] = {"single_valued": ["part_of"]}
        self.others = {name: self.opened("whole", embedder=Tap(), **how, **more) for name, how in OTHERS.items()}
        # What these write is blank.
        self.plain = {name: self.opened("whole", **how, **more) for name, how in OTHERS.items()}

    def opened(self, name: str, **how: Any) -> byheart.Memory:
        if self.kind == "in process":
            return byheart.Memory(store=self.stores[name], **how)
        return byheart.Memory(self.folder / name / self.kind, **how)

    def close(self) -> None:
        for memory in (*self.inside.values(), *self.others.values(), *self.plain.values()):
            memory._engine.saver.finish()
            if self.kind != "in process":
                memory.close()

    def reopen(self, keep: bool) -> None:
        """Close all handles and open them anew, with saved indexes or without."""
        for memory in self.inside.values():
            memory._engine.indexes.save(at_least=0)
        self.close()
        for folder in [] if keep else list(self.folder.glob("*/*.byheart-indexes")):
            shutil.rmtree(folder)
        self.open()

    def both(self, verb: str, arguments: dict[str, Any]) -> tuple[str, str]:
        """Call a verb on both, and return all that each caller can tell of it."""
        told = []
        for name, memory in self.inside.items():
            heard = self.taps[name].heard
            heard.clear()
            outcome = VERBS[verb].call(memory, self.folder / name, **arguments)
            there = [record.to_dict() for record in memory.records()]
            told.append(json.dumps([outcome, sorted(heard), there], default=repr).replace(str(self.folder / name), ""))
        return told[0], told[1]

    def outside(self, who: str, verb: str, arguments: dict[str, Any], *, plain: bool) -> None:
        """Call a verb on a handle that sees a part of the outside."""
        memory = (self.plain if plain else self.others)[who]
        VERBS[verb].call(memory, self.folder, **arguments)


@contextmanager
def pair(kind: str) -> Iterator[Pair]:
    """Give two memories of a kind; time stands still for both."""
    memory = Path("/dev/shm")
    with (
        patch("time.time", lambda: NOW),
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder,  # no disk has to turn
    ):
        made = Pair(kind, Path(folder))
        try:
            yield made
        finally:
            made.close()


OFTEN = {  # by whether it writes: what leads to most other things, or tells most
    True: [
        "ingest_turn",
        "ingest_turn",
        "ingest_turn",
        "compact",
        "compact",
        "update",
        "remember_said",
        "remember_said",
    ],
    False: ["context", "context", "recall", "history"],
}


def any_of(draw: st.DrawFn, names: list[str]) -> str:
    """Return one of some names, each as likely as the others; drawn as it is, one is drawn again and again."""
    return random.Random(draw(st.integers(0, 2**32 - 1))).choice(names)


@st.composite
def inside_steps(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Return a verb that both memories are asked, writes as often as reads."""
    writes = draw(st.booleans())
    verb = any_of(draw, [name for name, verb in VERBS.items() if verb.writes == writes] + OFTEN[writes])
    return verb, draw(VERBS[verb].arguments("inside"))


@st.composite
def outside_steps(draw: st.DrawFn) -> tuple[str, str, dict[str, Any], bool]:
    """Return what somebody does outside; whether without an embedder."""
    who = draw(st.sampled_from(sorted(OTHERS)))
    verb = any_of(draw, [name for name, verb in VERBS.items() if verb.writes] + OFTEN[True])
    return who, verb, draw(VERBS[verb].arguments(who)), draw(st.booleans())
