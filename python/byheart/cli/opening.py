"""The memory and the embedder that a command line names."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..boundary import DEFAULT_TENANT
from ..errors import InvalidArgument
from ..memory.memory import Memory
from ..storage import is_text

if TYPE_CHECKING:
    from ..embedding import Embedder


def open_to_add(args: argparse.Namespace, *, tenant: str = DEFAULT_TENANT, noise: str | None = None) -> Memory:
    """Open the memory file, or begin a new one; `noise` says what becomes of texts that are noise."""
    if args.embedder is not None:
        keeps_vectors(args)
    return _open(args, tenant=tenant, embedder=embedder_of(args), noise=noise)


def open_to_ask(args: argparse.Namespace) -> Memory:
    """Open a memory file that is there, with the embedder named; the vectors of a text file are made for the call."""
    must_exist(args)
    memory = _open(args, embedder=embedder_of(args))
    if args.embedder is not None and is_text(args.memory):
        memory.embed()
    return memory


def open_there(args: argparse.Namespace) -> Memory:
    """Open a memory file that is there, without an embedder."""
    must_exist(args)
    return _open(args)


def _open(
    args: argparse.Namespace,
    *,
    tenant: str = DEFAULT_TENANT,
    embedder: Embedder | None = None,
    noise: str | None = None,
) -> Memory:
    return Memory(args.memory, tenant=tenant, preset=args.preset, embedder=embedder, noise=noise)


def must_exist(args: argparse.Namespace) -> None:
    """Refuse a memory file that is not there: only what adds to it may begin a new one."""
    if not Path(args.memory).exists():
        raise InvalidArgument(f"{args.memory}: there is no such memory; remember or import something first")


def keeps_vectors(args: argparse.Namespace) -> None:
    """Refuse a text file, whose vectors would be gone with the command."""
    if is_text(args.memory):
        raise InvalidArgument(
            f"{args.memory}: a text file keeps no vectors; name the embedder when you recall, or use a durable file"
        )


def embedder_of(args: argparse.Namespace) -> Embedder | None:
    """Return the embedder that `--embedder` and `--model-profile` name; None without the former.

    Raises:
        InvalidArgument: there is no such folder, or a profile is named for what has none.
        MissingExtra, ModelError, UnknownProfile: see the message.

    """
    name, profile = args.embedder, args.model_profile
    folder = None if name in (None, "hashing", "wordllama") else Path(name)
    runs = folder is not None and any(folder.glob("*.onnx"))
    if profile is not None and not runs:
        raise InvalidArgument("--model-profile: is for --embedder FOLDER with an ONNX model in it")
    if name is None:
        return None
    from ..embedding import HashingEmbedder, OnnxEmbedder, StaticEmbedder

    if folder is None:
        return HashingEmbedder() if name == "hashing" else StaticEmbedder.wordllama()
    if not folder.is_dir():
        raise InvalidArgument(f"--embedder: {name!r} is neither hashing nor wordllama nor a folder")
    return OnnxEmbedder(folder, profile) if runs else StaticEmbedder.model2vec(folder)
