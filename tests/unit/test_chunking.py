"""What chunking promises, case by case: where it cuts, what it keeps together, what it repeats."""

from itertools import pairwise

import pytest

from byheart.ingestion.chunking import (
    LONGEST_HEADING,
    LONGEST_OVERLAP,
    LONGEST_PATH,
    MAX_CHARS,
    MIN_CHARS,
    WINDOW_OVERLAP,
    chunk_text,
    normalise_line_endings,
    sentences,
)


def spans(text: str, *, markdown: bool = False) -> list[tuple[str | None, str]]:
    return [(chunk.heading, chunk.text) for chunk in chunk_text(text, "src-x", markdown=markdown)]


def prose(count: int, word: str = "word") -> str:
    """`count` sentences of about 60 characters, each with its own number."""
    return " ".join(f"Sentence number {i} says {word} and then something more of it." for i in range(count))


def test_a_short_text_is_one_chunk() -> None:
    (chunk,) = chunk_text("  One fact.\n\nAnother.\n", "src-0")
    assert (chunk.text, chunk.char_start, chunk.char_end) == ("One fact.\n\nAnother.", 2, 21)
    assert (chunk.chunk_id, chunk.source_id, chunk.index) == ("src-0::chunk-000", "src-0", 0)
    assert (chunk.heading, chunk.chunk_type) == (None, "section")


@pytest.mark.parametrize("blank", ["", "   ", "\n\n\t\n"])
def test_a_blank_text_has_no_chunks(blank: str) -> None:
    assert chunk_text(blank, "src-0", markdown=True) == []


def test_markdown_is_cut_at_three_levels_of_heading() -> None:
    text = "before\n# One\na\n## Two ##\nb\n### Three\nc\n#### Four\nd\n#tag\ne"
    assert spans(text, markdown=True) == [
        (None, "before"),
        ("One", "# One\na"),
        ("One > Two", "## Two ##\nb"),
        ("One > Two > Three", "### Three\nc\n#### Four\nd\n#tag\ne"),
    ]
    assert len(spans(text)) == 1, "plain text knows no headings"


def test_a_heading_with_nothing_under_it_opens_the_next_section() -> None:
    assert spans("# Book\n\n## Part\nText.\n# End", markdown=True) == [
        ("Book > Part", "# Book\n\n## Part\nText."),
        ("End", "# End"),
    ]


def paths(text: str, title: str | None = None) -> list[str | None]:
    return [chunk.heading for chunk in chunk_text(text, "src-x", markdown=True, title=title)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n## B\nx\n## C\ny", ["A > B", "A > C"]),
        ("# A\n## B\n### C\nx\n# D\n### C\ny", ["A > B > C", "D > C"]),
        ("## Before\nx\n# A\ny\n## After\nz", ["Before", "A", "A > After"]),
        ("### Deep\nx\n## Less\ny\n# A\nz", ["Deep", "Less", "A"]),
        ("# A\n# B\nx", ["B"]),
        ("# A\n##\nx\n### C\ny\n#\nz", ["A", "A > C", None]),
        ("# A\n#### Four\nx", ["A"]),
        ("# A\n```\n## no\n```\n## B\nx", ["A", "A > B"]),
    ],
)
def test_a_section_knows_the_headings_above_it(text: str, expected: list[str | None]) -> None:
    assert paths(text) == expected


def test_the_title_of_a_document_stands_above_its_sections() -> None:
    assert paths("before\n## B\nx\n# A\ny\n## B\nz", " Some\n title ") == [
        "Some title",
        "Some title > B",
        "A",
        "A > B",
    ]
    assert paths("x", " ") == [None]
    assert paths("x", "t" * 300) == ["t" * LONGEST_HEADING]


def test_of_a_path_too_long_the_outermost_headings_are_left_out() -> None:
    one, two, three = ("1" * 150, "2" * 150, "3" * 300)
    assert paths(f"# {one}\n## {two}\nx\n### {three}\ny") == [f"{one} > {two}", f"{two} > {'3' * LONGEST_HEADING}"]
    assert len(f"{two} > {'3' * LONGEST_HEADING}") <= LONGEST_PATH < len(f"{one} > {two} > {'3' * LONGEST_HEADING}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tea\n===\nx\n\nGreen\n---\ny", ["Tea", "Tea > Green"]),
        ("Tea\n=\nx\n\nGreen\n  -----  \ny\n### Deep\nz", ["Tea", "Tea > Green", "Tea > Green > Deep"]),
        ("Tea in\n  two lines\n===\nx", ["Tea in two lines"]),
        ("before\n\nTea\n---\nx", [None, "Tea"]),
    ],
)
def test_underlined_text_is_a_heading(text: str, expected: list[str | None]) -> None:
    assert paths(text) == expected


