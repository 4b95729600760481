r"""Files that version control passes over: the rules of `.gitignore`, read as git reads them.

    # a comment            !kept.md        found again, unless a folder above it is passed over
    *.log                  /build          here alone, since there is a slash before its end
    notes/                 a/**/b          folders alone; any number of folders between

Rules of a folder hold below it, and the last one that fits decides. Not read: git's own list for all repositories.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from ..light.classes import dataclass
from ..light.expressions import expression

FILE: Final = ".gitignore"
ALWAYS: Final = ("node_modules", "__pycache__")
"""Folders that hold what others wrote, or programs made."""
_MAX_BYTES: Final = 1_000_000
_STAR, _NEVER = "\0", "(?!)"
_NOTHING = expression(_NEVER)
_NAMED: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \\t", "digit": "0-9", "lower": "a-z", "punct": r"!-/:-@\[-`{-~",
    "space": r"\s", "upper": "A-Z", "xdigit": "0-9a-fA-F", "cntrl": r"\x00-\x1f\x7f", "graph": "!-~", "print": " -~",
}  # fmt: skip


Part: TypeAlias = "re.Pattern[str] | None"
"""What one name on a path has to be; None for any number of folders."""


@dataclass(frozen=True)
class Rule:
    """One line of a file of rules.

    >>> rules = [Rule.parse(line) for line in ("docs/*.md", "*.md", "/*.md")]
    >>> [rule is not None and rule.fits("docs/tea.md", folder=False) for rule in rules]
    [True, True, False]
    """

    parts: tuple[Part, ...]
    kept: bool
    folders: bool

    @classmethod
    def parse(cls, line: str) -> Rule | None:
        """Return the rule of a line; None of a line that says nothing."""
        line = line.removesuffix("\r")
        while line.endswith(" ") and not line.endswith("\\ "):
            line = line[:-1]
        if line.startswith("#"):
            return None
        kept = line.startswith("!")
        line = line[kept:]
        folders = line.endswith("/")
        line = line[: len(line) - folders]
        if not line:
            return None
        parts = tuple(_parts(_letters(line.removeprefix("/") if "/" in line else f"**/{line}")))
        return cls(parts, kept, folders)

    def fits(self, path: str, *, folder: bool) -> bool:
        """Return whether the rule speaks of a path below its folder."""
        if self.folders and not folder:
            return False
        names = _letters(path).split("/")
        reached = {0}  # so many names are told by the parts before
        for number, part in enumerate(self.parts):
            if part is not None:
                reached = {at + 1 for at in reached if at < len(names) and part.fullmatch(names[at])}
            elif reached:
                last = number == len(self.parts) - 1  # what lies in a folder, and not the folder itself
                reached = set(range(min(reached) + last, len(names) + 1))
        return len(names) in reached


def _letters(name: str) -> str:
    """Return a name with a letter for each of its bytes: Git's "?" and sets fit a byte."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")


def _parts(pattern: str) -> Iterator[Part]:
    """Yield what each name on a path has to be, cut at the slashes outside of sets."""
    made, at, begin = "", 0, 0
    while at <= len(pattern):
        if at == len(pattern) or pattern[at] == "/":
            yield None if pattern[begin:at] == "**" else _compiled(made)
            made, at = "", at + 1
            begin = at
            continue
        piece, at = _piece(pattern, at)
        made += piece


def _compiled(expression: str) -> re.Pattern[str]:
    # Each star takes as little as it can and gives nothing back, so that no name takes long.
    head, *rest = expression.split(_STAR)
    tail = "" if not rest else "".join(f"(?>.*?{each})" for each in rest[:-1]) + f".*{rest[-1]}"
    try:
        return re.compile(head + tail, re.DOTALL)
    except re.error:  # a set such as [z-a], in which nothing is
        return _NOTHING


