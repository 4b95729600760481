"""The language of a text: told as if all its English words were looked at, though mostly one of them is."""

from __future__ import annotations

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from byheart import Analyzer
from byheart.retrieval import asking_words as asking

ANALYZER = Analyzer()
MORE = ("the", "of", "and", "with", "was", "have", "this", "kettle", "Rome", "7", "\u00c9COLE", "\uff21", "_", "don't")
WORDS = sorted({word for own in asking._KNOWN.values() for word in own}.union(MORE))


def slowly(text: str) -> str | None:
    """Return what `language_of` does, by all the words that there are."""
    lower = normalize("NFKC", text).lower()
    words = set(asking._WORD.findall(lower))
    foreign = words & asking._foreign(ANALYZER)
    english = {word for word in words - foreign if not ANALYZER.terms(word)}
    told: dict[str, int] = {}
    for language, own in asking._KNOWN.items():
        known, others = foreign & own, english - own
        tells = len(known) > 1 or lower.startswith(asking._BEGINS.get(language, ()))
        if known and not (known <= asking._ENGLISH_TOO and (others or not tells)):
            more = len(known if others else words & own) + (not known.isdisjoint(asking._FIRST[language]))
            told[language] = more if more > max(1, len(others)) else 0
    best = max(told, key=lambda language: told[language], default=None)
    return best if best is not None and told[best] else None


@given(st.lists(st.sampled_from(WORDS), max_size=14), st.sampled_from([" ", ", ", "\n"]))
def test_a_language_is_told_as_by_all_words(words: list[str], between: str):
    text = between.join(words)
    assert asking.language_of(text, ANALYZER) == slowly(text)


def test_the_words_of_a_plain_english_text_are_not_all_looked_at():
    class Counted:
        name, looked = ANALYZER.name, 0

        def terms(self, text: str) -> list[str]:
            self.looked += 1
            return ANALYZER.terms(text)

    counted = Counted()
    said = "in an old house on the hill we met the man who was at the war and with whom nobody had been"
    for _ in range(2):  # the first time it is found which words English does not have
        counted.looked = 0
        assert asking.language_of(said, counted) is None  # type: ignore[arg-type]
    assert 0 < counted.looked <= 6
