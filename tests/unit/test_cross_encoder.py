"""The cross-encoder in this process: the tiny model's logit is the number of the query's tokens that the text holds."""

import json
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byheart.embedding.onnx_file import Graph
from byheart.errors import InvalidArgument, LimitExceeded, ModelError, RerankFailed

from ..models import tiny

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

from byheart.ranking.rerank.cross_encoder import OnnxCrossEncoder, sigmoid
from byheart.ranking.rerank.protocol import Reranker, Scored

Make = Callable[..., OnnxCrossEncoder]
QUERY = "cat dog tea"
TEXTS = ["", "the cat", "cat dog", "tea cat dog mat", "kettle", "the mat is hot . the mat is hot tea"]
HELD = [0, 1, 2, 3, 0, 1]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a model folder and open it."""

    def opened(model: bytes | None = None, config: Any = None, **settings: Any) -> OnnxCrossEncoder:
        folder = tiny.write(tmp_path / "judge", model or tiny.cross_encoder())
        if config is not None:
            (folder / "tokenizer_config.json").write_text(config if isinstance(config, str) else json.dumps(config))
        return OnnxCrossEncoder(folder, **settings)

    return opened


def held(encoder: OnnxCrossEncoder, query: str, *texts: str) -> list[int]:
    """Return the logits behind the scores."""
    found = encoder.scores(query, texts)
    assert [each.index for each in found] == list(range(len(texts)))
    return [round(math.log(each.score / (1 - each.score))) for each in found]


def test_scores_are_the_sigmoids_of_the_logits_in_order(make: Make) -> None:
    encoder = make()
    assert isinstance(encoder, Reranker)
    assert encoder.scores(QUERY, TEXTS) == [Scored(row, sigmoid(float(count))) for row, count in enumerate(HELD)]
    assert encoder.scores(QUERY, []) == []


@pytest.mark.parametrize("batch_size", [1, 2, 5, 100])
def test_neighbours_do_not_matter(make: Make, batch_size: int) -> None:
    assert make(batch_size=batch_size).scores(QUERY, TEXTS * 3) == make().scores(QUERY, TEXTS * 3)


def test_query_and_text_are_told_apart(make: Make) -> None:
    """The model counts tokens of the first text; told nothing of segments, it would count none."""
    assert held(make(), "cat cat cat", "cat") == [3]
    assert held(make(), "cat", "cat cat cat") == [1]


def test_a_long_pair_is_truncated_the_longer_first(make: Make) -> None:
    encoder = make(max_tokens=8)  # three of them special
    assert held(encoder, "cat", "dog dog dog cat") == [1]
    assert held(encoder, "cat", "dog dog dog dog cat") == [0]
    assert held(encoder, "cat cat cat cat cat cat cat cat", "cat") == [4]


@pytest.mark.parametrize(
    ("config", "reads"),
    [
        ({"model_max_length": 8}, False),
        ({"model_max_length": 10**30}, True),
        ({}, True),
        ({"model_max_length": "8"}, True),
    ],
)
def test_the_model_says_how_much_it_reads(make: Make, config: Any, reads: bool) -> None:
    assert held(make(config=config), "cat", "dog " * 20 + "cat") == [int(reads)]
    assert held(make(config=config, max_tokens=64), "cat", "dog " * 20 + "cat") == [1]


def test_ten_megabytes_take_no_longer_than_what_is_read_of_them(make: Make) -> None:
    assert held(make(), "cat", "cat " + "x" * 9_999_000) == [1]


def test_threads_may_share_it(make: Make) -> None:
    encoder = make()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: encoder.scores(QUERY, TEXTS), range(40))) == [encoder.scores(QUERY, TEXTS)] * 40


def test_its_name_is_that_of_its_folder(make: Make) -> None:
    encoder = make()
    assert encoder.name == "onnx:judge"
    assert repr(encoder) == f"OnnxCrossEncoder('onnx:judge', version='{encoder.version}', max_tokens=512)"
    assert encoder.version != make(tiny.cross_encoder() + b"\x08\x08").version


# ---- time


def test_with_time_enough_it_answers(make: Make) -> None:
    assert len(make().scores(QUERY, TEXTS, deadline=time.monotonic() + 60.0)) == len(TEXTS)


def test_without_time_it_fails_at_once(make: Make) -> None:
    with pytest.raises(RerankFailed, match=r"^timeout: no time was left"):
        make(reserve=60.0).scores(QUERY, TEXTS, deadline=time.monotonic() + 59.0)


def test_it_stops_before_a_batch_that_would_end_too_late(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, now, ran = make(batch_size=1, reserve=1.0), [1000.0], []
    run = encoder._session.vectors

    def slow(*arguments: Any) -> Any:
        ran.append(now[0])
        now[0] += 2.0
        return run(*arguments)

    monkeypatch.setattr(encoder._session, "vectors", slow)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with pytest.raises(RerankFailed, match=r"^timeout$"):
        encoder.scores(QUERY, TEXTS, deadline=1006.5)  # 5.5 seconds of its own: two batches of 2, not three
    assert ran == [1000.0, 1002.0]


# ---- what it refuses


def pairs_to(shape: list[int], value: float = 0.5) -> bytes:
    """Return a graph that answers one row of numbers whatever is asked, so of a batch of one."""
    graph = Graph("constant")
    for name in ("input_ids", "attention_mask"):
        graph.input(name, "int64", tiny.BATCH)
    numbers = graph.constant("numbers", np.full(shape, value, np.float32))
    graph.output(graph.node("Identity", numbers, name="logits"), "float32", shape)
    return graph.to_bytes()


def test_what_is_not_finite_is_passed_on(make: Make) -> None:
    for value, score in ((math.inf, 1.0), (-math.inf, 0.0)):
        assert make(pairs_to([1, 1], value), batch_size=1).scores("cat", ["dog"])[0].score == score
    assert math.isnan(make(pairs_to([1, 1], math.nan), batch_size=1).scores("cat", ["dog"])[0].score)


def test_a_classifier_of_several_classes_is_refused(make: Make) -> None:
    with pytest.raises(ModelError, match="gives 3 numbers a pair"):
        make(pairs_to([1, 3]))


def test_an_embedder_is_refused(make: Make) -> None:
    with pytest.raises(ModelError, match="wanted is one of logits"):
        make(tiny.encoder())


def test_a_model_that_fails_is_a_failure_to_rerank(make: Make) -> None:
    encoder = make(pairs_to([1, 1]), batch_size=2)
    with pytest.raises(RerankFailed, match=r"^the model failed$") as caught:
        encoder.scores("cat", ["dog", "tea"])
    assert isinstance(caught.value.__cause__, ModelError)


@pytest.mark.parametrize("config", ["[", "[]", '"x"', "[" * 100_000])
def test_a_damaged_configuration_is_named(make: Make, config: str) -> None:
    with pytest.raises(ModelError, match=r"tokenizer_config\.json: is no JSON object"):
        make(config=config)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"max_tokens": 4}, InvalidArgument),
        ({"max_tokens": 0}, InvalidArgument),
        ({"batch_size": 0}, InvalidArgument),
        ({"threads": True}, TypeError),
    ],
)
def test_settings_that_mean_nothing_are_refused(make: Make, settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        make(**settings)


def test_texts_are_checked(make: Make) -> None:
    encoder = make()
    for texts, error in (("text", TypeError), (["a\ud800"], InvalidArgument), ([None], TypeError)):
        with pytest.raises(error):
            encoder.scores("q", texts)
    with pytest.raises(LimitExceeded):
        encoder.scores("q" * 1_000_001, ["a"])


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is no folder"):
        OnnxCrossEncoder(tmp_path / "nowhere")
