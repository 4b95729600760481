"""The syntax of questions: quoted phrases, `-excluded` and `+wanted` terms, and typed lines.

Whatever has no mark is searched for as it stands: names such as `snake_case`, `state-of-the-art` and `a.b.c` are one
word here, and a hyphen excludes only at the beginning of one. Nothing is an error: a quotation mark without a partner
is a letter like any other.
"""
# docs/sources.md: A3.7.1.

from __future__ import annotations

import re

from ...knowledge import lowered
from ...light.classes import dataclass
from ...light.expressions import expression

KINDS = ("lex", "vec", "hyde")
"""Lines that are searched: for words, or for the vector of a wording or of an answer that somebody imagines."""

_TYPED = expression(r"[ \t]*(lex|vec|hyde|intent|expand):[ \t]*(.*)", re.IGNORECASE)
_PART = expression(r'([+-]?)(?:"([^"]*)"(?!\S)|(\S+))')
_LETTER = expression(r"[^\W_]|_")
_APART = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_SINGLE = expression(f"[{_APART}]")


@dataclass(frozen=True, slots=True)
class Line:
    """One search: its kind ("lex", "vec", "hyde", or "plain" for both), its words, and required or excluded terms.

    Attributes:
        kind: how it is searched.
        text: what is searched for: all but marks and what is excluded.
        must: phrases and terms, in the form of `lowered`, of which a text has to hold each.
        without: those of which it may hold none.

    """

    kind: str
    text: str
    must: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def constrained(self) -> bool:
        """Whether texts have to be looked at."""
        return bool(self.must or self.without)

    def admits(self, text: str) -> bool:
        """Return whether a text holds what it must, and nothing that it must not.

        >>> parse('kettle -"blue pot" +descaled').lines[0].admits("The kettle is descaled in a blue  pot.")
        False
        """
        low = lowered(text)
        return all(holds(low, phrase) for phrase in self.must) and not any(holds(low, each) for each in self.without)


@dataclass(frozen=True, slots=True)
class Typed:
    """A question read: its searches in order, what it is about, and whether its lines were typed.

    Attributes:
        lines: the searches; of a question without typed lines just one, of the kind "plain".
        intent: what it is about, in the asker's words; it steers, and is not searched for.
        typed: whether the asker chose the searches.
        expand: whether further wordings are asked for by name.

    """

    lines: tuple[Line, ...]
    intent: str | None = None
    typed: bool = False
    expand: bool = False

    @property
    def plain(self) -> bool:
        """Whether it is a text like any other: nothing in it was a mark."""
        return not self.typed and self.intent is None and not any(line.constrained for line in self.lines)

    @property
    def text(self) -> str:
        """The words that are searched for, of all lines."""
        return " ".join(line.text for line in self.lines if line.text)


def parse(query: str) -> Typed:
    r"""Return what a question asks for.

    Lines that begin with `lex:`, `vec:` or `hyde:` are searches of their own; `intent:` says what they are about, and
    `expand:` marks a text that may be worded anew. Lines without a type are one plain text.

    >>> parse('where is "the kettle" -blue').lines
    (Line(kind='plain', text='where is the kettle', must=('the kettle',), without=('blue',)),)
    >>> [(line.kind, line.text) for line in parse("lex: foo_bar\nvec: how is foo set?\nintent: settings").lines]
    [('lex', 'foo_bar'), ('vec', 'how is foo set?')]
    """
    untyped: list[str] = []
    lines: list[Line] = []
    intents: list[str] = []
    expand = False
    for row in query.splitlines():
        found = _TYPED.fullmatch(row)
        if found is None:
            untyped.append(row)
            continue
        kind, text = found[1].lower(), found[2].strip()
        if kind == "intent":
            intents.append(text)
        elif kind == "expand":
            expand = True
            untyped.append(text)
        elif text:
            lines.append(_marked("lex", text) if kind == "lex" else Line(kind, text))
    rest = "\n".join(untyped).strip()
    if rest or not lines:
        lines.insert(0, _marked("plain", rest))
    typed = any(line.kind != "plain" for line in lines)
    return Typed(tuple(lines), " ".join(filter(None, intents)) or None, typed, expand)


def of_all(typed: Typed) -> Line | None:
    r"""Return the line whose marks hold for the whole answer: the plain one, or the only one; None without such marks.

    >>> of_all(parse("kettle -blue")).without, of_all(parse("lex: kettle -blue\nvec: tea"))
    (('blue',), None)
    """
    first = typed.lines[0]
    return first if first.constrained and (first.kind == "plain" or len(typed.lines) == 1) else None


def holds(low: str, phrase: str) -> bool:
    """Return whether a text holds a phrase as words of its own; both are `lowered`.

    Letters of scripts without spaces are words by themselves.

    >>> holds("a foo_bar here", "foo_bar"), holds("a foo_bar here", "foo"), holds("東京タワー", "東京")
    (True, False, True)
    """
    start = low.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if not (_joined(low[start - 1 : start], phrase[0]) or _joined(low[end : end + 1], phrase[-1])):
            return True
        start = low.find(phrase, start + 1)
    return False


def _joined(beside: str, edge: str) -> bool:
    """Return whether a letter goes on the word whose edge it stands beside."""
    if not beside or _SINGLE.match(beside) or _SINGLE.match(edge):
        return False
    return bool(_LETTER.match(beside) and _LETTER.match(edge))


def _marked(kind: str, text: str) -> Line:
    """Return the search of a text with marks."""
    words: list[str] = []
    must: list[str] = []
    without: list[str] = []
    for found in _PART.finditer(text):
        sign, quoted, word = found.groups()
        said = word if quoted is None else quoted
        low = lowered(said)
        if not low or not _LETTER.search(low):
            if quoted is None:
                words.append(found[0])
            continue
        if sign == "-":
            without.append(low)
            continue
        words.append(said)
        if sign == "+" or quoted is not None:
            must.append(low)
    marked = bool(must or without)
    return Line(kind, " ".join(words) if marked else text, tuple(dict.fromkeys(must)), tuple(dict.fromkeys(without)))
