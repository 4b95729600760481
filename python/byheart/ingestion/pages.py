"""Pages of HTML, read as Markdown: what a browser shows apart is apart, and what is written in lines keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from ..light.expressions import expression

_UNSEEN: Final = ("template", "noscript", "svg", "head", "title")
_BLOCKS: Final = frozenset(
    ("p", "div", "section", "article", "li", "table", "ul", "ol", "blockquote", "dl", "dt", "dd", "br", "hr", "header",
     "footer", "main", "aside", "figure", "figcaption", "form", "address", "details", "summary", "fieldset",
     "legend", "caption", "dialog", "menu", "select", "center", "hgroup", "search")
)  # fmt: skip
_ROWS: Final = frozenset(("tr", "option", "optgroup"))
_CELLS: Final = frozenset(("td", "th"))
_SOFT: Final = frozenset(("p", "div", "br", "center"))
"""What begins no new row where it stands in a cell."""
_APART: Final = frozenset(("button", "label", "textarea", "output", "meter", "progress", "input", "img"))
"""What stands in a line, and is no part of the word beside it."""
_HEADINGS: Final = {f"h{number}": "#" * number for number in range(1, 7)}
_SHOWN_APART: Final = expression(r"(?:^|[;\s])display\s*:\s*(?:block|flex|grid|table|list-item)", re.IGNORECASE)
_CELL, _LINE = "\0", "\1"  # what no page holds: the end of a cell, and of a line in one
_LINES: Final = expression(f"{_LINE}*\n{_LINE}*|{_LINE}+")
_CONTROL: Final = str.maketrans("\0\1", "  ")

Event = tuple[str, str]


def markdown_of(soup: Any) -> str:
    """Return what a parsed page says, as Markdown with its headings; a row of a table is a line."""
    for hidden in soup.find_all(_UNSEEN):
        hidden.decompose()
    page = _Page()
    for kind, said in _told(soup):
        page.take(kind, said)
    page.close("\n\n")
    return "".join(page.parts)


class _Page:
    """What was read of a page."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._open: list[str] = []  # the line that is not at its end
        self._apart = ""  # what stands before the next one
        self._cells = self._written = 0  # in how many cells, and texts written in lines, this stands

    def take(self, kind: str, said: str) -> None:
        """Take what comes next."""
        if kind == "text":
            self._open.append(said.translate(_CONTROL))
        elif kind == "written":
            self._open_or_close_written(+1 if said else -1)
        elif self._written:
            self._open += ["\n"] if said == "br" else [_LINE] * (kind in ("block", "row", "heading"))
        elif kind == "cell":
            self._cells += 1 if said else -1
            self._open.append(_CELL)
        elif kind == "apart":
            self._open.append(" ")
        elif kind == "heading":
            self.close("\n\n")
            self._open.append(f"{said} ")
        elif kind == "block" and self._cells and said in _SOFT:
            self._open.append(" " if said == "br" else _LINE)
        else:
            self.close("\n" if kind == "row" else "\n\n")

    def _open_or_close_written(self, step: int) -> None:
        if self._written == 0:
            self.close("\n\n")
        self._written += step
        if self._written == 0:
            self._close_written()

    def _close_written(self) -> None:
        written = _LINES.sub("\n", sound("".join(self._open)))
        said = "\n".join(line.rstrip() for line in written.split("\n")).strip("\n")
        self._open.clear()
        if said.strip():
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", said)), default=0))
            self._add(f"{fence}\n{said}\n{fence}")
        self._apart = "\n\n"

    def close(self, apart: str) -> None:
        """Put an end to a line, if anything stands in it; what comes next stands apart from it."""
        cells = sound("".join(self._open)).split(_CELL)
        self._open.clear()
        lines = ([" ".join(line.split()) for line in cell.split(_LINE)] for cell in cells)
        said = " | ".join(filter(None, ("\n".join(filter(None, cell)) for cell in lines)))
        if said.strip("# "):
            self._add(said)
        self._apart = max(self._apart, apart)

    def _add(self, said: str) -> None:
        self.parts += [self._apart, said] if self.parts else [said]
        self._apart = ""


def _told(soup: Any) -> Iterator[Event]:
    """Yield what stands on a page, in its order: texts, and where something begins or ends.

    Without recursion: a page may be as deep as it likes.
    """
    waiting: list[Any] = [soup]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            yield each
        elif _is_navigation(each):
            yield "block", "nav"
        elif getattr(each, "name", None) is None:
            if type(each).__name__ == "NavigableString":  # and no comment, script, style sheet or the like
                yield "text", str(each)
        else:
            begins, ends = _around(each)
            waiting += ends
            waiting += reversed(each.contents)
            yield from begins


def _is_navigation(each: Any) -> bool:
    """Return whether a tag holds the links of a site, which say nothing of the page that they stand on."""
    name = getattr(each, "name", None)
    return name is not None and (name == "nav" or each.get("role") == "navigation")


def _around(each: Any) -> tuple[list[Event], list[Event]]:
    """Return what stands where a tag begins, and where it ends."""
    name = each.name
    if name == "pre":
        return [("written", "begins")], [("written", "")]
    if name in _CELLS:
        return [("cell", "begins")], [("cell", "")]
    if name in _HEADINGS:
        return [("heading", _HEADINGS[name])], [("block", name)]
    if name in _ROWS:
        return [("row", name)], [("row", name)]
    if name in _BLOCKS or _SHOWN_APART.search(str(each.get("style") or "")):
        return [("block", name)], [] if name == "br" else [("block", name)]
    return ([("apart", name)], [("apart", name)]) if name in _APART else ([], [])


def sound(text: str) -> str:
    """Return a text without halves of letters, which some documents hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
