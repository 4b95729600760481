"""What: the majority of n hypervectors, n = 16, 64 and 512, the call from Python included. Corpus: vectors of the keys
"0", "1"... Compare: NumPy and C++ loops, which get one contiguous array; byheart gets a list of objects.
"""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
from baseline.build import load
from harness import emit, in_turns, note, pin, repeated, row

import byheart


def numpy_bundle(rows: np.ndarray) -> np.ndarray:
    """Return the majority of the rows; a tie gives 0."""
    ones = np.unpackbits(rows, axis=1).sum(axis=0, dtype=np.uint16)
    return np.packbits(2 * ones > len(rows))


def bundles(count: int) -> None:
    """Measure one size."""
    note(f"bundle of {count}")
    loops = load()
    vectors = [byheart.HyperVector.random(str(key)) for key in range(count)]
    rows = np.array([np.frombuffer(bytes(vector), dtype=np.uint8) for vector in vectors])
    samples = in_turns({
        "byheart": lambda: repeated(lambda: byheart.HyperVector.bundle(vectors)),
        f"NumPy {version('numpy')}": lambda: repeated(lambda: numpy_bundle(rows)),
        "C++ baseline": lambda: repeated(lambda: loops.bundle(rows)),
    })  # fmt: skip
    emit(row("bundle", f"{count} vectors", "us", samples))


def main() -> None:
    """Measure every size."""
    pin()
    for count in (16, 64, 512):
        bundles(count)


if __name__ == "__main__":
    main()
