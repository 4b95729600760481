"""The files of the summariser that writes: where they are found, and how missing and damaged ones are told."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from byheart.errors import MissingExtra, ModelError
from byheart.summarising import OnnxSummariser, Turn

from ..models import tiny
from .summarising_models import MODELS, TURNS, Make, opener

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a model into the folder "model", and open it."""
    return opener(tmp_path / "model")


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