def test_an_underlined_heading_opens_its_section() -> None:
    assert spans("before\n\nTea\nand rice\n---\nx", markdown=True)[1] == ("Tea and rice", "Tea\nand rice\n---\nx")
    assert spans("Tea\n===\n\nGreen\n---\nx", markdown=True) == [("Tea > Green", "Tea\n===\n\nGreen\n---\nx")]


@pytest.mark.parametrize(
    "text",
    [
        "x\n\n---\ny",
        "x\n\n===\ny",
        "---\ntitle: Tea\n---\ny",
        "---\nA rule.\n---\ny",
        "```\nx\n===\n```",
        "- x\n---\ny",
        "- x\nlazily\n---\ny",
        "- x\n\n  more\n---\ny",
        "1. x\n---\ny",
        "> x\n---\ny",
        "> x\nlazily\n===\ny",
        "    code\n---\ny",
        "***\n---\ny",
        "- - -\n---\ny",
        "x\n- item\n---\ny",
        "x\n- - -\ny",
        "x\n    ===\ny",
        "x\n= =\ny",
        "x\n==-\ny",
        "#### Four\n---\ny",
        "| a | b |\n|---|---|\n| 1 | 2 |\n---\ny",
        "<div>\nx\n---\n</div>",
        "[tea]: https://example.org\n---\ny",
    ],
)
def test_what_only_looks_underlined_is_no_heading(text: str) -> None:
    assert paths(text) == [None]


@pytest.mark.parametrize("fence", ["```", "~~~~", "  ```"])
def test_fenced_code_has_no_headings(fence: str) -> None:
    text = f"# Real\n{fence}sh\n# a comment\n``\n{fence} not a close\n# still code\n{fence}\n# Next\nx"
    assert [heading for heading, _ in spans(text, markdown=True)] == ["Real", "Next"]


def test_a_line_of_inline_code_opens_no_fence() -> None:
    assert [h for h, _ in spans("# A\n``` x ``` y\n# B\nz", markdown=True)] == ["A", "B"]


def test_a_long_heading_is_cut_for_the_topic_only() -> None:
    ((heading, text),) = spans("# " + "h" * 300 + "\nbody", markdown=True)
    assert heading == "h" * LONGEST_HEADING
    assert text.startswith("# " + "h" * 300)


def test_a_long_section_is_cut_between_paragraphs_and_repeats_one_sentence() -> None:
    first, second = prose(16, "alpha"), prose(16, "beta")
    one, two = chunk_text(f"# H\n\n{first}\n\n{second}", "src-0", markdown=True)
    assert one.text == f"# H\n\n{first}"
    assert two.text == f"Sentence number 15 says alpha and then something more of it.\n\n{second}"
    assert one.heading == two.heading == "H"
    assert one.chunk_type == two.chunk_type == "paragraph"


def test_a_long_paragraph_is_cut_between_sentences_and_repeats_one() -> None:
    chunks = chunk_text(prose(80), "src-0")
    assert len(chunks) > 2
    for before, after in pairwise(chunks):
        last = before.text.rindex("Sentence number")
        assert after.text.startswith(before.text[last:])
        assert after.char_start == before.char_start + last
    assert {chunk.chunk_type for chunk in chunks} == {"sentence"}


def test_no_sentence_is_repeated_across_sections() -> None:
    one, two = chunk_text(f"# A\n{prose(10)}\n# B\n{prose(10)}", "src-0", markdown=True)
    assert one.char_end <= two.char_start


def test_a_sentence_too_long_is_cut_at_fixed_windows() -> None:
    chunks = chunk_text("x" * 4_000, "src-0")
    step = MAX_CHARS - WINDOW_OVERLAP
    assert [(c.char_start, c.char_end) for c in chunks] == [(0, 1_500), (step, step + 1_500), (2 * step, 4_000)]
    assert {c.chunk_type for c in chunks} == {"window"}


