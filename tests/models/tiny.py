"""Models of a few kilobytes, whose answers can be worked out by hand; equal bytes on every machine.

- `encoder`: BERT with one layer of eight dimensions, the graph that `byheart.embedding.bert` makes of real weights.
- `bag` and `ready`: a table of word vectors and nothing else, so the mean or sum of a text's vectors is known.
- `cross_encoder`: the score of a pair is the number of the query's tokens that the passage holds.
- `summariser`: an encoder and a decoder that copy the source, token by token, with a known probability; the same with
  a memory of earlier tokens, in a file of its own (`summariser_with_memory`) or in one (`merged_summariser`).

The vocabulary is that of `WORDS`, letters and pieces of words; `tokenizer` is BERT's over it.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from byheart.embedding import bert
from byheart.embedding.onnx_file import Graph

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = (
    "the",
    "cat",
    "dog",
    "sat",
    "on",
    "a",
    "mat",
    "kettle",
    "is",
    "hot",
    "tea",
    "search",
    "query",
    "document",
    "_",
    ":",
    ".",
)
VOCABULARY = (*SPECIAL, *WORDS, "##s", "##ing", "1", "x", "##x")
IDS = {token: id for id, token in enumerate(VOCABULARY)}

HIDDEN = 8
POSITIONS = 64
SHAPE = bert.Shape(layers=1, heads=2)
BATCH = ("batch", "sequence")


def numbers(name: str, shape: Sequence[int]) -> Any:
    """Return float32 numbers between -0.5 and 0.5 that depend on a name and on nothing else: exact in every step."""
    seed = sum(ord(letter) * 31**place for place, letter in enumerate(name)) % 2**32
    counted = np.arange(int(np.prod(shape)), dtype=np.uint64) + np.uint64(seed)
    mixed = (counted * np.uint64(2_654_435_761)) % np.uint64(2**32)
    mixed = ((mixed ^ (mixed >> np.uint64(15))) * np.uint64(2_246_822_519)) % np.uint64(2**32)
    return (mixed.astype(np.float64) / 2**32 - 0.5).astype(np.float32).reshape(shape)


def weights(vocabulary: int = len(VOCABULARY), hidden: int = HIDDEN, shape: bert.Shape = SHAPE) -> dict[str, Any]:
    """Return weights of BERT under their names, with a feed-forward block twice as wide."""
    wide = 2 * hidden
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (vocabulary, hidden),
        "embeddings.position_embeddings.weight": (POSITIONS, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(shape.layers):
        at = f"encoder.layer.{layer}"
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{at}.{part}.weight": (hidden, hidden), f"{at}.{part}.bias": (hidden,)}
        shapes |= {f"{at}.intermediate.dense.weight": (wide, hidden), f"{at}.intermediate.dense.bias": (wide,)}
        shapes |= {f"{at}.output.dense.weight": (hidden, wide), f"{at}.output.dense.bias": (hidden,)}
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    made = {name: 4 * numbers(name, each) for name, each in shapes.items()}
    for name in norms:
        made |= {f"{name}.weight": 1 + numbers(name, (hidden,)), f"{name}.bias": numbers(f"{name}.bias", (hidden,))}
    return made


def encoder() -> bytes:
    """Return BERT, shape (batch, sequence, 8)."""
    return b"".join(bert.encoder(weights(), SHAPE, "tiny"))


def bag(
    table: Any,
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    dtype: str = "int64",
    output: str = "last_hidden_state",
) -> bytes:
    """Return a model that looks each token up in a table of shape (vocabulary, dimensions)."""
    graph = Graph("bag")
    for name in inputs:
        graph.input(name, dtype, BATCH)
    found = graph.node("Gather", graph.constant("table", table), "input_ids", name=output)
    graph.output(found, table.dtype.name, (*BATCH, table.shape[1]))
    return graph.to_bytes()


def ready(table: Any) -> bytes:
    """Return a model that gives a vector a text itself: the sum of its tokens' vectors, padding left out."""
    graph = Graph("ready")
    graph.input("input_ids", "int64", BATCH)
    graph.input("attention_mask", "int64", BATCH)
    tokens = graph.node("Gather", graph.constant("table", table), "input_ids")
    mask = graph.node("Cast", graph.node("Unsqueeze", "attention_mask", _whole(graph, 2)), to=1)
    summed = graph.node(
        "ReduceSum", graph.node("Mul", tokens, mask), _whole(graph, 1), name="sentence_embedding", keepdims=0
    )
    graph.output(summed, "float32", ("batch", table.shape[1]))
    return graph.to_bytes()


