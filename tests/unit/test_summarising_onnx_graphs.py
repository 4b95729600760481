"""The graphs of the summariser that writes: which are refused, and what they are given."""

import math
from pathlib import Path

import numpy as np
import pytest

from byheart.embedding.onnx_file import Graph
from byheart.errors import ModelError
from byheart.summarising import Turn
from byheart.summarising.graphs import GraphFile

from ..models import tiny
from .summarising_models import WIDTH, Make, opener

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a model into the folder "model", and open it."""
    return opener(tmp_path / "model")


def linked(kind: str) -> dict[str, bytes]:
    """Return the files of a model of which one graph is wrong."""
    files = tiny.summariser()
    if kind == "NaN":
        return tiny.summariser(scale=math.nan)
    if kind in ("infinity", "no likely token"):
        one = np.eye(WIDTH, dtype=np.float32)
        table = np.where(one, np.inf, 0) if kind == "infinity" else np.full_like(one, -np.inf)
        return files | {"encoder_model.onnx": tiny.bag(table.astype(np.float32))}
    if kind == "no hidden state":
        return files | {"encoder_model.onnx": tiny.bag(np.eye(WIDTH, dtype=np.float32), output="hidden")}
    if kind == "unknown input":
        return files | {"encoder_model.onnx": tiny.bag(np.eye(WIDTH, dtype=np.float32), inputs=("input_ids", "pixels"))}
    if kind == "ready vectors":
        return files | {"encoder_model.onnx": renamed_ready()}
    if kind == "width":
        return files | {"encoder_model.onnx": tiny.bag(np.eye(WIDTH, 5, dtype=np.float32))}
    if kind == "small table":
        return files | {"encoder_model.onnx": tiny.bag(np.eye(3, WIDTH, dtype=np.float32))}
    if kind == "encoder for decoder":
        return files | {"decoder_model.onnx": files["encoder_model.onnx"]}
    if kind == "no memory given":
        return files | {"decoder_with_past_model.onnx": tiny.summariser_with_memory()["decoder_with_past_model.onnx"]}
    if kind == "no memory kept":
        kept = tiny.summariser_with_memory()
        return kept | {"decoder_with_past_model.onnx": forgetful()}
    if kind == "memory from the start":
        return files | {"decoder_model.onnx": tiny.summariser_with_memory()["decoder_with_past_model.onnx"]}
    assert kind in ("whole numbers", "one logit a text", "no vocabulary", "one row")
    return files | {"decoder_model.onnx": decoder_of(kind)}


def renamed_ready() -> bytes:
    graph = Graph("ready")
    graph.input("input_ids", "int64", tiny.BATCH)
    graph.output(graph.node("Cast", "input_ids", to=1, name="last_hidden_state"), "float32", tiny.BATCH)
    return graph.to_bytes()


def forgetful() -> bytes:
    """Return a decoder of later tokens that takes keys of the earlier ones and gives none."""
    graph = Graph("forgetful")
    graph.input("input_ids", "int64", tiny.BATCH)
    graph.input("past_key_values.0.decoder.key", "float32", ("batch", 1, "past", 1))
    rows = graph.constant("rows", np.zeros((WIDTH, WIDTH), np.float32))
    graph.output(graph.node("Gather", rows, "input_ids", name="logits"), "float32", (*tiny.BATCH, WIDTH))
    return graph.to_bytes()


def decoder_of(kind: str) -> bytes:
    """Return a decoder that looks its own last tokens up, and gives something else than logits of tokens."""
    dtype, width = ("int64" if kind == "whole numbers" else "float32"), (0 if kind == "no vocabulary" else 3)
    graph = Graph(kind)
    graph.input("input_ids", "int64", tiny.BATCH)
    table = graph.constant("table", np.ones((WIDTH, width), dtype))
    found = graph.node("Gather", table, "input_ids", name="" if kind != "whole numbers" else "logits")
    if kind == "one logit a text":
        axis = graph.constant("axis", np.array([1], np.int64))
        found = graph.node("ReduceSum", found, axis, name="logits", keepdims=0)
    elif kind == "one row":
        found = graph.node("Concat", found, found, axis=1, name="logits")
    elif kind == "no vocabulary":
        found = graph.node("Identity", found, name="logits")
    graph.output(found, dtype, ("batch", "width") if kind == "one logit a text" else (*tiny.BATCH, width))
    return graph.to_bytes()


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("NaN", r"decoder_model\.onnx: gave NaN or infinity"),
        ("infinity", r"decoder_model\.onnx: gave NaN or infinity"),
        ("no likely token", r"decoder_model\.onnx: gave NaN or infinity"),
        ("no hidden state", r"encoder_model\.onnx: takes .* and gives hidden;.* give last_hidden_state"),
        ("unknown input", r"encoder_model\.onnx: takes input_ids, pixels"),
        ("ready vectors", r"encoder_model\.onnx: gave shape \(1, 3\) for 1 text of 3 tokens"),
        ("width", r"decoder_model\.onnx: the graph failed on 1 tokens"),
        ("small table", r"encoder_model\.onnx: the graph failed on 3 tokens"),
        ("encoder for decoder", r"decoder_model\.onnx: takes input_ids, attention_mask"),
        ("no memory given", r"does not give present\.0\.decoder\.key, present\.0\.encoder\.key"),
        ("no memory kept", r"past_model\.onnx: does not give present\.0\.decoder\.key; export"),
        ("memory from the start", "takes keys and values from the first token on"),
        ("whole numbers", r"gave logits of int64, shape \(1, 1, 3\)"),
        ("one logit a text", r"gave logits of float32, shape \(1, 3\)"),
        ("no vocabulary", r"gave logits of float32, shape \(1, 1, 0\)"),
        ("one row", r"gave logits of float32, shape \(1, 2, 3\)"),
    ],
)
def test_graphs_of_no_summariser_are_refused_at_opening(make: Make, kind: str, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        make(linked(kind))


def test_nan_that_comes_late_is_an_error_of_the_model(make: Make) -> None:
    table = np.eye(WIDTH, dtype=np.float32)
    table[tiny.IDS["tea"]] = np.nan
    summariser = make(tiny.summariser() | {"encoder_model.onnx": tiny.bag(table)})
    assert summariser.summarise([Turn("a", "hot")]).text == "hot"
    with pytest.raises(ModelError, match="NaN"):
        summariser.summarise([Turn("a", "hot tea")])


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_a_graph_is_given_numbers_of_the_kind_that_it_takes(tmp_path: Path, kind: str) -> None:
    graph = Graph("same")
    graph.input("input_ids", "int64", ("batch", "target"))
    graph.input("states", kind, ("batch", "width"))
    graph.output(graph.node("Identity", "states", name="same"), kind, ("batch", "width"))
    file = tmp_path / "same.onnx"
    file.write_bytes(graph.to_bytes())
    opened = GraphFile(file, 1, ("input_ids", "states"), "same")
    given = {"input_ids": np.zeros((1, 1), np.int64), "states": np.array([[0.5, 2.0]], np.float32)}
    same = opened.run(given, ["same"])["same"]
    assert (same.dtype, same.tolist()) == (np.dtype(kind), [[0.5, 2.0]])
