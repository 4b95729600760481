"""A change of embedders that is killed goes on where it stopped; until it is done, the old vectors answer."""

import subprocess
import sys
from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import FingerprintMismatch

RECORDS = [{"id": f"r{number}", "text": f"word{number} thing{number % 3}"} for number in range(20)]

# Dies, as by `kill -9`, inside the call for its third batch.
CHILD = """
import os, signal, sys
import byheart
from byheart.embedding import HashingEmbedder

class Dying(HashingEmbedder):
    calls = 0
    def embed_documents(self, texts):
        Dying.calls += 1
        if Dying.calls == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().embed_documents(texts)

byheart.Memory(sys.argv[1], embedder=HashingEmbedder(32)).embed(Dying(64), batch=5)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_change_of_embedders_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path, old, new = tmp_path / "memory.db", HashingEmbedder(32), HashingEmbedder(64)
    with byheart.Memory(path, embedder=old) as memory:
        memory.remember_many(RECORDS)
        before = [(hit.id, hit.score) for hit in memory.recall("word7", profile="dense")]
    died = subprocess.run([sys.executable, "-c", CHILD, str(path)], check=False, timeout=60)
    assert died.returncode == -9
    with pytest.raises(FingerprintMismatch):
        byheart.Memory(path, embedder=new)
    with byheart.Memory(path, embedder=old) as memory:
        assert [(hit.id, hit.score) for hit in memory.recall("word7", profile="dense")] == before
        done = memory.embed(new, batch=5)
        assert (done.made, done.kept, done.previous) == (10, 10, str(old.fingerprint))
        assert memory.check() == []
    with byheart.Memory(path, embedder=new) as memory, byheart.Memory(embedder=new) as fresh:
        fresh.remember_many(RECORDS)
        for query in ("word7", "thing1 word4"):
            assert [(hit.id, hit.score) for hit in memory.recall(query, profile="dense")] == [
                (hit.id, hit.score) for hit in fresh.recall(query, profile="dense")
            ]
