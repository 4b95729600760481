"""The laws of chunking, for any text: exact slices, nothing lost, nothing too long, in order, always the same."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from byheart.ingestion.chunking import (
    LONGEST_OVERLAP,
    MAX_CHARS,
    MIN_CHARS,
    Chunk,
    chunk_text,
    normalise_line_endings,
    sentences,
)

words = st.sampled_from(
    [
        "tea",
        "kettle.",
        "e.g.",
        "wait...",
        "3.14",
        "好。",
        "是",
        "#",
        "```",
        "~~~",
        "don't!",
        '"so?"',
        "\u00a0",
        "x" * 400,
    ]
)
gaps = st.sampled_from([" ", "  ", "\n", "\n\n", "\r\n", "\r", "\n## head\n", "\n---\n", "\n==\n", "\n \t\n", ""])
# Pieces repeated many times make the long paragraphs, sentences and words that single characters never reach.
pieces = st.tuples(words, gaps, st.integers(1, 120)).map(lambda t: (t[0] + t[1]) * t[2])
texts = st.one_of(st.text(max_size=300), st.lists(pieces, max_size=12).map("".join))


def chunks_of(text: str, markdown: bool) -> tuple[str, list[Chunk]]:
    return normalise_line_endings(text), chunk_text(text, "src-p", markdown=markdown)


@given(texts, st.booleans())
def test_every_chunk_is_an_exact_slice_without_blank_edges(text: str, markdown: bool) -> None:
    plain, chunks = chunks_of(text, markdown)
    for chunk in chunks:
        assert chunk.text == plain[chunk.char_start : chunk.char_end]
        assert chunk.text == chunk.text.strip() != ""


@given(texts, st.booleans())
def test_nothing_but_white_space_is_left_out(text: str, markdown: bool) -> None:
    plain, chunks = chunks_of(text, markdown)
    reached = 0
    for chunk in chunks:
        assert plain[reached : chunk.char_start].strip() == ""
        assert chunk.char_end > reached, "every chunk brings something new"
        reached = chunk.char_end
    assert plain[reached:].strip() == ""


@given(texts, st.booleans())
def test_no_chunk_is_too_long_and_order_is_kept(text: str, markdown: bool) -> None:
    _, chunks = chunks_of(text, markdown)
    assert all(1 <= len(chunk.text) <= MAX_CHARS for chunk in chunks)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    starts = [chunk.char_start for chunk in chunks]
    assert starts == sorted(set(starts))


@given(texts, st.booleans())
def test_chunks_share_at_most_a_sentence_or_a_window(text: str, markdown: bool) -> None:
    _, chunks = chunks_of(text, markdown)
    for before, after in pairwise(chunks):
        assert before.char_end - after.char_start <= LONGEST_OVERLAP


@given(st.lists(st.integers(20, 400), min_size=2, max_size=40))
def test_in_prose_neighbours_share_exactly_one_sentence(lengths: list[int]) -> None:
    text = " ".join("a" * length + "." for length in lengths)
    plain, chunks = chunks_of(text, markdown=False)
    for before, after in pairwise(chunks):
        *_, last = sentences(plain, before.char_start, before.char_end)
        assert after.char_start == last[0]


@given(st.lists(st.tuples(st.integers(1, 90), st.integers(1, 20)), min_size=1, max_size=20))
@example([(50, 1), (89, 16)])
def test_a_runt_is_left_only_at_the_end_where_the_chunk_before_is_full(paragraphs: list[tuple[int, int]]) -> None:
    text = "\n\n".join(" ".join(["a" * length + "."] * count) for length, count in paragraphs)
    *before, last = chunk_text(text, "src-p")
    assert all(len(chunk.text) >= MIN_CHARS for chunk in before)
    assert not before or len(last.text) >= MIN_CHARS or last.char_end - before[-1].char_start > MAX_CHARS


@given(texts, st.booleans())
def test_equal_text_gives_equal_chunks(text: str, markdown: bool) -> None:
    assert chunks_of(text, markdown) == chunks_of(text, markdown)


@given(texts)
def test_sentences_cover_the_text_and_are_trimmed(text: str) -> None:
    reached = 0
    for start, end in sentences(text):
        assert text[reached:start].strip() == ""
        assert text[start:end] == text[start:end].strip() != ""
        reached = end
    assert text[reached:].strip() == ""