def cross_encoder() -> bytes:
    """Return a model of pairs with the output `logits`, shape (batch, 1): how many query tokens the passage holds."""
    graph = Graph("cross-encoder")
    for name in ("input_ids", "attention_mask", "token_type_ids"):
        graph.input(name, "int64", BATCH)
    node, one, two = graph.node, _whole(graph, 1), _whole(graph, 2)
    special = graph.constant("last_special", np.array(len(SPECIAL) - 1, np.int64))
    zero = graph.constant("segment_of_query", np.array(0, np.int64))
    attended = node("Cast", "attention_mask", to=9)
    words = node("And", attended, node("Greater", "input_ids", special))
    query = node("And", words, node("Equal", "token_type_ids", zero))
    passage = node("And", words, node("Not", node("Equal", "token_type_ids", zero)))
    same = node("Equal", node("Unsqueeze", "input_ids", two), node("Unsqueeze", "input_ids", one))
    held = node("And", node("And", same, node("Unsqueeze", query, two)), node("Unsqueeze", passage, one))
    found = node("ReduceMax", node("Cast", held, to=1), axes=(2,), keepdims=0)
    graph.output(node("ReduceSum", found, one, name="logits", keepdims=1), "float32", ("batch", 1))
    return graph.to_bytes()


def summariser(vocabulary: int = len(VOCABULARY), scale: float = 8.0) -> dict[str, bytes]:
    """Return the files of a sequence-to-sequence model that copies its source.

    The encoder turns each token into a one-hot vector; the decoder's logits at place t are `scale` times that of the
    source's token t (of its last one from there on), so each right token has the probability
    e^scale / (e^scale + vocabulary - 1).
    """
    source = bag(np.eye(vocabulary, dtype=np.float32))
    graph = Graph("decoder")
    graph.input("input_ids", "int64", ("batch", "target"))
    graph.input("encoder_hidden_states", "float32", ("batch", "source", vocabulary))
    graph.input("encoder_attention_mask", "int64", ("batch", "source"))
    node = graph.node
    zero, step = (graph.constant(f"scalar_{value}", np.array(value, np.int64)) for value in (0, 1))
    length = node("Squeeze", node("Shape", "input_ids", start=1, end=2))
    last = node("Sub", node("Squeeze", node("Shape", "encoder_hidden_states", start=1, end=2)), step)
    places = node("Min", node("Range", zero, length, step), last)
    copied = node("Gather", "encoder_hidden_states", places, axis=1)
    factor = graph.constant("scale", np.array(scale, np.float32))
    graph.output(node("Mul", copied, factor, name="logits"), "float32", ("batch", "target", vocabulary))
    return {"encoder_model.onnx": source, "decoder_model.onnx": graph.to_bytes()}


def summariser_with_memory(vocabulary: int = len(VOCABULARY), scale: float = 8.0) -> dict[str, bytes]:
    """Return the same with a second decoder for the later tokens, which are placed by what it is given of earlier ones.

    The keys of the decoder hold a number for each token so far; those of the encoder, the source.
    """
    files = summariser(vocabulary, scale)
    return files | {
        "decoder_model.onnx": _decoder(vocabulary, scale, "first"),
        "decoder_with_past_model.onnx": _decoder(vocabulary, scale, "later"),
    }


def merged_summariser(vocabulary: int = len(VOCABULARY), scale: float = 8.0) -> dict[str, bytes]:
    """Return the same with both decoders in one file, chosen by `use_cache_branch`; the later one gives no source."""
    encoder = summariser(vocabulary, scale)["encoder_model.onnx"]
    return {"encoder_model.onnx": encoder, "decoder_model_merged.onnx": _decoder(vocabulary, scale, "merged")}


