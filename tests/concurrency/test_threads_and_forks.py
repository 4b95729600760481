"""Searches in threads, in forked children, and under Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time
from array import array

import pytest

import byheart
from byheart.light.once import once

TEXTS = [f"record {n} speaks of topic{n % 97} and topic{n % 89}" for n in range(3_000)]
IDS = [f"r{n}" for n in range(len(TEXTS))]


def filled():
    index = byheart.LexicalIndex()
    index.add(IDS, TEXTS)
    return index


def test_readers_and_a_writer_share_an_index():
    index, failures = filled(), []
    expected = list(index.search("topic5 topic7", 20))
    stop = threading.Event()

    def read():
        while not stop.is_set():
            ranking = index.search("topic5 topic7", 20)
            if len(ranking) != 20:
                failures.append(len(ranking))

    def write():
        for turn in range(60):
            index.add(["extra"], [f"topic5 topic7 turn {turn}"])
            index.remove(["extra"])

    readers = [threading.Thread(target=read) for _ in range(7)]
    for thread in readers:
        thread.start()
    write()
    stop.set()
    for thread in readers:
        thread.join()
    assert not failures
    assert list(index.search("topic5 topic7", 20)) == expected


def test_a_dense_index_is_searched_while_it_changes():
    index, failures, stop = byheart.DenseIndex(64, (16, 64)), [], threading.Event()
    rows = [array("f", [(n * m % 31) - 15.0 for m in range(64)]) for n in range(1, 501)]
    index.add([f"r{n}" for n in range(500)], rows)
    expected = [list(found) for found in index.search_many(rows[:40], 5)]

    def read():
        while not stop.is_set():
            found = index.search_many(rows[:40], 6, threads=2)
            if [[hit for hit in one if hit[0] != "extra"][:5] for one in found] != expected:
                failures.append(found)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for thread in readers:
        thread.start()
    for turn in range(60):
        index.add(["extra"], [rows[turn]])
        index.remove(["extra"])
    stop.set()
    for thread in readers:
        thread.join()
    assert not failures
    assert [list(found) for found in index.search_many(rows[:40], 5)] == expected


def test_a_memory_is_written_by_many_threads():
    memory = byheart.Memory()
    threads = [
        threading.Thread(target=lambda part=part: [memory.remember(text) for text in TEXTS[part::8][:40]])
        for part in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory.stats()["records"] == 320


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_searches_as_its_parent_does():
    index = filled()
    expected = list(index.search("topic5", 10))
    index.search_many(["topic5"] * 100, threads=4)
    child = os.fork()
    if child == 0:  # the child ends here, whatever happens
        good = False
        try:
            answers = index.search_many(["topic5"] * 10, threads=4)
            good = all(list(found) == expected for found in answers)
        finally:
            os._exit(0 if good else 1)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child hung")


INTERRUPTED = """
import byheart, os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process started in the background may ignore it
index = byheart.LexicalIndex()
index.add(["kept"], ["kept"])
documents = ["some words that repeat " * 40] * 200_000
ids = [str(n) for n in range(len(documents))]
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    index.add(ids, documents)
    print("finished")
except KeyboardInterrupt:
    print("interrupted", len(index), index.search("kept").ids)
"""


def test_ctrl_c_ends_a_bulk_add_and_leaves_the_index_as_it_was():
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.split("\n")[0] == "interrupted 1 ['kept']", run


ISA = """
import array, byheart, byheart._core, hashlib
index = byheart.HypervectorIndex({"a": .6, "b": .4}, combine="adaptive", floor=.05)
lexical = byheart.LexicalIndex({"a": 1.0, "b": .5})
words = [f"w{n * n % 31}" for n in range(400)]
parts = [words[n:n + n % 9 + 1] for n in range(300)]
ids = [str(n) for n in range(300)]
ngrams, subwords = byheart.HyperVector.encode_ngrams, byheart.HyperVector.encode_subwords
index.add(ids, [{"a": ngrams(p), "b": subwords(p[:2])} for p in parts])
lexical.add(ids, [{"a": " ".join(p), "b": p[0]} for p in parts])
dense = byheart.DenseIndex(100, (16, 64, 100))
rows = [array.array("f", [(n * m * 7919 % 1009 - 500) / (m + 3) for m in range(100)]) for n in range(1, 301)]
dense.add(ids, rows)
digest = hashlib.sha256()
for row in rows[:60]:
    for mode in ("exact", "early_exit", "approx"):
        found = dense.search(row, 7, mode=mode, thresholds=[.9999, .999], time_budget_ms=None)
        digest.update(repr([(id, score.hex()) for id, score in found] + found.trace).encode())
for p in parts:
    query = {"a": ngrams(p[:3]), "b": byheart.HyperVector.encode_tokens(p)}
    for found in (index.search(query, 7), lexical.search(p, 7)):
        digest.update(repr([(id, score.hex()) for id, score in found]).encode())
