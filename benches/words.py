"""What: Porter stems and whole analysis, from Python. Corpus: the words and turns of the English corpus, seed 7.
Compare: byheart's lists with lists of PyStemmer and NLTK; text to terms with bm25s, tantivy and a mere `str.split`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib.metadata import version

import corpora
from harness import busy, emit, in_turns, note, pin, row

import byheart


def speed(call: Callable[[], object], units: float) -> Callable[[], float]:
    """Return a turn: units a microsecond, which is millions a second."""
    return lambda: units / busy(call)


def stems(documents: list[str]) -> None:
    """Stem running words, one call a word and one call a list."""
    import Stemmer
    from nltk.stem import PorterStemmer

    words = [word for document in documents for word in document.lower().split() if word.isalpha()][:50_000]
    text, count = " ".join(words), len(words)
    analyzer = byheart.Analyzer(stop_words=None)
    assert len(analyzer.terms(text)) == count, "one term a word"
    cached, plain, nltk = Stemmer.Stemmer("porter"), Stemmer.Stemmer("porter", 0), PorterStemmer()
    single, many = byheart.porter_stem, analyzer.terms
    some = words[:2_000]
    pystemmer = f"PyStemmer {version('PyStemmer')}"
    samples = in_turns({
        "byheart": speed(lambda: [single(word) for word in words], count),
        pystemmer: speed(lambda: [cached.stemWord(word) for word in words], count),
        f"{pystemmer}, no cache": speed(lambda: [plain.stemWord(word) for word in words], count),
        f"NLTK {version('nltk')}": speed(lambda: [nltk.stem(word) for word in some], len(some)),
    })  # fmt: skip
    emit(row("words", "Porter, a call a word", "M words/s", samples, higher_is_better=True))
    samples = in_turns({
        "byheart": speed(lambda: many(text), count),
        pystemmer: speed(lambda: cached.stemWords(words), count),
        f"{pystemmer}, no cache": speed(lambda: plain.stemWords(words), count),
    })  # fmt: skip
    emit(row("words", "Porter, a call a list", "M words/s", samples, higher_is_better=True))


def analysis(documents: list[str]) -> None:
    """Turn texts into lists of terms: lower case, stop words, stems."""
    import bm25s
    import Stemmer
    import tantivy

    size = sum(len(document.encode()) for document in documents)
    words = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase())
    words = words.filter(tantivy.Filter.stopword("english")).filter(tantivy.Filter.stemmer("english")).build()
    bm25s_tokens = functools.partial(
        bm25s.tokenize, stopwords="english", stemmer=Stemmer.Stemmer("english"), show_progress=False
    )
    terms, analyze = byheart.Analyzer().terms, words.analyze
    samples = in_turns({
        "byheart": speed(lambda: [terms(document) for document in documents], size),
        f"bm25s {version('bm25s')} + PyStemmer": speed(lambda: bm25s_tokens(documents), size),
        f"tantivy {version('tantivy')}": speed(lambda: [analyze(document) for document in documents], size),
        "str.split alone": speed(lambda: [document.split() for document in documents], size),
    })  # fmt: skip
    emit(row("words", "text to lists of terms", "MB/s", samples, higher_is_better=True, limit="str.split alone"))


def main() -> None:
    """Measure both."""
    pin()
    note("words")
    documents = corpora.load("english", 10_000)
    stems(documents)
    analysis(documents[:2_000])


if __name__ == "__main__":
    main()
