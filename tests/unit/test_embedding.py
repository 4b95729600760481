"""The door for embedders: fingerprints, checked rows, unit length, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from byheart.embedding import Embedder, Fingerprint, HashingEmbedder, check_fingerprint, embed_checked, unit_rows
from byheart.errors import FingerprintMismatch, InvalidArgument, LimitExceeded, ModelError

MADE = Fingerprint("model", 4, True, "passage: ", "query: ", "v1")


class Scripted:
    """An embedder that gives what the test says."""

    def __init__(self, rows, dimensions=4, normalised=True):
        self.rows, self.dimensions = rows, dimensions
        self.fingerprint = Fingerprint("scripted", 4, normalised, "", "", "1")
        self.calls = []

    def embed_documents(self, texts):
        self.calls.append(("document", list(texts)))
        return self.rows

    def embed_queries(self, texts):
        self.calls.append(("query", list(texts)))
        return self.rows


def one(*values):
    return np.array([values], np.float32)


# ---- fingerprints


def test_the_canonical_line_is_one_line_of_ascii_and_comes_back():
    made = Fingerprint('a "model"\n', 3, False, "préfixe: ", "", "v")

    assert str(made).isascii() and "\n" not in str(made)
    assert Fingerprint.parse(str(made)) == made


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "[]",
        "null",
        str(MADE) + " ",
        str(MADE).replace('"dimensions":4', '"dimensions":0'),
        str(MADE).replace('"dimensions":4', '"dimensions":4.0'),
        str(MADE).replace('"normalised":true', '"normalised":1'),
        str(MADE).replace('"family":"model"', '"family":""'),
        str(MADE).replace('"version":"v1"', '"version":"v1","more":1'),
        "[" * 100_000,
    ],
)
def test_a_damaged_line_is_refused(line):
    with pytest.raises(InvalidArgument, match="no canonical line"):
        Fingerprint.parse(line)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("family", "another"),
        ("dimensions", 5),
        ("normalised", False),
        ("document_prefix", ""),
        ("query_prefix", ""),
        ("version", "v2"),
    ],
)
def test_a_mismatch_names_the_field_and_both_models(field, value):
    fields = {name: getattr(MADE, name) for name in Fingerprint.__slots__}
    given = Fingerprint(**{**fields, field: value})

    check_fingerprint(MADE, MADE)
    with pytest.raises(FingerprintMismatch) as caught:
        check_fingerprint(MADE, given)

    said = str(caught.value)
    assert f"{field} is {getattr(MADE, field)!r} in what is stored, {value!r} in what is given" in said
    assert str(MADE) in said and str(given) in said
    assert not [name for name in fields if name != field and f"{name} is " in said]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"dimensions": 0}, InvalidArgument),
        ({"dimensions": 4_097}, InvalidArgument),
        ({"dimensions": True}, TypeError),
        ({"dimensions": "4"}, TypeError),
        ({"normalised": 1}, TypeError),
        ({"family": ""}, InvalidArgument),
        ({"family": None}, TypeError),
        ({"version": ""}, InvalidArgument),
        ({"query_prefix": "\ud800"}, InvalidArgument),
        ({"document_prefix": "x" * 1_025}, LimitExceeded),
    ],
)
def test_a_fingerprint_checks_its_fields(change, error):
    fields = {name: getattr(MADE, name) for name in Fingerprint.__slots__}

    with pytest.raises(error):
        Fingerprint(**{**fields, **change})


@pytest.mark.parametrize("field", ["family", "version"])
def test_a_fingerprint_says_which_field_is_empty(field):
    fields = {name: getattr(MADE, name) for name in Fingerprint.__slots__}

    with pytest.raises(InvalidArgument, match=f"{field}: is empty"):
        Fingerprint(**{**fields, field: ""})


# ---- unit length


@pytest.mark.parametrize("size", [1e-300, 1e-45, 1e-20, 1.0, 1e30, 1e300])
def test_rows_of_any_size_become_unit(size):
    row = unit_rows(np.array([[3.0 * size, -4.0 * size]]))

    assert row.dtype == np.float32
    assert row.tolist() == unit_rows(np.array([[3.0, -4.0]])).tolist() == [[np.float32(0.6), np.float32(-0.8)]]


def test_zero_rows_stay_zero_and_the_input_stays_as_it_was():
    rows = np.array([[0.0, 0.0], [0.0, 2.0]], np.float32)

    assert unit_rows(rows).tolist() == [[0.0, 0.0], [0.0, 1.0]]
    assert rows[1, 1] == 2.0


def test_layout_does_not_matter():
    rows = np.random.default_rng(5).normal(size=(7, 33))

    assert unit_rows(np.asfortranarray(rows)).tobytes() == unit_rows(rows).tobytes()
    assert unit_rows(np.repeat(rows, 2, axis=1)[:, ::2]).tobytes() == unit_rows(rows).tobytes()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_unit_rows_names_the_row_that_is_not_finite(bad):
    with pytest.raises(ModelError, match="text 1"):
        unit_rows(np.array([[1.0, 0.0], [0.0, bad], [bad, 0.0]]))


# ---- checked rows


def test_checked_rows_go_through_by_mode():
    embedder = Scripted(one(1, 0, 0, 0))

    assert isinstance(embedder, Embedder)
    assert embed_checked(embedder, ["a"], "document").tolist() == [[1, 0, 0, 0]]
    assert embed_checked(embedder, ("a",), "query").tolist() == [[1, 0, 0, 0]]
    assert embedder.calls == [("document", ["a"]), ("query", ["a"])]


def test_no_texts_ask_nobody():
    embedder = Scripted(None)
    rows = embed_checked(embedder, [], "document")

    assert rows.shape == (0, 4) and rows.dtype == np.float32
    assert not embedder.calls


def test_rows_that_do_not_claim_unit_length_are_given_it():
    assert embed_checked(Scripted(one(0, 6, 8, 0), normalised=False), ["a"], "query").tolist() == [
        unit_rows(one(0, 6, 8, 0))[0].tolist()
    ]
    assert embed_checked(Scripted(one(0, 0, 0, 0), normalised=False), ["a"], "query").tolist() == [[0, 0, 0, 0]]


def test_the_answer_is_the_callers_own():
    kept = one(1, 0, 0, 0)
    embed_checked(Scripted(kept), ["a"], "query")[0, 0] = 5

    assert kept[0, 0] == 1


@pytest.mark.parametrize(
    ("embedder", "said"),
    [
        (Scripted(one(1, 0, 0)), r"shape \(1, 3\)"),
        (Scripted(np.zeros((2, 4), np.float32)), r"shape \(2, 4\)"),
        (Scripted(np.zeros(4, np.float32)), r"shape \(4,\)"),
        (Scripted(np.zeros((1, 4))), "array of float64"),
        (Scripted(np.array([["a", "b", "c", "d"]], object)), "array of object"),
        (Scripted([[1.0, 0.0, 0.0, 0.0]]), "gave list"),
        (Scripted(None), "gave NoneType"),
        (Scripted(one(1, np.nan, 0, 0)), "text 0: holds NaN"),
        (Scripted(one(np.inf, 0, 0, 0), normalised=False), "text 0: holds NaN or infinity"),
        (Scripted(one(10, 1, 0, 0), normalised=False), "text 0: has length 10.0499; it must be at most 10"),
        (Scripted(one(0.9, 0, 0, 0)), "text 0: has length 0.9"),
        (Scripted(one(1, 0, 0, 0), dimensions=5), "fingerprint says 4"),
    ],
)
def test_what_an_embedder_may_not_give(embedder, said):
    with pytest.raises(ModelError, match=said):
        embed_checked(embedder, ["a"], "document")


def test_the_row_is_named():
    rows = np.zeros((3, 4), np.float32)
    rows[2, 1] = 2.0

    with pytest.raises(ModelError, match="text 2"):
        embed_checked(Scripted(rows), ["a", "b", "c"], "document")


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        ("one text", TypeError),
        (None, TypeError),
        (7, TypeError),
        ([b"bytes"], TypeError),
        (["fine", None], TypeError),
        (["fine", "a \ud800 b"], InvalidArgument),
        (["x" * 10_000_001], LimitExceeded),
    ],
)
def test_texts_that_are_refused(texts, error):
    embedder = Scripted(one(1, 0, 0, 0))

    with pytest.raises(error):
        embed_checked(embedder, texts, "document")
    assert not embedder.calls


def test_an_unknown_mode_is_refused():
    with pytest.raises(InvalidArgument, match="document and query"):
        embed_checked(HashingEmbedder(), ["a"], "passage")
