"""Stems that count as their terms: a search finds what it would if the texts had the term in the stem's place."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart import Analyzer
from byheart._core import HypervectorIndex, LexicalIndex, Partition
from byheart.errors import InvalidArgument
from byheart.retrieval.marked_terms import MARK

from ..counts import examples

FIELDS = {"topic": 1.5, "claim": 1.0}
PLAIN = Analyzer(stem=False)
WHOLE = Analyzer(stem=False, stop_words=None)
LANGUAGES = [None, "da", "de", "es", "fr", "it", "nl", "pt", "sv"]

words = st.builds(
    "".join, st.tuples(st.sampled_from(["", "", MARK]), st.sampled_from(["kind", "kinder", "katze", "tee"]))
)
texts = st.lists(words, max_size=6).map(" ".join)
documents = st.lists(st.fixed_dictionaries({"claim": texts}, optional={"topic": texts}), min_size=1, max_size=8)
LETTERS = st.characters(categories=["L", "M"]) | st.sampled_from("äöüßéñçøåёйщъαςάّىأة")
WRITTEN = st.lists(st.text(LETTERS, max_size=12) | st.sampled_from(["'", "’", "-", "İ", "ǅ"]), max_size=8).map(" ".join)


def partition_of(made):
    partition = Partition(LexicalIndex(FIELDS, analyzer=PLAIN), HypervectorIndex(FIELDS), None, [])
    partition.put([f"r{number}" for number in range(len(made))], made, [{}] * len(made))
    return partition


def asked(partition, terms):
    leg = {"retriever": "words", "mark": MARK, "k": 20, "saturation": None, "whole": True, "weights": (2, 1)}
    proposal = partition.propose([leg], [""], terms=terms)
    return proposal.hits(0), proposal.legs[0].most, proposal.legs[0].familiarity


@settings(max_examples=examples(2_000))
@given(documents)
def test_a_stem_counts_as_its_term(made):
    replaced = [{field: text.replace("kinder", "kind") for field, text in each.items()} for each in made]
    found = asked(partition_of(made), [f"kinder{MARK}kind", "tee"])
    assert found == asked(partition_of(replaced), ["kind", "tee"])
    there, explained = partition_of(made), partition_of(replaced)
    for id, _ in found[0]:
        told = there.explain_words([f"kinder{MARK}kind"], id, cells=[""], joined=((2, 1), None, MARK, 0.0))
        same = explained.explain_words(["kind"], id, cells=[""], joined=((2, 1), None, MARK, 0.0))
        assert told.score == same.score and {part.term for part in told.parts} <= {"kinder"}


@settings(max_examples=examples(5_000))
@given(WRITTEN, st.sampled_from(LANGUAGES))
@example("Straße Äpfel İstanbul ΣΊΣΥΦΟΣ ёлка", "de")
def test_any_text_has_stems(text, language):
    found = Analyzer().inflected(text, language)
    assert len({word for word, _, _ in found}) == len(found)
    for word, term, stem in found:
        assert stem and stem != term and Analyzer().terms(word) in ([term], []) and word in WHOLE.terms(text)
    assert Analyzer(stem=False).inflected(text, language) == Analyzer(mode="ascii").inflected(text, language) == []


def test_a_language_without_a_stemmer_is_refused():
    with pytest.raises(InvalidArgument, match=r'"en" has no stemmer; give one of da, de, es, fr, it, nl, pt, sv'):
        Analyzer().inflected("the kinder eggs", "en")
