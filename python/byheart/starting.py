"""The start of the command: an interrupt while its modules load ends it as a later one does, with no traceback.

Imported before all else of the package. In other programs nothing is changed: what an interrupt does is theirs to say.
"""

import sys
from itertools import pairwise
from pathlib import Path
from types import TracebackType


def _end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.stderr.write("\n")
        raise SystemExit(130)  # `cli.codes.INTERRUPTED`, which may not have been loaded
    sys.__excepthook__(kind, error, trace)


def _is_command() -> bool:
    script = Path(sys.argv[0]).stem if getattr(sys, "argv", None) else ""  # none where Python is embedded
    return script == "byheart" or (script == "-m" and ("-m", "byheart") in pairwise(sys.orig_argv))


if _is_command():
    sys.excepthook = _end
