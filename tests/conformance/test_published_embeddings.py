"""all-MiniLM-L6-v2 gives the numbers that its publisher prints. Needs the real model; the tiny ones prove the rest.

`BYHEART_MODEL` names a folder that `byheart models assemble` made; without it these tests are skipped.
"""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from byheart.embedding import OnnxEmbedder, embed_checked
from byheart.embedding.assemble import FILES, MADE

# The page "Usage" of sentence-transformers' documentation, printed with four digits.
SENTENCES = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
PUBLISHED = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
LAST_DIGIT = 0.5e-4
# Weights of eight bits: a model of its own, close to the published one.
EIGHT_BITS = 0.005


@pytest.fixture(scope="module")
def folder() -> Path:
    """Return the folder of the model; skip the test where there is none."""
    named = os.environ.get("BYHEART_MODEL", "")
    if not (Path(named) / "model.onnx").is_file() or not named:
        pytest.skip("needs BYHEART_MODEL: a folder made by `byheart models assemble`")
    return Path(named)


def is_full(folder: Path) -> bool:
    return hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest() == MADE.sha256


def test_the_similarities_are_the_published_ones(folder: Path) -> None:
    rows = embed_checked(OnnxEmbedder(folder, "all-MiniLM-L6-v2"), SENTENCES, "document").astype(np.float64)
    tolerance = LAST_DIGIT if is_full(folder) else EIGHT_BITS
    assert np.abs(rows @ rows.T - PUBLISHED).max() <= tolerance


def test_the_files_are_the_ones_pinned(folder: Path) -> None:
    found = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")
    }
    assert found["tokenizer.json"] == FILES["tokenizer.json"].sha256
    assert found["model.onnx"] in (MADE.sha256, FILES["model-int8.onnx"].sha256)


def test_neighbours_and_batches_do_not_matter(folder: Path) -> None:
    texts = [*SENTENCES, "", "word " * 700, *SENTENCES[:2], "cat"]
    alone = OnnxEmbedder(folder, "all-MiniLM-L6-v2", batch_size=1)
    together = OnnxEmbedder(folder, "all-MiniLM-L6-v2", batch_size=32)
    expected = np.concatenate([alone.embed_queries([text]) for text in texts])
    assert np.abs(together.embed_documents(texts) - expected).max() <= 2**-20
