"""Files of a memory: the six commands of the tool `memory_20250818`, over records in place of a disk.

A file is a record of kind "file" whose id is its path, so that `recall` finds it too. Folders are what paths have in
common: one is there as long as a file is below it. What a command read must still stand when it writes: where two hosts
edit one file, both edits are in it afterwards, or one of them is told to look again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..errors import InvalidArgument, VersionMismatch
from ..memory.memory import Memory
from ..records import Record
from ..storage.attempts import attempts
from .failures import Refused
from .file_paths import ROOT, is_below_root, path_of, words_of
from .placing import create, move

KIND = "file"
MAX_CHARACTERS = 1_000_000
"""Of a file."""

FIELDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "view": (("path",), ("view_range",)),
    "create": (("path", "file_text"), ()),
    "str_replace": (("path", "old_str"), ("new_str",)),
    "insert": (("path", "insert_line", "insert_text"), ()),
    "delete": (("path",), ()),
    "rename": (("old_path", "new_path"), ()),
}
"""What each command needs, and what it may have."""

WRITES: Final = tuple(name for name in FIELDS if name != "view")


class Files:
    r"""The files of a memory.

    Args:
        memory: holds them.
        boundary_class: of new ones.

    >>> files = Files(Memory())
    >>> files.run({"command": "create", "path": "/memories/tea.md", "file_text": "Green.\n"})
    'File created successfully at: /memories/tea.md'
    >>> files.run({"command": "view", "path": "/memories/tea.md"}).splitlines()[1:]
    ['     1\tGreen.', '     2\t']

    """

    def __init__(self, memory: Memory, boundary_class: str = "internal") -> None:
        self._memory, self._class = memory, boundary_class

    def run(self, command: Mapping[str, Any]) -> str:
        """Do a command, as the tool gives it, and return what the model reads.

        Raises:
            Refused: it cannot be done; the message says why.
            InvalidArgument: it is no command, or lacks something.
            StoreBusy: others wrote during each of several attempts.

        """
        name = str(command.get("command"))
        if name not in FIELDS:
            raise InvalidArgument(f"command: is none of {', '.join(FIELDS)}")
        needed, more = FIELDS[name]
        given = {field: value for field, value in command.items() if field != "command" and value is not None}
        lacking = [field for field in needed if field not in given]
        unknown = sorted(set(given) - {*needed, *more})
        if lacking or unknown:
            wrong = f"lacks {', '.join(lacking)}" if lacking else f"has no {unknown[0]}"
            raise InvalidArgument(f"{name}: {wrong}; it takes {', '.join((*needed, *more))}")
        done: str = getattr(self, name)(**given)
        return done

    # ---- look

    def view(self, path: str, view_range: list[int] | None = None) -> str:
        """Return the lines of a file with their numbers, or what is in a folder, two levels deep."""
        kept = path_of(path)
        record = self._file(kept)
        if record is None:
            return self._listing(kept)
        lines = record.text.split("\n")
        first, last = _range(view_range, len(lines))
        shown = "\n".join(f"{number:>6}\t{lines[number - 1]}" for number in range(first, last + 1))
        return f"Here's the content of {kept} with line numbers:\n{shown}"

    def _listing(self, folder: str) -> str:
        found = self._below(folder)
        if not found and folder != ROOT:
            raise _missing(folder)
        sizes: dict[str, int] = {}
        for path, record in found.items():
            parts = path.removeprefix(f"{folder}/").split("/")
            if any(part.startswith(".") or part == "node_modules" for part in parts):
                continue
            size = len(record.text.encode())
            for depth in range(min(len(parts), 2)):
                shown = "/".join((folder, *parts[: depth + 1])) + ("/" if depth + 1 < len(parts) else "")
                sizes[shown] = sizes.get(shown, 0) + size
            sizes[folder] = sizes.get(folder, 0) + size
        rows = [
            f"{_size(sizes.pop(folder, 0))}\t{folder}",
            *(f"{_size(sizes[path])}\t{path}" for path in sorted(sizes)),
        ]
        told = "excluding hidden items and node_modules"
        return "\n".join((f"Here're the files and directories up to 2 levels deep in {folder}, {told}:", *rows))

    # ---- change

    def create(self, path: str, file_text: str) -> str:
        """Make a file that is not there yet."""
        kept = _named(path)
        self._check_place(kept)
        _check_size(file_text)
        record = Record(id=kept, kind=KIND, topic=words_of(kept), claim=file_text or None, boundary_class=self._class)
        if create(self._memory, record) is None:
            if self._file(kept) is None:
                raise Refused("DUPLICATE", f"File {kept} already exists: as the id of a memory that is no file")
            raise Refused("DUPLICATE", f"File {kept} already exists")
        return f"File created successfully at: {kept}"

    def str_replace(self, path: str, old_str: str, new_str: str = "") -> str:
        """Put a text in the place of another one, which has to occur once."""
        kept = _named(path)

        def edit(said: str) -> str:
            places = _places(said, old_str)
            if not places:
                raise Refused(
                    "VALIDATION_ERROR", f"No replacement was performed, old_str did not appear verbatim in {kept}."
                )
            if len(places) > 1:
                lines = ", ".join(str(said.count("\n", 0, place) + 1) for place in places[:20])
                raise Refused(
                    "VALIDATION_ERROR",
                    f"No replacement was performed. Multiple occurrences of old_str in lines: {lines}. "
                    "Please ensure it is unique",
                )
            return said[: places[0]] + new_str + said[places[0] + len(old_str) :]

        before, after = self._edit(kept, edit)
        return f"The memory file has been edited.\n{_snippet(before, after)}"

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Put lines behind a line; 0 is before the first."""
        kept = _named(path)

        def edit(said: str) -> str:
            lines = said.split("\n")  # as `view` counts them
            ended = lines[-1] == ""
            lines = lines[:-1] if ended else lines
            if not 0 <= insert_line <= len(lines):
                raise Refused(
                    "VALIDATION_ERROR",
                    f"Invalid `insert_line` parameter: {insert_line}. It should be within the range of lines of the "
                    f"file: [0, {len(lines)}]",
                )
            if insert_line == len(lines):
                ended = insert_text.endswith("\n")
            whole = "\n".join((*lines[:insert_line], insert_text.removesuffix("\n"), *lines[insert_line:]))
            return f"{whole}\n" if ended else whole

        self._edit(kept, edit)
        return f"The file {kept} has been edited."

    def delete(self, path: str) -> str:
        """Erase a file, or a folder with all that is below it."""
        kept = _named(path)
        gone = [kept] if self._file(kept) is not None else list(self._below(kept))
        if not gone or not self._memory.forget(gone).ids:
            raise _missing(kept)
        return f"Successfully deleted {kept}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Move a file or a folder, all of it in one write, to where nothing is."""
        old, new = _named(old_path), _named(new_path)
        if new == old or new.startswith(f"{old}/"):
            raise Refused("VALIDATION_ERROR", f"The destination {new} lies in {old}")
        for _ in attempts("rename a file"):
            found = self._file(old)
            moved = {old: found} if found is not None else self._below(old)
            if not moved:
                raise _missing(old)
            places = {path: path_of(new + path.removeprefix(old)) for path in moved}
            if self._file(new) is not None or self._below(new):
                raise Refused("DUPLICATE", f"The destination {new} already exists")
            self._check_place(new)
            if move(self._memory, [(moved[path], self._renamed(moved[path], place)) for path, place in places.items()]):
                return f"Successfully renamed {old} to {new}"
        raise AssertionError("attempts end with an error")

    # ---- what they share

    def _edit(self, path: str, edit: Callable[[str], str]) -> tuple[str, str]:
        """Change the text of a file; return it as it was and as it is. Begins again where another host was quicker."""
        for _ in attempts("edit a file"):
            record = self._file(path)
            if record is None:
                raise _missing(path)
            text = edit(record.text)
            _check_size(text)
            try:
                if text != record.text:
                    self._memory.update(
                        path, claim=text or None, if_version=record.version, expires_at=self._end(record)
                    )
            except VersionMismatch:
                continue
            return record.text, text
        raise AssertionError("attempts end with an error")

    def _end(self, record: Record) -> float | None:
        """Return when an edited file is over, where it has an end: as late as if it were made now."""
        if record.expires_at is None:
            return None
        asked = Record(id=record.id, kind=KIND, claim="-", scope=record.scope, boundary_class=record.boundary_class)
        [fresh] = self._memory._engine.writer.completed([asked], time.time())
        return max(record.expires_at, fresh.expires_at or 0.0)

    def _file(self, path: str) -> Record | None:
        """Return the record of a file."""
        record = self._memory.get([path])[0]
        return record if record is not None and record.kind == KIND else None

    def _below(self, folder: str) -> dict[str, Record]:
        """Return the files below a folder, by path."""
        found = {record.id or "": record for record in self._memory.records({"kind": KIND})}
        return {path: found[path] for path in sorted(found) if path.startswith(f"{folder}/") and is_below_root(path)}

    def _check_place(self, path: str) -> None:
        """Refuse a file where a folder is, or below a file."""
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(3, len(parts))]
        if any(self._file(each) is not None for each in above):
            raise Refused("DUPLICATE", f"{path}: a part of the path is a file")
        if self._below(path):
            raise Refused("DUPLICATE", f"{path} already exists and is a directory")

    def _renamed(self, record: Record, path: str) -> Record:
        """Return a record under another path."""
        return Record.from_dict({**record.to_dict(), "id": path, "topic": words_of(path)})


