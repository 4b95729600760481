"""Hypervectors in the reference: pinned bits, the algebra by hand, and what the definitions promise."""

from __future__ import annotations

import pytest

from byheart.reference.hypervector import (
    BITS,
    HyperVector,
    bind,
    bundle,
    encode_ngrams,
    encode_subwords,
    encode_tokens,
    from_bytes,
    from_embedding,
    grams,
    permute,
    random,
    similarity,
    subword,
)
from byheart.reference.xxh3 import xxh3_64

ZERO = HyperVector(0)


def pin(vector: HyperVector) -> tuple[int, int, int]:
    """First word, last word, and the hash of all 512 bytes."""
    data = vector.to_bytes()
    return int.from_bytes(data[:8], "little"), int.from_bytes(data[-8:], "little"), xxh3_64(data)


def test_random_bits() -> None:
    assert pin(random("")) == (0x59B0ED710B28ABEE, 0xA08F266D4192C19A, 0xC938D3F464D563D7)
    assert pin(random("a")) == (0xDBAC1E875F4D0340, 0x4C7D85F59CB92A21, 0x2A41F69891D27648)
    assert pin(random("byheart")) == (0x0C604360BA33FB42, 0x8B560FA1CC584707, 0x760DBDCECBFDEC39)


def test_encoded_bits() -> None:
    words = ["the", "quick", "brown", "fox"]
    assert pin(encode_tokens(words)) == (0xFBBDA3C546BF3DFD, 0xF8A23307F061BED7, 0x593A108255B81668)
    assert pin(encode_ngrams(words)) == (0xF69D245BE0152FBC, 0x2EC4A04DA3F43A32, 0x229BEBDA73E75C51)
    assert pin(encode_subwords(words)) == (0x2034F3C7E4BB588D, 0xFA921047D960B887, 0x1C3EB1395156CFA8)
    assert pin(encode_subwords(["é", "café", "x"])) == (0x3C7A753C373E3007, 0x43B14D68CE13DD48, 0x08AD4F3E7C0260D2)
    many = [f"t{i}" for i in range(130)]
    assert pin(encode_ngrams(many)) == (0x19C6179B48AAF2E2, 0x5357A3D13C2346ED, 0xE7E0CE30B3CE0720)


def test_bits_of_embeddings() -> None:
    assert pin(from_embedding([0.5, -0.25, 0.125, -1.0])) == (
        0x12532C435E8C20F4,
        0x54AAFF048B9799B6,
        0xFC033E7BAA87EF1B,
    )
    many = [((37 * i) % 101 - 50) / 64 for i in range(300)]
    assert pin(from_embedding(many)) == (0x61B42FFF204C0128, 0x64FE23C587CF90AF, 0xC36C4692E596C7B2)
    assert from_embedding([1.0]) == random("__axis_0")
    assert from_embedding([0.0, -0.0]) == ZERO and from_embedding([0.0]).parts == 0


def test_bundled_bits() -> None:
    assert pin(bundle([random("a"), random("b")])) == (0xDFA43E875E29A3C0, 0xCC3C85F29E391AA7, 0x4A4A913C2E739F5F)
    vectors = [random(word) for word in ("the", "quick", "brown", "fox")]
    weighted = bundle(vectors, [3, 1, 1, 5])
    assert pin(weighted) == (0xAF9FA68556821C74, 0xF1803206F0ECF687, 0x8168D0B8B29D2A9B)


def test_bytes() -> None:
    assert HyperVector(1 << 64).to_bytes()[:9] == bytes(8) + b"\x01"
    assert from_bytes(random("a").to_bytes()) == random("a")
    with pytest.raises(ValueError, match="512 bytes, not 511"):
        from_bytes(bytes(511))


def test_bind_is_its_own_inverse() -> None:
    a, b = random("a"), random("b")
    assert bind(a, b) == bind(b, a)
    assert bind(bind(a, b), b) == a
    assert bind(a, a) == ZERO


def test_permute_rotates_by_bytes() -> None:
    assert permute(HyperVector(1), 1) == HyperVector(1 << 8)
    assert permute(HyperVector(1 << 4095), 1) == HyperVector(1 << 7)
    assert permute(HyperVector(1), -1) == HyperVector(1 << 4088)
    a = random("a")
    assert permute(a, 0) == permute(a, 512) == permute(permute(a, 300), -300) == a


