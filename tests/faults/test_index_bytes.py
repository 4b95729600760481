"""Damaged and forged index files end in a typed error or in an index that works; they cost little memory."""

import struct
import subprocess
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

import byheart
from byheart.errors import CorruptIndex, UnsupportedFormat

from .forging import put_together, string, take_apart, varint

QUERIES = ["red fox", "fox den owl", "東京"]


def lexical_index() -> byheart.LexicalIndex:
    index = byheart.LexicalIndex({"title": 1.5, "body": 1.0})
    documents = [{"title": "red fox", "body": "the fox runs to its den"}, {"body": "owl " * 300}, {"title": "東京 fox"}]
    index.add(["a", "b", "c"], documents, cells=["x", "y", "x"], labels=[None, "Role", None])
    return index


def vector_index() -> byheart.HypervectorIndex:
    index = byheart.HypervectorIndex({"topic": 0.6, "claim": 0.4}, combine="adaptive", floor=0.05)
    encode = byheart.HyperVector.encode_ngrams
    index.add(["a", "b"], [{"topic": encode(["fox"]), "claim": encode(["red", "fox"])}, {"claim": encode(["owl"])}])
    return index


def lexical_answers(index: byheart.LexicalIndex) -> list:
    """Return all that a few searches answer; check that each answer is an answer."""
    answers = [list(index.search(query, 5)) for query in QUERIES]
    answers.append(list(index.search("fox", 5, cells=["x"], boosts={"Role": 2.0})))
    for answer in answers:
        check_order(answer)
    for id, score in answers[0]:
        assert index.explain(QUERIES[0], id).score == score
    return answers


def vector_answers(index: byheart.HypervectorIndex) -> list:
    names = index.fields or {}
    vectors = {name: byheart.HyperVector.encode_ngrams(["red", "fox"]) for name in names}
    answers = [list(index.search(vectors or byheart.HyperVector.random("fox"), 5))]
    check_order(answers[0])
    return answers


def dense_index() -> byheart.DenseIndex:
    index = byheart.DenseIndex(3, (2, 3))
    index.add(["a", "b", "c"], array("f", [1, 2, 2, 0, -3, 4, 0, 0, 0]), cells=["x", "y", "x"])
    return index


def dense_answers(index: byheart.DenseIndex) -> list:
    vector = array("f", [1.0] * index.dimensions)
    thresholds = [0.5] * (len(index.tiers) - 1)
    answers = [list(index.search(vector, 5)), list(index.search(vector, 5, mode="early_exit", thresholds=thresholds))]
    for answer in answers:
        check_order(answer, least=-1.0)
        assert all(index.score(vector, id) == score for id, score in answer)
    return answers


def check_order(answer: list[tuple[str, float]], least: float = 0.0) -> None:
    assert all(least <= score < float("inf") for _, score in answer)
    assert answer == sorted(answer, key=lambda hit: (-hit[1], hit[0]))


