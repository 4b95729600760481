"""Token tables: the real one, folders made here, and files that are missing or damaged."""

from __future__ import annotations

import importlib.util
import json
import sys

import numpy as np
import pytest

from byheart.embedding import StaticEmbedder, embed_checked
from byheart.embedding.weights import read_tensors
from byheart.errors import InvalidArgument, MissingExtra, ModelError

WORDS = ["[UNK]", "red", "fox", "kettle", "lime"]
TABLE = np.array([[9, 9, 9], [1, 0, 0], [0, 1, 0], [0, 0, 2], [0, 3, 4]], np.float16)
TYPES = {"float16": "F16", "float32": "F32", "float64": "F64", "int8": "I8", "int64": "I64"}


def safetensors(**arrays):
    """Return the bytes of a file that holds these arrays."""
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        place = [len(body), len(body) + array.nbytes]
        header[name] = {"dtype": TYPES[array.dtype.name], "shape": list(array.shape), "data_offsets": place}
        body += array.tobytes()
    written = json.dumps(header).encode()
    return len(written).to_bytes(8, "little") + written + body


def tokenizer(**changes):
    """Return the text of a tokenizer of whole words; a padding and a cut that must not count."""
    description = {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 8},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 1,
            "pad_type_id": 0,
            "pad_token": "red",
        },
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: number for number, word in enumerate(WORDS)},
            "unk_token": "[UNK]",
        },
    }
    return json.dumps({**description, **changes})


@pytest.fixture
def folder(tmp_path):
    """Return a model2vec folder of five words."""
    place = tmp_path / "five-words"
    place.mkdir()
    (place / "model.safetensors").write_bytes(safetensors(embeddings=TABLE))
    (place / "tokenizer.json").write_text(tokenizer(), encoding="utf-8")
    return place


# ---- the real table


@pytest.mark.parametrize("dimensions", [64, 128, 256])
def test_the_real_table_knows_what_is_alike(dimensions):
    embedder = StaticEmbedder.wordllama(dimensions)
    texts = ["A man is playing a guitar.", "SOMEONE PLAYS THE GUITAR", "The stock market fell sharply."]
    same, alike, unlike = embed_checked(embedder, texts, "document")

    assert embedder.dimensions == len(same) == dimensions
    assert same @ alike > 0.7 > 0.4 > same @ unlike


def test_the_real_table_is_a_matryoshka():
    texts = ["how is lime removed from a kettle?"]
    wide = StaticEmbedder.wordllama(256).embed_queries(texts)[0, :64].astype(np.float64)

    assert np.allclose(StaticEmbedder.wordllama(64).embed_queries(texts)[0], wide / np.linalg.norm(wide), atol=1e-6)


def test_the_real_table_has_the_pinned_fingerprint():
    # The weights are those of every release of the package so far. Whoever sees this fail has another table.
    assert str(StaticEmbedder.wordllama(64).fingerprint) == (
        '{"family":"wordllama-l2-supercat","dimensions":64,"normalised":true,"document_prefix":"","query_prefix":"",'
        '"version":"b0e5215c8417924aa45dfb4f8f6a0965"}'
    )


def test_the_real_table_takes_any_text():
    embedder = StaticEmbedder.wordllama(64)
    rows = embedder.embed_documents(["", "kettle " * 140_000, "\x00", "東京", "x" * 100_000])

    assert not rows[0].any()
    assert np.allclose(np.linalg.norm(rows[1:], axis=1), 1.0, atol=1e-6)
    with pytest.raises(InvalidArgument, match="lone surrogate"):
        embedder.embed_queries(["\udfff"])


def test_the_package_is_read_and_never_run():
    StaticEmbedder.wordllama()

    assert importlib.util.find_spec("wordllama") is not None
    assert "wordllama" not in sys.modules and "requests" not in sys.modules


@pytest.mark.parametrize("dimensions", [0, 63, 512, 256.0, "256"])
def test_other_widths_than_the_trained_ones_are_refused(dimensions):
    with pytest.raises((InvalidArgument, TypeError), match=r"64, 128, 256|between 1 and|must be int"):
        StaticEmbedder.wordllama(dimensions)


