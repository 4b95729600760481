"""Bodies of sources: the text of a file, where its pages begin, and what is known of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import accumulate
from typing import Any, BinaryIO, Final

from ..errors import InvalidArgument, LimitExceeded
from ..light.classes import dataclass
from . import documents
from .chunking import normalise_line_endings

MAX_DOCUMENT_BYTES: Final = 100_000_000
"""The largest PDF or page; what it says may be as long as another text."""

_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Body:
    """What a source says: its text, with LF as its only line ending, and what is known of it.

    Attributes:
        text: all of it.
        start: where the text begins, behind front matter.
        markdown: whether it has headings.
        title: of a document with headings; it stands above all of them but those of the first level.
        metadata: of the whole.
        pages: where each page begins.

    """

    text: str
    start: int = 0
    markdown: bool = False
    title: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    pages: Sequence[int] = ()


def body_of(file: BinaryIO, type: str, where: str, most: int) -> Body:
    """Return what a file says.

    Args:
        file: open for reading.
        type: one of the values of `byheart.ingestion.sources.SOURCE_TYPES`.
        where: the name of the source, for errors.
        most: how many bytes a text may have.

    Raises:
        InvalidArgument: it is not what its type says, or not UTF-8.
        LimitExceeded: there is too much of it.
        MissingExtra: what reads the type is not installed.

    """
    most = most if type in ("markdown", "plain-text") else MAX_DOCUMENT_BYTES
    data = file.read(most + 1)
    if len(data) > most:
        raise LimitExceeded(f"{where}, reading: more than {most} bytes; cut it into several files")
    if type == "pdf":
        pages = [normalise_line_endings(page) for page in documents.pages_of_pdf(data, where)]
        begins = list(accumulate((len(page) + 2 for page in pages), initial=0))[:-1]
        return Body("\n\n".join(pages), pages=begins)
    if type == "html":
        text, title = documents.text_of_html(data, where)
        return Body(text, markdown=True, title=title)
    text = normalise_line_endings(decode(data, where, 0))
    if type == "plain-text":
        return Body(text)
    metadata, start = documents.front_matter(text, where)
    title = metadata.get("title")
    return Body(text, start, markdown=True, title=title if isinstance(title, str) else None, metadata=metadata)


def decode(data: bytes, where: str, offset: int) -> str:
    """Return bytes as text, without a byte order mark at the beginning of the file."""
    skipped = len(_BOM) if offset == 0 and data.startswith(_BOM) else 0
    try:
        return data[skipped:].decode()
    except UnicodeDecodeError as error:
        at = skipped + error.start
        raise InvalidArgument(
            f"{where}, reading: byte {offset + at} of the file (0x{data[at]:02x}) is not UTF-8; convert it first"
        ) from None