def _piece(pattern: str, at: int) -> tuple[str, int]:
    """Return the expression of the next piece of a pattern, and where the one behind it begins."""
    letter = pattern[at]
    if letter == "*":
        while pattern.startswith("*", at):
            at += 1
        return _STAR, at
    if letter == "?":
        return ".", at + 1
    if letter == "[":
        return _set(pattern, at + 1)
    if letter == "\\":
        return (re.escape(pattern[at + 1]), at + 2) if at + 1 < len(pattern) else (_NEVER, at + 1)
    return re.escape(letter), at + 1


def _set(pattern: str, at: int) -> tuple[str, int]:
    """Return the expression of a set of letters, and where it ends; one that does not end fits nothing."""
    negated = pattern[at : at + 1] in ("!", "^")
    begin = at = at + negated
    letters, before = "", ""  # the letter that a range may begin with
    while at < len(pattern) and (pattern[at] != "]" or at == begin):
        if pattern.startswith("[:", at) and (end := pattern.find(":]", at)) >= 0:
            named = _NAMED.get(pattern[at + 2 : end])
            if named is None:
                return _NEVER, len(pattern)
            letters, before, at = letters + named, "", end + 2
            continue
        escaped = pattern[at] == "\\"
        at += escaped
        if at == len(pattern):
            break
        letter = pattern[at]
        ranged = letter == "-" and not escaped and before != "" and pattern[at + 1 : at + 2] not in ("]", "")
        if ranged:
            at += 1 + (pattern[at + 1] == "\\")
            last = pattern[at : at + 1]
            letters += f"{re.escape(before)}-{re.escape(last)}" if before <= last else ""
        else:
            letters += re.escape(letter)
        before = "" if ranged else letter
        at += 1
    if at >= len(pattern):
        return _NEVER, len(pattern)
    return f"(?!/)[{'^' * negated}{letters}]", at + 1


class Ignored:
    """The rules that hold in a folder and below it: those of the folder, and of the repository that it lies in."""

    def __init__(self, root: Path) -> None:
        """Read the rules of the folders above, up to that of the repository, if there is one."""
        self._rules: dict[Path, list[Rule]] = {}
        above = [root, *root.parents]
        tops = [place for place, folder in enumerate(above) if _is_there(folder / ".git")]
        self._above = above[: tops[0] + 1] if tops else above[:1]

    def passes_over(self, path: Path, *, folder: bool) -> bool:
        """Return whether version control passes over what lies at a path, if it does not pass over a folder above."""
        if folder and path.name in ALWAYS:
            return True
        verdict = False
        for home in self._homes(path.parent):
            within = path.relative_to(home).as_posix()
            for rule in self._of(home):
                if rule.fits(within, folder=folder):
                    verdict = not rule.kept
        return verdict

    def check(self, folder: Path) -> None:
        """Read the rules that hold in a folder.

        Raises:
            OSError: those of the folder, or of one above, are there and cannot be read.

        """
        for home in self._homes(folder):
            self._of(home)

    def _homes(self, folder: Path) -> Sequence[Path]:
        """Return the folders whose rules hold in a folder, the outermost first."""
        top = self._above[-1]
        return [each for each in [*reversed(folder.parents), folder] if each == top or top in each.parents]

    def _of(self, folder: Path) -> list[Rule]:
        if folder not in self._rules:
            self._rules[folder] = [rule for line in _lines(folder / FILE) if (rule := Rule.parse(line)) is not None]
        return self._rules[folder]


def _is_there(path: Path) -> bool:
    """Return whether something can be seen at a path; nothing can in a folder that is shut."""
    try:
        return path.exists()
    except OSError:
        return False


def _lines(file: Path) -> list[str]:
    """Return the lines of a file of rules; none where there is no such file.

    Raises:
        OSError: there may be one, and it cannot be read.

    """
    try:
        with file.open("rb") as opened:
            return opened.read(_MAX_BYTES).decode("utf-8-sig", "surrogateescape").split("\n")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return []
