"""Judged collections: documents, queries, and which document answers which query.

A collection is a folder of three files, one item a line, in UTF-8:

    corpus.jsonl    {"id", "text", "title"?, "speaker"?, "session"?, "date"?, "conv"?}
    queries.jsonl   {"id", "text", "conv"?, "category"?, "category_name"?, "answerable"?}
    qrels.tsv       query TAB document TAB grade; grade 0 means: judged, and not relevant

Other keys are ignored. Files are read a line at a time. No collection comes with this package, and none is downloaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ..errors import InvalidArgument
from ..records import Record
from .dates import moment


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_Identified)


@dataclass(frozen=True, slots=True)
class Document:
    """What can be found. `conversation` bounds who can find it; None if the collection is one whole.

    `date` is when it was said, as the file has it; `record` takes what `byheart.evaluation.dates.moment` makes of it.
    """

    id: str
    text: str
    title: str | None = None
    speaker: str | None = None
    conversation: str | None = None
    session: str | None = None
    date: str | None = None

    def searched(self) -> str:
        """Return the text as it is searched: a turn begins with its speaker.

        >>> Document("t1", "See you there!", speaker="Ada").searched()
        'Ada: See you there!'
        """
        return f"{self.speaker}: {self.text}" if self.speaker else self.text

    def record(self) -> Record:
        """Return the document as a record: the title is its topic, the conversation its tenant.

        >>> Document("d1", "Lime dissolves in acid.", title="Kettles", conversation="c1").record().tenant
        'c1'
        """
        return Record(
            id=self.id,
            text=self.searched(),
            topic=self.title or None,
            tenant=self.conversation,
            session_id=self.session,
            created_at=None if self.date is None else moment(self.date),
        )


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked. Only documents of the same conversation may answer.

    Attributes:
        id, text, conversation: see `Document`.
        category: of what type it is.
        label: what people call the category; it takes no part in comparisons.
        answerable: False if the right answer is none: its author says that no document answers it.

    """

    id: str
    text: str
    conversation: str | None = None
    category: str | None = None
    label: str | None = field(default=None, compare=False)
    answerable: bool = True

    @property
    def type(self) -> str | None:
        """Its row in a table by type: the label, or the category."""
        return self.label or self.category


@dataclass(frozen=True, slots=True)
class Collection:
    """A judged collection, in the order of its files.

    Attributes:
        name: the folder's name.
        documents: all that can be found.
        queries: all that is asked, judged or not.
        grades: for each query id the judged documents and their grades, 0 or more; higher is better.

    """

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    grades: Mapping[str, Mapping[str, int]]

    def judged(self) -> tuple[Query, ...]:
        """Return the queries with at least one relevant document: those that count in a mean."""
        return tuple(query for query in self.queries if any(self.grades.get(query.id, {}).values()))


def load(folder: str | Path) -> Collection:
    r"""Return the collection in a folder.

    Raises:
        InvalidArgument: a file is missing or damaged, an id occurs twice, or a judgement names a query or a
            document that is not there. The message gives file and line.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = Path(name)
    ...     _ = (folder / "corpus.jsonl").write_text('{"id": "d1", "text": "Kettles are descaled in spring."}')
    ...     _ = (folder / "queries.jsonl").write_text('{"id": "q1", "text": "when to descale?"}')
    ...     _ = (folder / "qrels.tsv").write_text("q1\td1\t1")
    ...     load(folder).grades
    {'q1': {'d1': 1}}

    """
    folder = Path(folder)
    documents = {document.id: document for document in read_documents(folder)}
    queries = {query.id: query for query in read_queries(folder)}
    grades = _grades(folder / "qrels.tsv", queries, documents)
    return Collection(folder.resolve().name, tuple(documents.values()), tuple(queries.values()), grades)


def read_documents(folder: str | Path) -> Iterator[Document]:
    """Give the documents of the collection in a folder, one at a time. Raises as `load` does."""
    return _by_id(Path(folder) / "corpus.jsonl", _document)


def read_queries(folder: str | Path) -> Iterator[Query]:
    """Give the queries of the collection in a folder, one at a time. Raises as `load` does."""
    return _by_id(Path(folder) / "queries.jsonl", _query)


def _document(fields: Mapping[str, Any]) -> Document:
    return Document(
        _text(fields, "id"),
        _text(fields, "text"),
        _optional(fields, "title"),
        _optional(fields, "speaker"),
        _optional(fields, "conv"),
        _number_or_text(fields, "session"),
        _number_or_text(fields, "date"),
    )


def _query(fields: Mapping[str, Any]) -> Query:
    answerable = fields.get("answerable", True)
    if not isinstance(answerable, bool):
        raise InvalidArgument("'answerable' is neither true nor false")
    return Query(
        _text(fields, "id"),
        _text(fields, "text"),
        _optional(fields, "conv"),
        _number_or_text(fields, "category"),
        _number_or_text(fields, "category_name"),
        answerable,
    )


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise InvalidArgument(f"{name!r} is missing or no text")
    return value


def _optional(fields: Mapping[str, Any], name: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name)


def _number_or_text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return str(value) if isinstance(value, int) else _optional(fields, name)


def _by_id(path: Path, make: Callable[[Mapping[str, Any]], Item]) -> Iterator[Item]:
    """Give what the lines make; only their ids are kept, to notice one that occurs twice."""
    found: set[str] = set()
    for place, line in _lines(path):
        try:
            fields = json.loads(line)
            item = make(fields if isinstance(fields, dict) else {})
        except ValueError as error:  # json's own error and InvalidArgument alike
            raise InvalidArgument(f"{place}: {error}") from None
        if item.id in found:
            raise InvalidArgument(f"{place}: id {item.id!r} occurs twice")
        found.add(item.id)
        yield item


def _grades(path: Path, queries: Mapping[str, Query], documents: Mapping[str, Document]) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for place, line in _lines(path):
        cells = line.split("\t")
        if len(cells) != 3 or not cells[2].isdecimal():
            raise InvalidArgument(f"{place}: is not query, document and a whole grade, separated by tabs")
        query, document, grade = cells
        if query not in queries or document not in documents:
            what = f"query {query!r}" if query not in queries else f"document {document!r}"
            raise InvalidArgument(f"{place}: judges {what}, which the collection does not hold")
        grades.setdefault(query, {})[document] = int(grade)
    return grades


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Give each line that is not blank, with its place for a message."""
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield f"{path}:{number}", line.rstrip("\n")
    except OSError as error:
        raise InvalidArgument(f"{path}: cannot be read ({error.strerror}); a collection has three files") from None
    except UnicodeDecodeError:
        raise InvalidArgument(f"{path}: is not UTF-8") from None
