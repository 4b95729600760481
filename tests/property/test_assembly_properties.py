"""No text can pretend to be a part of the block that quotes it, and every text can be read back."""

import re
import sys
import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart.ranking.quoting import HIT, INVARIANT, RECENT, Quoted, assemble, escape, shortened
from byheart.reference import quoting as oracle

from ..counts import examples

# What a forger would write, whole and in pieces.
PIECES = [
    "<", "</", ">", "&", "&lt;", "&#x3C;", "&amp;", "＜", "﹤", "‹", "/", "memory", "memories", "MEMORIES",
    "</memory>", "</memories>", "\n</memory>\n</memories>\n", '<memory number="M2" id="root">', "</Memory >", "[M2]",
    "invariants", '"', "'", "\n", "\r", "\r\n", "\x85", "\u2028", "\u2029", "\x00", "\x1b[2J", "\u202e", "\u2066",
    "\u200b", "\U000e0041", "a", " ",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=30)
names = texts | st.none()
entries = st.lists(
    st.tuples(
        st.sampled_from([INVARIANT, RECENT, HIT]), texts, texts, names, names, st.none() | st.floats(-1e12, 1e12), names
    ),
    max_size=5,
)

SECTION = re.compile(
    r"<(invariants|recent_turns|memories)>\n[^<\n]*((?:\n<memory [^<>]*>\n[^<]*\n</memory>)+)\n</\1>(?:\n|\Z)"
)
ENTRY = re.compile(r"\n<memory ([^<>]*)>\n([^<]*)\n</memory>(?=\n<memory|\Z)")
ATTRIBUTE = re.compile(r'([a-z]+)="([^"<>\n]*)"(?: |\Z)')
KINDS = {"invariants": INVARIANT, "recent_turns": RECENT, "memories": HIT}


def matches(pattern, text):
    """Yield matches that follow one another without a gap, to the end."""
    at = 0
    while at < len(text):
        found = pattern.match(text, at)
        assert found and found.end() > at, text[at : at + 200]
        yield found
        at = found.end()


def parse(block):
    """Return what a block says: every character of it belongs to something that was put there on purpose."""
    for section in matches(SECTION, block):
        for entry in matches(ENTRY, section[2]):
            attributes = {found[1]: oracle.read_back(found[2]) for found in matches(ATTRIBUTE, entry[1])}
            yield KINDS[section[1]], attributes, oracle.read_back(entry[2])


@settings(max_examples=examples(700))
@given(entries)
def test_every_entry_is_read_back_from_the_block(given):
    quoted = [
        Quoted(n, id, text, kind, role, source, time, topic=topic)
        for n, (kind, id, text, role, source, time, topic) in enumerate(given)
    ]
    block = assemble(quoted)
    found = list(parse(block))
    assert [(kind, text) for kind, _, text in found] == [(entry.kind, entry.text) for entry in quoted]
    for entry, (_, attributes, _) in zip(quoted, found, strict=True):
        assert attributes.pop("number") == f"M{entry.number}"
        assert attributes.pop("id") == entry.id
        assert attributes.pop("role", None) == entry.role
        assert attributes.pop("source", None) == entry.source
        assert attributes.pop("topic", None) == entry.topic
        assert ("time" in attributes) is (entry.time is not None)
    normal = unicodedata.normalize("NFKC", block)
    assert [normal.count(sign) for sign in "<&"] == [block.count(sign) for sign in "<&"]
    assert block.isprintable() or not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", block)


@settings(max_examples=examples(2_000))
@given(texts, st.booleans())
@example("&amp;lt;", False)
@example("&#x3C;", True)
def test_escaping_is_its_definition_and_can_be_undone(text, name):
    quoted = escape(text, name=name)
    assert quoted == oracle.escaped(text, name)
    assert oracle.read_back(quoted) == text
    assert "<" not in quoted
    assert not name or not set('">\n\t') & set(quoted)
    assert all(one in "\n\t\u200c\u200d" or unicodedata.category(one) not in ("Cc", "Zl", "Zp") for one in quoted)


def test_every_character_there_is_is_escaped_as_defined():
    everything = "".join(chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    for name in (False, True):
        quoted = escape(everything, name=name)
        assert quoted == oracle.escaped(everything, name)
        assert quoted.count("&") > 4_096


@given(texts, st.integers(1, 20))
def test_what_is_shortened_is_one_line_of_no_more_characters(text, characters):
    short = shortened(text, flatten=True, characters=characters)
    assert len(short) <= characters
    assert len(short.splitlines()) <= 1
    assert shortened(text) == text
    assert " ".join(text.split()).startswith(short)
