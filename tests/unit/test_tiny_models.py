"""The models that other tests use: each does what it says, and the BERT graph is BERT."""

import hashlib
import math
from typing import Any

import numpy as np
import pytest

from byheart.embedding.onnx_file import Graph
from byheart.errors import InvalidArgument

from ..models import tiny

# The wheel is also tested without its extras; `make test` installs them.
onnxruntime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

# The graph computes in float32, the oracle in float64; to normalise nearly equal numbers magnifies the difference.
ROUNDING = 2**-16
# Changing how graphs are written changes these, and with them the files that `byheart models assemble` makes.
DIGESTS = {
    "encoder": "78aed163be56cbd1",
    "cross-encoder": "1136131892463024",
    "decoder": "be2547a60a27b4bc",
}  # fmt: skip


def run(model: bytes, **inputs: Any) -> Any:
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, inputs)[0]


def ids(*rows: list[int]) -> Any:
    return np.array(rows, np.int64)


def encoded(text: str, second: str | None = None) -> Any:
    return tiny.opened_tokenizer().encode(text, second)


# ---- BERT, slowly


def normalised(rows: Any, weights: dict[str, Any], name: str) -> Any:
    centred = rows - rows.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + tiny.SHAPE.epsilon)
    return centred / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def linear(rows: Any, weights: dict[str, Any], name: str) -> Any:
    return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def softmax(scores: Any) -> Any:
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def bert(tokens: list[int]) -> Any:
    """Return the hidden state of one text, shape (tokens, 8): Devlin et al.'s formulas, one head after the other."""
    weights = {name: value.astype(np.float64) for name, value in tiny.weights().items()}
    rows = weights["embeddings.word_embeddings.weight"][tokens]
    rows = rows + weights["embeddings.position_embeddings.weight"][: len(tokens)]
    rows = normalised(rows + weights["embeddings.token_type_embeddings.weight"][0], weights, "embeddings.LayerNorm")
    for layer in range(tiny.SHAPE.layers):
        at = f"encoder.layer.{layer}"
        query, key, value = (linear(rows, weights, f"{at}.attention.self.{part}") for part in ("query", "key", "value"))
        size = tiny.HIDDEN // tiny.SHAPE.heads
        heads = []
        for head in range(tiny.SHAPE.heads):
            own = slice(head * size, (head + 1) * size)
            heads.append(softmax(query[:, own] @ key[:, own].T / math.sqrt(size)) @ value[:, own])
        attended = linear(np.concatenate(heads, axis=1), weights, f"{at}.attention.output.dense")
        rows = normalised(attended + rows, weights, f"{at}.attention.output.LayerNorm")
        wide = linear(rows, weights, f"{at}.intermediate.dense")
        wide = wide * 0.5 * (1 + np.vectorize(math.erf)(wide / math.sqrt(2)))
        rows = normalised(linear(wide, weights, f"{at}.output.dense") + rows, weights, f"{at}.output.LayerNorm")
    return rows


@pytest.mark.parametrize("length", [1, 2, 7, tiny.POSITIONS])
def test_the_graph_of_bert_is_bert(length: int) -> None:
    tokens = [(7 * place + 3) % len(tiny.VOCABULARY) for place in range(length)]
    padded = ids([*tokens, 0, 0][: tiny.POSITIONS])
    mask = ids(([1] * length + [0, 0])[: tiny.POSITIONS])
    given = run(tiny.encoder(), input_ids=padded, attention_mask=mask, token_type_ids=0 * padded)[0, :length]

    wanted = bert(tokens)
    assert np.abs(wanted).max() > 0.5
    assert np.abs(given - wanted).max() <= ROUNDING


# ---- the others


def test_a_pair_scores_the_query_tokens_that_the_passage_holds() -> None:
    for query, passage, count in (
        ("the cat", "a dog", 0),
        ("cat cat sat", "the cat", 2),
        ("hot tea .", "is tea . hot", 3),
    ):
        pair = encoded(query, passage)
        row = {
            "input_ids": ids(pair.ids),
            "attention_mask": ids(pair.attention_mask),
            "token_type_ids": ids(pair.type_ids),
        }
        assert run(tiny.cross_encoder(), **row).tolist() == [[count]]
        wider = {name: np.pad(value, ((0, 0), (0, 3))) for name, value in row.items()}
        assert run(tiny.cross_encoder(), **wider).tolist() == [[count]]


def test_the_summariser_copies_with_a_known_probability() -> None:
    files = tiny.summariser()
    source = encoded("the kettle is hot").ids
    hidden = run(files["encoder_model.onnx"], input_ids=ids(source), attention_mask=ids([1] * len(source)))
    target = [0]
    for _ in source:
        mask = ids([1] * len(source))
        logits = run(
            files["decoder_model.onnx"],
            input_ids=ids(target),
            encoder_hidden_states=hidden,
            encoder_attention_mask=mask,
        )
        assert logits.shape == (1, len(target), len(tiny.VOCABULARY))
        target.append(int(logits[0, -1].argmax()))
        right = math.exp(8) / (math.exp(8) + len(tiny.VOCABULARY) - 1)
        assert abs(softmax(logits[0, -1].astype(np.float64)).max() - right) < 1e-9
    assert target[1:] == source


def test_the_tokenizer_is_berts() -> None:
    assert encoded("The cats sat, Zebra!").tokens == [
        "[CLS]",
        "the",
        "cat",
        "##s",
        "sat",
        "[UNK]",
        "[UNK]",
        "[UNK]",
        "[SEP]",
    ]
    assert encoded("a", "dog").type_ids == [0, 0, 0, 1, 1]
    assert encoded("").ids == [tiny.IDS["[CLS]"], tiny.IDS["[SEP]"]]


def test_models_are_small_and_of_equal_bytes() -> None:
    made = {
        "encoder": tiny.encoder(),
        "cross-encoder": tiny.cross_encoder(),
        "decoder": tiny.summariser()["decoder_model.onnx"],
    }
    assert max(map(len, made.values())) < 16_384
    assert {name: hashlib.sha256(model).hexdigest()[:16] for name, model in made.items()} == DIGESTS


# ---- the writer


def test_attributes_of_every_kind_are_read_back() -> None:
    graph = Graph("kinds")
    graph.input("x", "float32", (2, "n"))
    leaky = graph.node("LeakyRelu", "x", alpha=0.25)
    turned = graph.node("Transpose", leaky, perm=(1, 0))
    graph.output(
        graph.node(
            "Softmax", graph.node("Pad", turned, graph.constant("pads", ids([0, 0, 1, 0])[0]), mode="edge"), axis=-1
        ),
        "float32",
        ("m", 2),
    )
    given = run(graph.to_bytes(), x=np.array([[-4.0], [2.0]], np.float32))

    assert np.abs(given - softmax(np.array([[-1.0, 2.0], [-1.0, 2.0]]))).max() < 1e-6


def test_a_name_stands_for_one_array() -> None:
    graph = Graph("names")
    graph.constant("a", np.zeros(3, np.float32))
    size = len(graph.to_bytes())
    assert graph.constant("a", np.zeros(3, np.float32)) == "a"
    assert len(graph.to_bytes()) == size
    for other in (np.ones(3, np.float32), np.zeros(3), np.zeros((3, 1), np.float32)):
        with pytest.raises(InvalidArgument, match="another array"):
            graph.constant("a", other)
