"""A folder with a sequence-to-sequence model: which files are which, and what their settings say.

Hugging Face Optimum exports an encoder and a decoder; the decoder may come a second time for the later tokens, which
takes keys and values of the earlier ones (`decoder_with_past_model.onnx`), or both may be one file
(`decoder_model_merged.onnx`). Others call the files `encoder.onnx` and `decoder.onnx`, without settings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..embedding.weights import read_file
from ..errors import ModelError
from ..light.classes import dataclass

# Encoder, decoder, decoder of the later tokens: the first row whose files are all there. Those with a memory of earlier
# tokens come first, since a decoder without one reads them all again for each token.
LAYOUTS: Final = (
    ("encoder_model", "decoder_model", "decoder_with_past_model"),
    ("encoder_model", "decoder_model_merged"),
    ("encoder_model", "decoder_model"),
    ("encoder_model_quantized", "decoder_model_quantized", "decoder_with_past_model_quantized"),
    ("encoder_model_quantized", "decoder_model_merged_quantized"),
    ("encoder_model_quantized", "decoder_model_quantized"),
    ("encoder", "decoder"),
)
SETTINGS: Final = ("config.json", "generation_config.json")  # the later one stands above


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The graphs of a model, and its tokenizer; `later` is the decoder of later tokens, where that is a file."""

    encoder: Path
    decoder: Path
    later: Path | None
    tokenizer: Path


@dataclass(frozen=True, slots=True)
class Decoding:
    """How the model's text begins and ends.

    Attributes:
        start: the tokens before the first one.
        ends: the tokens that end it, at least one.
        positions: the most tokens that the model has places for; None where it counts distances instead, as T5 does.

    """

    start: tuple[int, ...]
    ends: tuple[int, ...]
    positions: int | None


def find_files(folder: Path) -> ModelFiles:
    """Return the files of a model, which lie in the folder, or its graphs in the folder `onnx` inside it.

    Raises:
        ModelError: there is no folder, or a file is missing; says what is there.

    """
    if not folder.is_dir():
        raise ModelError(f"{folder}: is no folder; give the one that holds the encoder, the decoder and tokenizer.json")
    for place in (folder, folder / "onnx"):
        for row in LAYOUTS:
            graphs = [place / f"{name}.onnx" for name in row]
            if all(graph.is_file() for graph in graphs):
                return ModelFiles(
                    graphs[0], graphs[1], graphs[2] if len(graphs) > 2 else None, folder / "tokenizer.json"
                )
    names = ", ".join(sorted(path.name for path in folder.glob("*.onnx"))) or "no .onnx file at all"
    raise ModelError(f"{folder}: holds {names}; wanted are encoder_model.onnx and decoder_model.onnx")


def read_decoding(folder: Path, tokenizer: Any) -> Decoding:
    """Return how texts begin and end, by generation_config.json, else config.json, else as T5 does.

    T5 begins with `<pad>` and ends with `</s>`; that is taken only where the tokenizer has both.

    Args:
        folder: where the settings may lie.
        tokenizer: the model's `tokenizers.Tokenizer`.

    Raises:
        ModelError: a file is damaged, or a token is named nowhere.

    """
    settings: dict[str, Any] = {}
    for name in SETTINGS:
        if (folder / name).exists():
            settings |= {key: value for key, value in _read_settings(folder / name).items() if value is not None}
    pad, end = tokenizer.token_to_id("<pad>"), tokenizer.token_to_id("</s>")
    if pad is not None and end is not None:
        settings = {"decoder_start_token_id": pad, "eos_token_id": end} | settings
    for key in ("decoder_start_token_id", "eos_token_id"):
        if key not in settings:
            raise ModelError(f"{folder}: nothing names the {key}; {SETTINGS[0]} does, as published beside the model")
    # A token that the first one is forced to be is not chosen by the model, so it is part of the start.
    start = _numbers(folder, settings, "decoder_start_token_id") + _numbers(folder, settings, "forced_bos_token_id")
    positions = _numbers(folder, settings, "max_position_embeddings")
    return Decoding(start, _numbers(folder, settings, "eos_token_id"), positions[0] if positions else None)


def _numbers(folder: Path, settings: Mapping[str, Any], key: str) -> tuple[int, ...]:
    """Return the whole numbers that the settings have under a key, one or a list; none where the key is missing."""
    if key not in settings:
        return ()
    found = settings[key]
    numbers = tuple(found) if isinstance(found, list) else (found,)
    if not numbers or not all(type(each) is int and each >= 0 for each in numbers):
        raise ModelError(
            f"{folder}: {key} is {found!r} in the settings; it must be a token's number, or a list of them"
        )
    return numbers


def _read_settings(file: Path) -> Mapping[str, Any]:
    try:
        settings = json.loads(read_file(file))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{file}: is no JSON ({error}); get the file anew") from None
    if not isinstance(settings, dict):
        raise ModelError(f"{file}: is no JSON object; get the file anew")
    return settings
