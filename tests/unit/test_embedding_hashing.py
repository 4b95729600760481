"""Hashed vectors: pinned bytes, what is alike, and what is refused."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument

TEXTS = ["The kettle must be descaled every spring.", "Ærøskøbing 東京タワー", "don't re-index"]
PINNED = "65609b1f0c28e5cb084a9fb054ec509281286b350c057ff8ee138dca7ae98f97"


def digest(rows):
    return hashlib.sha256(rows.astype("<f4").tobytes()).hexdigest()


def test_bytes_are_the_pinned_ones():
    assert digest(HashingEmbedder().embed_documents(TEXTS)) == PINNED


@pytest.mark.parametrize("seed", ["1", "2"])
def test_bytes_do_not_depend_on_the_process(seed):
    program = (
        f"from byheart.embedding import HashingEmbedder as E; print(E().embed_documents({TEXTS!r}).tobytes().hex())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    said = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout

    assert bytes.fromhex(said) == HashingEmbedder().embed_documents(TEXTS).tobytes()


def test_words_that_share_letters_are_alike():
    kettle, kettles, settle, spring = HashingEmbedder(1024).embed_queries(["kettle", "kettleful", "settle", "spring"])

    assert kettle @ kettles > kettle @ settle > 0.2 > abs(kettle @ spring)


def test_width_and_seed_give_other_vectors_and_fingerprints():
    embedders = [HashingEmbedder(256), HashingEmbedder(128), HashingEmbedder(256, seed=1)]
    rows = [embedder.embed_queries(["a red fox"])[0] for embedder in embedders]

    assert [len(row) for row in rows] == [256, 128, 256] == [embedder.dimensions for embedder in embedders]
    assert abs(rows[0] @ rows[2]) < 0.5
    assert len({str(embedder.fingerprint) for embedder in embedders}) == 3


@pytest.mark.parametrize("text", ["", "   ", "the of and", "--- !!! ...", "\x00"])
def test_a_text_without_terms_has_a_zero_row(text):
    assert not HashingEmbedder().embed_documents([text]).any()


def test_no_texts_give_no_rows():
    assert HashingEmbedder(9).embed_documents([]).shape == (0, 9)


def test_a_megabyte_is_embedded():
    rows = HashingEmbedder().embed_documents(["kettle fox " * 90_000, "x" * 1_000_000])

    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    assert (rows[0] == HashingEmbedder().embed_documents(["kettle fox"])[0]).all()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"dimensions": 0}, InvalidArgument),
        ({"dimensions": 4_097}, InvalidArgument),
        ({"dimensions": 2.0}, TypeError),
        ({"seed": -1}, InvalidArgument),
        ({"seed": 2**64}, InvalidArgument),
        ({"seed": "0"}, TypeError),
    ],
)
def test_arguments_that_are_refused(arguments, error):
    with pytest.raises(error):
        HashingEmbedder(**arguments)
