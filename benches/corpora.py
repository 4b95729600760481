"""The texts that are searched, and the questions put to them: seeded, the same for byheart and every rival.

Zipf: documents of a vocabulary of 200,000 words `w0`, `w1`..., drawn by Zipf-Mandelbrot, p(r) ~ 1 / (r + 2.7)^1.07;
lengths are lognormal with mean 61. They come in blocks of 10,000 with a seed each, so a smaller corpus is the beginning
of a larger one. English: turns of about 26 words, walked along the word pairs of Python's own help texts.

A corpus is written once, one document a line, below `target/bench/corpora`, and read from there by every process.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "target" / "bench" / "corpora"
SEED = 7
VOCABULARY = 200_000
HEAD = 100
BLOCK = 10_000
MEAN_LENGTH = 61
MEAN_TURN = 26


def _zipf_block(number: int, cumulative: np.ndarray, words: np.ndarray) -> Iterator[str]:
    """Give the documents of one block."""
    draw = np.random.default_rng([SEED, number])
    lengths = np.clip(draw.lognormal(np.log(MEAN_LENGTH) - 0.125, 0.5, BLOCK).astype(np.int64), 5, 400)
    tokens = words[np.searchsorted(cumulative, draw.random(int(lengths.sum())))]
    end = 0
    for length in lengths:
        end += int(length)
        yield " ".join(tokens[end - int(length) : end])


def zipf_documents(records: int) -> Iterator[str]:
    """Give the first `records` documents of the Zipf corpus."""
    weights = 1.0 / (np.arange(1, VOCABULARY + 1) + 2.7) ** 1.07
    cumulative = np.cumsum(weights / weights.sum())
    cumulative[-1] = 1.0
    words = np.array([f"w{rank}" for rank in range(VOCABULARY)], dtype=object)
    for start in range(0, records, BLOCK):
        block = _zipf_block(start // BLOCK, cumulative, words)
        for _, document in zip(range(min(BLOCK, records - start)), block, strict=False):
            yield document


def english_words() -> list[str]:
    """Return the running words of Python's help texts, without their code and tables."""
    from pydoc_data.topics import topics

    lines = (line for name in sorted(topics) for line in topics[name].splitlines())
    prose = (line for line in lines if line[:1].isalpha() and "::=" not in line)
    return [word for line in prose for word in line.split()]


def english_documents(records: int) -> Iterator[str]:
    """Give turns: chains in which each word has followed the two before it somewhere in the help texts."""
    words = english_words()
    followers: dict[tuple[str, str], list[str]] = {}
    for first, second, third in zip(words, words[1:], words[2:], strict=False):
        followers.setdefault((first, second), []).append(third)
    starts, draw = list(followers), random.Random(SEED)
    for _ in range(records):
        length = max(5, min(120, round(draw.lognormvariate(np.log(MEAN_TURN) - 0.125, 0.5))))
        turn = list(draw.choice(starts))
        while len(turn) < length:
            turn.append(draw.choice(followers.get((turn[-2], turn[-1]), words)))
        yield " ".join(turn)


SOURCES = {"zipf": zipf_documents, "english": english_documents}


def path_of(corpus: str, records: int) -> Path:
    """Return the file of a corpus; it is written first if it is not there."""
    path = FOLDER / f"{corpus}-{SEED}-{records}.txt"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".new")
        with partial.open("w", encoding="utf-8") as file:
            file.writelines(f"{document}\n" for document in SOURCES[corpus](records))
        partial.rename(path)
    return path


def load(corpus: str, records: int) -> list[str]:
    """Return the documents of a corpus."""
    with path_of(corpus, records).open(encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def checksum(corpus: str, records: int) -> str:
    """Return the CRC-32 of a corpus, so that two runs can be seen to have searched the same."""
    value = 0
    with path_of(corpus, records).open("rb") as file:
        while part := file.read(1 << 20):
            value = zlib.crc32(part, value)
    return f"{value:08x}"


def is_head(word: str) -> bool:
    """Say whether a word of the Zipf corpus is one of the most common ones."""
    return int(word[1:]) < HEAD


def queries(documents: list[str], kind: str, count: int) -> list[str]:
    """Return queries made of words that stand together in a document.

    "topic": four words of one document, none of the 100 most common. "stop": four of its running words, the most common
    ones among them. "sentence": eight running words; in English each engine leaves out its own stop words.
    """
    draw, found = random.Random(SEED + 1), []
    while len(found) < count:
        words = draw.choice(documents).split()
        if kind == "topic":
            pool = sorted({word for word in words if not is_head(word)})
            if len(pool) >= 4:
                found.append(" ".join(draw.sample(pool, 4)))
            continue
        length = {"stop": 4, "sentence": 8}[kind]
        start = draw.randrange(max(1, len(words) - length + 1))
        found.append(" ".join(words[start : start + length]))
    return found
