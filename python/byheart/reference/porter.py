"""Porter's stemmer of 1980, with the two changes its author made to his own program later.

The changes are in step 2: `bli` becomes `ble` (it was `abli`, `able`), and `logi` becomes `log`. A suffix
counts only when at least one character precedes it, so `ies` gives `ie` and `eed` gives `e`. Every character
is accepted; one that is no vowel is a consonant. Not Porter2, and no language but English.
"""

from __future__ import annotations

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
]  # fmt: skip


def porter_stem(word: str) -> str:
    """Return the stem of a lower-case word; a word of fewer than three characters is its own stem.

    >>> porter_stem("relational"), porter_stem("ponies"), porter_stem("as")
    ('relat', 'poni', 'as')
    """
    if len(word) < 3:
        return word
    word = _plural(word)
    word = _past_and_gerund(word)
    if (stem := _before(word, "y")) and _has_vowel(stem):
        word = stem + "i"
    word = _replace(word, _STEP_2)
    word = _replace(word, _STEP_3)
    word = _drop_suffix(word)
    return _tidy_end(word)


def _plural(word: str) -> str:
    """Step 1a."""
    if _before(word, "sses") or _before(word, "ies"):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_and_gerund(word: str) -> str:
    """Step 1b."""
    if stem := _before(word, "eed"):
        return word[:-1] if _measure(stem) > 0 else word
    stem = _before(word, "ed") or _before(word, "ing")
    if not _has_vowel(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _ends_in_double_consonant(stem) and stem[-1] not in "lsz":
        return stem[:-1]
    if _measure(stem) == 1 and _ends_consonant_vowel_consonant(stem):
        return stem + "e"
    return stem


def _replace(word: str, table: dict[str, str]) -> str:
    """Replace the longest suffix that fits, if the measure of what precedes it is above 0: steps 2 and 3."""
    suffix = _longest(word, list(table))
    stem = _before(word, suffix)
    return stem + table[suffix] if suffix and _measure(stem) > 0 else word


def _drop_suffix(word: str) -> str:
    """Step 4. Of `sion` and `tion` the first letter stays."""
    suffix = _longest(word, _STEP_4)
    if suffix in ("sion", "tion"):
        suffix = "ion"
    stem = _before(word, suffix)
    return stem if suffix and _measure(stem) > 1 else word


def _tidy_end(word: str) -> str:
    """Step 5: a last `e`, then a double `l`."""
    if stem := _before(word, "e"):
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_consonant_vowel_consonant(stem)):
            word = stem
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


def _before(word: str, suffix: str) -> str:
    """Return what precedes the suffix, or "" if the word does not end in it or is nothing else."""
    return word[: len(word) - len(suffix)] if word.endswith(suffix) else ""


def _longest(word: str, suffixes: list[str]) -> str:
    """Return the longest of the suffixes that the word ends in, with a character before it, or ""."""
    return max((suffix for suffix in suffixes if _before(word, suffix)), key=len, default="")


def _kinds(word: str) -> str:
    """Return a `v` for each vowel and a `c` for each consonant; y is a vowel after a consonant."""
    kinds = ""
    for letter in word:
        vowel = kinds.endswith("c") if letter == "y" else letter in "aeiou"
        kinds += "v" if vowel else "c"
    return kinds


def _measure(stem: str) -> int:
    """Return how often a consonant follows a vowel: Porter's m."""
    return _kinds(stem).count("vc")


def _has_vowel(stem: str) -> bool:
    return "v" in _kinds(stem)


def _ends_in_double_consonant(stem: str) -> bool:
    return len(stem) > 1 and stem[-1] == stem[-2] and _kinds(stem).endswith("c")


def _ends_consonant_vowel_consonant(stem: str) -> bool:
    """Porter's *o: consonant, vowel, consonant, and the last is not w, x or y."""
    return _kinds(stem).endswith("cvc") and stem[-1] not in "wxy"
