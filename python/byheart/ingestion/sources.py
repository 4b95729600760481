"""Sources: files and folders, read as records.

Markdown (`.md`), plain text (`.txt`), PDF and HTML are cut into chunks, a record each; JSON Lines (`.jsonl`) hold a
record a line. A source is read whole or not at all: the first fault raises an error that names the source, the place in
it and the step. Each record's provenance names its source, and a chunk's also its place there. Front matter of Markdown
becomes the metadata of its records.

Knows no memory: what is done with the records, and which older ones they replace, is the caller's affair.
"""

import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO, Final

from ..errors import ByheartError, InvalidArgument, LimitExceeded
from ..knowledge import unit_id
from ..light.classes import dataclass
from ..records import Record
from ..validation import MAX_TEXT_BYTES
from .bodies import body_of, decode
from .chunking import chunk_text
from .ignoring import Ignored
from .refusing import check_cell, check_foreign
from .units import with_fact_units

SOURCE_TYPES: Final[Mapping[str, str]] = {
    ".md": "markdown",
    ".txt": "plain-text",
    ".jsonl": "json-lines",
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
}
"""What is read, by the end of a file's name; the values are what provenance calls it."""

_FIELDS: Final = frozenset(spec.name for spec in fields(Record))
# The camelCase names of the sources mean the same fields (decision 5).
_KNOWN: Final = _FIELDS | {re.sub("_([a-z])", lambda found: found[1].upper(), name) for name in _FIELDS}

