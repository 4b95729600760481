"""The summariser that writes: what comes out by hand, what its settings do, and what a real model writes."""

import json
import math
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, SummaryError
from byheart.summarising import OnnxSummariser, Summariser, Turn, preservation
from byheart.summarising.greedy import greedy, top_log_probability

from ..models import tiny
from .summarising_models import MODELS, TURNS, WIDTH, Make, opener

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

# The logit of the right token is 8, all others are 0; the graph computes it in float32, exactly.
RIGHT = math.exp(8) / (math.exp(8) + WIDTH - 1)
ONCE = 2.0**-50


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a model into the folder "model", and open it."""
    return opener(tmp_path / "model")


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