def test_similarity_counts_differing_bits() -> None:
    assert similarity(ZERO, HyperVector(0b1011)) == 1.0 - 3 / 4096
    assert similarity(ZERO, HyperVector((1 << BITS) - 1)) == 0.0


def test_bundle_takes_the_majority() -> None:
    three = bundle([HyperVector(0b0011), HyperVector(0b0101), HyperVector(0b1001)])
    assert three == HyperVector(0b0001)
    assert bundle([]) == ZERO
    assert bundle([random("a")]) == bundle([random("a")], [7]) == random("a")


def test_bundle_breaks_ties_by_the_permuted_xor() -> None:
    a, b = HyperVector(0b0011), HyperVector(0b0101)
    # Bits 1 and 2 are ties. a ^ b has bits 1 and 2; permuted they are 9 and 10, so both ties become 0.
    assert bundle([a, b]) == HyperVector(0b0001)
    # The tie of bit 8 takes the XOR's bit 0, which is set; that of bit 0 takes bit 4088, which is not.
    assert bundle([HyperVector(1), HyperVector(1 << 8)]) == HyperVector(1 << 8)
    # Weights decide 2 : 1 and tie 2 : 1 + 1; the XOR is of each vector once.
    assert bundle([HyperVector(0b1), ZERO], [2, 1]) == HyperVector(0b1)
    assert bundle([HyperVector(1 << 8), HyperVector(1), ZERO], [2, 1, 1]) == HyperVector(1 << 8)


def test_bundle_takes_weights_up_to_2_to_the_31_in_total() -> None:
    assert bundle([random("a"), random("b")], [2**31 - 1, 1]) == random("a")


@pytest.mark.parametrize("weights", [[1], [1, 0], [1, -1], [2**31, 1]])
def test_bundle_refuses_weights_that_do_not_fit(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="weight"):
        bundle([random("a"), random("b")], weights)


def test_encodings_by_their_definition() -> None:
    a, b = random("a"), random("b")
    position = [random(f"__pos_{at}") for at in range(16)]
    assert encode_tokens(["a", "a", "b"]) == bundle([a, a, b])
    assert encode_ngrams(["a", "b"]) == bundle([bind(position[0], a), bind(position[1], b), bind(a, permute(b, 1))])
    seventeen = ["a"] * 17
    pairs = [bind(a, permute(a, 1))] * 16
    assert encode_ngrams(seventeen) == bundle([bind(at, a) for at in [*position, position[0]]] + pairs)
    assert encode_subwords(["a", "cat"]) == bundle([subword("a"), subword("cat")])


def test_grams() -> None:
    assert grams("cat") == ["<ca", "cat", "at>", "<cat", "cat>"]
    assert grams("é") == ["<é>"]
    assert grams("") == []
    assert grams("aaaa") == ["<aa", "aaa", "aaa", "aa>", "<aaa", "aaaa", "aaa>"]
    assert subword("é") == bundle([random("é"), random("__gram_<é>")])


def test_no_tokens_give_the_zero_vector() -> None:
    assert encode_tokens([]) == encode_ngrams([]) == encode_subwords([]) == ZERO


def test_parts() -> None:
    three = encode_tokens(["a", "b", "c"])
    assert [random("a").parts, from_bytes(bytes(512)).parts, bundle([]).parts, three.parts] == [1, 1, 0, 3]
    assert [encode_ngrams(["a", "b", "c"]).parts, encode_ngrams([]).parts] == [5, 0]
    assert [encode_subwords(["a", "b"]).parts, bundle([three]).parts, bundle([three, three], [5, 1]).parts] == [2, 1, 2]
    assert [bind(random("a"), three).parts, permute(three, 1).parts] == [3, 3]
    assert HyperVector(5, parts=1) == HyperVector(5, parts=9)


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 8, 16, 31, 64])
def test_unrelated_bundles_stay_unrelated(parts: int) -> None:
    left = encode_tokens([f"left{i}" for i in range(parts)])
    right = encode_tokens([f"right{i}" for i in range(parts)])
    assert abs(similarity(left, right) - 0.5) < 0.04


def test_word_order_counts_and_a_shift_is_survived() -> None:
    phrase = ["the", "quick", "brown", "fox", "jumps"]
    assert similarity(encode_ngrams(["a", "b"]), encode_ngrams(["b", "a"])) < 0.6
    assert similarity(encode_ngrams(phrase), encode_ngrams(["see", *phrase])) >= 0.58
