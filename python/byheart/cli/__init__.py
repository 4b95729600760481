"""The command `byheart`: a memory in one file, from the shell.

Errors of byheart are one line on standard error and exit code 1; wrong usage is 2; Ctrl-C is 130.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ..errors import ByheartError
from . import commands
from .parser import parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = parser().parse_args(arguments)
    try:
        commands.run(options)
        sys.stdout.flush()
    except (ByheartError, OSError, TypeError) as error:
        if isinstance(error, BrokenPipeError):
            # Whoever read our output has gone; leave quietly, and let nothing more be flushed into the void.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(f"byheart: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("byheart: interrupted; nothing of this command was kept", file=sys.stderr)
        return 130
    return 0
