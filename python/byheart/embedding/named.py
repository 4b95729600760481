"""Embedders by name: those that a command line or a file of settings can say."""

from __future__ import annotations

from pathlib import Path

from ..errors import InvalidArgument
from ..words import EmbedderName, words_of
from .fingerprint import Fingerprint
from .hashing import HashingEmbedder
from .onnx import OnnxEmbedder
from .protocol import Embedder
from .static import WORDLLAMA, WORDLLAMA_DIMENSIONS, StaticEmbedder

NAMES: tuple[str, ...] = words_of(EmbedderName)


def named(name: EmbedderName | str | None, model_profile: str | None = None) -> Embedder:
    """Return the embedder of a name: hashing, wordllama, or a folder with a model.

    Args:
        name: what it is called, or where its model is.
        model_profile: how the folder's ONNX model is asked.

    Raises:
        InvalidArgument: there is no such folder, or a profile is named for what has none.
        MissingExtra, ModelError, UnknownProfile: see the message.

    >>> named("hashing").dimensions
    256

    """
    folder = None if name is None or name in NAMES else Path(name)
    runs = folder is not None and any(folder.glob("*.onnx"))
    if model_profile is not None and not runs:
        raise InvalidArgument("model_profile: is for an embedder that is a folder with an ONNX model in it")
    if folder is None:
        return HashingEmbedder() if name == "hashing" else StaticEmbedder.wordllama()
    if not folder.is_dir():
        raise InvalidArgument(f"embedder: {name!r} is neither hashing nor wordllama nor a folder")
    return OnnxEmbedder(folder, model_profile) if runs else StaticEmbedder.model2vec(folder)


def name_of(model: Fingerprint) -> str | None:
    """Return the name of the embedder that is of a model; None of one whose model lies in a folder.

    >>> name_of(named("hashing").fingerprint), name_of(HashingEmbedder(16).fingerprint)
    ('hashing', None)

    """
    if model == HashingEmbedder().fingerprint:
        return "hashing"
    return "wordllama" if (model.family, model.dimensions) == (WORDLLAMA, max(WORDLLAMA_DIMENSIONS)) else None
