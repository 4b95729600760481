"""Interleavings: handles on one store, whose calls are run as a scheduler says, and looked at afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import byheart
from byheart.storage import InProcessStore, Store

from .scheduler import Choose, Lock, Scheduler, StoppingEmbedder, stop, stops_at_calls
from .sequential import Done, Model, State, copied
from .verbs import NOW, REPLACING, Call, begin, calls, outcome

KINDS: Final = ["in process", "memory.jsonl", "memory.db"]
EMBEDDER: Final = StoppingEmbedder(16)
QUESTION: Final = "I prefer the seat, tea, soup, the kettle, a map of the harbour, to sail, the ferry"
WORDS: Final = (
    "amber", "bronze", "coral", "denim", "emerald", "fuchsia", "golden", "hazel", "indigo", "ivory", "jasper", "khaki",
    "lilac", "mauve", "nutmeg", "ochre", "olive", "peach", "pearly", "poppy", "purple", "raspberry", "russet",
    "sienna", "silver", "tawny", "turquoise",
)  # fmt: skip
"""One of each text, so that it can be looked for on the disk."""

HANDLES: Final[dict[str, dict[str, Any]]] = {
    "whole": {},
    "inside": {"boundary": {"classes": ["internal"]}},
    "without vectors": {"embedder": None},
}
Program = Sequence[str]  # calls by name, one after the other


class Scene:
    """What is there before each run of one kind of store, and the calls that may be run on it."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder, self._runs = kind, folder, 0
        self.start = InProcessStore()
        with byheart.Memory(noise=None) as other:
            other.remember("umber tea", id="a", created_at=7.0)
            other.export_to(folder / "other.jsonl")
        memory = self.opened(self.start)
        self.calls: dict[str, Call] = calls(begin(memory))
        self.start = copied(self.start)
        self.keeps_vectors = kind != "memory.jsonl"  # there each handle has its own
        if kind != "in process":
            with self.opened(folder / kind) as filled:
                filled._engine.store.write(list(self.start.load()), [])
                if self.keeps_vectors:
                    filled.embed()
        self._models: dict[tuple[tuple[str, str], ...], Model] = {}

    def opened(self, where: Store | Path, handle: str = "whole") -> byheart.Memory:
        given = {"path" if isinstance(where, Path) else "store": where}
        embedder = EMBEDDER if self.kind != "memory.jsonl" else None
        return byheart.Memory(
            **{**given, "embedder": embedder, "noise": None, "single_valued": ["lives_in"], **HANDLES[handle]}
        )

    @contextmanager
    def place(self, names: Sequence[str]) -> Iterator[Callable[[str], byheart.Memory]]:
        """Give what opens handles on a new copy of what was there before, for these calls."""
        self._runs += 1
        own, shared, handles = self.folder / f"run{self._runs}", copied(self.start), list[byheart.Memory]()
        own.mkdir()
        if self.kind != "in process":
            shutil.copyfile(self.folder / self.kind, own / self.kind)

        def open_one(handle: str) -> byheart.Memory:
            handles.append(self.opened(shared if self.kind == "in process" else own / self.kind, handle))
            return handles[-1]

        yield open_one
        if self.kind != "in process":
            for handle in handles:
                handle.close()
            self._check_erased(own, replaces=any(name.startswith(REPLACING) for name in names))
        shutil.rmtree(own)

    def _check_erased(self, folder: Path, *, replaces: bool) -> None:
        """Assert that no file says what no record says; saved indexes are only asked where nothing was replaced."""
        with self.opened(folder / self.kind) as memory:
            said = " ".join(record.text for record in memory._engine.store.load()).lower()  # as indexes have it
        found = [path.read_bytes() for path in folder.glob("*" if replaces else "**/*") if path.is_file()]
        assert found
        left = [word for word in WORDS if word not in said and any(word.encode() in each for each in found)]
        assert not left, f"forgotten, and on the disk: {left}"

    def model(self, calls: tuple[tuple[str, str], ...]) -> Model:
        """Return what these calls give one after the other, each through such a handle."""
        if calls not in self._models:
            given = [(self.calls[name], partial(self.opened, handle=handle)) for name, handle in calls]
            self._models = {calls: Model(self.start, given, self.folder, vectors=self.keeps_vectors)}
        return self._models[calls]

    def run(
        self, programs: Sequence[Program], choose: Choose, *, handles: Sequence[str] = (), one: bool = False
    ) -> Scheduler:
        """Run programs side by side, and assert that an order of their calls explains what came of it.

        Args:
            programs: one for each thread.
            choose: who goes on.
            handles: what sort of handle each thread has; without it, each sees everything.
            one: whether all threads have the same handle.

        """
        sorts = list(handles) or ["whole"] * len(programs)
        calls = tuple((name, sort) for program, sort in zip(programs, sorts, strict=True) for name in program)
        with self.place([name for name, _ in calls]) as open_one:
            opened = [open_one(sort) for sort in (sorts[:1] if one else sorts)]
            for store in {id(each._engine.store): each._engine.store for each in opened}.values():
                stops_at_calls(store)
            if one:
                share(opened[0])
            done, scheduler = list[Done](), Scheduler(choose)
            clock, numbers = iter(range(10_000)), iter(range(len(calls)))
            acts = [
                self._act(opened[0 if one else which], [(next(numbers), name) for name in program], clock, done)
                for which, program in enumerate(programs)
            ]
            scheduler.run(acts)
            stored = State.of(opened[0]._engine.store, vectors=self.keeps_vectors)
            model = self.model(calls)
            assert model.explains(done, stored), "\n".join(
                [f"{self.kind}: no order explains {programs} of {sorts}", f"{scheduler.trace}", *model.told(done),
                 "stored:", *stored.records]
            )  # fmt: skip
            for sort in dict.fromkeys(sorts[: len(opened)]):
                check_handles([each for each, own in zip(opened, sorts, strict=False) if own == sort], open_one(sort))
        return scheduler

    def _act(
        self, memory: byheart.Memory, program: Sequence[tuple[int, str]], clock: Iterator[int], done: list[Done]
    ) -> Callable[[], None]:
        def act() -> None:
            for number, name in program:
                begin = next(clock)
                gave = outcome(self.calls[name], memory, self.folder)
                done.append(Done(number, begin, next(clock), gave))
                stop("between two calls")

        return act


def share(memory: byheart.Memory) -> None:
    """Have several threads use one handle: whoever waits for another one waits at the scheduler."""
    memory._engine.indexes.lock = Lock()  # type: ignore[assignment]
    store: Any = memory._engine.store
    session, text = getattr(store, "_session", None), getattr(store, "_store", None)
    if session is not None:
        session.pair.reading = session.reading = Lock()
        session._writing, session.pair._committing = Lock(), Lock()
    if text is not None:
        text._text.turn, store._turn = Lock(), Lock()


def check_handles(handles: Sequence[byheart.Memory], fresh: byheart.Memory) -> None:
    """Assert that handles answer like one that was opened now, and made its indexes of what is stored."""
    expected = answers(fresh)
    for handle in handles:
        assert answers(handle) == expected
        assert handle.check() == []


def answers(memory: byheart.Memory) -> list[dict[str, Any]]:
    """Return what a memory holds and finds."""
    profiles = ["kb-balanced", "kb-fast" if memory._engine.embedder is None else "dense"]
    found = [memory.recall(QUESTION, profile=profile, now=NOW).to_dict() for profile in profiles]
    return [*(record.to_dict() for record in memory.records()), *found]