def test_a_table_too_long_is_cut_between_its_rows() -> None:
    rows = [f"| E{1000 + n} | fault of unit {n} | replace part KX-{4000 + n} |" for n in range(200)]
    text = "\n".join(rows)
    chunks = chunk_text(text, "s")
    assert len(chunks) > 5 and {c.chunk_type for c in chunks} == {"window"}
    said = [c.text.split("\n") for c in chunks]
    assert all(row in rows for rows_of in said for row in rows_of), "no row is cut"
    assert [row for row in rows if not any(row in rows_of for rows_of in said)] == []
    shared = [len(set(one) & set(next_)) for one, next_ in pairwise(said)]
    assert set(shared) == {2}, "as many as fit into 150 characters"
    assert all(len(c.text) > MAX_CHARS - len(rows[0]) - 2 for c in chunks[:-1])


def test_the_head_of_a_table_stands_above_its_other_parts() -> None:
    rows = [f"| E{1000 + n} | fault of unit {n} |" for n in range(120)]
    text = "\n".join(["# Codes", "", "All of them:", "", "| Code | Meaning |", "|:---|---:|", *rows, "", "The end."])
    chunks = chunk_text(text, "s", markdown=True)
    assert [c.heading for c in chunks] == ["Codes", *["Codes > Code | Meaning"] * (len(chunks) - 1)]
    assert len(chunks) == 3 and all(c.text == text[c.char_start : c.char_end] for c in chunks)
    assert {c.heading for c in chunk_text(text, "s")} == {None}, "a plain text has no tables"
    bare = "\n".join(["| Code | Meaning |", "|---|---|", *rows])
    assert [c.heading for c in chunk_text(bare, "s", markdown=True)][:2] == [None, "Code | Meaning"]
    rule = "\n".join(["Codes", "-----", *rows])
    assert {c.heading for c in chunk_text(rule, "s", markdown=True)} == {"Codes"}, "underlined, and no table"
    no_head = "\n".join(["# Codes", *rows])
    assert {c.heading for c in chunk_text(no_head, "s", markdown=True)} == {"Codes"}
    others = "\n".join(["# Codes", "", "| A | B |", "|---|---|", "| 1 | 2 |", "", *(f"| {row} |" for row in rows)])
    assert {c.heading for c in chunk_text(others, "s", markdown=True)} == {"Codes"}, "of another table"


