"""The command `byheart`: a memory in a file, from a terminal.

Exit codes: 0 done, 1 a typed error (one line on standard error), 2 wrong usage or a text that is noise, 130
interrupted, 141 the reader of the output went away. Output for people may change; `--json` is stable.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from ..errors import ByheartError, NoiseRefused
from .commands import COMMANDS
from .parser import build_parser
from .render import one_line


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Raises:
        SystemExit: wrong usage (2), `--help` or `--version` (0); argparse has printed why.

    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a text must not fail for want of a letter
    try:
        try:
            parser = build_parser()
            args = parser.parse_args(argv)
            COMMANDS[args.command](args, parser)
        finally:
            sys.stdout.flush()  # here, where a reader that has left is noticed in good order
    except NoiseRefused as error:
        return _fail(str(error), code=2)
    except ByheartError as error:
        return _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains while it exits
        return 141
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return 130
    return 0


def _fail(message: str, code: int = 1) -> int:
    sys.stderr.write(f"byheart: {one_line(message)}\n")
    return code
