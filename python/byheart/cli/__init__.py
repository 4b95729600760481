"""The command `byheart`: a memory in a file, from a terminal.

Exit codes (`codes.py`): 0 done, 1 the answer is no (nothing was found, a text was refused, problems were found),
2 wrong usage, bad input, or it could not be done (one line on standard error says why), 130 interrupted, 141 the
reader of the output went away. Output for people may change; `--json` is stable (docs/guides/command_line.md).
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..errors import ByheartError
from .codes import DONE, INTERRUPTED, UNREAD, WRONG, code_of
from .wording import told

_FULL: Final = (errno.ENOSPC, errno.EFBIG, errno.EIO)
"""What the system says where nothing more can be written; of a file of the memory an error says which."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Raises:
        SystemExit: wrong usage (2), `--help` or `--version` (0); argparse has printed why.

    """
    _open_streams()
    _speak_utf8()
    args = None
    try:
        try:
            from .configuring import configured  # here, where an interrupt is noticed in good order
            from .parser import build_parser

            args = configured(build_parser(), argv)
            return args.run(args, args.parser) or DONE
        finally:
            sys.stdout.flush()  # here, where a reader that has left is noticed in good order
    except ByheartError as error:
        from .configuring import blamed

        return _fail(blamed(args, told(error)), code_of(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains while it exits
        return UNREAD
    except OSError as error:
        is_output = error.filename is None and error.errno in _FULL
        return _fail(f"standard output: {error.strerror}" if is_output else told(error), WRONG)
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED


def _open_streams() -> None:
    """Have all three streams, also where whoever started the command closed them, as supervisors do.

    A file that is opened next would get the number of a closed one, and have the output written into it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for as long as we run


def _speak_utf8() -> None:
    """Have both outputs be UTF-8, unless the environment says otherwise; no text fails for want of a letter."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if os.environ.get("PYTHONIOENCODING") else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _fail(message: str, code: int) -> int:
    from .render import one_line

    with suppress(BrokenPipeError):  # where the reader of errors has gone, the code says it
        sys.stderr.write(f"byheart: {one_line(message)}\n")
    return code