KINDS = {
    "lexical": (lexical_index, byheart.LexicalIndex.from_bytes, lexical_answers),
    "hypervector": (vector_index, byheart.HypervectorIndex.from_bytes, vector_answers),
    "dense": (dense_index, byheart.DenseIndex.from_bytes, dense_answers),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_flipped_bit_and_every_cut_is_an_error(kind: str) -> None:
    make, read, _ = KINDS[kind]
    good = make().to_bytes()
    tried = 0
    for at in range(len(good)):
        for bit in range(8):
            bad = bytearray(good)
            bad[at] ^= 1 << bit
            with pytest.raises((CorruptIndex, UnsupportedFormat)):
                read(bytes(bad))
        with pytest.raises(CorruptIndex):
            read(good[:at])
        tried += 9
    with pytest.raises(CorruptIndex):
        read(good + b"\0")
    assert tried == 9 * len(good) >= 9 * 100


def forgeries(good: bytes) -> Iterator[bytes]:
    """Yield the file with one byte of one section changed, left out or put in, the checksums made to fit."""
    kind, sections = take_apart(good)
    assert put_together(kind, sections) == good
    for number, (tag, payload) in enumerate(sections):
        for at in range(len(payload)):
            own = payload[at]
            others = {own ^ 1, own ^ 0x80, own ^ 0xFF, own - 1 & 0xFF, own + 1 & 0xFF, 0, 0x7F, 0xFF} - {own}
            changed = [payload[:at] + bytes([other]) + payload[at + 1 :] for other in sorted(others)]
            changed += [payload[:at] + payload[at + 1 :], payload[:at] + payload[at : at + 1] + payload[at:]]
            for other in [*changed, payload[:at]]:
                yield put_together(kind, [*sections[:number], (tag, other), *sections[number + 1 :]])
        yield put_together(kind, sections[:number] + sections[number + 1 :])
        yield put_together(kind, [*sections[:number], sections[number], *sections[number:]])


@pytest.mark.parametrize("kind", KINDS)
def test_damage_under_a_right_checksum_is_an_error_or_an_index_that_works(kind: str) -> None:
    make, read, answers = KINDS[kind]
    seen: Counter[str] = Counter()
    for forged in forgeries(make().to_bytes()):
        try:
            index = read(forged)
        except (CorruptIndex, UnsupportedFormat):
            seen["refused"] += 1
            continue
        found = answers(index)
        again = read(index.to_bytes())
        assert answers(again) == found
        assert again.to_bytes() == index.to_bytes()
        assert index.remove(["a", "b", "c"]) <= 3
        answers(index)
        seen["works"] += 1
    assert seen["refused"] >= 500 and seen["works"] >= 100, seen


GENERATOR = "xxh3-splitmix64"
COUNT = struct.Struct("<Q").pack
NUMBER = struct.Struct("<d").pack


def fields_of(count: int) -> bytes:
    return COUNT(count) + b"".join(string(f"f{n}") + NUMBER(1.0) for n in range(count))


def directory(cells: Mapping[str, Sequence[str]]) -> tuple[bytes, bytes]:
    """Return the section that names the records: cells by key, the ids in each."""
    named = [string(key) + COUNT(len(ids)) + b"".join(map(string, ids)) for key, ids in cells.items()]
    return b"DIRE", COUNT(len(named)) + b"".join(named)


def lexical_file(fields: int, terms: list[str], cells: Mapping[str, Sequence[str]], records: list[bytes]) -> bytes:
    settings = string("unicode+english+porter") + NUMBER(1.2) + NUMBER(0.75) + fields_of(fields)
    words = COUNT(len(terms)) + b"".join(map(string, terms))
    own = [(b"LEXS", settings), (b"TERM", words), (b"LEXR", COUNT(len(records)) + b"".join(records))]
    return put_together(b"LEXI", [directory(cells), *own])


def vector_file(fields: int, cells: Mapping[str, Sequence[str]]) -> bytes:
    """Return the bytes of records without any vector."""
    settings = string(GENERATOR) + fields_of(fields) + string("sum") + NUMBER(0.0)
    records = COUNT(len(cells)) + b"".join(COUNT(len(ids)) + b"\0\0" * len(ids) for ids in cells.values())
    return put_together(b"HDCV", [directory(cells), (b"HDCS", settings), (b"HDCR", records)])


def dense_file(tiers: int, cells: list[bytes], rows: int) -> bytes:
    """Return a dense index of cells, each with its key and its records, and a row of zeros for each of so many."""
    head = COUNT(tiers) + b"".join(struct.pack("<I", tier) for tier in range(1, tiers + 1))
    records = COUNT(len(cells)) + b"".join(cells)
    numbers = COUNT(rows) + b"\0" * rows + bytes(4 * tiers * rows)
    return put_together(b"DENS", [(b"DIRE", records), (b"TIER", head), (b"ROWS", numbers)])


def record(counts: list[tuple[int, int, int]]) -> bytes:
    """Return a lexical record, the next one of the directory; counts are (term, field, how often)."""
    numbers = b"".join(varint(term) + bytes([field]) + varint(count) for term, field, count in counts)
    return varint(0) + string("") + COUNT(len(counts)) + numbers


IDS = sorted(f"{n:x}" for n in range(60_000))
TOGETHER = {"": IDS}
APART = {id: [id] for id in IDS}

# The dearest files for their size that the format allows, everything small and many: fields, cells, the file.
DEAR: dict[str, tuple[int, int, Callable[[], bytes]]] = {
    "lexical, records of nothing": (64, 1, lambda: lexical_file(64, [], TOGETHER, [record([])] * len(IDS))),
    "lexical, a cell each": (64, len(IDS), lambda: lexical_file(64, [], APART, [record([])] * len(IDS))),
    "lexical, a cell each, the last field": (
        64,
        len(IDS),
        lambda: lexical_file(64, ["a"], APART, [record([(0, 63, 1)])] * len(IDS)),
    ),
    "lexical, the last field once": (
        64,
        1,
        lambda: lexical_file(64, ["a"], TOGETHER, [*[record([])] * (len(IDS) - 1), record([(0, 63, 1)])]),
    ),
    "lexical, a term each": (
        1,
        1,
        lambda: lexical_file(1, IDS, TOGETHER, [record([(n, 0, 1)]) for n in range(len(IDS))]),
    ),
    "hypervector, records of nothing": (
        32,
        1,
        lambda: vector_file(32, TOGETHER),
    ),
    "dense, a cell each, eight tiers": (
        8 * 4,  # codes, scales, errors and rests of each
        len(IDS),
        lambda: dense_file(8, [string(id) + COUNT(1) + string(id) for id in IDS], len(IDS)),
    ),
    "hypervector, a cell each": (
        32,
        len(IDS),
        lambda: vector_file(32, APART),
    ),
}

LOAD = """
import sys
import byheart

def size(which):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(which))

data = open(sys.argv[2], "rb").read()
before = size("VmRSS")
index = getattr(byheart, sys.argv[1]).from_bytes(data)
print(len(index), size("VmHWM") - before)
"""

# What an index may cost at most while it is read: its file so many times, and for each cell and field an empty
# column. The columns lie side by side for the scan; 32 or 64 of them in cells of one record are what is dear.
TIMES_THE_FILE = 48
BYTES_A_COLUMN = 128


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc for the size of a process")
@pytest.mark.parametrize("name", DEAR)
def test_the_dearest_files_cost_what_is_stated(name: str, tmp_path: Path) -> None:
    fields, cells, make = DEAR[name]
    path = tmp_path / "index"
    path.write_bytes(make())
    kinds = {"lexical": "LexicalIndex", "hypervector": "HypervectorIndex", "dense": "DenseIndex"}
    kind = kinds[name.partition(",")[0]]
    run = subprocess.run([sys.executable, "-c", LOAD, kind, str(path)], capture_output=True, text=True, check=True)
    records, cost = map(int, run.stdout.split())
    size = path.stat().st_size
    print(f"{name}: {size:,} bytes, {cost / size:.1f} times that to read")
    assert records >= len(IDS)
    assert cost <= TIMES_THE_FILE * size + BYTES_A_COLUMN * fields * cells


@pytest.mark.parametrize("length", [255, 256, 65_535, 65_536, 1_000_000])
def test_a_term_longer_than_terms_are_is_refused(length: int) -> None:
    """A term of 64 kB was taken for granted, and ended in a panic."""
    forged = lexical_file(1, ["a" * length], {"": ["r"]}, [record([(0, 0, 1)])])
    if length <= 255:
        assert byheart.LexicalIndex.from_bytes(forged).search(["a" * length]).ids == ["r"]
    else:
        with pytest.raises(CorruptIndex, match="TERM"):
            byheart.LexicalIndex.from_bytes(forged)


@pytest.mark.parametrize("claim", [2**63, 2**40, 2**31])
def test_claims_of_more_than_is_there_are_refused_before_anything_is_allocated(claim: int) -> None:
    settings = string("unicode+english+porter") + NUMBER(1.2) + NUMBER(0.75)
    one = fields_of(1)
    named = directory({"": ["a"]})
    head, nothing = (b"LEXS", settings + one), (b"TERM", COUNT(0))
    files = [
        [(b"DIRE", COUNT(claim))],
        [(b"DIRE", COUNT(1) + string("") + COUNT(claim))],
        [named, (b"LEXS", settings + COUNT(claim))],
        [named, head, (b"TERM", COUNT(claim))],
        [named, head, nothing, (b"LEXR", COUNT(claim))],
        [named, head, nothing, (b"LEXR", COUNT(1) + b"\0\0" + COUNT(claim))],
    ]
    for sections in files:
        with pytest.raises(CorruptIndex):
            byheart.LexicalIndex.from_bytes(put_together(b"LEXI", sections))
    fields = string(GENERATOR) + fields_of(0) + string("sum") + NUMBER(0.0)
    for records in (COUNT(claim), COUNT(1) + COUNT(claim)):
        with pytest.raises(CorruptIndex):
            byheart.HypervectorIndex.from_bytes(put_together(b"HDCV", [named, (b"HDCS", fields), (b"HDCR", records)]))
    tiers = COUNT(1) + struct.pack("<I", 4)
    nobody = COUNT(0)
    for sections in (
        [(b"DIRE", COUNT(claim))],
        [(b"DIRE", COUNT(1) + string("") + COUNT(claim))],
        [(b"DIRE", nobody), (b"TIER", COUNT(claim))],
        [(b"DIRE", nobody), (b"TIER", tiers), (b"ROWS", COUNT(claim))],
    ):
        with pytest.raises(CorruptIndex):
            byheart.DenseIndex.from_bytes(put_together(b"DENS", sections))


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_of_an_older_format_are_named_as_such(kind: str) -> None:
    make, read, _ = KINDS[kind]
    written, sections = take_apart(make().to_bytes())
    with pytest.raises(UnsupportedFormat, match="format 1 cannot be read"):
        read(put_together(written, sections, version=1))
