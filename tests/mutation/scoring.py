"""The score of a sample of mutants, and how it gets between its marks in tests/README.md."""

from __future__ import annotations

import subprocess
import tomllib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drawing import Mutant

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "README.md"
SURVIVED = "survived"
KEPT = 12  # rows of the table


def report(what: str, number: int, found: dict[Mutant, str]) -> float:
    """Write the score of a sample, and what survived it, into the page; return the score.

    A mutant that survived and is known to be equivalent is neither caught nor missed: the score is of the others.
    """
    known = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))["mutant"]
    excused = {(entry["file"], entry["before"], entry["after"]) for entry in known}
    left = {mutant: verdict for mutant, verdict in found.items() if verdict.startswith(SURVIVED)}
    alive = {mutant: verdict for mutant, verdict in left.items() if mutant.key not in excused}
    equivalent, caught = len(left) - len(alive), len(found) - len(left)
    score = caught / max(1, caught + len(alive))
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()
    row = f"| {date.today()}, {commit} | {what} | {number} | {len(found)} | {equivalent} | {caught} | {len(alive)} | "
    row += f"{score:.1%} |\n"
    lines = [f"- `{m.file}:{m.line}`, {said}: `{m.before}` became `{m.after}`\n" for m, said in alive.items()]
    text = PAGE.read_text(encoding="utf-8")
    head, *rows = [line for line in between(text, "scores").splitlines(keepends=True) if line.startswith("|")]
    rule, *rows = rows
    text = put(text, "scores", "".join([head, rule, *latest([*rows, row])]))
    text = put(text, what, "".join(lines) or f"None of {len(found)}.\n")
    PAGE.write_text(text, encoding="utf-8")
    print(row, *lines, sep="", end="")
    return score


def latest(rows: list[str]) -> list[str]:
    """Return the last rows of the table, and of the package and the core the last one, however long ago it was."""
    last = {row.split("|")[2]: at for at, row in enumerate(rows)}
    return [row for at, row in enumerate(rows) if at >= len(rows) - KEPT or at in last.values()]


def between(text: str, mark: str) -> str:
    """Return what stands between the two marks of a name."""
    return text.partition(f"<!-- {mark} -->\n")[2].partition(f"<!-- /{mark} -->")[0]


def put(text: str, mark: str, new: str) -> str:
    """Return the text with something else between the two marks of a name."""
    old = f"<!-- {mark} -->\n{between(text, mark)}<!-- /{mark} -->"
    return text.replace(old, f"<!-- {mark} -->\n{new}<!-- /{mark} -->")
