"""The summariser that writes: what its files may be, what comes out by hand, and how it refuses the rest."""

import json
import math
import os
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byheart.embedding import HashingEmbedder
from byheart.embedding.onnx_file import Graph
from byheart.errors import InvalidArgument, MissingExtra, ModelError, SummaryError
from byheart.summarising import OnnxSummariser, Summariser, Turn, preservation
from byheart.summarising.graphs import GraphFile
from byheart.summarising.greedy import greedy, top_log_probability

from ..models import tiny

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

Make = Callable[..., OnnxSummariser]
TURNS = [Turn("a", " The kettle "), Turn("b", "\n"), Turn("c", "is hot .")]
WIDTH = len(tiny.VOCABULARY)
# The logit of the right token is 8, all others are 0; the graph computes it in float32, exactly.
RIGHT = math.exp(8) / (math.exp(8) + WIDTH - 1)
ONCE = 2.0**-50

MODELS = {
    "without memory": tiny.summariser,
    "with memory": tiny.summariser_with_memory,
    "merged": tiny.merged_summariser,
}


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a model into a folder, and open it; `config` goes into config.json."""

    def opened(
        files: Mapping[str, bytes] | None = None, config: Mapping[str, Any] | None = None, **settings: Any
    ) -> OnnxSummariser:
        folder = tiny.write_summariser(tmp_path / "model", files or tiny.summariser(), **(config or {}))
        return OnnxSummariser(folder, **{"prefix": "", **settings})

    return opened


# ---- what comes out


@pytest.mark.parametrize("model", MODELS)
def test_text_and_confidence_by_hand(make: Make, model: str) -> None:
    summariser = make(MODELS[model]())
    summary = summariser.summarise(TURNS)
    assert isinstance(summariser, Summariser)
    # [CLS] the kettle is hot . are made, [SEP] ends the text; each of the six has the same probability.
    assert (summary.text, summary.method, summary.source_ids) == ("the kettle is hot.", "onnx-t5", ("a", "b", "c"))
    assert abs(summary.confidence - RIGHT) <= ONCE
    assert not summary.truncated


@pytest.mark.parametrize("model", MODELS)
def test_a_text_that_never_ends_is_cut(make: Make, model: str) -> None:
    for most, text in ((1, None), (3, "the kettle"), (20, "the kettle is hot.")):
        summariser = make(MODELS[model](), {"eos_token_id": tiny.IDS["[MASK]"]}, max_new_tokens=most)
        if text is None:
            with pytest.raises(SummaryError, match="onnx-t5: gave a blank text"):  # [CLS] alone
                summariser.summarise(TURNS)
        else:
            summary = summariser.summarise(TURNS)
            assert (summary.text, summary.truncated) == (text, False)
            assert abs(summary.confidence - RIGHT) <= ONCE


def test_no_token_is_no_summary(make: Make) -> None:
    with pytest.raises(SummaryError, match="mine: gave a blank text"):
        make(config={"eos_token_id": tiny.IDS["[CLS]"]}, name="mine").summarise(TURNS)


@pytest.mark.parametrize("scale", [0.0, -8.0])
def test_the_end_is_not_counted_and_equal_logits_go_by_the_lower_token(make: Make, scale: float) -> None:
    # At 0 all tokens are equal, so [PAD] is made again and again; at -8 the lowest that is not in its place.
    summariser = make(tiny.summariser(scale=scale), max_new_tokens=2)
    with pytest.raises(SummaryError, match="blank"):
        summariser.summarise(TURNS)


def test_the_model_reads_prefix_and_turns_and_no_more_than_its_limit(make: Make) -> None:
    settings: dict[str, Any] = {"prefix": "search: "}
    assert make(**settings).summarise(TURNS).text == "search : the kettle is hot."
    for limit, text, truncated in ((9, "search : the kettle is hot.", False), (8, "search : the kettle is hot", True)):
        assert limit != 9 or len(tiny.opened_tokenizer().encode("search: the kettle is hot .").ids) == limit
        summary = make(tokens_limit=limit, **settings).summarise(TURNS)
        assert (summary.text, summary.truncated, summary.source_ids) == (text, truncated, ("a", "b", "c"))


def test_turns_are_lines_and_blank_ones_are_none(tmp_path: Path) -> None:
    lines = {"type": "Split", "pattern": {"String": "\n"}, "behavior": "Isolated", "invert": False}
    words = {"type": "WordLevel", "vocab": {"a": 0, "\n": 1, "hot": 2, "[SEP]": 3}, "unk_token": "a"}
    folder = tiny.write_summariser(tmp_path, tiny.summariser(vocabulary=4))
    (folder / "tokenizer.json").write_text(json.dumps({"model": words, "pre_tokenizer": lines}))
    turns = [Turn("1", "  "), Turn("2", "a "), Turn("3", ""), Turn("4", "\thot")]
    assert OnnxSummariser(folder, prefix="", max_new_tokens=4).summarise(turns).text == "a \n hot hot"


def test_a_long_session_is_truncated_and_says_so(make: Make) -> None:
    turns = [Turn(str(row), "the cat sat") for row in range(1000)]
    summary = make(max_new_tokens=2000).summarise(turns)
    assert summary.truncated
    assert summary.text.split() == (["the", "cat", "sat"] * 170)
    assert len(summary.source_ids) == 1000


def test_the_first_token_may_be_forced(make: Make) -> None:
    # Then it is part of the start, and the source's first token is skipped.
    for files in (tiny.summariser(), tiny.summariser_with_memory(), tiny.merged_summariser()):
        summary = make(files, {"forced_bos_token_id": tiny.IDS["[CLS]"]}, max_new_tokens=1).summarise(TURNS)
        assert summary.text == "the"


def test_several_tokens_may_end_the_text(make: Make) -> None:
    ends = [tiny.IDS["hot"], tiny.IDS["[SEP]"]]
    assert make(config={"eos_token_id": ends}).summarise(TURNS).text == "the kettle is"


def test_generation_settings_stand_above_the_configuration(make: Make, tmp_path: Path) -> None:
    make()
    settings = tmp_path / "model" / "generation_config.json"
    settings.write_text(json.dumps({"eos_token_id": tiny.IDS["hot"], "decoder_start_token_id": None}))
    assert OnnxSummariser(tmp_path / "model", prefix="").summarise(TURNS).text == "the kettle is"


def test_equal_turns_give_equal_summaries_in_any_thread(make: Make) -> None:
    for build in MODELS.values():
        summariser = make(build())
        batches = [[Turn("a", f"{first} {second}")] for first in tiny.WORDS for second in tiny.WORDS]
        expected = [summariser.summarise(batch) for batch in batches]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(summariser.summarise, batches)) == expected


# ---- greedy decoding


def test_the_memory_gets_one_token_more_each_time() -> None:
    seen = []

    def logits_after(tokens: Any) -> Any:
        seen.append(list(tokens))
        return np.array([0.0, -np.inf, float(len(tokens) < 4)])

    assert greedy(logits_after, [7, 8], [0], 9)[0] == [2, 2]
    assert seen == [[7, 8], [7, 8, 2], [7, 8, 2, 2]]


def test_an_impossible_token_adds_nothing() -> None:
    assert top_log_probability(np.array([-np.inf, 3.0, -np.inf])) == 0.0
    assert top_log_probability(np.full(4, -1e300)) == pytest.approx(-math.log(4), abs=1e-15)


# ---- graphs


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


# ---- files


@pytest.mark.parametrize(
    "names",
    [
        ("encoder_model.onnx", "decoder_model.onnx"),
        ("encoder_model_quantized.onnx", "decoder_model_quantized.onnx"),
        ("encoder.onnx", "decoder.onnx"),
        ("onnx/encoder_model.onnx", "onnx/decoder_model.onnx"),
    ],
)
def test_files_are_found_under_their_names(tmp_path: Path, names: tuple[str, str]) -> None:
    (tmp_path / "onnx").mkdir()
    files = dict(zip(names, tiny.summariser().values(), strict=True))
    assert OnnxSummariser(tiny.write_summariser(tmp_path, files), prefix="").summarise(TURNS).text.startswith("the")


def test_a_decoder_with_memory_is_preferred(make: Make) -> None:
    merged = tiny.merged_summariser() | {"decoder_model.onnx": b"never opened"}
    assert make(merged).summarise(TURNS).text == "the kettle is hot."


@pytest.mark.parametrize("model", MODELS)
def test_a_missing_or_damaged_file_is_said_to_be(
    make: Make, tmp_path: Path, model: str, capfd: pytest.CaptureFixture[str]
) -> None:
    files = MODELS[model]()
    make(files)
    for name, content in files.items():
        for cut in (content[:-40], b"", b"\x00" * 100):
            (tmp_path / "model" / name).write_bytes(cut)
            with pytest.raises(ModelError, match=rf"{name}: onnxruntime cannot open it"):
                OnnxSummariser(tmp_path / "model")
        (tmp_path / "model" / name).write_bytes(content)
    (tmp_path / "model" / "encoder_model.onnx").unlink()
    with pytest.raises(
        ModelError, match=r"holds decoder_model.*wanted are encoder_model\.onnx and decoder_model\.onnx"
    ):
        OnnxSummariser(tmp_path / "model")
    assert capfd.readouterr() == ("", ""), "the runtime logs nothing of its own"


def test_a_folder_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is no folder"):
        OnnxSummariser(tmp_path / "nothing")
    with pytest.raises(ModelError, match=r"no \.onnx file at all"):
        OnnxSummariser(tmp_path)


def test_a_tokenizer_is_needed(make: Make, tmp_path: Path) -> None:
    make()
    (tmp_path / "model" / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="is no tokenizer"):
        OnnxSummariser(tmp_path / "model")
    (tmp_path / "model" / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"tokenizer\.json: is missing"):
        OnnxSummariser(tmp_path / "model")


def test_a_tokenizer_without_tokens_is_another_models(make: Make, tmp_path: Path) -> None:
    make()
    words = {"type": "WordLevel", "vocab": {"<pad>": 0, "</s>": 1}, "unk_token": "?"}
    (tmp_path / "model" / "tokenizer.json").write_text(json.dumps({"model": words, "normalizer": None}))
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        OnnxSummariser(tmp_path / "model", prefix="")


@pytest.mark.parametrize("content", ["", "[]", "{", '"x"', "[" * 100_000])
def test_damaged_settings_are_said_to_be(make: Make, tmp_path: Path, content: str) -> None:
    make()
    (tmp_path / "model" / "generation_config.json").write_text(content)
    with pytest.raises(ModelError, match=r"generation_config\.json: is no JSON"):
        OnnxSummariser(tmp_path / "model")


@pytest.mark.parametrize("value", [-1, 1.5, "x", True, [], [1, None], {}])
@pytest.mark.parametrize("key", ["decoder_start_token_id", "eos_token_id", "forced_bos_token_id"])
def test_tokens_of_settings_are_whole_numbers(make: Make, key: str, value: Any) -> None:
    with pytest.raises(ModelError, match=f"{key} is .* in the settings"):
        make(config={key: value})


def test_settings_are_needed_where_t5s_tokens_are_not_there(make: Make, tmp_path: Path) -> None:
    make()
    (tmp_path / "model" / "config.json").unlink()
    with pytest.raises(ModelError, match="nothing names the decoder_start_token_id"):
        OnnxSummariser(tmp_path / "model")


def test_t5_needs_no_settings(tmp_path: Path) -> None:
    words = {"type": "WordLevel", "vocab": {"<pad>": 0, "</s>": 1, "tea": 2, "1": 3}, "unk_token": "tea"}
    made = {"model": words, "pre_tokenizer": {"type": "Whitespace"}}
    folder = tiny.write_summariser(tmp_path, tiny.summariser(vocabulary=4))
    (folder / "tokenizer.json").write_text(json.dumps(made))
    (folder / "config.json").unlink()
    assert OnnxSummariser(folder, prefix="", max_new_tokens=3).summarise([Turn("a", "1 tea")]).text == "1 tea tea"
    (folder / "config.json").write_text(json.dumps({"eos_token_id": 2}))
    assert OnnxSummariser(folder, prefix="", max_new_tokens=3).summarise([Turn("a", "1 tea")]).text == "1"


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_names_the_extra(make: Make, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"{package}.*byheart\[onnx\]"):
        make()


# ---- settings


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"max_new_tokens": 0}, InvalidArgument),
        ({"tokens_limit": 0}, InvalidArgument),
        ({"tokens_limit": 2}, InvalidArgument),
        ({"tokens_limit": 4, "prefix": "search: "}, InvalidArgument),
        ({"threads": 0}, InvalidArgument),
        ({"name": ""}, InvalidArgument),
        ({"prefix": "\ud800"}, InvalidArgument),
        ({"max_new_tokens": True}, TypeError),
        ({"tokens_limit": "512"}, TypeError),
        ({"threads": 1.0}, TypeError),
        ({"prefix": None}, TypeError),
        ({"name": None}, TypeError),
    ],
)
def test_settings_outside_their_range_are_refused(make: Make, settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match=next(iter(settings))):
        make(**settings)


def test_numbered_places_are_a_limit(make: Make) -> None:
    config = {"max_position_embeddings": 32}
    for settings, said in (
        ({}, "tokens_limit: is 512, but the model takes 32"),
        ({"tokens_limit": 32, "max_new_tokens": 32}, "max_new_tokens: is 32, but the model has places for 31"),
    ):
        with pytest.raises(InvalidArgument, match=said):
            make(config=config, **settings)
    assert make(config=config, tokens_limit=32, max_new_tokens=31).summarise(TURNS).text


def test_turns_without_a_word_are_no_text(make: Make) -> None:
    for text in (" ", "\u200b"):
        with pytest.raises(SummaryError, match="onnx-t5: the turns hold no text"):
            make(prefix="search: ").summarise([Turn("a", text), Turn("b", "")])


# ---- a real model


@pytest.fixture(scope="module")
def real() -> OnnxSummariser:
    """Return a real model; skip the test where there is none."""
    named = os.environ.get("BYHEART_SUMMARISER", "")
    if not named:
        pytest.skip("needs BYHEART_SUMMARISER: a folder with an encoder, a decoder and tokenizer.json")
    return OnnxSummariser(named, max_new_tokens=24)


def test_a_real_model_writes_a_summary(real: OnnxSummariser) -> None:
    turns = [
        Turn("a", "Caroline: I went to a support group yesterday and it was so powerful."),
        Turn("b", "Melanie: Wow, that's cool! What happened that was so awesome?"),
        Turn("c", "Caroline: The stories were so inspiring, I was thankful for all the support."),
    ]
    summary = real.summarise(turns)
    assert summary == real.summarise(turns)
    assert 0.0 < summary.confidence < 1.0 and not summary.truncated
    rows = HashingEmbedder().embed_documents([summary.text, *(turn.text for turn in turns)])
    assert preservation(rows[0], list(rows[1:])).coverage > 0.0, "it shares not one word with its turns"
    assert real.summarise([Turn(str(row), turns[0].text) for row in range(100)]).truncated


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
