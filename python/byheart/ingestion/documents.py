"""Documents that are no plain text: PDF, HTML, and the front matter of Markdown. The extra `documents` reads them.

Each reader is a well-kept library, imported on use: pypdf, Beautiful Soup, PyYAML. None runs what a document holds.
"""

from __future__ import annotations

import io
import logging
import math
import re
from datetime import date, datetime
from importlib import import_module
from typing import Any, Final

from ..errors import InvalidArgument, LimitExceeded, MissingExtra
from ..light.expressions import expression
from ..validation import MAX_TEXT_BYTES
from .pages import markdown_of, sound

_UNSEEN: Final = logging.NullHandler()
_FENCE: Final = expression(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


def pages_of_pdf(data: bytes, where: str) -> list[str]:
    """Return the text of each page.

    Raises:
        InvalidArgument: it is no PDF, is damaged, or needs a password.
        LimitExceeded: there is more text in it than a source may have.
        MissingExtra: pypdf is not installed.

    """
    pypdf = _needed("pypdf", where, "a PDF")
    logging.getLogger("pypdf").addHandler(_UNSEEN)  # of damage it also logs a line, which nobody asked for
    pages: list[str] = []
    size = 0
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InvalidArgument(f"{where}, reading: the PDF needs a password")
        for page in reader.pages:
            pages.append(sound(page.extract_text()))
            size += len(pages[-1])
            if size > MAX_TEXT_BYTES:
                raise LimitExceeded(
                    f"{where}, reading: more than {MAX_TEXT_BYTES} characters; cut it into several files"
                )
    except (InvalidArgument, LimitExceeded):
        raise
    except Exception as error:  # the library raises what Python does, too: damage has many forms
        raise InvalidArgument(f"{where}, reading: the PDF cannot be read ({type(error).__name__}: {error})") from error
    return pages


def text_of_html(data: bytes, where: str) -> tuple[str, str | None]:
    """Return what a page says, as Markdown with its headings, and its title.

    Raises:
        MissingExtra: Beautiful Soup is not installed.

    """
    soup = _needed("bs4", where, "HTML").BeautifulSoup(data, "html.parser")
    title = None if soup.title is None else " ".join(soup.title.get_text().split()) or None
    return markdown_of(soup), title


def front_matter(text: str, where: str) -> tuple[dict[str, Any], int]:
    r"""Return what stands between lines of dashes at the beginning of a text, and where the text goes on.

    A text without such lines has none, nor one where they hold something else than names and values. Times become ISO
    text.

    >>> front_matter("---\nSteep it.", "tea.md"), front_matter("---\n---\nSteep it.", "tea.md")
    (({}, 0), ({}, 8))

    Raises:
        InvalidArgument: it is no YAML, a tag does not fit its value, or it has an alias.
        MissingExtra: PyYAML is not installed.

    """
    found = _FENCE.match(text)
    if found is not None and not found[1].strip():
        return {}, found.end()
    if found is None or not re.search(r"^[^\s#-][^\n]*:(?:\s|\Z)", found[1], re.MULTILINE):
        return {}, 0
    yaml = _needed("yaml", where, "front matter")
    try:
        told = found[1]
        if "*" in told and any(isinstance(each, yaml.AliasEvent) for each in yaml.parse(told, Loader=yaml.SafeLoader)):
            raise ValueError("it has an alias; write the value where it is meant")  # a few lines of them fill a memory
        plain = _plain(yaml.safe_load(told), 0)
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, OverflowError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise InvalidArgument(
            f"{where}, reading: the front matter is no YAML ({said or type(error).__name__})"
        ) from None
    return (plain, found.end()) if isinstance(plain, dict) else ({}, 0)


def _plain(value: Any, depth: int) -> Any:
    """Return a value as JSON has it."""
    if depth > 32:
        raise ValueError("it is too deep")
    if isinstance(value, dict):
        return {str(name): _plain(each, depth + 1) for name, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(each, depth + 1) for each in value]
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)


def _needed(module: str, where: str, what: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(
            f'{where}: is {what}, or has some, which an extra reads: pip install "byheart[documents]"'
        ) from None
