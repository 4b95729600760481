"""The stemmer against someone else's: NLTK's `PorterStemmer` with Martin Porter's own changes.

Words: those of Python's documentation topics, made-up stems with every suffix of the algorithm (and with two of
them), and every word of the judged collections in the shared folder.
"""

import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from pydoc_data.topics import topics

from nltk.stem.porter import PorterStemmer

from byheart import porter_stem

NLTK = PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS)

# Here a suffix of step 1 is one only if a character precedes it; in NLTK it may be the whole word.
BARE_SUFFIXES = {"eed": "e", "eeds": "e", "ies": "ie", "sses": "sse"}

STEP_1 = ["s", "ss", "sses", "ies", "eed", "ed", "ing", "ated", "bled", "ized", "y"]
STEP_2 = [
    *("ational", "tional", "enci", "anci", "izer", "abli", "bli", "alli", "entli", "eli", "ousli", "ization", "ation"),
    *("ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "logi"),
]
STEP_3 = ["icate", "ative", "alize", "iciti", "ical", "ful", "ness"]
STEP_4 = [
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ion", "ou"),
    *("ism", "ate", "iti", "ous", "ive", "ize"),
]
SUFFIXES = STEP_1 + STEP_2 + STEP_3 + STEP_4 + ["e", "ll"]

# Stems that sit on the borders: nothing, one letter, every pattern of y, doubled letters, characters of several
# bytes, and words longer than a machine word has bits.
BORDER_STEMS = [
    *("", "a", "b", "y", "e", "ab", "ba", "by", "yb", "ay", "oa", "tr", "bab", "baby", "yyy", "hop", "fil", "snow"),
    *("fall", "hiss", "fizz", "plann", "aé", "éé", "baé", "naï", "日本", "a日日", "a†", "a\u2000", "aЖЖ", "b🦀", "3-d"),
    *("e" * 70, "y" * 70, "b" * 70, "ba" * 40, "ay" * 35, "bay" * 30, "ab" + "b" * 70),
]


def made_up_words() -> Iterator[str]:
    """Stems of the letters that rules look at, with one and with two suffixes."""
    choose = random.Random(1980)
    letters = ["abeioustylzwxn", "abeyilszé日1-_"]
    stems = [
        "".join(choose.choices(letters[i % 4 == 3], k=choose.randint(1, 6)))  # every fourth with foreign letters
        for i in range(400)
    ]
    for stem in BORDER_STEMS + stems:
        for suffix in SUFFIXES:
            yield stem + suffix
            yield stem + suffix + choose.choice(SUFFIXES)


def words_of(texts: Iterable[str]) -> set[str]:
    """Between white space, and runs of word characters: in small letters, since neither stemmer is asked to lower."""
    return {word for text in texts for word in re.findall(r"\S+|\w+", text.lower())}


def differences(words: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Where the two disagree: word -> (ours, NLTK's)."""
    pairs = ((word, porter_stem(word), NLTK.stem(word, to_lowercase=False)) for word in words)
    return {word: (ours, theirs) for word, ours, theirs in pairs if ours != theirs and word not in BARE_SUFFIXES}


def test_documentation_and_made_up_words() -> None:
    words = words_of(topics.values()) | set(made_up_words())
    assert len(words) > 50_000, "the word list shrank"
    assert differences(words) == {}


def test_bare_suffixes_are_the_known_difference() -> None:
    assert {word: porter_stem(word) for word in BARE_SUFFIXES} == BARE_SUFFIXES
    assert all(NLTK.stem(word, to_lowercase=False) != ours for word, ours in BARE_SUFFIXES.items())


def test_words_of_the_judged_collections(shared: Path) -> None:
    words: set[str] = set()
    for corpus in sorted(shared.glob("data/*/corpus.jsonl")):
        with corpus.open(encoding="utf-8") as lines:
            records = (json.loads(line) for line in lines)
            words |= words_of(value for record in records for value in record.values() if isinstance(value, str))
    assert len(words) > 100_000, "the collections are not there"
    assert differences(words) == {}
