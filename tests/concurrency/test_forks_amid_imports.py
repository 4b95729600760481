"""Forks while other threads import what is imported on use: no child waits for a thread that it has not got."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

BEGINNING = """
import importlib.abc, os, signal, sys, threading, time
import byheart

memory = byheart.Memory(noise=None)
memory.remember("a kettle", id="first")
byheart.__path__.append(sys.argv[1])

def child_that(work):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def done():
    import byheart.one, byheart.two
    assert byheart.one.DONE and byheart.two.DONE
    memory.remember("a pot", id="second")
"""
ONE_AFTER_THE_OTHER = """
def load():
    import byheart.one
    import byheart.two  # which nobody has begun to import when the fork begins

loader = threading.Thread(target=load)
loader.start()
while "byheart.one" not in sys.modules:
    pass
print(child_that(done))
loader.join()
"""
LOOKED_FOR = """
looking = threading.Event()

class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "byheart.two" and not looking.is_set():
            looking.set()
            time.sleep(1.0)  # as on a slow disk: the module is not there yet, and its lock is held

def load():
    import byheart.two

sys.meta_path.insert(0, Slow())
loader = threading.Thread(target=load)
loader.start()
looking.wait(60)
print(child_that(done))
loader.join()
"""


@pytest.mark.parametrize("how", [ONE_AFTER_THE_OTHER, LOOKED_FOR], ids=["one after the other", "looked for"])
def test_a_child_waits_for_no_import_of_the_parent(how: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("import time\ntime.sleep(0.7)\nDONE = True\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BEGINNING + how, tmp_path], capture_output=True, text=True, timeout=200
    )
    assert (done.stdout.strip(), done.stderr) == ("0", "")


FAILS = """
class Wrong(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "byheart.wrong":
            time.sleep(0.7)
            raise ImportError("there is none")

def load():
    try:
        import byheart.wrong
    except ImportError:
        print("none")

sys.meta_path.insert(0, Wrong())
loader = threading.Thread(target=load)
loader.start()
time.sleep(0.2)
print(child_that(done))
loader.join()
import byheart.one  # the lock is given back
"""


def test_an_import_that_fails_keeps_no_fork(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("DONE = True\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BEGINNING + FAILS, tmp_path], capture_output=True, text=True, timeout=200
    )
    assert (sorted(done.stdout.split()), done.stderr) == (["0", "none"], "")
