"""Analysis in the reference: Porter's stemmer, the stop words, and both modes, example by example."""

from __future__ import annotations

import pytest

from byheart.reference.porter import porter_stem
from byheart.reference.text import STOP_WORDS, is_ideographic, terms


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # Step 1, from Porter's paper, and the three bare forms of B1.32.2.
        ("caresses", "caress"), ("ponies", "poni"), ("ties", "ti"), ("caress", "caress"), ("cats", "cat"),
        ("ies", "ie"), ("sses", "sse"), ("eed", "e"),
        ("feed", "feed"), ("agreed", "agre"), ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor"),
        ("sing", "sing"), ("conflated", "conflat"), ("troubled", "troubl"), ("sized", "size"), ("hopping", "hop"),
        ("tanned", "tan"), ("falling", "fall"), ("hissing", "hiss"), ("fizzed", "fizz"), ("failing", "fail"),
        ("filing", "file"), ("happy", "happi"), ("sky", "sky"),
        # Steps 2 to 5.
        ("relational", "relat"), ("conditional", "condit"), ("rational", "ration"), ("digitizer", "digit"),
        ("conformabli", "conform"), ("vileli", "vile"), ("vietnamization", "vietnam"), ("operator", "oper"),
        ("feudalism", "feudal"), ("hopefulness", "hope"), ("sensibiliti", "sensibl"), ("apology", "apolog"),
        ("triplicate", "triplic"), ("formative", "form"), ("electrical", "electr"), ("goodness", "good"),
        ("revival", "reviv"), ("adoption", "adopt"), ("adjustment", "adjust"), ("replacement", "replac"),
        ("bowdlerize", "bowdler"), ("probate", "probat"), ("rate", "rate"), ("cease", "ceas"), ("controll", "control"),
        ("roll", "roll"),
        # Short words, y, and characters that are no letters.
        ("as", "as"), ("y", "y"), ("", ""), ("say", "sai"), ("yyy", "yyi"), ("bm25", "bm25"), ("cpu-only", "cpu-onli"),
        ("3-days", "3-dai"), ("naïveness", "naïv"),
    ],
)  # fmt: skip
def test_porter(word: str, stem: str) -> None:
    assert porter_stem(word) == stem


def test_a_long_word_is_no_burden() -> None:
    assert porter_stem("y" * 5000) == "y" * 4999 + "i"


def test_stop_words() -> None:
    assert len(STOP_WORDS) == 115
    assert {"the", "nor", "until", "am", "could", "they", "those", "how", "such", "got"} <= STOP_WORDS
    assert not {"us", "off", "against", "as", "don't", "itself", "use"} & STOP_WORDS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The quick brown fox", ["quick", "brown", "fox"]),
        ("", []),
        ("3-day re-index", ["3-dai", "re-index", "re", "index"]),
        ("--flag -x - --", ["--flag", "flag", "-x", "x", "-", "--"]),
        ("dogs' U.S.A. e.g.", ["dog", "u.s.a", "e.g"]),
        ("user's, don't (100's)", ["user", "don't", "100"]),
        ("CPU-only up-to-date", ["cpu-onli", "cpu", "up-to-d", "date"]),
        ("the's The", []),
        ("café Ünal 日本語 naïve", ["caf", "nal", "naïv"]),
        ("user’s", ["user’"]),
        ("a\ufeffbc\u3000de\u0085fg\x1chi", ["bc", "de\u0085fg\x1chi"]),
        ("snake_case __init__", ["snake_cas", "__init__"]),
    ],
)
def test_ascii_mode(text: str, expected: list[str]) -> None:
    assert terms(text, mode="ascii") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The quick brown foxes", ["quick", "brown", "fox"]),
        ("3-day re-index", ["3-dai", "3", "dai", "re-index", "re", "index"]),
        ("--flag - _ -- !?", ["--flag", "flag"]),
        ("user’s userʼs ‘quoted’", ["user", "user", "quot"]),
        ("Ｆｕｌｌ　ｗｉｄｔｈ ﬁle", ["full", "width", "file"]),
        ("café Ünal naïveness «Größe»", ["café", "ünal", "naïveness", "größe"]),
        ("日本語", ["日", "日本", "本", "本語", "語"]),
        ("BM25は速い。", ["bm25", "は", "は速", "速", "速い", "い"]),
        ("ไทย", ["ไ", "ไท", "ท", "ทย", "ย"]),
        ("を a を", ["を", "を"]),
        ("a\u0085bc\ufeffde", ["bc\ufeffde"]),
        ("é́x", ["é́x"]),
        ("\u0301", []),
        ("on-the-fly", ["on-the-fli", "fly"]),
    ],
)
def test_unicode_mode(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def points(ranges: str) -> set[int]:
    """The code points of ranges in hexadecimal, both ends included."""
    ends = [entry.split("-") for entry in ranges.split()]
    return {point for entry in ends for point in range(int(entry[0], 16), int(entry[-1], 16) + 1)}


def test_ideographic_code_points() -> None:
    expected = points(
        "E01-E7F 1100-11FF 3005 3007 3021-3029 3031-3035 3038-303B 3041-3096 3099-309A 309D-309F 30A1-30FA 30FC-30FF "
        "3105-312F 3131-318E 31A0-31BF 31F0-31FF 3400-4DBF 4E00-9FFF A960-A97C AC00-D7A3 D7B0-D7FB F900-FAFF"
    )
    assert {point for point in range(0x10000) if is_ideographic(chr(point))} == expected
    assert [is_ideographic(chr(point)) for point in (0x1FFFF, 0x20000, 0x3FFFD, 0x3FFFE)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("mode", "spaces"),
    [
        ("ascii", "9-D 20 A0 1680 2000-200A 2028-2029 202F 205F 3000 FEFF"),
        ("unicode", "9-D 20 85 A0 1680 2000-200A 2028-2029 202F 205F 3000"),
    ],
)
def test_what_parts_words(mode: str, spaces: str) -> None:
    near = points("0-A1 167F-1681 1FFF-2030 205E-2060 2FFF-3001 FEFE-FF00")
    parted = {point for point in near if terms(f"fox{chr(point)}owl", mode=mode) == ["fox", "owl"]}
    assert parted == points(spaces)


@pytest.mark.parametrize("mode", ["ascii", "unicode"])
def test_stemming_and_stop_words_can_be_left_out(mode: str) -> None:
    assert terms("The CPU-only ponies", mode=mode, stem=False) == ["cpu-only", "cpu", "ponies"]
    assert terms("The ponies", mode=mode, stop_words=None) == ["the", "poni"]
    assert terms("The hen", mode=mode, stop_words="english") == ["hen"]
    assert terms("The ponies", mode=mode, stop_words={"ponies"}) == ["the"]


@pytest.mark.parametrize("mode", ["ascii", "unicode"])
def test_a_term_is_cut_at_255_bytes_before_it_is_stemmed(mode: str) -> None:
    assert terms("x" * 252 + "ingly", mode=mode) == ["x" * 252 + "ing"]
    assert terms("x" * 254 + "éx", mode=mode) == ["x" * 254]
    assert terms("x" * 253 + "éx", mode=mode) == ["x" * 253 + "é"]


def test_another_mode_or_list_is_refused() -> None:
    with pytest.raises(ValueError, match="'klingon'"):
        terms("a", stop_words="klingon")
    with pytest.raises(ValueError, match="'latin'"):
        terms("a", mode="latin")
