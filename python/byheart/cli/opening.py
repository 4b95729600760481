"""The memory and the embedder that a command line names."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..boundary import DEFAULT_TENANT
from ..errors import InvalidArgument
from ..memory.memory import Memory
from ..memory.upkeep import SET_ASIDE
from ..storage import at_home, is_in_process, is_text
from ..validation import MAX_METADATA_BYTES, bytes_of
from .fields import as_json
from .options import boundary_of, declared
from .render import one_line

if TYPE_CHECKING:
    from ..embedding import Embedder


def open_to_add(args: argparse.Namespace, *, tenant: str = DEFAULT_TENANT, refuse_noise: bool = False) -> Memory:
    """Open the memory file, or begin a new one; texts that are noise are refused if that is asked for."""
    if args.embedder is not None or getattr(args, "vectors", None) is not None:
        keeps_vectors(args)
    more = {"noise": "refuse"} if refuse_noise else {}
    return _open(args, tenant=tenant, embedder=embedder_of(args), vectors=getattr(args, "vectors", None), **more)


def open_to_ask(args: argparse.Namespace, invariants: Iterable[str] = ()) -> Memory:
    """Open a memory file that is there, with the embedder named; the vectors of a text file are made for the call."""
    must_exist(args)
    memory = _open(args, embedder=embedder_of(args), vectors=getattr(args, "vectors", None), invariants=invariants)
    if args.embedder is not None and is_text(args.memory):
        memory.embed()
    return memory


def open_there(args: argparse.Namespace) -> Memory:
    """Open a memory file that is there, without an embedder."""
    must_exist(args)
    return _open(args)


def open_part(args: argparse.Namespace, embedder: Embedder | None = None) -> Memory:
    """Open a memory file that is there for the part that was named; for all of it if none was."""
    must_exist(args)
    named = boundary_of(args)
    return _open(args, embedder=embedder, boundary={"tenant": DEFAULT_TENANT, **named} if named else None)


def _open(args: argparse.Namespace, **more: Any) -> Memory:
    return Memory(args.memory, preset=args.preset, **{**declared(args), **args.opening, **more})


def note_damage(memory: Memory) -> None:
    """Say on the error output what could not be read, so that the output is not taken for complete."""
    opened = memory.opened
    if SET_ASIDE in opened:
        told = one_line(opened[opened.index(SET_ASIDE) :])
        sys.stderr.write(f"note: {told}; `byheart export FILE` writes what can be read, a backup may hold the rest\n")


def must_exist(args: argparse.Namespace) -> None:
    """Refuse a memory file that is not there: only what adds to it may begin a new one."""
    if not is_in_process(args.memory) and not Path(args.memory).exists():
        raise InvalidArgument(f"{args.memory}: there is no such memory; remember or import something first")


def keeps_vectors(args: argparse.Namespace) -> None:
    """Refuse a text file, whose vectors would be gone with the command."""
    if is_text(args.memory):
        raise InvalidArgument(
            f"{args.memory}: a text file keeps no vectors; name the embedder when you recall, or use a durable file"
        )


def vector_of(args: argparse.Namespace) -> list[float] | None:
    """Return the vector that `--vector` gives, or the file that it names.

    Raises:
        InvalidArgument: it is no list of numbers.

    """
    typed: str | None = args.vector
    if typed is None:
        return None
    if typed.startswith("@"):
        try:
            typed = bytes_of(Path(typed[1:]), MAX_METADATA_BYTES, piped=True).decode()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidArgument(f"--vector: {args.vector[1:]} cannot be read ({error})") from None
    read = as_json(typed)
    if not isinstance(read, list) or not all(type(each) in (int, float) for each in read):
        raise InvalidArgument("--vector: is no list of numbers, such as [0.5, 1.0]")
    return read


def embedder_of(args: argparse.Namespace) -> Embedder | None:
    """Return the embedder that `--embedder` and `--model-profile` name; None without the former.

    Raises:
        InvalidArgument: there is no such folder, or a profile is named for what has none.
        MissingExtra, ModelError, UnknownProfile: see the message.

    """
    if args.embedder is None and args.model_profile is None:
        return None
    from ..embedding.named import named

    return named(None if args.embedder is None else at_home(args.embedder), args.model_profile)
