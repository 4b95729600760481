"""Patterns put to ASCII with stand-ins find what the same patterns find in the text itself, in any language."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from byheart._core import GatePatterns
from byheart.patterns import saying, stating
from byheart.patterns.in_ascii import InAscii

SAID = """ich möchte am freitag nach köln mañana ayer hoy él ella préfère déteste j'aime ма мама 妹の誕生日は 5月3日
    覚えて für 12. jänner ½ ² ٣ 3 may mayo geändert änderung 訂正： revised: is now €40 is now $40 costs £3 since … ’
    “now” — ❤️ 🙂 _ __ x_y down to nicht mehr kein brot mehr ĳ ﬁ ß ẞ"""
WORDS = [*SAID.split(), "no\u200dlonger", "moved\u0301", "an\u00a0bord", "\x01", "\x0b", "\x7f", "is\tdown"]
texts = st.one_of(
    st.lists(st.sampled_from([*WORDS, *"äöüßéñç€£：·\u2028\u3000\ufe0f\x02"]), max_size=14).map(" ".join),
    st.lists(st.sampled_from([*WORDS, *"abä_ '-"]), max_size=14).map("".join),
    st.text(max_size=40),
)
TABLES = {
    "stated": [table for kind, table in stating._TABLES.items() if kind != "fact"],
    "facts": [stating._TABLES["fact"]],
    "changes": [
        stating.CHANGES, saying._SHIFTED, saying._EXCHANGED, saying._ENDS, saying._CORRECTING, saying._INSTEAD_OF,
    ],
    "borders": [r"\b.o\b\n    |\d\ \w\n    |\W日\n    |\B\u00a3\n    |x\S\Sx\n    |[^a-y\s]\b\n    |^\S{3}$\n    |ä+"],
}  # fmt: skip


def parts(name: str) -> list[tuple[str, str]]:
    """Return the patterns of a table, each by its number."""
    every = [part for table in TABLES[name] for part in stating.ALTERNATIVES.split(table)]
    return [(str(number), part) for number, part in enumerate(every)]


DIRECT = {
    name: GatePatterns("strict", [("A", f":{number}", f"(?x){part}", 1.0) for number, part in parts(name)])
    for name in TABLES
}
STANDING_IN = {name: InAscii(parts(name)) for name in TABLES}


@pytest.mark.parametrize("table", TABLES)
@given(texts)
@example("es wird im mai geändert… also am 3. mai")
@example("a\u0301 no longer\ufe0f, \x01moved\x02")
@example("١٢ may, now €3")
def test_the_same_is_found_as_in_the_text_itself(table: str, text: str) -> None:
    text = text.casefold()
    found = {name[1:] for name, _ in DIRECT[table].signals(text).counts if name[0] == ":"}
    assert set(STANDING_IN[table].found(text)) == found


def test_more_signs_than_are_kept_are_found_all_the_same() -> None:
    patterns = InAscii([("word", r"\b\w\b"), ("named", r"\bé\b")])
    direct = GatePatterns("strict", [("A", "word", r"(?x)\b\w\b", 1.0)])
    signs = [chr(code) for code in range(0x80, 0x3000)] + ["é", "à", "…"]
    found = [sign for sign in signs if "word" in patterns.found(f". {sign} .")]
    assert found == [sign for sign in signs if direct.signals(f". {sign} .").counts]
    assert 0 < len(found) < len(signs)
    assert patterns.found(". é .") == ["word", "named"]
