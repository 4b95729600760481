"""Headings of Markdown: lines that begin with `#`, and paragraphs underlined with `=` or `-`, as CommonMark has them.

What only looks underlined is none: what stands in fenced code, a list, a quotation, a table or HTML, and a line of `-`
behind a blank line, which is a rule. Nor is what lies between a first line `---` and the next one: front matter.

Not for: headings inside lists and quotations. Time is linear in the length of the text.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from ..light.expressions import expression

_HASHES: Final = expression(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_CLOSING_HASHES: Final = expression(r"(?:^|(?<=[ \t]))#+$")
_UNDERLINE: Final = expression(r" {0,3}(?:(=+)|-+)[ \t]*$")
_FENCE: Final = expression(r" {0,3}(`{3,}|~{3,})(.*)$")
_RULE: Final = expression(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_CODE: Final = expression(r"(?: {4}| {0,3}\t)")
# What is no paragraph where one could begin, and what ends one: a number other than 1, and no item at all, do not.
_ITEM: Final = r"[-*+](?:[ \t]|$)|[0-9]{1,9}[.)](?:[ \t]|$)"
_OTHER: Final = expression(rf" {{0,3}}(?:{_ITEM}|[><|]|\[[^\]]+\]:)")
_BREAK: Final = expression(r" {0,3}(?:(?:[-*+]|1[.)])[ \t]+\S|[><|])")
_LIST: Final = expression(rf" {{0,3}}(?:{_ITEM})")


class Heading(NamedTuple):
    """A heading: the text from its first line to the begin of the line behind it, its level from 1 to 6, its words."""

    start: int
    end: int
    level: int
    words: str


def headings(text: str) -> Iterator[Heading]:
    r"""Yield the headings of a text that has LF as its only line ending, in order.

    >>> [(each.level, each.words) for each in headings("Green\ntea\n===\nSteep it.\n\n---\n## Rice ##\n```\n# no")]
    [(1, 'Green tea'), (2, 'Rice')]
    """
    fence, paragraph = "", -1  # the open fence; where the paragraph begins that may be underlined yet
    apart = listed = False  # in something else until a blank line; below a list, to which indented lines belong
    front = text.partition("\n")[0].rstrip() == "---"
    begin = 0
    for line in text.split("\n"):
        start, begin = begin, begin + len(line) + 1
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif not line or line.isspace():
            paragraph, apart = -1, False
        elif paragraph >= 0 and (under := _UNDERLINE.match(line)):
            if not (front and paragraph == text.index("\n") + 1):
                yield Heading(paragraph, begin, 1 if under[1] else 2, " ".join(text[paragraph:start].split()))
            paragraph = -1
        elif found := _HASHES.match(line):
            yield Heading(start, begin, len(found[1]), _CLOSING_HASHES.sub("", (found[2] or "").strip()).strip())
            paragraph, apart, listed = -1, False, False
        elif (opening := _FENCE.match(line)) and (opening[1][0] == "~" or "`" not in opening[2]):
            fence, paragraph, apart = opening[1], -1, False
        elif _RULE.match(line):
            paragraph, apart, listed = -1, False, False
        elif (_BREAK if paragraph >= 0 else _OTHER).match(line):
            paragraph, apart, listed = -1, True, listed or _LIST.match(line) is not None
        elif paragraph < 0 and not apart:
            listed = listed and line[0] in " \t"
            paragraph = -1 if listed or _CODE.match(line) else start


def _closes(line: str, fence: str) -> bool:
    """Say whether the line closes a fenced code block: the same mark, at least as long, and nothing after it."""
    found = _FENCE.match(line)
    return found is not None and found[1].startswith(fence) and not found[2].strip()