def _decoder(vocabulary: int, scale: float, part: str) -> bytes:
    """Return a decoder with memory: "first" gives one, "later" takes it, "merged" does either."""
    graph = Graph(part)
    node = graph.node
    graph.input("input_ids", "int64", ("batch", "target"))
    graph.input("encoder_attention_mask", "int64", ("batch", "source"))
    zero, one = (graph.constant(f"scalar_{value}", np.array(value, np.int64)) for value in (0, 1))
    everything, nothing = _whole(graph, 2**31 - 1), _whole(graph, 0)
    # How much of the memory, and how much of the hidden states, is read: all or nothing.
    remembered, fresh = {"first": (nothing, everything), "later": (everything, nothing)}.get(part, ("", ""))
    if part == "merged":
        graph.input("use_cache_branch", "bool", (1,))
        remembered = node("Mul", node("Cast", "use_cache_branch", to=7), everything)
        fresh = node("Sub", everything, remembered)
    keys, source = [], []
    if part != "first":
        graph.input("past_key_values.0.decoder.key", "float32", ("batch", 1, "past", 1))
        graph.input("past_key_values.0.encoder.key", "float32", ("batch", 1, "source", vocabulary))
        keys.append(node("Slice", "past_key_values.0.decoder.key", nothing, remembered, _whole(graph, 2)))
        source.append(node("Slice", "past_key_values.0.encoder.key", nothing, remembered, _whole(graph, 2)))
    if part != "later":
        graph.input("encoder_hidden_states", "float32", ("batch", "source", vocabulary))
        read = node("Unsqueeze", "encoder_hidden_states", _whole(graph, 1))
        source.append(node("Slice", read, nothing, fresh, _whole(graph, 2), name="present.0.encoder.key"))
        graph.output(source[-1], "float32", ("batch", 1, "source", vocabulary))
    past = node("Squeeze", node("Shape", keys[0], start=2, end=3)) if keys else zero
    new = node("Cast", node("Unsqueeze", "input_ids", graph.constant("key_axes", np.array([1, 3], np.int64))), to=1)
    graph.output(node("Concat", *keys, new, axis=2, name="present.0.decoder.key"), "float32", ("batch", 1, "all", 1))
    seen = node("Squeeze", node("Concat", *source, axis=2), _whole(graph, 1))
    last = node("Sub", node("Squeeze", node("Shape", seen, start=1, end=2)), one)
    length = node("Squeeze", node("Shape", "input_ids", start=1, end=2))
    places = node("Min", node("Add", node("Range", zero, length, one), past), last)
    factor = graph.constant("scale", np.array(scale, np.float32))
    copied = node("Gather", seen, places, axis=1)
    graph.output(node("Mul", copied, factor, name="logits"), "float32", ("batch", "target", vocabulary))
    return graph.to_bytes()


def tokenizer() -> str:
    """Return tokenizer.json: BERT's lower-casing word pieces over `VOCABULARY`, with [CLS] and [SEP]."""
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    cleaning = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    pieces = {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    pair = [_special("[CLS]"), _part("A"), _special("[SEP]"), _part("B", 1), _special("[SEP]", 1)]
    known = {each: {"id": each, "ids": [IDS[each]], "tokens": [each]} for each in ("[CLS]", "[SEP]")}
    return json.dumps({
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": IDS[each], "content": each, **plain} for each in SPECIAL],
        "normalizer": {"type": "BertNormalizer", **cleaning},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": pair[:3], "pair": pair, "special_tokens": known},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "vocab": IDS, **pieces},
    })  # fmt: skip


def opened_tokenizer() -> Any:
    """Return the tokenizer, opened."""
    import tokenizers

    return tokenizers.Tokenizer.from_str(tokenizer())


def write(folder: Path, model: bytes) -> Path:
    """Write a model folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(model)
    (folder / "tokenizer.json").write_text(tokenizer(), encoding="utf-8")
    return folder


def write_summariser(folder: Path, files: Mapping[str, bytes], **settings: Any) -> Path:
    """Write a folder with a summariser, which begins with [PAD] and ends with [SEP], and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "tokenizer.json").write_text(tokenizer(), encoding="utf-8")
    chosen = {"decoder_start_token_id": IDS["[PAD]"], "eos_token_id": IDS["[SEP]"], **settings}
    (folder / "config.json").write_text(json.dumps(chosen), encoding="utf-8")
    return folder


def _whole(graph: Graph, value: int) -> str:
    return graph.constant(f"axis_{value}", np.array([value], np.int64))


def _special(token: str, segment: int = 0) -> dict[str, Any]:
    return {"SpecialToken": {"id": token, "type_id": segment}}


def _part(name: str, segment: int = 0) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": segment}}