def test_a_package_without_its_files_is_refused(tmp_path, monkeypatch):
    (tmp_path / "wordllama").mkdir()
    (tmp_path / "wordllama" / "__init__.py").write_text("raise SystemExit('this code must not run')")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ModelError, match=r"l2_supercat_256\.safetensors: cannot be read"):
        StaticEmbedder.wordllama()


def test_missing_packages_are_named_with_their_extra(monkeypatch, folder):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtra, match=r"tokenizers: .* `pip install 'byheart\[static\]'`"):
        StaticEmbedder.model2vec(folder)

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"wordllama: .* `pip install 'byheart\[static\]'`"):
        StaticEmbedder.wordllama()


# ---- folders


def test_a_folder_gives_the_mean_of_the_known_words(folder):
    embedder = StaticEmbedder.model2vec(folder)
    rows = embedder.embed_documents(["fox unheard kettle", "unheard", "lime", "red red fox"])

    assert embedder.fingerprint.family == "five-words"
    expected = [[0, 1, 2], [0, 0, 0], [0, 3, 4], [2, 1, 0]]
    assert np.allclose(rows, [np.array(row) / max(np.linalg.norm(row), 1) for row in expected], atol=1e-7)
    assert (embedder.embed_queries(["lime"])[0] == rows[2]).all()


def test_a_folder_of_sentence_transformers_is_read_too(tmp_path, folder):
    place = tmp_path / "other" / "0_StaticEmbedding"
    place.mkdir(parents=True)
    (place / "model.safetensors").write_bytes(safetensors(**{"embedding.weight": TABLE}))
    (place / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())

    rows = StaticEmbedder.model2vec(place.parent).embed_queries(["red fox"])
    assert (rows == StaticEmbedder.model2vec(folder).embed_queries(["red fox"])).all()


def test_a_quantised_vocabulary_shares_rows_and_weighs_tokens(folder):
    arrays = {
        "embeddings": np.array([[4, 0], [0, 2]], np.int8),
        "weights": np.array([1, 1, 0.5, 3, 1], np.float32),
        "mapping": np.array([0, 0, 1, 1, 1], np.int64),
    }
    (folder / "model.safetensors").write_bytes(safetensors(**arrays))
    rows = StaticEmbedder.model2vec(folder).embed_queries(["red fox", "red kettle"])

    assert np.allclose(rows, [np.array([4, 1]) / 17**0.5, np.array([4, 6]) / 52**0.5], atol=1e-7)


def test_a_prefix_of_the_table_is_another_model(folder):
    whole, narrow = StaticEmbedder.model2vec(folder), StaticEmbedder.model2vec(str(folder), dimensions=2)

    assert narrow.embed_queries(["kettle", "red kettle"]).tolist() == [[0, 0], [1, 0]]
    assert whole.fingerprint != narrow.fingerprint
    for wrong in (0, 4, 2.0):
        with pytest.raises((InvalidArgument, TypeError), match="dimensions"):
            StaticEmbedder.model2vec(folder, dimensions=wrong)


