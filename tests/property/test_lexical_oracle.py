"""The lexical index is its definition, bit for bit, after any history."""

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart import reference
from byheart.reference import lexical, text

from ..counts import examples
from .strategies import WORDS, ids, texts

FIELDS = {"title": 1.5, "body": 1.0, "silent": 0.0}

documents = st.fixed_dictionaries({"title": texts, "body": texts, "silent": texts})
cells = st.sampled_from(["a", "b", "c"])
labels = st.none() | st.sampled_from(["x", "y"])
additions = st.lists(st.tuples(ids, documents, cells, labels), min_size=1, max_size=4, unique_by=lambda item: item[0])
histories = st.lists(additions | st.lists(ids, min_size=1, max_size=3), min_size=1, max_size=6)
queries = st.lists(st.sampled_from([*WORDS, "absent"]), max_size=5)


def replay(history, index, model):
    """Apply additions and removals to the index and to a plain dict of documents."""
    for step in history:
        if isinstance(step[0], str):
            gone = set(step)
            assert index.remove(step) == len(gone & model.keys())
            for name in gone & model.keys():
                del model[name]
        else:
            names, bodies, keys, marks = map(list, zip(*step, strict=True))
            index.add(names, bodies, cells=keys, labels=marks)
            for name, fields, key, mark in step:
                terms = {field: text.terms(value) for field, value in fields.items()}
                model[name] = lexical.Document(terms, cell=key, label=mark)


@settings(max_examples=examples(10_000))
@given(
    histories,
    queries,
    st.lists(cells, max_size=3) | st.none(),
    st.integers(1, 12),
    st.none() | st.dictionaries(st.sampled_from(["x", "y", "z"]), st.floats(0.5, 2.0), max_size=2),
)
def test_search_is_its_definition(history, words, inside, k, boosts):
    index, model = byheart.LexicalIndex(FIELDS), {}
    replay(history, index, model)
    query = text.terms(" ".join(words))
    expected = lexical.search(model, query, FIELDS, cells=inside, k=k, boosts=boosts)
    found = index.search(query, k, cells=inside, boosts=boosts)
    assert list(found) == expected
    assert found.idf_sum == lexical.idf_sum(model, query, FIELDS, cells=inside)
    assert len(index) == len(model)
    for name, score in found:
        told = index.explain(query, name, cells=inside, boosts=boosts)
        total = 0.0
        for part in told.parts:
            total += part.value
        for _, factor in told.factors:
            total *= factor
        assert total == told.score == score


@settings(max_examples=examples(500))
@given(histories)
def test_bytes_depend_on_content_only(history):
    index, model = byheart.LexicalIndex(FIELDS), {}
    replay(history, index, model)
    final = {}
    for step in history:
        for item in step:
            if isinstance(item, str):
                final.pop(item, None)
            else:
                final[item[0]] = item
    fresh = byheart.LexicalIndex(FIELDS)
    for name in sorted(final, reverse=True):
        _, fields, key, mark = final[name]
        fresh.add([name], [fields], cells=[key], labels=[mark])
    assert fresh.to_bytes() == index.to_bytes()
    assert byheart.LexicalIndex.from_bytes(index.to_bytes()).to_bytes() == index.to_bytes()


@given(histories, st.lists(queries, max_size=8))
def test_threads_do_not_change_answers(history, many):
    index, model = byheart.LexicalIndex(FIELDS), {}
    replay(history, index, model)
    asked = [text.terms(" ".join(words)) for words in many]
    single = [list(index.search(query, 5)) for query in asked]
    for threads in (1, 2, 7):
        assert [list(found) for found in index.search_many(asked, 5, threads=threads)] == single


@settings(max_examples=examples(3_000))
@given(st.text(st.characters(exclude_categories=["Cs", "Cn", "Co"]), max_size=40) | texts, st.booleans(), st.booleans())
def test_analysis_is_its_definition(value, stem, stop):
    for mode in ("unicode", "ascii"):
        analyzer = byheart.Analyzer(stem=stem, stop_words="english" if stop else None, mode=mode)
        assert analyzer.terms(value) == text.terms(value, mode=mode, stem=stem, stop_words="english" if stop else None)


def test_the_reference_knows_nothing_of_the_package():
    assert "byheart" not in {name.split(".")[0] for name in vars(reference)} - {"reference"}
