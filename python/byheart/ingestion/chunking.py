"""Chunking: a long text becomes pieces short enough to be remembered one by one.

Law: every chunk is an exact slice of its source, `text == source[char_start:char_end]`, no chunk is longer than
`MAX_CHARS`, and together the chunks hold every character that is not white space. Equal input, equal chunks.

The order of cuts: sections (Markdown only), then paragraphs, then sentences, then fixed windows, which end with a line
where there are lines (a table, a list, a log); a finer cut is made only where the coarser piece does not fit.
Neighbouring pieces of a section are packed together while they fit, so a chunk under `MIN_CHARS` is left only where no
neighbour has room. Two neighbouring chunks of a section share one sentence.

Not for: tables, HTML, or cutting by meaning. Time is linear in the length of the text.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from ..knowledge import chunk_id
from ..light.classes import dataclass
from ..light.expressions import expression
from .headings import headings

MAX_CHARS: Final = 1_500
"""The longest chunk, in code points."""
MIN_CHARS: Final = 100
"""A shorter piece is joined to its neighbour in the same section where that fits."""
WINDOW_OVERLAP: Final = 150
"""Code points that two neighbouring windows share: at most, where they end with a line."""
LONGEST_OVERLAP: Final = MAX_CHARS // 3
"""A last "sentence" longer than this (a table, a listing) is not repeated in the next chunk."""
LONGEST_HEADING: Final = 200
"""A heading is cut here before it becomes a topic, or a part of one; the chunk's text keeps all of it."""
LONGEST_PATH: Final = 400
"""The longest path of headings: of a longer one the outermost are left out."""
BELOW: Final = " > "
"""What stands between the headings of a path."""

ChunkType = Literal["section", "paragraph", "sentence", "window"]
"""The finest cut that was made for a chunk; a section that fits is one chunk, and so is a plain text that fits."""
Span = tuple[int, int]
"""(start, end) in code points, end excluded."""

_DEEPEST: Final = 3
"""The deepest level of heading at which a text is cut."""
_CUTS: Final[tuple[ChunkType, ...]] = ("section", "paragraph", "sentence", "window")

_FARTHEST: Final = 100_000
"""Code points: so far above a row of a table its head is looked for."""
_BLANK = r"[^\S\n]*+"
_DASHES = rf"{_BLANK}:?-++:?{_BLANK}"
_TABLE = expression(rf"^([^\n]++)\n{_BLANK}\|?{_DASHES}(?:\|{_DASHES})*+\|?{_BLANK}$", re.MULTILINE)
"""The head of a table, and the line of dashes below it."""

