"""The files of runs: a folder for each run group, and a pointer beside them to the latest one."""
# docs/sources.md: A3.6.9.

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ...errors import InvalidArgument

LATEST: Final = "latest.json"
_OTHER = re.compile(r"[^a-z0-9_.]+")


def slug(text: str) -> str:
    """Return a text as part of a file's name: small letters, digits, dots and hyphens.

    Raises:
        InvalidArgument: nothing is left of it.

    >>> slug("LanceDB only, must+nice")
    'lancedb-only-must-nice'

    """
    made = _OTHER.sub("-", text.lower()).strip("-.")
    if not made:
        raise InvalidArgument(f"label: nothing is left of {text!r} as a file's name; use letters and digits")
    return made


def run_group(label: str, now: float) -> str:
    """Return the name of the run of a moment.

    >>> run_group("Router, LoCoMo", 0.0)
    '19700101T000000Z-router-locomo'
    """
    return f"{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}-{slug(label)}"


def written_at(now: float) -> str:
    """Return a moment as reports tell it.

    >>> written_at(0.0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")


def write(folder: str | Path, group: str, files: Mapping[str, str]) -> Path:
    """Write the files of a run into a folder of its own, point `latest.json` at it, and return that folder.

    Raises:
        InvalidArgument: a run of this name is there already, or nothing can be written.

    """
    home = Path(folder) / group
    try:
        home.mkdir(parents=True)
        for name, text in files.items():
            (home / name).write_text(text, encoding="utf-8", newline="\n")
        told = {"run_group": group, "files": {name: f"{group}/{name}" for name in sorted(files)}}
        whole = Path(folder) / f".{LATEST}.{group}"
        whole.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8", newline="\n")
        whole.replace(Path(folder) / LATEST)  # whoever reads the pointer sees the old run or the new one
    except FileExistsError:
        raise InvalidArgument(f"{home}: is there already; give the run another name") from None
    except OSError as error:
        raise InvalidArgument(f"{home}: cannot be written ({error.strerror})") from None
    return home