print(byheart._core.active_isa(), digest.hexdigest())
"""


def test_every_instruction_set_gives_the_same_bits():
    from byheart._core import available_isas

    digests = {}
    for isa in available_isas():
        run = subprocess.run(
            [sys.executable, "-c", ISA],
            env={**os.environ, "BYHEART_ISA": isa},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        active, digest = run.stdout.split()
        assert active == isa
        digests[isa] = digest
    print("instruction sets that were run:", ", ".join(digests))
    assert "portable" in digests
    assert len(set(digests.values())) == 1


def test_an_unknown_instruction_set_is_refused():
    run = subprocess.run(
        [sys.executable, "-c", "import byheart; byheart.LexicalIndex().search('x')"],
        env={**os.environ, "BYHEART_ISA": "sse9"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 1
    assert "InvalidArgument" in run.stderr and "sse9" in run.stderr


FORKED = """
import os, signal, sys, threading, traceback
import byheart
from byheart.light.once import once

kinds, folder = sys.argv[1].split(","), sys.argv[2]
memories = [byheart.Memory(None if kind == "none" else os.path.join(folder, kind), noise=None) for kind in kinds]
for memory in memories:  # what is imported on use is imported
    memory.remember("a kettle", id="first")
    memory.update("first", text="a kettle of ours")
    assert memory.recall("kettle") and memory.forget("first").ids
stop = threading.Event()

def write(memory, name):
    number = 0
    while not stop.is_set():
        number += 1
        memory.remember(f"kettle {name} {number}", id=f"{name}-{number % 40}")
        if number % 3 == 0:
            memory.recall("kettle", 3)
        if number % 5 == 0:
            memory.forget(f"{name}-{number % 40}")

threads = [threading.Thread(target=write, args=(memory, f"w{n}")) for memory in memories for n in range(3)]
for thread in threads:
    thread.start()
ends = []
for number in range(6):
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # a child that waits for a lock which nobody will give back
        end = 1
        try:
            for memory, kind in zip(memories, kinds):
                memory.remember(f"child {number}", id=f"c{number}")
                assert [hit.id for hit in memory.recall(f"child {number}", 1)], kind
                memory.update(f"c{number}", text=f"child {number} again")
                assert memory.get(f"c{number}").text.endswith("again")
                memory.remember("gone soon", id=f"g{number}")
                assert memory.forget(f"g{number}").ids == (f"g{number}",)
                assert memory.check() == []
            end = 0
        except BaseException:
            traceback.print_exc()  # else nobody knows why a child ended with 1
        finally:
            os._exit(end)
    ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stop.set()
for thread in threads:
    thread.join()
for memory, kind in zip(memories, kinds):
    there = {record.id for record in memory.records()}
    assert kind == "none" or there >= {f"c{number}" for number in range(6)}, kind
    assert memory.check() == []
print(ends)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("kinds", ["none", "memory.jsonl", "none,memory.db,memory.jsonl", "memory.db,none"])
def test_a_child_forked_amid_writes_of_other_threads_writes_too(kinds, tmp_path):
    """Whichever is opened first: the locks of its indexes, of which no file is said, are nobody's in the child."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED, kinds, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert (done.stdout.strip(), done.stderr) == (str([0] * 6), "")


READ = """
import os, signal, sys, threading
import byheart
from byheart.light.once import once

memory = byheart.Memory(noise=None)
memory.remember("a kettle", id="first")
store = memory._engine.store
taken, over = threading.Event(), threading.Event()

def read():
    with store._turn:  # as who reads while a write is noted
        taken.set()
        over.wait(60)

def load():
    sys.path.insert(0, sys.argv[1])
    import byheart.slowly

reader = threading.Thread(target=read)
reader.start()
taken.wait(60)
byheart.__path__.append(sys.argv[1])
loader = threading.Thread(target=load)
loader.start()
while "byheart.slowly" not in sys.modules:
    pass
child = os.fork()
if child == 0:
    signal.alarm(30)
    import byheart.slowly
    memory.remember("a pot", id="second")
    os._exit(0 if memory.get("second").text == "a pot" and byheart.slowly.DONE else 1)
end = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
over.set()
reader.join()
loader.join()
print(end)
"""


def test_a_child_waits_neither_for_a_reader_nor_for_an_import_of_the_parent(tmp_path):
    (tmp_path / "slowly.py").write_text("import time\ntime.sleep(1.0)\nDONE = True\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READ, str(tmp_path)], capture_output=True, text=True, timeout=200
    )
    assert (done.stdout.strip(), done.stderr) == ("0", "")


AMID = """
import os, signal, threading
from byheart.light.once import once

began, go = threading.Event(), threading.Event()

class Slow:
    def __init__(self, waits):
        self.waits = waits

    @once
    def value(self):
        if self.waits:
            began.set()
            go.wait(60)
        return 1

thread = threading.Thread(target=lambda: Slow(True).value)
thread.start()
began.wait(60)
child = os.fork()
if child == 0:
    signal.alarm(10)
    os._exit(0 if Slow(False).value == 1 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
go.set()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_forked_while_an_attribute_is_worked_out_works_out_its_own():
    """As while a thread compiles an expression: `functools.cached_property` kept a lock, for which the child waited."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", AMID], capture_output=True, text=True, timeout=100)
    assert (done.stdout.strip(), done.stderr) == ("0", "")


def test_threads_that_ask_at_once_have_the_same_attribute():
    both = threading.Barrier(2)

    class Kept:
        @once
        def value(self) -> object:
            both.wait(60)
            return object()

    kept, found = Kept(), []
    threads = [threading.Thread(target=lambda: found.append(kept.value)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] is found[1] is kept.value
