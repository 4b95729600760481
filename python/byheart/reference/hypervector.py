"""Hyperdimensional computing on 4,096 bits: make, bind, bundle, permute, compare, encode text.

Kanerva, "Hyperdimensional Computing" (2009), with the generator and the tie rule that the project pins. A
vector is one big integer here; bit number i of it is bit i % 64 of word i / 64 of the core. Scoring of whole
records is in `nearest`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from .xxh3 import xxh3_64

BITS = 4096
_ALL = (1 << BITS) - 1
_WORD = 0xFFFFFFFFFFFFFFFF
_MOST_WEIGHT = 2**31


@dataclass(frozen=True)
class HyperVector:
    """4,096 bits, and how many parts were bundled into them (which equality ignores)."""

    bits: int
    parts: int = field(default=1, compare=False)

    def to_bytes(self) -> bytes:
        """Return the 512 bytes: 64 little-endian words of 64 bits, the first word first."""
        return self.bits.to_bytes(BITS // 8, "little")


@lru_cache(maxsize=4096)
def random(key: str) -> HyperVector:
    """Return the vector of a key: the same everywhere, and about half its bits from any other key's.

    Word i is the SplitMix64 finaliser of xxh3-64(key) + (i + 1) * 0x9E3779B97F4A7C15.

    >>> similarity(random("cat"), random("cat")), abs(similarity(random("cat"), random("dog")) - 0.5) < 0.04
    (1.0, True)
    """
    start = xxh3_64(key.encode())
    bits = 0
    for word in range(BITS // 64):
        bits |= _mix(start + (word + 1) * 0x9E3779B97F4A7C15 & _WORD) << 64 * word
    return HyperVector(bits)


def _mix(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _WORD
    return x ^ x >> 31


def from_bytes(data: bytes) -> HyperVector:
    """Return the vector of 512 bytes.

    Raises:
        ValueError: not 512 bytes.

    """
    if len(data) != BITS // 8:
        raise ValueError(f"a hypervector has {BITS // 8} bytes, not {len(data)}")
    return HyperVector(int.from_bytes(data, "little"))


def bind(a: HyperVector, b: HyperVector) -> HyperVector:
    """Return the XOR: unlike both, and undone by binding with either again."""
    return HyperVector(a.bits ^ b.bits, max(a.parts, b.parts))


def permute(vector: HyperVector, n: int) -> HyperVector:
    """Return the vector rotated by 8 n bits: bit i goes to (i + 8 n) mod 4096. n may be negative."""
    by = 8 * n % BITS
    return HyperVector((vector.bits << by | vector.bits >> BITS - by) & _ALL, vector.parts)


def similarity(a: HyperVector, b: HyperVector) -> float:
    """Return 1 - Hamming distance / 4096: 1.0 for equal vectors, about 0.5 for unrelated ones."""
    return 1.0 - (a.bits ^ b.bits).bit_count() / BITS


def bundle(vectors: Sequence[HyperVector], weights: Sequence[int] | None = None) -> HyperVector:
    """Return the majority of each bit: a vector like each of the given ones.

    A tie takes the bit of the XOR of all given vectors (each once), permuted by 1: no order matters, and
    unrelated bundles are not made alike. No vectors give the zero vector, one gives itself.

    Args:
        vectors: what to bundle.
        weights: for each vector a whole number, at least 1 and at most 2**31 in total; None means 1 each.

    Raises:
        ValueError: the weights do not fit.

    """
    weights = [1] * len(vectors) if weights is None else weights
    total = sum(weights)
    if len(weights) != len(vectors) or any(weight < 1 for weight in weights) or total > _MOST_WEIGHT:
        raise ValueError("each vector needs a weight of at least 1, and all of them 2**31 at most")
    ones = 0
    together = 0
    for vector, weight in zip(vectors, weights, strict=True):
        ones += _spread(vector.bits) * weight
        together ^= vector.bits
    ties = permute(HyperVector(together), 1).bits
    counts = struct.unpack(f">{BITS}I", ones.to_bytes(4 * BITS, "big"))  # bit 4095 first, as digits are written
    digits = [
        "1" if 2 * count > total or (2 * count == total and tie == "1") else "0"
        for count, tie in zip(counts, f"{ties:0{BITS}b}", strict=True)
    ]
    return HyperVector(int("".join(digits), 2), len(vectors))


def _spread(bits: int) -> int:
    """Return the bits as counters of 32 bits each, side by side, which one addition of integers adds."""
    return int(f"{bits:b}".replace("0", "00000000").replace("1", "00000001"), 16)


def encode_tokens(tokens: Sequence[str]) -> HyperVector:
    """Return the bundle of the tokens' vectors: a bag of words, in which a repeated word weighs more."""
    return bundle([random(token) for token in tokens])


def encode_ngrams(tokens: Sequence[str]) -> HyperVector:
    """Return the bundle of each token bound to its place, and each adjacent pair with the second permuted."""
    placed = [bind(random(f"__pos_{at % 16}"), random(token)) for at, token in enumerate(tokens)]
    pairs = [bind(random(first), permute(random(second), 1)) for first, second in pairwise(tokens)]
    return bundle(placed + pairs)


def encode_subwords(tokens: Sequence[str]) -> HyperVector:
    """Return the bundle of the tokens' subword vectors: words with common parts are alike."""
    return bundle([subword(token) for token in tokens])


def from_embedding(embedding: Sequence[float]) -> HyperVector:
    """Return the signs of 4,096 projections of an embedding onto random directions of +1 and -1.

    In direction j, dimension i has +1 where bit j of `random("__axis_i")` is set. Components are added or taken off
    in order. A sum of 0 takes the bit that a bundle takes: of the XOR of the axes' vectors, those of negative
    components turned round and those of zeros left out, permuted by 1. Zeros alone give the zero vector.
    Source: Charikar, "Similarity estimation techniques from rounding algorithms" (2002).

    >>> from_embedding([1.0, 1.0]) == bundle([random("__axis_0"), random("__axis_1")])
    True
    """
    axes = [random(f"__axis_{number}").bits for number in range(len(embedding))]
    together = 0
    for axis, component in zip(axes, embedding, strict=True):
        if component:
            together ^= axis if component > 0.0 else axis ^ _ALL
    ties = permute(HyperVector(together), 1).bits
    bits = 0
    for place in range(BITS):
        total = 0.0
        for axis, component in zip(axes, embedding, strict=True):
            total += component if axis >> place & 1 else -component
        if total > 0.0 or (total == 0.0 and ties >> place & 1):
            bits |= 1 << place
    return HyperVector(bits) if any(embedding) else HyperVector(0, 0)


@lru_cache(maxsize=4096)
def subword(token: str) -> HyperVector:
    """Return the bundle of a token's own vector and those of its grams of three and of four characters."""
    return bundle([random(token)] + [random("__gram_" + gram) for gram in grams(token)])


def grams(token: str) -> list[str]:
    """Return the substrings of three, then of four characters of the token between `<` and `>`.

    >>> grams("cat")
    ['<ca', 'cat', 'at>', '<cat', 'cat>']
    """
    marked = f"<{token}>"
    return [marked[at : at + size] for size in (3, 4) for at in range(len(marked) - size + 1)]


ENCODERS: Mapping[str, Callable[[Sequence[str]], HyperVector]] = {
    "ngrams": encode_ngrams,
    "subwords": encode_subwords,
    "tokens": encode_tokens,
}
"""How tokens become one vector, by name; no tokens give the zero vector."""
