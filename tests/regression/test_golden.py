"""Scores never change unnoticed: one committed digest for every instruction set, thread count, order and hash seed.

A change that means to change scores writes them anew, and says why in CHANGELOG.md:
`.venv/bin/python tests/regression/digests.py golden > tests/regression/golden.json`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from byheart._core import available_isas

HERE = Path(__file__).parent
GOLDEN = json.loads((HERE / "golden.json").read_text(encoding="utf-8"))


def run(isa: str, hash_seed: str) -> dict:
    """Return what `digests.py` prints in a process of its own."""
    environment = {**os.environ, "BYHEART_ISA": isa, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, str(HERE / "digests.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("isa", ["portable", "avx2", "avx512"])
@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_scores_are_the_committed_ones(isa: str, hash_seed: str) -> None:
    if isa not in available_isas():
        pytest.skip(f"this processor has no {isa}")
    answer = run(isa, hash_seed)
    print(f"instruction set that was run: {answer['isa']}, hash seed {hash_seed}")
    assert answer["isa"] == isa
    assert len(answer["ways"]) == 9, "three orders before and after bytes, three memories"
    compared = set()
    for way, digests in answer["ways"].items():
        assert digests == {name: GOLDEN[name] for name in digests}, way
        compared |= digests.keys()
    assert compared == GOLDEN.keys()