_BLANK_LINES = expression(r"\n[^\S\n]*(?=\n)")
CJK = "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
# The look-behind lets a run of stops be tried once, from its start: that is what keeps "....…x" linear.
_SENTENCE_END = expression(
    rf"(?<![.!?])[.!?]++[\"'”’»)\]]*+(?=\s|\Z|[{CJK}])|[。！？｡]++[」』”’）]*+|\n[^\S\n]*(?=\n)",
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of a source: `text` is `source[char_start:char_end]`, offsets in code points of the LF-only text.

    `heading` is the path of the headings that it stands below, the outermost first: "Servers > Alpha > Firewall"; of a
    chunk that begins within a table, its head comes last.
    """

    chunk_id: str
    source_id: str
    index: int
    char_start: int
    char_end: int
    heading: str | None
    text: str
    chunk_type: ChunkType


def normalise_line_endings(text: str) -> str:
    r"""Return the text with LF as its only line ending; offsets of chunks count in this form.

    >>> normalise_line_endings("one\r\ntwo\rthree")
    'one\ntwo\nthree'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def chunk_text(text: str, source_id: str, *, markdown: bool = False, title: str | None = None) -> list[Chunk]:
    r"""Return the chunks of a text, in the order of the text, numbered from 0.

    A text of white space only has none. `source_id` is taken as it is (see `byheart.knowledge.source_id`). The title of
    a Markdown document counts as a heading of the first level, until the text has one itself.

    >>> chunks = chunk_text("# Tea\nSteep it.\n\n## Green\nThree minutes.", "src-1", markdown=True)
    >>> [(chunk.chunk_id, chunk.heading, chunk.text) for chunk in chunks]
    [('src-1::chunk-000', 'Tea', '# Tea\nSteep it.'), ('src-1::chunk-001', 'Tea > Green', '## Green\nThree minutes.')]
    """
    text = normalise_line_endings(text)
    sections = _markdown_sections(text, title or "") if markdown else [(0, len(text), None)]
    chunks: list[Chunk] = []
    for start, end, heading in sections:
        for chunk_start, chunk_end, chunk_type in _Packer(text).pack((start, end)):
            index = len(chunks)
            chunks.append(
                Chunk(
                    chunk_id=chunk_id(source_id, index),
                    source_id=source_id,
                    index=index,
                    char_start=chunk_start,
                    char_end=chunk_end,
                    heading=_below_a_table(text, start, chunk_start, heading) if markdown else heading,
                    text=text[chunk_start:chunk_end],
                    chunk_type=chunk_type,
                )
            )
    return chunks


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    r"""Yield the sentences of `text[start:end]` as trimmed spans, in order.

    A sentence ends after a run of `.`, `!`, `?` and the quotes or brackets that close on it, if white space, the end
    or a CJK character follows; after a run of the full-width stops, whatever follows; and at a blank line. Nothing is
    known of abbreviations: "e.g. this" is two, which costs a chunk nothing, since sentences are packed together again.

    >>> text = 'He said "no." Pi is 3.14! 是的。好'
    >>> [text[a:b] for a, b in sentences(text)]
    ['He said "no."', 'Pi is 3.14!', '是的。', '好']
    """
    return _cut(text, start, len(text) if end is None else end, _SENTENCE_END)


def _markdown_sections(text: str, title: str) -> list[tuple[int, int, str | None]]:
    """Return (start, end, path) of each section; a heading with nothing under it opens the next section."""
    sections: list[tuple[int, int, str | None]] = []
    above = [(1, title)]
    start = body = 0
    for heading in headings(text):
        if heading.level > _DEEPEST:
            continue
        if not _is_blank(text[body : heading.start]):
            sections.append((start, heading.start, _path(above)))
            start = heading.start
        above = [each for each in above if each[0] < heading.level] + [(heading.level, heading.words)]
        body = heading.end
    sections.append((start, len(text), _path(above)))
    return sections


def _below_a_table(text: str, section: int, start: int, path: str | None) -> str | None:
    """Return the path of a chunk; of one that begins within a table, with the words of the head of that."""
    line = text[start : start + 1] == "|" and text[start - 1 : start] == "\n"
    if not line or start == section:
        return path
    blank = text.rfind("\n\n", section, start)
    begins = max(section, start - _FARTHEST, blank + 2 if blank >= 0 else 0)
    head = _TABLE.search(text, begins, start)
    if head is None or "|" not in head[1]:
        return path
    cells = " | ".join(cell.strip() for cell in head[1].strip("| \t").split("|"))[:LONGEST_HEADING]
    return cells if path is None else f"{path}{BELOW}{cells}"


def _path(above: Iterable[tuple[int, str]]) -> str | None:
    """Return the words of headings as one text; None if there are none."""
    words = [word for _, said in above if (word := " ".join(said.split())[:LONGEST_HEADING].strip())]
    while len(BELOW.join(words)) > LONGEST_PATH:
        words.pop(0)
    return BELOW.join(words) or None


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _cut(text: str, start: int, end: int, boundary: re.Pattern[str]) -> Iterator[Span]:
    """Yield the trimmed, non-blank pieces of `text[start:end]` between the ends of the boundary's matches."""
    at = start
    for found in boundary.finditer(text, start, end):
        if span := _trim(text, at, found.end()):
            yield span
        at = found.end()
    if span := _trim(text, at, end):
        yield span


def _trim(text: str, start: int, end: int) -> Span | None:
    """Return the span without white space at its edges; None if nothing else is there."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    if left == len(piece):
        return None
    return start + left, start + len(piece.rstrip())


class _Packer:
    """Packs the pieces of one section into chunks.

    The open chunk is `text[start:end]` (`start` is -1 where nothing is open); `fresh` says that it is not overlap only.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = self.end = -1
        self.fresh = False
        self.finest = 0
        self.done: list[tuple[int, int, ChunkType]] = []

    def pack(self, section: Span) -> list[tuple[int, int, ChunkType]]:
        """Return (start, end, type) of the chunks of a section, in order; the type is the finest cut that was made."""
        if span := _trim(self.text, *section):
            self._add(span, 0)
            self._close()
        return self.done

    def _add(self, span: Span, level: int) -> None:
        """Put a piece where it fits: into the open chunk, cut finer, or into a new chunk."""
        if self._fits(span):
            self.start = span[0] if self.start < 0 else self.start
            self.end, self.fresh, self.finest = span[1], True, max(self.finest, level)
        elif level < 2 and (span[1] - span[0] > MAX_CHARS or self.end - self.start < MIN_CHARS or not self.fresh):
            # Too long for any chunk; or the open one would, without a part of it, stay a runt or lose its overlap.
            boundary = _BLANK_LINES if level == 0 else _SENTENCE_END
            for piece in _cut(self.text, *span, boundary):
                self._add(piece, level + 1)
        elif span[1] - span[0] <= MAX_CHARS:
            if self.fresh:
                self._close_and_repeat()
            else:
                self.start = -1  # the sentence to repeat and this one are too long together: no overlap here
            self._add(span, level)
        else:
            if self.fresh and self.end - self.start >= MIN_CHARS:
                self._close_and_repeat()
            self._windows(span)

    def _fits(self, span: Span) -> bool:
        return span[1] - (span[0] if self.start < 0 else self.start) <= MAX_CHARS

    def _close(self) -> None:
        """Hand out the open chunk."""
        self.done.append((self.start, self.end, _CUTS[self.finest]))

    def _close_and_repeat(self) -> None:
        """Hand out the open chunk, and open the next one with its last sentence, if that is one worth repeating."""
        self._close()
        *_, last = sentences(self.text, self.start, self.end)
        repeat = last[0] > self.start and last[1] - last[0] <= LONGEST_OVERLAP
        self.start = last[0] if repeat else -1
        self.fresh, self.finest = False, 0

    def _windows(self, span: Span) -> None:
        """Cut a sentence too long for a chunk into windows; a runt or a repeated sentence heads the first one."""
        at = span[0] if self.start < 0 else self.start
        self.finest = 3
        while True:
            stop, following = self._window(at, span[1])
            if window := _trim(self.text, at, stop):
                self.start, self.end, self.fresh = *window, True
                if stop < span[1]:
                    self._close()
            if stop == span[1]:
                return
            at = following

    def _window(self, at: int, end: int) -> Span:
        """Return where a window ends, and where the next one begins: with a line, if one ends in its second half."""
        stop = at + MAX_CHARS
        if stop >= end:
            return end, end
        last = self.text.rfind("\n", at + MAX_CHARS // 2, stop)
        if last < 0:
            return stop, stop - WINDOW_OVERLAP
        before = self.text.find("\n", last - WINDOW_OVERLAP, last)
        return last + 1, (last if before < 0 else before) + 1
