"""The ONNX embedder: which files and graphs it takes, what it does with them, and how it refuses the rest."""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byheart.embedding import PROFILES, ModelProfile, OnnxEmbedder, check_fingerprint
from byheart.embedding.onnx_file import Graph
from byheart.embedding.profiles import model_profile
from byheart.errors import FingerprintMismatch, InvalidArgument, MissingExtra, ModelError, UnknownProfile

from ..models import tiny

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

Make = Callable[..., OnnxEmbedder]
ROWS = len(tiny.VOCABULARY)
# One row a token: its place in the vocabulary, one, and the sign of its parity.
TABLE = np.array([[id, 1.0, 1 - 2 * (id % 2)] for id in range(ROWS)], np.float32)
ONE_HOT = np.eye(ROWS, dtype=np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.write(tmp_path / "model", tiny.bag(ONE_HOT))


@pytest.fixture
def make(folder: Path) -> Make:
    """Write a model into the folder and open it."""

    def opened(model: bytes | None = None, **settings: Any) -> OnnxEmbedder:
        if model is not None:
            (folder / "model.onnx").write_bytes(model)
        return OnnxEmbedder(folder, **settings)

    return opened


def counted(embedder: OnnxEmbedder, text: str, mode: str = "documents") -> dict[str, float]:
    """Return the share of each token in a text's vector, of one-hot rows."""
    row = getattr(embedder, f"embed_{mode}")([text])[0]
    return {tiny.VOCABULARY[id]: round(float(row[id]), 4) for id in np.flatnonzero(row)}


# ---- what comes out


def test_the_mean_is_over_tokens_special_ones_included(make: Make) -> None:
    assert counted(make(normalise=False), "cat cat") == {"[CLS]": 0.25, "[SEP]": 0.25, "cat": 0.5}


def test_the_first_token_alone_may_be_taken(make: Make) -> None:
    assert counted(make(normalise=False, pooling="cls"), "cat cat") == {"[CLS]": 1.0}


def test_prefixes_are_for_their_own_side_and_stand_in_every_window(make: Make) -> None:
    embedder = make(normalise=False, query_prefix="query: ", max_tokens=6, stride=2)
    assert counted(embedder, "cat") == {"[CLS]": 0.3333, "[SEP]": 0.3333, "cat": 0.3333}
    asked = counted(embedder, "cat dog tea mat hot", "queries")
    assert {name: asked.pop(name) for name in ("[CLS]", "[SEP]", "query", ":")} == dict.fromkeys(
        ("[CLS]", "[SEP]", "query", ":"), pytest.approx((2 / 6 + 2 / 6 + 1 / 5) / 5, abs=1e-4)
    )
    assert set(asked) == {"cat", "dog", "tea", "mat", "hot"}


def test_windows_count_by_their_tokens(make: Make) -> None:
    row = counted(make(normalise=False, max_tokens=4, stride=2), "cat cat dog")
    assert row["cat"] == pytest.approx(2 / 4 * 2 / 3, abs=1e-4)
    assert row["dog"] == pytest.approx(1 / 3 * 1 / 3, abs=1e-4)


def test_a_width_is_the_beginning_of_the_whole_made_unit(make: Make) -> None:
    text = ["the cat sat", "hot tea"]
    whole = make(tiny.encoder()).embed_documents(text)
    narrow = make(dimensions=3).embed_documents(text)
    assert narrow.shape == (2, 3)
    assert np.allclose(narrow, whole[:, :3] / np.linalg.norm(whole[:, :3], axis=1, keepdims=True), atol=2**-20)


def test_layer_norm_comes_before_the_cut(make: Make) -> None:
    whole = make(tiny.encoder(), normalise=False).embed_documents(["the cat sat"])[0].astype(np.float64)
    wanted = ((whole - whole.mean()) / whole.std())[:3]
    given = make(layer_norm=True, dimensions=3).embed_documents(["the cat sat"])[0]
    assert np.allclose(given, wanted / np.linalg.norm(wanted), atol=2**-16)


def test_layer_norm_has_its_epsilon(make: Make) -> None:
    given = make(tiny.bag(TABLE / 1000), layer_norm=True, normalise=False).embed_documents(["tea"])[0]
    row = TABLE[[tiny.IDS[token] for token in ("[CLS]", "tea", "[SEP]")]].mean(axis=0) / 1000
    assert np.allclose(given, (row - row.mean()) / np.sqrt(row.var() + 1e-5), rtol=2**-16)


@pytest.mark.parametrize("text", ["", " \n\t ", "\u200b"])
def test_a_text_with_nothing_in_it_is_zero(make: Make, text: str) -> None:
    embedder = make(document_prefix="document: ", layer_norm=True)
    assert not embedder.embed_documents([text]).any()
    assert embedder.embed_documents(["cat", text, "dog"]).any(axis=1).tolist() == [True, False, True]


def test_white_space_is_nothing_even_where_it_has_tokens(folder: Path, make: Make) -> None:
    words = {"type": "WordLevel", "vocab": {" ": 0, "a": 1}, "unk_token": "a"}
    (folder / "tokenizer.json").write_text(json.dumps({"model": words}))
    assert make().embed_documents([" ", "a"]).any(axis=1).tolist() == [False, True]


def test_no_texts_give_no_rows(make: Make) -> None:
    assert make().embed_queries([]).shape == (0, ROWS)


def test_a_megabyte_is_read_to_its_end(make: Make) -> None:
    text = "cat " * 249_999 + "tea"
    row = counted(make(normalise=False), text)
    assert row["cat"] == pytest.approx(0.99, abs=0.01)
    assert make(normalise=False).embed_documents([text])[0, tiny.IDS["tea"]] > 0


def test_results_come_in_the_order_of_the_texts(make: Make) -> None:
    texts = ["cat dog tea", "cat", "", "the mat is hot .", "tea"]
    embedder = make(batch_size=2)
    rows = embedder.embed_documents(texts)
    assert [embedder.embed_documents([text]).tobytes() for text in texts] == [row.tobytes() for row in rows]
    assert rows.flags.c_contiguous and rows.dtype == np.float32


def test_threads_may_share_an_embedder(make: Make) -> None:
    embedder = make(tiny.encoder())
    batches = [[f"{first} {second}" for first in tiny.WORDS] for second in tiny.WORDS]
    expected = [embedder.embed_documents(batch).tobytes() for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        assert [rows.tobytes() for rows in pool.map(embedder.embed_documents, batches)] == expected


# ---- graphs


@pytest.mark.parametrize(
    "inputs", [("input_ids",), ("position_ids", "input_ids"), ("token_type_ids", "input_ids", "attention_mask")]
)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_a_graph_gets_what_it_asks_for(make: Make, inputs: tuple[str, ...], dtype: str) -> None:
    given = make(tiny.bag(ONE_HOT, inputs=inputs, dtype=dtype), normalise=False)
    assert counted(given, "cat") == {"[CLS]": 0.3333, "[SEP]": 0.3333, "cat": 0.3333}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("output", ["last_hidden_state", "token_embeddings", "something"])
def test_token_vectors_of_any_width_of_number_are_taken(make: Make, dtype: str, output: str) -> None:
    assert make(tiny.bag(TABLE.astype(dtype), output=output)).dimensions == 3


def test_a_ready_vector_is_taken_as_it_is(make: Make) -> None:
    embedder = make(tiny.ready(ONE_HOT), normalise=False)
    assert counted(embedder, "cat cat") == {"[CLS]": 1.0, "[SEP]": 1.0, "cat": 2.0}
    assert embedder.embed_documents(["a", "cat cat tea"])[0].sum() == 3, "padding is masked"
    with pytest.raises(InvalidArgument, match="pooled already"):
        make(pooling="mean")


def quantising() -> bytes:
    """Return a bag of words that is quantised while it runs, with one scale for the whole batch."""
    graph = Graph("quantising")
    graph.input("input_ids", "int64", tiny.BATCH)
    graph.input("attention_mask", "int64", tiny.BATCH)
    rows = graph.node("Gather", graph.constant("table", TABLE), "input_ids")
    graph.outputs("DynamicQuantizeLinear", rows, names=("numbers", "scale", "zero"))
    graph.output(
        graph.node("DequantizeLinear", "numbers", "scale", "zero", name="last_hidden_state"),
        "float32",
        (*tiny.BATCH, 3),
    )
    return graph.to_bytes()


def test_a_graph_with_scales_of_the_batch_is_run_a_text_at_a_time(make: Make) -> None:
    embedder = make(quantising(), batch_size=32)
    texts = ["the", "##x", "cat ##x the", "the dog"]
    alone = [embedder.embed_documents([text]).tobytes() for text in texts]
    assert [row.tobytes() for row in embedder.embed_documents(texts)] == alone


def test_a_graph_without_a_mask_is_run_a_text_at_a_time(make: Make) -> None:
    graph = Graph("no mask")
    graph.input("input_ids", "int64", tiny.BATCH)
    rows = graph.node("Gather", graph.constant("table", ONE_HOT), "input_ids")
    axis = graph.constant("axis", np.array([1], np.int64))
    graph.output(graph.node("ReduceSum", rows, axis, name="embeddings", keepdims=0), "float32", ("batch", ROWS))
    rows = make(graph.to_bytes(), normalise=False).embed_documents(["cat dog tea", "cat"])
    assert rows.sum(axis=1).tolist() == [5, 3], "no padding is counted"


def failing(kind: str) -> bytes:
    if kind == "unknown input":
        return tiny.bag(TABLE, inputs=("input_ids", "pixel_values"))
    if kind == "no ids":
        graph = Graph("no ids")
        graph.input("attention_mask", "int64", tiny.BATCH)
        graph.output(graph.node("Cast", "attention_mask", to=1), "float32", tiny.BATCH)
        return graph.to_bytes()
    if kind == "real ids":
        graph = Graph("real ids")
        graph.input("input_ids", "float32", tiny.BATCH)
        graph.output(graph.node("Neg", "input_ids"), "float32", tiny.BATCH)
        return graph.to_bytes()
    if kind == "no vectors":
        graph = Graph("no vectors")
        graph.input("input_ids", "int64", tiny.BATCH)
        graph.output(graph.node("Shape", "input_ids"), "int64", (2,))
        return graph.to_bytes()
    if kind == "whole numbers":
        return tiny.bag(TABLE.astype(np.int64))
    if kind == "width of the length":
        graph = Graph("lengths")
        graph.input("input_ids", "int64", tiny.BATCH)
        graph.output(graph.node("Cast", "input_ids", to=1, name="sentence_embedding"), "float32", tiny.BATCH)
        return graph.to_bytes()
    assert kind == "another model's tokenizer"
    return tiny.bag(TABLE[:3])


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("unknown input", "unknown is pixel_values"),
        ("no ids", "input_ids at least"),
        ("real ids", "unknown is input_ids"),
        ("no vectors", "wanted is one of last_hidden_state"),
        ("whole numbers", "no vectors of texts"),
        ("width of the length", "no vectors of texts"),
        ("another model's tokenizer", "the graph failed on 1 rows of 3 tokens"),
    ],
)
def test_graphs_that_make_no_vectors_of_texts_are_refused(make: Make, kind: str, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        make(failing(kind)).embed_documents(["cat dog"])


def test_nan_names_the_text(make: Make) -> None:
    table = TABLE.copy()
    table[tiny.IDS["tea"]] = np.nan
    for normalise in (True, False):
        with pytest.raises(ModelError, match="text 2"):
            make(tiny.bag(table), normalise=normalise).embed_documents(["cat", "dog", "tea", "mat"])


def test_a_text_longer_than_the_graph_takes_is_an_error(make: Make, capfd: pytest.CaptureFixture[str]) -> None:
    embedder = make(tiny.encoder(), max_tokens=tiny.POSITIONS + 1)
    assert embedder.embed_documents(["cat " * 60]).any()
    with pytest.raises(ModelError, match="smaller max_tokens"):
        embedder.embed_documents(["cat " * 80])
    assert capfd.readouterr() == ("", ""), "the runtime logs nothing of its own"


def test_what_the_runtime_would_warn_of_is_not_logged(make: Make, capfd: pytest.CaptureFixture[str]) -> None:
    graph = Graph("idle")
    graph.input("input_ids", "int64", tiny.BATCH)
    graph.constant("never used", TABLE)
    found = graph.node("Gather", graph.constant("table", TABLE), "input_ids")
    graph.output(found, "float32", (*tiny.BATCH, 3))
    assert make(graph.to_bytes()).dimensions == 3
    assert capfd.readouterr() == ("", "")


# ---- files


def test_a_folder_needs_its_two_files(folder: Path) -> None:
    (folder / "tokenizer.json").rename(folder / "other.json")
    with pytest.raises(ModelError, match=r"tokenizer\.json: is missing"):
        OnnxEmbedder(folder)
    (folder / "model.onnx").unlink()
    with pytest.raises(ModelError, match=r"no \.onnx file at all"):
        OnnxEmbedder(folder)
    with pytest.raises(ModelError, match="is no folder"):
        OnnxEmbedder(folder / "model.onnx")


def test_one_file_of_another_name_will_do(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "model_quantized.onnx")
    assert OnnxEmbedder(folder).dimensions == ROWS
    (folder / "another.onnx").write_bytes(b"")
    with pytest.raises(ModelError, match=r"another.onnx, model_quantized.onnx; one must"):
        OnnxEmbedder(folder)


@pytest.mark.parametrize("content", [b"", b"x", b"\x00" * 1000, tiny.bag(TABLE)[:-100]])
def test_a_damaged_graph_is_said_to_be(folder: Path, content: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "model.onnx").write_bytes(content)
    with pytest.raises(ModelError, match="cannot open it"):
        OnnxEmbedder(folder)
    assert capfd.readouterr() == ("", ""), "the runtime logs nothing of its own"


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", tiny.tokenizer()[:-9].encode()])
def test_a_damaged_tokenizer_is_said_to_be(folder: Path, content: bytes) -> None:
    (folder / "tokenizer.json").write_bytes(content)
    with pytest.raises(ModelError, match="is no tokenizer"):
        OnnxEmbedder(folder)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_names_the_extra(folder: Path, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"{package}.*byheart\[onnx\]"):
        OnnxEmbedder(folder)


# ---- settings and profiles


@pytest.mark.parametrize(
    "settings",
    [
        {"pooling": "max"},
        {"max_tokens": 0},
        {"max_tokens": 2},
        {"max_tokens": 8, "stride": 9},
        {"stride": 0},
        {"batch_size": 0},
        {"threads": 0},
        {"dimensions": 0},
        {"dimensions": ROWS + 1},
        {"document_prefix": "\ud800"},
        {"max_tokens": 7, "query_prefix": "query: the search document"},
        {"profile": replace(PROFILES["all-MiniLM-L6-v2"], max_tokens=513)},
    ],
)
def test_settings_outside_their_range_are_refused(make: Make, settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        make(**settings)


@pytest.mark.parametrize(
    "settings", [{"batch_size": 1.5}, {"threads": True}, {"max_tokens": "8"}, {"query_prefix": b"a"}]
)
def test_settings_of_another_type_are_refused(make: Make, settings: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        make(**settings)


@pytest.mark.parametrize(
    ("texts", "error"),
    [("cat", TypeError), ([b"cat"], TypeError), ([None], TypeError), (["a", "\ud800"], InvalidArgument)],
)
def test_texts_are_checked_before_the_model_runs(make: Make, texts: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make().embed_documents(texts)


def test_a_profile_of_another_width_is_refused(make: Make) -> None:
    with pytest.raises(ModelError, match="the profile all-MiniLM-L6-v2 has 384"):
        make(profile="all-MiniLM-L6-v2")


def test_profiles_are_known_by_name() -> None:
    nomic = model_profile("NOMIC-embed-text-v1.5")
    assert (nomic.dimensions, nomic.context, nomic.max_tokens, nomic.stride) == (768, 8192, 512, 256)
    assert (nomic.document_prefix, nomic.query_prefix) == ("search_document: ", "search_query: ")
    mini = model_profile("all-MiniLM-L6-v2")
    assert (mini.dimensions, mini.document_prefix, mini.query_prefix, mini.widths) == (384, "", "", ())
    for name in ("", "mini", None):
        with pytest.raises(UnknownProfile, match=r"all-MiniLM-L6-v2"):
            model_profile(name)  # type: ignore[arg-type]


def test_arguments_stand_above_the_profile(make: Make) -> None:
    profile = ModelProfile("bag", dimensions=ROWS, document_prefix="document: ", max_tokens=16, stride=16)
    embedder = make(profile=profile, document_prefix="", max_tokens=12)
    assert (embedder.profile.document_prefix, embedder.profile.max_tokens, embedder.profile.stride) == ("", 12, 6)
    assert embedder.fingerprint.family == "bag"


# ---- the fingerprint


def test_the_fingerprint_names_files_and_settings_and_nothing_else(make: Make, folder: Path) -> None:
    first = make(tiny.encoder()).fingerprint
    assert (first.family, first.dimensions, first.normalised) == ("onnx", tiny.HIDDEN, True)
    assert make(batch_size=1, threads=2).fingerprint == first
    changes: list[dict[str, Any]] = [
        {"pooling": "cls"}, {"normalise": False}, {"layer_norm": True}, {"document_prefix": "document: "},
        {"query_prefix": "query: "}, {"max_tokens": 200}, {"stride": 100}, {"dimensions": 4},
    ]  # fmt: skip
    made = {make(**change).fingerprint for change in changes}
    (folder / "tokenizer.json").write_text(tiny.tokenizer() + " ")
    made.add(make().fingerprint)
    (folder / "model.onnx_data").write_bytes(b"weights beside the graph")
    made.add(make().fingerprint)
    made.add(make(tiny.bag(tiny.numbers("other", (ROWS, tiny.HIDDEN)))).fingerprint)
    assert len(made | {first}) == len(changes) + 4
    with pytest.raises(FingerprintMismatch, match="version"):
        check_fingerprint(first, make().fingerprint)


def test_a_folder_of_another_name_is_the_same_model(folder: Path) -> None:
    first = OnnxEmbedder(folder).fingerprint
    assert OnnxEmbedder(folder.rename(folder.with_name("moved"))).fingerprint == first
