"""What unrelated texts reach by a model: found out once, or said by the embedder, and counted as nothing in `auto`."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread, current_thread, main_thread

import numpy as np
import pytest

from byheart import Memory
from byheart.embedding import CachedEmbedder, Fingerprint, HashingEmbedder
from byheart.embedding.protocol import Vectors
from byheart.embedding.unrelated import MOST, NOTES, QUESTIONS, TRIES, unrelated_cosine
from byheart.errors import InvalidArgument

TEXTS = ["The kettle is descaled every spring.", "Ann lives in Oslo.", "The bath leaks.", "Choir starts at six."]
ASKED = ["when is the kettle descaled?", "when is the choir starting?", "leaking baths", "how do I renew a passport?"]


class Raised:
    """A model of which each cosine is `base` + (1 - base) times that of another one."""

    def __init__(self, base: float, family: str = "raised") -> None:
        self.base, self.inner, self.asked = base, HashingEmbedder(256), list[str]()
        self.dimensions = 257
        self.fingerprint = Fingerprint(family, 257, True, "", "", str(base))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = self.inner.embed_documents(texts).astype(np.float64)
        there = np.any(rows != 0.0, axis=1, keepdims=True)
        raised = np.hstack([rows * np.sqrt(1.0 - self.base), there * np.sqrt(self.base)])
        return (raised / np.maximum(np.linalg.norm(raised, axis=1, keepdims=True), 1e-9)).astype(np.float32)

    embed_queries = embed_documents


def answers(embedder: Raised) -> list[list[tuple[str, float]]]:
    memory = Memory(embedder=embedder)
    memory.remember_many([{"text": text, "id": text[:8]} for text in TEXTS])
    return [[(hit.id, hit.score) for hit in memory.recall(text)] for text in ASKED]


@pytest.mark.parametrize("base", [0.4, 0.7, 0.85])
def test_how_far_all_cosines_are_raised_changes_no_answer(base: float) -> None:
    plain, raised = answers(Raised(0.0)), answers(Raised(base))
    assert any(plain)
    for these, those in zip(plain, raised, strict=True):
        assert [id for id, _ in those] == [id for id, _ in these]
        assert [score for _, score in those] == pytest.approx([score for _, score in these], abs=0.02)


TALK = [
    "How was your day at the office?", "Long, we moved all the desks around.", "The Skoda failed its inspection.",
    "Which film did you see on Sunday?", "Something about octopuses, we loved it.", "Did you call the plumber?",
]  # fmt: skip


@pytest.mark.parametrize("base", [0.5, 0.9])
def test_turns_around_a_turn_count_as_little(base: float) -> None:
    found = []
    for embedder in (Raised(0.0), Raised(base)):
        memory = Memory(embedder=embedder)
        for number, text in enumerate(TALK):
            memory.remember(text, id=f"t{number}", user_id="ann", session_id="s", created_at=number)
        answers = [memory.recall(text, explain=True) for text in ("Did the Skoda fail?", "Quantum chromodynamics?")]
        found.append([[(hit.id, pytest.approx(hit.score, abs=0.02)) for hit in answer] for answer in answers])
        for answer in answers:
            assert [(hit.id, hit.score) for hit in memory.recall(answer.receipt.query)] == [
                (hit.id, hit.score) for hit in answer
            ]
            for hit in answer:
                assert hit.explanation is not None and hit.explanation.recomputed() == hit.score
    assert found[0][0] and found[0] == found[1]


def test_it_is_the_greatest_of_all_pairs_up_to_the_next_thousandth() -> None:
    embedder = Raised(0.5)
    rows = embedder.embed_queries(QUESTIONS).astype(np.float64) @ embedder.embed_documents(NOTES).T.astype(np.float64)
    assert 0.0 <= unrelated_cosine(embedder) - rows.max() <= 0.001


def test_it_is_asked_for_once_and_by_auto_alone() -> None:
    embedder = Raised(0.7)
    memory = Memory(embedder=embedder)
    memory.remember_many(TEXTS)
    memory.recall("leaks", profile="hybrid")
    assert not set(NOTES) & set(embedder.asked)
    for text in ASKED:
        memory.recall(text)
        memory.recall(text, explain=True)
    assert sorted(text for text in embedder.asked if text in (*NOTES, *QUESTIONS)) == sorted((*NOTES, *QUESTIONS))


def test_a_measured_model_is_not_asked() -> None:
    embedder = Raised(0.0, family="hashing")
    answers(embedder)
    assert not set(NOTES) & set(embedder.asked)


def test_what_an_embedder_says_is_taken() -> None:
    embedder = Raised(0.7)
    embedder.unrelated = 0.8  # type: ignore[attr-defined]
    memory = Memory(embedder=embedder)
    memory.remember_many(TEXTS)
    hit = memory.recall("the bath leaks", explain=True)[0]
    assert "cosine above 0.8" in str(hit.explanation)
    assert hit.explanation is not None and hit.explanation.recomputed() == hit.score
    assert not set(NOTES) & set(embedder.asked)


@pytest.mark.parametrize("said", [True, "high", -0.1, 1.1, float("nan")])
def test_what_it_says_may_be_no_cosine(said: object) -> None:
    embedder = Raised(0.7)
    embedder.unrelated = said  # type: ignore[attr-defined]
    with pytest.raises(InvalidArgument, match="unrelated of the embedder"):
        unrelated_cosine(embedder)
    memory = Memory(embedder=embedder)
    memory.remember_many(TEXTS)
    answer = memory.recall("the bath leaks")
    assert answer.hits and "which cosines unrelated texts have is not known" in answer.degraded[0]


def test_one_that_tells_nothing_apart_leaves_what_is_the_same() -> None:
    class Same(Raised):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            return np.tile(np.float32([0.0] * 256 + [1.0]), (len(texts), 1))

        embed_queries = embed_documents

    assert unrelated_cosine(Same(0.0)) == MOST


def test_what_answers_to_any_name_says_nothing() -> None:
    class Any(Raised):
        def unrelated(self) -> None:
            raise AssertionError("nobody calls it")

    assert unrelated_cosine(Any(0.5)) == unrelated_cosine(Raised(0.5))


def test_many_threads_ask_it_once() -> None:
    embedder = Raised(0.7)
    memory = Memory(embedder=embedder)
    memory.remember_many(TEXTS)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(memory.recall, ASKED * 4))
    assert sum(text in NOTES for text in embedder.asked) == len(NOTES)


def test_one_that_recovers_is_asked_again() -> None:
    offline = True

    class Hub(Raised):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            if offline and set(texts) & {*NOTES, *QUESTIONS}:
                raise TimeoutError
            return super().embed_documents(texts)

        embed_queries = embed_documents

    memory = Memory(embedder=Hub(0.7))
    memory.remember_many(TEXTS)
    assert all(memory.recall(text).degraded for text in ASKED)
    offline = False
    assert [memory.recall(ASKED[0]).degraded for _ in range(8)][-1] == ()


def test_what_it_says_is_taken_behind_a_cache_and_of_numpy() -> None:
    embedder = Raised(0.7)
    embedder.unrelated = np.float32(0.75)  # type: ignore[attr-defined]
    assert unrelated_cosine(CachedEmbedder(embedder)) == 0.75
    assert unrelated_cosine(CachedEmbedder(Raised(0.0))) == unrelated_cosine(Raised(0.0))


def test_one_that_knows_its_own_texts_alone_says_so() -> None:
    class Own(Raised):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            if set(texts) & {*NOTES, *QUESTIONS}:
                raise KeyError("a text of somebody else")
            return super().embed_documents(texts)

        embed_queries = embed_documents

    memory = Memory(embedder=Own(0.0))
    memory.remember_many(TEXTS)
    answer = memory.recall("the bath leaks")
    assert answer[0].text == "The bath leaks."
    assert any("which cosines unrelated texts have is not known" in said for said in answer.degraded)
    tried = 0

    class Counted(Own):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            nonlocal tried
            tried += bool(set(texts) & {*NOTES, *QUESTIONS})
            return super().embed_documents(texts)

        embed_queries = embed_documents

    memory = Memory(embedder=Counted(0.0))
    memory.remember_many(TEXTS)
    answers = [memory.recall(text, explain=True).degraded for text in ASKED * 2]
    assert tried == TRIES + 2, "and at the fourth and the eighth that is wanted"
    assert all("give the embedder an attribute `unrelated`" in said for [said] in answers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_amid_the_measuring_answers() -> None:
    """The thread that asks the embedder is not in the child, and nobody there waits for it."""
    asked, go_on = Event(), Event()

    class Slow(Raised):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            if set(texts) & set(QUESTIONS) and current_thread() is not main_thread():
                asked.set()
                go_on.wait(60)
            return super().embed_documents(texts)

        embed_queries = embed_documents

    memory = Memory(embedder=Slow(0.7))
    memory.remember_many(TEXTS)
    thread = Thread(target=memory.recall, args=(ASKED[0],))
    thread.start()
    assert asked.wait(60)
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        signal.alarm(20)
        os._exit(0 if memory.recall(ASKED[0]).hits else 1)
    _, status = os.waitpid(child, 0)
    go_on.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 0
