"""What: bytes a record of a lexical index, as the process grows. Corpus: Zipf, handed over in parts of 10,000.

One engine a process. Python's own allocator is switched off and the C library asked to give back what is free, before
and after; what remains is the index. byheart is built twice, with ids of 6 and of 32 characters, since it keeps them;
rivals number their documents. tantivy's index lies in memory, too.

    PYTHONMALLOC=malloc python benches/footprint.py --engine byheart --records 100000
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from itertools import islice

import corpora
from harness import emit, note, pin, resident
from lexical_engines import Bm25s, Bm25Turbo, Byheart, Engine, Tantivy

import byheart

PART = 10_000


def of_byheart(width: int) -> Callable[[int], object]:
    """Return a build that never holds more than one part of the corpus, with ids of this many characters."""

    def build(records: int) -> object:
        index = byheart.LexicalIndex(analyzer=byheart.Analyzer(stem=False, stop_words=None))
        with corpora.path_of("zipf", records).open(encoding="utf-8") as file:
            for start in range(0, records, PART):
                documents = list(islice(file, PART))
                index.add([f"{start + number:0{width}}" for number in range(len(documents))], documents)
        return index

    return build


def of_rival(kind: type[Engine]) -> Callable[[int], object]:
    """Return a build of a whole corpus; the texts are let go of before the second look."""

    def build(records: int) -> object:
        engine = kind(False)
        engine.build(corpora.load("zipf", records))
        return engine

    return build


BUILDS: dict[str, tuple[str, Callable[[int], object]]] = {
    "byheart": ("byheart", of_byheart(6)),
    "byheart-long-ids": ("byheart, ids of 32 characters", of_byheart(32)),
    "tantivy": (Tantivy.name, of_rival(Tantivy)),
    "bm25-turbo": (Bm25Turbo.name, of_rival(Bm25Turbo)),
    "bm25s": (Bm25s.name, of_rival(Bm25s)),
}


def main() -> None:
    """Measure one engine; print its name and its bytes a record."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", choices=BUILDS, required=True)
    parser.add_argument("--records", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    name, build = BUILDS[wanted.engine]
    note(f"bytes a record, {wanted.records:,} records: {name}")
    corpora.path_of("zipf", wanted.records)
    assert os.environ.get("PYTHONMALLOC") == "malloc", "Python's own arenas would be counted; set PYTHONMALLOC=malloc"
    if wanted.engine.startswith("byheart"):
        Byheart(False).build(["first use"])
    else:
        warm = build(10)
        del warm
    before = resident()
    kept = build(wanted.records)
    after = resident()
    emit({"area": "footprint", "engine": name, "bytes_a_record": (after - before) / wanted.records})
    del kept


if __name__ == "__main__":
    main()