def _named(path: str) -> str:
    """Return the path of a file or a folder that may be changed: any but the root."""
    kept = path_of(path)
    if kept == ROOT:
        raise Refused("VALIDATION_ERROR", f"path: {ROOT} itself stays; name what is below it")
    return kept


def _missing(path: str) -> Refused:
    return Refused("UNKNOWN_CLAIM", f"The path {path} does not exist. Please provide a valid path.")


def _check_size(said: str) -> None:
    if len(said) > MAX_CHARACTERS:
        raise Refused("LIMIT_EXCEEDED", f"file: {len(said)} characters are over the limit of {MAX_CHARACTERS}")


def _range(asked: list[int] | None, lines: int) -> tuple[int, int]:
    """Return the first and the last line that are shown; the end may be -1: the last there is."""
    if asked is None:
        return 1, lines
    first, last = asked[0], lines if asked[1] == -1 else min(asked[1], lines)
    if not 1 <= first <= lines or last < first:
        raise Refused("VALIDATION_ERROR", f"Invalid `view_range` parameter: {asked}. The file has {lines} lines.")
    return first, last


def _places(said: str, wanted: str) -> list[int]:
    """Return where a text occurs, at most 21 times; places may overlap."""
    found: list[int] = []
    place = said.find(wanted)
    while place >= 0 and len(found) <= 20:
        found.append(place)
        place = said.find(wanted, place + 1)
    return found


def _snippet(before: str, after: str) -> str:
    """Return the lines around a change, with their numbers."""
    old, new = before.split("\n"), after.split("\n")
    same = next(
        (number for number, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    end = same + max(1, len(new) - len(old) + 1)
    return "\n".join(f"{number + 1:>6}\t{new[number]}" for number in range(max(0, same - 2), min(len(new), end + 2)))


def _size(count: int) -> str:
    """Return a size as people read it.

    >>> _size(7), _size(1536), _size(3 * 2**20)
    ('7', '1.5K', '3.0M')
    """
    for unit, size in (("M", 2**20), ("K", 2**10)):
        if count >= size:
            return f"{count / size:.1f}{unit}"
    return str(count)
