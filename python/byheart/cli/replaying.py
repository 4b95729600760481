"""The command that asks again what a receipt says was asked."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InvalidArgument
from ..validation import bytes_of
from .codes import Negative
from .opening import open_to_ask
from .render import counted, one_line, show, show_json

_MOST = 100_000_000  # bytes; a receipt of 100,000 hits has some 20 MB


def replay(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Ask again and compare; say which records changed."""
    from ..evaluation.receipt_replay import replay as again  # on use: other commands do not wait for it

    receipt = _read(args.receipt)
    with open_to_ask(args) as memory:
        done = again(memory, receipt)
    if args.json:
        show_json({"same": done.same, "changed": list(done.changed), "receipt": done.receipt.to_dict()})
    else:
        said = [f"the same {counted(len(done.receipt.hits), 'hit')}, with the same scores"] if done.same else []
        show("\n".join([*said, *map(one_line, done.changed)]))
    if not done.same:
        raise Negative("the answer is another one")


def _read(name: str) -> Mapping[str, Any]:
    """Return the receipt of a file: itself, or what `recall --json` printed around it."""
    try:
        text = sys.stdin.read(_MOST + 1) if name == "-" else bytes_of(Path(name), _MOST, piped=True).decode()
        if len(text) > _MOST:
            raise InvalidArgument(f"{name}: is longer than {_MOST} characters")
        found = json.loads(text)
    except InvalidArgument:
        raise
    except UnicodeDecodeError as error:
        raise InvalidArgument(f"{name}: byte {error.start} is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"{name}: is no JSON ({error})") from None
    if isinstance(found, dict) and isinstance(found.get("receipt"), dict):
        found = found["receipt"]
    if not isinstance(found, dict):
        raise InvalidArgument(f"{name}: holds no receipt")
    return found
