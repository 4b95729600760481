"""Terms near a misspelled one are those of the definition, after any history and in any cells."""

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart._core import Analyzer, HypervectorIndex, LexicalIndex, Partition
from byheart.reference import spelling
from byheart.retrieval.marked_terms import MARK

from ..counts import examples

FIELDS = {"topic": 1.5, "claim": 1.0}
CELLS = ["", "b"]
PLAIN = Analyzer(stem=False)

letters = st.sampled_from("abé1")
words = st.text(letters, min_size=3, max_size=11).filter(lambda word: word[0] != "1")
kept = st.builds("".join, st.tuples(st.sampled_from(["", "", MARK]), words))
texts = st.lists(kept, max_size=6).map(" ".join)
documents = st.fixed_dictionaries({}, optional={"topic": texts, "claim": texts})
steps = st.lists(
    st.tuples(st.booleans(), st.sampled_from("pqrs"), st.sampled_from(CELLS), documents), min_size=1, max_size=8
)


def held(records, cells):
    """Return how often each term is held in these cells: as itself by so many records, and marked by so many."""
    counts = {}
    for (_, cell), document in records.items():
        if cell in cells:
            for term in {term for text in document.values() for term in PLAIN.terms(text)}:
                own = term.removeprefix(MARK)
                counts[own] = counts.get(own, 0) + 1
    return counts


def played(history):
    """Return a partition with a history, and the records that it holds."""
    partition = Partition(LexicalIndex(FIELDS, analyzer=PLAIN), HypervectorIndex(FIELDS), None, [])
    records = {}
    for is_put, id, cell, document in history:
        if is_put:
            partition.put([id], [document], [{}], [cell])
            records[id, cell] = document
        else:
            partition.remove([id], [cell])
            records.pop((id, cell), None)
    return partition, records


@settings(max_examples=examples(2_000))
@given(steps, st.lists(words, max_size=4), words, st.sampled_from([CELLS, [""], ["b"], []]))
def test_the_core_reads_a_term_as_the_definition_does(history, asked, stem, cells):
    partition, records = played(history)
    there = held(records, cells)
    asked = [*asked, *[known + "b" for known in sorted(there)[:2]]]
    found = partition.nearest_terms(asked, MARK, cells=cells)
    assert found == [spelling.nearest(term, there) for term in asked]
    with_stems = partition.nearest_terms([f"{term}{MARK}{stem}" for term in asked], MARK, cells=cells)
    assert with_stems == [None if stem in there else spelling.nearest(term, there) for term in asked]


@settings(max_examples=examples(2_000))
@given(steps, st.lists(words, max_size=4), words, st.sampled_from([CELLS, [""], ["b"], []]), st.integers(1, 4))
def test_the_core_finds_compounds_as_the_definition_does(history, asked, stem, cells, most):
    partition, records = played(history)
    there = held(records, cells)
    asked = [*asked, *[known[:5] for known in sorted(there)[:2]], *[known[-5:] for known in sorted(there)[-2:]]]
    found = partition.compounds(asked, MARK, most=most, cells=cells)
    assert found == [spelling.compounds(term, there)[:most] for term in asked]
    with_stems = partition.compounds([f"{term}{MARK}{stem}" for term in asked], MARK, most=most, cells=cells)
    for term, words in zip(asked, with_stems, strict=True):
        own = spelling.compounds(term, there)
        assert words == ([] if {term, stem} & there.keys() else (own or spelling.compounds(stem, there))[:most])


@given(words, words)
def test_edits_are_a_distance(one, other):
    assert spelling.edits(one, other) == spelling.edits(other, one)
    assert (spelling.edits(one, other) == 0) == (one == other)


def test_packed_lists_are_read_too():
    partition = Partition(LexicalIndex(FIELDS, analyzer=PLAIN), HypervectorIndex(FIELDS), None, [])
    ids = [f"r{number}" for number in range(600)]
    claims = [{"claim": "kettle" if number % 3 else "kettles nettle", "topic": "kettle"} for number in range(600)]
    partition.put(ids, claims, [{}] * 600, [""] * 600)
    assert partition.nearest_terms(["ketle", "nettel", "kettle", "kettlez"]) == ["kettle", "nettle", None, "kettle"]
