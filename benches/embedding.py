"""What: texts a second through `OnnxEmbedder`, beside onnxruntime alone, which gets the same batches as ready arrays.

Corpus: English turns, seed 7; "long" joins eight of them. Model: the folder that BYHEART_MODEL names, made by `byheart
models assemble`; without it one of the same shape (MiniLM: 6 layers, 384 dimensions) with numbers that mean nothing,
which takes the same time. The bare loop is no rival but a bound: it tokenises nothing, pools nothing, and its arrays
are made before the clock starts. Also: the same batches of other sizes, which is why eight is the default.

    BYHEART_MODEL=FOLDER python benches/embedding.py
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import corpora
import numpy as np
import onnxruntime
from harness import busy, emit, in_turns, note, pin, row

from byheart.embedding import OnnxEmbedder, bert

SHAPE = bert.Shape(layers=6, heads=12)
VOCABULARY, HIDDEN, WIDE, POSITIONS = 30_522, 384, 1_536, 512
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
ROUNDS = 3
SECONDS = 0.001  # so one call, after one that is not counted: a call takes some 400 ms


def texts() -> dict[str, list[str]]:
    """Return the two sets of texts."""
    turns = list(islice(corpora.english_documents(192), 192))
    long = [" ".join(turns[at : at + 8]) for at in range(64, 192, 8)]
    return {"turns of 26 words, MiniLM's shape": turns[:64], "texts of 200 words, MiniLM's shape": long}


def shaped(folder: Path) -> Path:
    """Write a model of MiniLM's shape with random weights, and a tokenizer that knows the words of the corpus."""
    draw = np.random.default_rng(corpora.SEED)

    def some(*shape: int) -> Any:
        return (draw.standard_normal(shape) * 0.02).astype(np.float32)

    weights = {"embeddings.word_embeddings.weight": some(VOCABULARY, HIDDEN)}
    weights["embeddings.position_embeddings.weight"] = some(POSITIONS, HIDDEN)
    weights["embeddings.token_type_embeddings.weight"] = some(2, HIDDEN)
    norms = ["embeddings.LayerNorm"]
    for layer in range(SHAPE.layers):
        at = f"encoder.layer.{layer}"
        sizes = {f"attention.self.{part}": (HIDDEN, HIDDEN) for part in ("query", "key", "value")}
        sizes |= {"attention.output.dense": (HIDDEN, HIDDEN)}
        sizes |= {"intermediate.dense": (WIDE, HIDDEN), "output.dense": (HIDDEN, WIDE)}
        for part, (out, into) in sizes.items():
            weights |= {f"{at}.{part}.weight": some(out, into), f"{at}.{part}.bias": some(out)}
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for name in norms:
        weights |= {f"{name}.weight": 1 + some(HIDDEN), f"{name}.bias": some(HIDDEN)}
    (folder / "model.onnx").write_bytes(b"".join(bert.encoder(weights, SHAPE)))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()), encoding="utf-8")
    return folder


def tokenizer() -> dict[str, Any]:
    """Return word pieces in the manner of BERT: the words of the corpus whole, others letter by letter."""
    words = {word.strip(".,:;()\"'").lower() for word in corpora.english_words()}
    letters = sorted({letter for word in words for letter in word})
    pieces = dict.fromkeys([*SPECIAL, *letters, *(f"##{letter}" for letter in letters), *sorted(words - {""})])
    vocabulary = {piece: id for id, piece in enumerate(islice(pieces, VOCABULARY))}
    parts: list[dict[str, Any]] = [{"SpecialToken": {"id": name, "type_id": 0}} for name in ("[CLS]", "[SEP]")]
    template = [parts[0], {"Sequence": {"id": "A", "type_id": 0}}, parts[1]]
    special = {name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    cleaning = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    pieces_of = {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    return {
        "normalizer": {"type": "BertNormalizer", **cleaning},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": template,
            "pair": template,
            "special_tokens": special,
        },
        "model": {"type": "WordPiece", "vocab": vocabulary, **pieces_of},
    }


def batches(embedder: OnnxEmbedder, given: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the embedder hands to the runtime for these texts, batch by batch."""
    pieces = [(at, window) for at, text in enumerate(given) for window in embedder._documents.of(text)]
    rows = [[window.ids for _, window in batch] for batch in embedder._batches(pieces)]
    return [embedder._session._feeds(each, [len(ids) for ids in each], None) for each in rows]


def bare(folder: Path) -> onnxruntime.InferenceSession:
    """Return a session with nothing set but the threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])


def measure(folder: Path, name: str, case: str, given: Sequence[str]) -> None:
    """Measure one set of texts."""
    note(f"embedding {case}")
    embedders = {size: OnnxEmbedder(folder, "all-MiniLM-L6-v2", batch_size=size) for size in (8, 1, 32)}
    session, feeds = bare(folder), batches(embedders[8], given)

    def per_text(call: Callable[[], object]) -> Callable[[], float]:
        return lambda: busy(call, SECONDS) / len(given)

    samples = in_turns({
        "byheart": per_text(lambda: embedders[8].embed_documents(given)),
        "onnxruntime alone": per_text(lambda: [session.run(None, feed) for feed in feeds]),
        "byheart, batches of 1": per_text(lambda: embedders[1].embed_documents(given)),
        "byheart, batches of 32": per_text(lambda: embedders[32].embed_documents(given)),
    }, ROUNDS)  # fmt: skip
    tokens = sum(int(feed["attention_mask"].sum()) for feed in feeds) / len(given)
    emit(row("embedding", case, "us/text", samples, limit="onnxruntime alone", tokens_a_text=tokens, model=name))


def main() -> None:
    """Measure."""
    pin()
    named = os.environ.get("BYHEART_MODEL")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(named) if named else shaped(Path(made))
        name = f"{'the real weights' if named else 'random weights'}, onnxruntime {version('onnxruntime')}"
        for case, given in texts().items():
            measure(folder, name, case, given)


if __name__ == "__main__":
    main()