_LEADS_OUT: Final = "a link that leads out of the folder"


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, and the name under which it is known: two imports of one name are two versions of one source."""

    path: Path
    name: str

    @property
    def type(self) -> str:
        """One of the values of `SOURCE_TYPES`."""
        return SOURCE_TYPES[self.path.suffix.lower()]


def find_sources(
    path: str | os.PathLike[str],
    base: str | os.PathLike[str] = ".",
    *,
    ignored: bool = False,
    unread: dict[Path, Exception] | None = None,
    others: list[Path] | None = None,
    left_out: dict[Path, str] | None = None,
) -> list[Source]:
    """Return the sources at a path: the file itself, or the readable files below a folder, ordered by path.

    Below a folder, hidden files and folders are passed over, and so are files of other types and what version control
    passes over (`byheart.ingestion.ignoring`). A link to a file below the folder stands for that file, which is read
    once, whatever leads to it; links to folders are not followed, nor any that lead out of the folder.
    A source's name is the path of the file itself from `base`, with `/` between the parts.

    Args:
        path: of a file or a folder.
        base: what names are counted from.
        ignored: look at what version control passes over, too.
        unread: takes an error for what cannot be looked at, in place of the first one's being raised: folders that
            cannot be listed or entered, or whose `.gitignore` cannot be read, and what bears a name that is not UTF-8;
            then a folder may be empty, too.
        others: takes the files of other types, of those that are neither hidden nor passed over by version control.
        left_out: takes what bears the name of a source and is none, and why: a link that leads out of the folder, or
            nowhere, or what is no file, such as a pipe; and folders that are links out.

    Raises:
        InvalidArgument: there is nothing there, or nothing of a type that can be read, or a name is not UTF-8.
        OSError: a folder, or the rules of what version control passes over, cannot be read.

    """
    root, base = Path(os.path.realpath(path)), Path(os.path.realpath(base))
    if root.is_dir():
        found = set(_files_below(root, ignored, unread, others, {} if left_out is None else left_out))
        files = sorted(found, key=lambda each: each.relative_to(root).parts)
        if not files and unread is None:
            raise InvalidArgument(f"{path}: holds no file that ends in {', '.join(SOURCE_TYPES)}")
    elif not root.is_file():
        raise InvalidArgument(f"{path}: is no file and no folder")
    elif root.suffix.lower() not in SOURCE_TYPES:
        raise InvalidArgument(f"{path}: has another ending than {', '.join(SOURCE_TYPES)}")
    else:
        files = [root]
    return [Source(each, source_name(each, base)) for each in files]


def read_source(
    source: Source, source_id: str, defaults: Mapping[str, Any] | None = None, *, facts: bool = False
) -> list[Record]:
    r"""Return the records of a source, in its order, all with ids; none is stored anywhere.

    Args:
        source: what to read.
        source_id: as `byheart.knowledge.source_id` makes it; ids of chunks, and of lines without an id, start with it.
        defaults: fields of records that do not set them. Of tenant, scope and boundary_class these are more: the cell
            that the source is read for. A line may name no other; where one of the three is not given, it may.
        facts: make records of their own of the sentences of a text that state a fact (`byheart.ingestion.units`).

    Raises:
        InvalidArgument: bytes that are not UTF-8, a line that is no record, an id twice, or a file that byheart wrote.
        BoundaryViolation: a line names another cell than the one that the source is read for.
        LimitExceeded: a text file or a line of more than 10 MB.
        OSError: the file cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "tea.md"
    ...     _ = path.write_text("# Green tea\nThree minutes at 80 degrees.")
    ...     [record] = read_source(*find_sources(path, folder), "src-1")
    >>> record.id, record.topic, record.provenance["source_name"]
    ('src-1::chunk-000::unit-000', 'Green tea', 'tea.md')

    """
    own = dict(defaults or {})
    with source.path.open("rb") as file:
        if source.type == "json-lines":
            return list(_lines_of(source, source_id, own, file))
        chunks = _chunks_of(source, source_id, own, file)
        return list(with_fact_units(chunks) if facts else chunks)


def _files_below(
    root: Path,
    ignored: bool,
    unread: dict[Path, Exception] | None,
    others: list[Path] | None,
    left_out: dict[Path, str],
) -> Iterator[Path]:
    """Yield the files of known types, as they are called themselves, some of them more than once.

    A folder that cannot be listed is an error, not an omission. Where rules cannot be read, nothing is yielded.
    """

    def fail(path: Path, error: Exception) -> None:
        if unread is None:
            raise error
        unread.setdefault(path, error)

    def shut(error: OSError) -> None:
        fail(Path(error.filename), error)

    rules = None if ignored else Ignored(root)
    for folder, inner, names in os.walk(root, onerror=shut):
        home = Path(folder)
        try:
            _enter(home, rules)
        except OSError as error:
            fail(home, error)
            inner.clear()
            continue
        inner[:] = [name for name in inner if not name.startswith(".")]
        if rules is not None:
            inner[:] = [name for name in inner if not rules.passes_over(home / name, folder=True)]
        for name in [each for each in inner if not is_utf_8(each)]:
            fail(home / name, _misnamed(name))
            inner.remove(name)
        for name in inner:
            if (home / name).is_symlink() and not _leads_to(home / name).is_relative_to(root):
                left_out[home / name] = _LEADS_OUT
        for name in names:
            found = home / name
            if name.startswith(".") or (rules is not None and rules.passes_over(found, folder=False)):
                continue
            try:
                file = _file_at(found, root, others, left_out)
            except (OSError, InvalidArgument) as error:
                fail(found, error)
                continue
            if file is not None and is_utf_8(str(file.relative_to(root))):  # else it is named where it lies itself
                yield file


def _enter(folder: Path, rules: Ignored | None) -> None:
    """Refuse a folder that cannot be entered, or whose rules cannot be read."""
    try:
        (folder / os.pardir).stat()  # a way that leads through it
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(folder)) from None
    if rules is not None:
        rules.check(folder)


def _file_at(found: Path, root: Path, others: list[Path] | None, left_out: dict[Path, str]) -> Path | None:
    """Return the file of a known type that lies at a path, as it is called itself; None if there is none."""
    if found.suffix.lower() not in SOURCE_TYPES:
        if others is not None and found.is_file():
            others.append(found)
    elif not is_utf_8(found.name):
        raise _misnamed(found.name)
    elif not found.is_file():
        left_out[found] = "a link to nothing" if found.is_symlink() and not found.exists() else "is no file"
    elif not (file := _leads_to(found)).is_relative_to(root):
        left_out[found] = _LEADS_OUT
    elif file.suffix.lower() in SOURCE_TYPES:
        return file
    else:
        left_out[found] = "a link to a file of another type"
    return None


def _leads_to(path: Path) -> Path:
    return Path(os.path.realpath(path))


def source_name(path: Path, base: Path) -> str:
    """Return the name of the source at a path, as seen from a folder."""
    try:
        name = Path(os.path.relpath(path, base)).as_posix()
    except ValueError:  # another drive of a Windows machine
        name = path.as_posix()
    if not is_utf_8(name):
        raise _misnamed(name)
    return name


def is_utf_8(name: str) -> bool:
    """Return whether a name, as Python has it, is UTF-8 on the disk."""
    return not any("\ud800" <= character <= "\udfff" for character in name)  # what Python makes of other bytes


def _misnamed(name: str) -> InvalidArgument:
    return InvalidArgument(f"{name!r}: the name of this file is not UTF-8; rename it")


def _chunks_of(source: Source, source_id: str, defaults: dict[str, Any], file: BinaryIO) -> Iterator[Record]:
    """Yield a record for each chunk of a text."""
    body = body_of(file, source.type, source.name, MAX_TEXT_BYTES)
    for chunk in chunk_text(body.text[body.start :], source_id, markdown=body.markdown, title=body.title):
        begin, end = (body.start + at for at in (chunk.char_start, chunk.char_end))
        provenance = {
            "source_id": source_id,
            "source_name": source.name,
            "source_type": source.type,
            "chunk_id": chunk.chunk_id,
            "chunk_index": chunk.index,
            "chunk_type": chunk.chunk_type,
            "char_start": begin,
            "char_end": end,
            **({"page": bisect_right(body.pages, (begin + end) // 2)} if body.pages else {}),
        }
        fields = {"id": unit_id(source_id, chunk.index, 0), "text": chunk.text, "provenance": provenance}
        known = {"topic": chunk.heading} if chunk.heading is not None else {}
        told = {"metadata": body.metadata} if body.metadata else {}
        yield _made(source.name, {**defaults, **known, **told, **fields})


def _made(where: str, fields: Mapping[str, Any]) -> Record:
    """Return the record of these fields; an error says where they stand."""
    try:
        return Record.from_dict(fields)
    except LimitExceeded as error:
        raise LimitExceeded(f"{where}, parsing: {error}") from error
    except (ByheartError, TypeError) as error:
        raise InvalidArgument(f"{where}, parsing: {error}") from error


def _lines_of(source: Source, source_id: str, defaults: dict[str, Any], file: BinaryIO) -> Iterator[Record]:
    """Yield a record for each line that is not blank, reading one line at a time."""
    lines: dict[tuple[str | None, str | None], int] = {}
    offset = 0
    for number, raw in enumerate(iter(lambda: file.readline(MAX_TEXT_BYTES + 1), b""), start=1):
        where = f"{source.name}, line {number}"
        if len(raw) > MAX_TEXT_BYTES:
            raise LimitExceeded(f"{where}, reading: more than {MAX_TEXT_BYTES} bytes")
        text = decode(raw, where, offset)
        offset += len(raw)
        if not text.strip():
            continue
        place = {"source_id": source_id, "source_name": source.name, "source_type": source.type, "line": number}
        row = _object(text, where)
        check_foreign(row, where)
        record = _record(row, where, defaults, place, unit_id(source_id, len(lines), 0))
        check_cell(record, where, defaults)
        before = lines.setdefault((record.tenant, record.id), number)
        if before != number:
            raise InvalidArgument(f"{where}, parsing: the id {record.id!r} stands in line {before} too")
        yield record


def _object(text: str, where: str) -> dict[str, Any]:
    """Return the JSON object of a line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"{where}, parsing: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidArgument(f'{where}, parsing: not a JSON object, such as {{"text": "..."}}')
    return value


def _record(
    row: dict[str, Any], where: str, defaults: dict[str, Any], provenance: dict[str, Any], made_id: str
) -> Record:
    """Return the record of a row: known fields as they are, `_id` as id, `title` as topic, the rest as metadata."""
    for theirs, ours in (("_id", "id"), ("title", "topic")):
        if theirs in row and ours not in row:
            row[ours] = row.pop(theirs)
    if type(row.get("id", "")) is int:
        row["id"] = str(row["id"])
    known = {key: value for key, value in row.items() if key in _KNOWN and value is not None}
    rest = {key: value for key, value in row.items() if key not in _KNOWN}
    own = known.get("metadata", {})
    if rest and isinstance(own, dict):
        known["metadata"] = {**rest, **own}
    if isinstance(known.get("provenance", {}), dict):
        known["provenance"] = {**known.get("provenance", {}), **provenance}
    return _made(where, {"id": made_id, **defaults, **known})