def test_the_digest_is_of_what_decides_vectors(folder):
    before = StaticEmbedder.model2vec(folder).fingerprint
    # Written with other spaces and another padding: the same tokenizer.
    (folder / "tokenizer.json").write_text(json.dumps(json.loads(tokenizer(padding=None)), indent=2))
    assert StaticEmbedder.model2vec(folder).fingerprint == before

    (folder / "tokenizer.json").write_text(tokenizer(normalizer={"type": "Lowercase"}))
    assert StaticEmbedder.model2vec(folder).fingerprint != before

    (folder / "tokenizer.json").write_text(tokenizer())
    (folder / "model.safetensors").write_bytes(safetensors(embeddings=TABLE * 2))
    assert StaticEmbedder.model2vec(folder).fingerprint != before


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("model.safetensors", None, "cannot be read"),
        ("model.safetensors", b"", "cut short"),
        ("model.safetensors", b"\xff" * 40, "cut short"),
        ("model.safetensors", (4).to_bytes(8, "little") + b"{}", "cut short"),
        ("model.safetensors", (2).to_bytes(8, "little") + b"[]", "no JSON object"),
        ("model.safetensors", (2).to_bytes(8, "little") + b"{\xff", "no JSON"),
        ("model.safetensors", (100_000).to_bytes(8, "little") + b"[" * 100_000, "no JSON"),
        ("model.safetensors", safetensors(embeddings=TABLE)[:-1], "outside the file"),
        ("model.safetensors", safetensors(embeddings=TABLE).replace(b"[5, 3]", b"[5, 9]"), "do not fill the shape"),
        ("model.safetensors", safetensors(embeddings=TABLE).replace(b"[5, 3]", b"[-5,3]"), "outside the file"),
        ("model.safetensors", safetensors(embeddings=TABLE).replace(b'"F16"', b'"F8x"'), "type F8x"),
        (
            "model.safetensors",
            safetensors(embeddings=TABLE).replace(b'"shape"', b'"shale"'),
            "no type, shape and place",
        ),
        ("model.safetensors", safetensors(vectors=TABLE), "no token table"),
        ("model.safetensors", safetensors(embeddings=TABLE[0]), "has shape"),
        ("model.safetensors", safetensors(embeddings=TABLE[:0]), "has shape"),
        ("model.safetensors", safetensors(embeddings=np.full((5, 3), np.inf)), "NaN or infinity"),
        ("model.safetensors", safetensors(embeddings=TABLE, weights=np.ones(4)), "for 5 tokens"),
        ("model.safetensors", safetensors(embeddings=TABLE, weights=np.full(5, np.nan)), "NaN or infinity"),
        ("model.safetensors", safetensors(embeddings=TABLE, mapping=np.full(5, 5)), "one of the 5 rows"),
        ("model.safetensors", safetensors(embeddings=TABLE, mapping=np.full(5, -1)), "one of the 5 rows"),
        ("model.safetensors", safetensors(embeddings=TABLE, mapping=np.full(5, 1.5)), "mapping of fractions"),
        ("tokenizer.json", None, "cannot be read"),
        ("tokenizer.json", b"{", "no tokenizer that can be read"),
        ("tokenizer.json", b"[]", "no tokenizer that can be read"),
        ("tokenizer.json", b"{}", "no tokenizer that can be read"),
        ("tokenizer.json", b"\xff", "no tokenizer that can be read"),
    ],
)
def test_files_that_are_missing_or_damaged(folder, name, data, said):
    if data is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(data)

    with pytest.raises(ModelError, match=said) as caught:
        StaticEmbedder.model2vec(folder)
    assert name in str(caught.value)


def test_no_cut_and_no_changed_byte_of_a_header_does_anything_but_load_or_refuse(tmp_path):
    whole, file, refused = safetensors(embeddings=TABLE), tmp_path / "model.safetensors", 0
    body = len(whole) - TABLE.nbytes
    for at in range(body):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            file.write_bytes(data)
            try:
                read_tensors(file)
            except ModelError:
                refused += 1

    assert body < refused <= 2 * body


def test_a_tokenizer_of_another_table_is_refused_when_it_shows(folder):
    (folder / "model.safetensors").write_bytes(safetensors(embeddings=TABLE[:3]))
    embedder = StaticEmbedder.model2vec(folder)

    assert embedder.embed_queries(["red"]).tolist() == [[1, 0, 0]]
    with pytest.raises(ModelError, match="has 3 tokens"):
        embedder.embed_queries(["kettle"])


def test_arrays_that_change_afterwards_change_nothing():
    table = np.eye(3)
    embedder = StaticEmbedder.from_arrays(table, lambda text: [ord(letter) - ord("a") for letter in text])
    table[:] = 7

    assert embedder.embed_queries(["a", "c"]).tolist() == [[1, 0, 0], [0, 0, 1]]
    with pytest.raises(ModelError, match="has 3 tokens"):
        embedder.embed_queries(["d"])