def test_a_line_is_cut_where_the_last_one_ends_too_early() -> None:
    text = "x" * (MAX_CHARS // 2 - 1) + "\n" + "y" * 3_000
    assert next(len(c.text) for c in chunk_text(text, "s")) == MAX_CHARS
    text = "x" * (MAX_CHARS // 2) + "\n" + "y" * 3_000
    assert [len(c.text) for c in chunk_text(text, "s")][:2] == [MAX_CHARS // 2, MAX_CHARS], "nothing is shared"


def test_a_short_piece_joins_what_follows_it() -> None:
    text = f"# Heading\n\n{prose(40)}"
    first = chunk_text(text, "src-0", markdown=True)[0]
    assert first.text.startswith("# Heading\n\nSentence number 0")
    assert len(first.text) > 1_000


def test_a_short_piece_heads_the_first_window() -> None:
    first = chunk_text("# Heading\n\n" + "y" * 3_000, "src-0", markdown=True)[0]
    assert first.text == "# Heading\n\n" + "y" * (MAX_CHARS - 11)


def test_a_short_last_piece_joins_the_chunk_before_it() -> None:
    text = prose(20) + "\n\nThe end."
    assert chunk_text(text, "src-0")[-1].text.endswith("it.\n\nThe end.")


def test_a_short_piece_that_fits_nowhere_stays() -> None:
    text = "Tiny.\n\n" + "z" * 1_499 + "."
    assert [len(c.text) for c in chunk_text(text, "src-0")] == [5, 1_500]


def test_two_long_sentences_share_nothing() -> None:
    text = "a" * 1_200 + ". " + "b" * 1_200 + "."
    one, two = chunk_text(text, "src-0")
    assert (one.text[-2:], two.text[0]) == ("a.", "b")


def test_a_last_sentence_that_is_very_long_is_not_repeated() -> None:
    listing = "\n".join(f"item {i}" for i in range(80))
    one, two = chunk_text(f"{prose(12)}\n\n{listing}\n\n{prose(12)}", "src-0")
    assert (one.text, two.text) == (f"{prose(12)}\n\n{listing}", prose(12))


@pytest.mark.parametrize(("length", "repeated"), [(LONGEST_OVERLAP, True), (LONGEST_OVERLAP + 1, False)])
def test_a_last_sentence_of_the_longest_overlap_is_repeated(length: int, repeated: bool) -> None:
    last = "L" + "o" * (length - 6) + "ng d."
    *_, (start, end) = sentences(f"{prose(12)} {last}", 0, len(f"{prose(12)} {last}"))
    assert end - start == len(last) == length
    first, second = chunk_text(f"{prose(12)} {last}\n\n{prose(19)}", "src-0")[:2]
    assert first.text.endswith(last) and second.text.startswith(last) == repeated


def test_a_chunk_is_never_repeated_whole() -> None:
    one, two = chunk_text("a" * 400 + ".\n\n" + prose(24), "src-0")
    assert (one.text, two.text) == ("a" * 400 + ".", prose(24))


def test_a_paragraph_is_cut_rather_than_lose_its_overlap() -> None:
    last = "The last sentence of the first paragraph is " + "rather " * 15 + "long."
    assert len(last) > MIN_CHARS, "else the repeated sentence would be a runt that takes a part of what follows"
    _, two, three = chunk_text(f"{prose(20)} {last}\n\n{prose(25)}", "src-0")
    assert two.text.startswith(f"{last}\n\nSentence number 0 ")
    assert three.text.endswith("Sentence number 24 says word and then something more of it.")


def test_a_short_piece_takes_a_part_of_the_paragraph_after_it() -> None:
    text = "# A heading\n\n" + prose(25)
    assert 1_480 < len(prose(25)) < MAX_CHARS < len(text)
    first, second = chunk_text(text, "src-0", markdown=True)
    assert first.text.startswith("# A heading\n\nSentence number 0")
    assert second.text.startswith("Sentence number 23")


def test_offsets_count_in_lf_form() -> None:
    text = "# A\r\nfirst\r\n# B\rsecond"
    plain = normalise_line_endings(text)
    chunks = chunk_text(text, "src-0", markdown=True)
    assert [c.heading for c in chunks] == ["A", "B"]
    assert [plain[c.char_start : c.char_end] for c in chunks] == [c.text for c in chunks]


def test_numbers_grow_beyond_three_digits() -> None:
    chunks = chunk_text("\n".join(f"# H{i}\nbody" for i in range(1_001)), "src-0", markdown=True)
    assert [chunks[i].chunk_id[-4:] for i in (0, 999, 1_000)] == ["-000", "-999", "1000"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Pi is 3.14 and v1.2.3 is out.", ["Pi is 3.14 and v1.2.3 is out."]),
        ("(He said “go.”) Then left.", ["(He said “go.”)", "Then left."]),
        ("Wait... what?! Yes.", ["Wait...", "what?!", "Yes."]),
        ("好。坏！「真？」没有", ["好。", "坏！", "「真？」", "没有"]),
        ("Done.次の文", ["Done.", "次の文"]),
        ("a title\n\na text", ["a title", "a text"]),
        ("a line\nof one sentence", ["a line\nof one sentence"]),
        (" . ", ["."]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in sentences(text)] == expected


def test_sentences_of_a_part_keep_the_offsets_of_the_whole() -> None:
    assert list(sentences("No. Yes. Maybe. No.", 4, 15)) == [(4, 8), (9, 15)]


HOSTILE = [
    ".",
    '."',
    "\n ",
    "#",
    "` ",
    "a. ",
    ". ",
    "。",
    "x",
    " ",
    "\n# h\n",
    "\n```\n",
    "# # ",
    "x\n",
    "x\n-\n",
    "- ",
    "-\n",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_text_is_cut_in_linear_time(unit: str) -> None:
    """Anything quadratic would not come back from half a million characters for many minutes."""
    text = unit * (500_000 // len(unit)) + "x"
    assert chunk_text(text, "src-0", markdown=True)[-1].char_end == len(text)
