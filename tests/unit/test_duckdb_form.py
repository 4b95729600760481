"""Activation in SQL: macros and functions that are tried, what is copied and followed, and what is done without."""

from __future__ import annotations

import re
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from byheart import Memory, Record
from byheart.activation.events import checked
from byheart.boundary import Boundary
from byheart.boundary.policy import Retrieval
from byheart.embedding import Fingerprint
from byheart.errors import (
    BoundaryViolation,
    DimensionMismatch,
    DuplicateId,
    InvalidArgument,
    LimitExceeded,
    SqlFunctionError,
)
from byheart.integrations.duckdb import DuckActivation, Fallback, install, macros, register, statement, tables
from byheart.integrations.duckdb import activation as room
from byheart.integrations.duckdb.extensions import _NEAR
from byheart.integrations.duckdb.functions import FUNCTIONS
from byheart.ranking.activation import Candidate, Population, Sides, rank

duckdb = pytest.importorskip("duckdb", reason="the extra duckdb is not installed")

DAY = 86_400.0
OPEN = Retrieval(min_score=0.0)


def claims(*texts: str, **said: Any) -> list[Record]:
    return [Record(id=f"r{n}", text=text, created_at=n * DAY, **said) for n, text in enumerate(texts)]


def ids(found: Any) -> list[str]:
    return [item.id for item in found.items]


# ---- macros of DuckDB, functions of SQLite


def test_every_figure_that_is_tried_is_of_a_function_that_there_is() -> None:
    names = {name for name, _ in macros.MACROS}
    assert names == {name for name, _, _ in FUNCTIONS} == {name for name, _, _ in macros.FIGURES}
    assert names == {"cos_sim", "norm_cos", "recency_decay", "sigmoid", "g_rerank", "hybrid_score"}


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("norm_cos", ("similarity", "similarity")),
        ("cos_sim", ("a, b", "1e0")),
        ("recency_decay", ("ts, half_life_days", "0e0")),
        ("sigmoid", ("x", "1e0 / (1e0 + ln(x))")),
        ("hybrid_score", ("s_text, s_vec, alpha", "alpha * s_vec + (1 - alpha) * s_text")),
    ],
)
def test_a_macro_that_gives_another_figure_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, form: tuple[str, str]
) -> None:
    spoilt = tuple((each, (form,) if each == name else forms) for each, forms in macros.MACROS)
    monkeypatch.setattr(macros, "MACROS", spoilt)
    with pytest.raises(SqlFunctionError, match=rf"(?s){name}\(.* must give"):
        DuckActivation([])


def test_a_macro_that_cannot_be_made_and_one_that_takes_all_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = {side: f"list_slice({side}::DOUBLE[], 1, 2)" for side in "ab"}
    padded = macros.MACROS[0][1][0][1].replace("a::DOUBLE[]", cut["a"]).replace("b::DOUBLE[]", cut["b"])
    for form, message in ((("a, b", "no_such(a)"), "cannot make it|fails"), (("a, b", padded), "must refuse")):
        spoilt = tuple((each, (form,) if each == "cos_sim" else forms) for each, forms in macros.MACROS)
        monkeypatch.setattr(macros, "MACROS", spoilt)
        with pytest.raises(SqlFunctionError, match=message):
            install(duckdb.connect())
    with pytest.raises(SqlFunctionError, match="must refuse vectors of two widths"):
        macros.check(lambda name, given: _figure(name, given), ValueError)


def _figure(name: str, given: Sequence[Any]) -> Any:
    return next((wanted for each, said, wanted in macros.FIGURES if (each, said) == (name, tuple(given))), 1.0)


def test_a_function_of_sqlite_that_gives_another_figure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from byheart.integrations.duckdb import functions

    spoilt = tuple((name, n, (lambda x: 0.5) if name == "sigmoid" else made) for name, n, made in FUNCTIONS)
    monkeypatch.setattr(functions, "FUNCTIONS", spoilt)
    with pytest.raises(SqlFunctionError, match=r"sigmoid\(-800"):
        register(sqlite3.connect(":memory:"))


def test_sqlite_takes_vectors_as_a_store_keeps_them() -> None:
    connection = sqlite3.connect(":memory:")
    register(connection)
    stored = struct.pack("<2f", 0.0, 2.0)
    assert connection.execute("SELECT cos_sim(?, '[0.0, 3]'), cos_sim(NULL, ?)", (stored, stored)).fetchone() == (
        1,
        None,
    )
    for broken in (b"abc", "{}", "[1, null]", 3):
        with pytest.raises(sqlite3.OperationalError):
            connection.execute("SELECT cos_sim(?, '[1, 0]')", (broken,)).fetchone()


# ---- what is copied


def test_only_what_lies_inside_is_copied() -> None:
    memory = Memory(noise=None)
    memory.remember("tea in the open", id="a", boundary_class="public")
    memory.remember("tea in secret", id="b", boundary_class="secret")
    memory.remember("tea of a session", id="c", scope="session")
    memory.remember("old tea", id="d", archived_by="d")
    memory.remember("tea of others", id="e", tenant="other")
    with DuckActivation(memory) as found:
        rows = found.connection.execute(
            "SELECT id, tenant, scope, boundary_class FROM claims ORDER BY place"
        ).fetchall()
        assert rows == [("a", "default", "project", "public"), ("c", "default", "session", "internal")]
        assert ids(found.search("tea", boundary={"scopes": ["session"]})) == ["c"]
        with pytest.raises(BoundaryViolation):
            found.search("tea", boundary={"classes": ["secret"]})
        with pytest.raises(BoundaryViolation):
            found.search("tea", boundary={"tenant": "other"})
    bounded = Memory(boundary=Boundary(classes=("public",)))
    with pytest.raises(BoundaryViolation):
        DuckActivation(bounded, boundary=Boundary(classes=("secret",)))


def test_columns_are_those_of_the_record() -> None:
    said = Record(id="x", text="The  Kettle", topic="Tea", kind="fact", utility=-0.1, entities=("e", "f"),
                  created_at=0.1, updated_at=1e11)  # fmt: skip
    with DuckActivation([said, Record(id="y", text="b")]) as found:
        names = "text, normalized_text, kind, quality, confidence, utility, created_at, updated_at, entities"
        one, other = found.connection.execute(f"SELECT {names} FROM claims ORDER BY place").fetchall()
        assert one == ("The  Kettle", "tea the kettle", "fact", 0.5, 0.5, -0.1, 0.1, 1e11, ["e", "f"])
        assert other == ("b", "b", None, 0.5, 0.5, 0.0, None, None, [])
        [hash] = found.connection.execute("SELECT content_hash FROM claims WHERE id = 'x'").fetchone()
        assert hash.startswith("sha256:") and len(hash) == 71
        times = found.connection.execute("SELECT created_at, year(updated_at) FROM claims_utc ORDER BY id").fetchall()
        assert (times[0][0].microsecond, times[0][1]) == (100_000, 5138) and times[1] == (None, None)


def test_a_change_of_the_memory_is_followed_and_what_is_forgotten_goes() -> None:
    memory = Memory(vectors="v:2", noise=None)
    memory.remember("tea one", id="a", vector=[1, 0])
    with DuckActivation(memory, settings=OPEN) as found:
        memory.remember("tea two", id="b", vector=[0, 1])
        assert set(ids(found.search("tea", [1, 0]))) == {"a", "b"}
        memory.forget("a")
        assert ids(found.search("tea", [1, 0])) == ["b"]
        for table in ("claims", "claim_vectors"):
            assert found.connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)
    assert memory.recall("tea").hits, "closing the tables leaves the memory open"


def test_an_interrupted_copy_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that were not filled are not taken for filled ones, whatever ended it."""
    memory = Memory(noise=None)
    memory.remember("tea one", id="a")
    whole = tables._fill_vectors

    def interrupted(connection: Any, held: Any) -> None:
        raise KeyboardInterrupt

    with DuckActivation(memory, settings=OPEN) as found:
        memory.remember("tea two", id="b")
        monkeypatch.setattr(tables, "_fill_vectors", interrupted)
        with pytest.raises(KeyboardInterrupt):
            found.search("tea")
        monkeypatch.setattr(tables, "_fill_vectors", whole)
        assert set(ids(found.search("tea"))) == {"a", "b"}


def test_one_id_in_several_cells_is_several_records() -> None:
    twins = [
        Record(id="a", text=text, boundary_class=name) for text, name in (("tea x", "public"), ("tea y", "internal"))
    ]
    with DuckActivation(twins, settings=OPEN, vectors={"a": [1.0]}) as found:
        assert ids(found.search("tea")) == ["a", "a"]
        assert found.connection.execute("SELECT count(DISTINCT key) FROM claims").fetchone() == (2,)
    with pytest.raises(DuplicateId, match="'a' occurs twice"):
        DuckActivation([twins[0], twins[0]])


def test_bad_arguments_are_told() -> None:
    held = claims("tea")
    for wrong, error, message in (
        ({"vectors": {"z": [1.0]}}, InvalidArgument, "no record's id"),
        ({"vectors": {"r0": [1.0, float("nan")]}}, InvalidArgument, "finite"),
        ({"vectors": {"r0": "no"}}, InvalidArgument, "no list of numbers"),
        ({"vectors": {"r0": []}}, InvalidArgument, "1 to 4096"),
        ({"extensions": ("spatial",)}, InvalidArgument, "of no use"),
        ({"join": "cross"}, InvalidArgument, "no form"),
    ):
        with pytest.raises(error, match=message):
            DuckActivation(held, **wrong)
    with pytest.raises(DimensionMismatch):
        DuckActivation(claims("a", "b"), vectors={"r0": [1.0], "r1": [1.0, 0.0]})
    with pytest.raises(InvalidArgument, match="no id"):
        DuckActivation([Record(text="x")])
    with pytest.raises(InvalidArgument, match="has its own"):
        DuckActivation(Memory(), vectors={})
    with pytest.raises(InvalidArgument, match="no form"):
        statement("grep")
    with DuckActivation(held, vectors={"r0": [1.0, 0.0]}) as found:
        with pytest.raises(DimensionMismatch):
            found.search("tea", [1.0])
        with pytest.raises(InvalidArgument):
            found.search("tea", k=0)
        with pytest.raises(LimitExceeded):
            found.search("t" * 1_000_001)
    with DuckActivation(held) as found, pytest.raises(InvalidArgument, match="have none to compare"):
        found.search("tea", [1.0])


# ---- what is done without


def test_extensions_that_are_not_there_are_no_error_and_are_told(tmp_path: Any) -> None:
    with DuckActivation(claims("tea"), folder=str(tmp_path)) as found:
        answer = found.search("tea", now=0)
        assert ids(answer) == ["r0"] and answer.levels == {"text": "L0", "vec": "none"}
        told = [(each.leg, each.why.split(":")[0], each.used) for each in answer.fallbacks]
        assert told == [("text", "fts", "L0"), ("vec", "vss", "L1")]
        assert answer.fallbacks[0].topic == "search_fallback" and answer.fallbacks == found.fallbacks
        assert not any(str(tmp_path) in each.why for each in answer.fallbacks)
        payloads = [each.to_dict() for each in answer.fallbacks]
        assert [checked(each.topic, said) for each, said in zip(answer.fallbacks, payloads, strict=True)] == payloads
        settings = "SELECT current_setting('autoinstall_known_extensions')"
        assert found.connection.execute(settings).fetchone() == (False,), "nothing may be fetched"
    with DuckActivation(claims("tea"), extensions=()) as found:
        assert found.search("tea", now=0).fallbacks == (), "who asks for none misses none"


class Failing:
    dimensions = 2
    fingerprint = Fingerprint("failing", 2, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> Any:
        import numpy as np

        return np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (len(texts), 1))

    def embed_queries(self, texts: Sequence[str]) -> Any:
        raise OSError("the model is away")


def test_an_embedder_that_fails_leaves_the_words() -> None:
    memory = Memory(embedder=Failing(), noise=None)
    memory.remember("tea", id="a")
    with DuckActivation(memory, extensions=(), settings=OPEN) as found:
        answer = found.search("tea")
        assert ids(answer) == ["a"] and answer.alpha == 0.0 and answer.levels["vec"] == "none"
        [told] = answer.fallbacks
        assert told == Fallback("vec", "the embedder failed (OSError: the model is away)", "none")
        assert found.search("tea", [1.0, 0.0]).alpha == 0.65


def test_the_memory_s_embedder_makes_the_question_s_vector() -> None:
    embedder = Failing()
    embedder.embed_queries = embedder.embed_documents  # type: ignore[method-assign]
    memory = Memory(embedder=embedder, noise=None)
    memory.remember("tea", id="a")
    with DuckActivation(memory, extensions=(), settings=OPEN) as found:
        [item] = found.search("nothing of it").items
        assert (item.s_text, item.s_vec) == (None, 1.0)


# ---- the other forms of the statement: what they do with what an extension finds


def test_full_text_is_brought_onto_the_scale_of_its_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = {"r0": 3.0, "r1": 1.0, "r2": 2.0, "r3": 2.0, "r4": None, "r5": None}
    held = claims(*["tea a", "tea b", "tea c", "tea d", "tea e", "tea f"], confidence=1.0)
    held[3] = replace(held[3], expires_at=5 * DAY)

    def index(connection: Any, loaded: Any, taken: Any) -> Any:
        connection.execute("CREATE SCHEMA fts_main_claims")
        connection.execute("CREATE TABLE raw (place BIGINT, score DOUBLE)")
        for place, id in enumerate(raw):
            connection.execute("INSERT INTO raw VALUES ($1, $2)", [place, raw[id]])
        connection.execute(
            "CREATE MACRO fts_main_claims.match_bm25(input, words) AS"
            " (SELECT any_value(score) FROM raw WHERE raw.place = input AND words = 'tea')"
        )
        return frozenset({"fts"}), ()

    monkeypatch.setattr(room, "index", index)
    settings = Retrieval(min_score=0.0, k_txt=4, entity_cap=9)
    with DuckActivation(held, settings=settings, vectors={"r5": [1.0, 0.0]}, extensions=()) as found:
        answer = found.search("tea", [0.6, 0.8], now=5 * DAY)
        narrow = found.search("tea", [0.6, 0.8], now=5 * DAY, boundary={"classes": ["internal"]})
        found.settings = replace(settings, k_txt=3)
        fewer = found.search("tea", [0.6, 0.8], now=5 * DAY)
    assert answer.levels == {"text": "L2", "vec": "L1"}
    candidates = [
        Candidate(id=each.id or "", text_score=raw[each.id or ""], similarity=0.6 if each.id == "r5" else None,
                  confidence=1.0, created_at=each.created_at, text=each.text)
        for each in held if each.id in ("r0", "r1", "r2", "r5")
    ]  # fmt: skip
    expected = rank(candidates, settings, now=5 * DAY, population=Population(0.0, 1.0), sides=Sides())
    assert {item.id: (item.s_text, pytest.approx(item.score, abs=1e-9)) for item in expected.items} == {
        item.id: (item.s_text, item.score) for item in answer.items
    }
    assert {item.id: item.reason.split(";")[0] for item in answer.items if item.s_text is not None} == {
        "r0": "FTS=rank:1", "r2": "FTS=rank:2", "r1": "FTS=rank:3",
    }  # fmt: skip
    places = {item.id: item.s_text for item in fewer.items if item.s_text is not None}
    assert places == {"r0": 1.0, "r2": 0.0, "r1": 0.0}, "the scale ends with the pool, whatever of it may be found"
    assert narrow.levels["text"] == "L0", "an index over more than the call may see counts what must not show"
    assert [each.used for each in narrow.fallbacks] == ["L0"] and "more than the boundary" in narrow.fallbacks[0].why


def test_neighbours_are_scored_by_their_exact_cosines(monkeypatch: pytest.MonkeyPatch) -> None:
    def index(connection: Any, loaded: Any, taken: Any) -> Any:
        connection.execute(_NEAR.format(dimensions=taken.dimensions))
        return frozenset({"vss"}), ()

    texts = [f"tea {number}" for number in range(9)]
    vectors = {f"r{number}": [1.0 / 3.0, number / 7.0] for number in range(9)} | {"r4": [0.0, 0.0]}
    held = claims(*texts)
    held[8] = replace(held[8], expires_at=1.0)
    asked = Retrieval(min_score=0.0, k_vec=3, k_txt=1)
    with DuckActivation(held, vectors=vectors, settings=asked, extensions=()) as exact:
        expected = exact.search("none of it", [0.1, 1.0], now=9 * DAY)
    monkeypatch.setattr(room, "index", index)
    with DuckActivation(held, vectors=vectors, settings=asked, extensions=()) as found:
        answer = found.search("none of it", [0.1, 1.0], now=9 * DAY)
        words = found.search("tea 2", now=9 * DAY)
    assert answer.levels["vec"] == "L3" and words.levels["vec"] == "none"
    assert answer.items == expected.items and len(answer.items) == 3, "what has ended takes no place of others"


def test_equal_scores_stand_by_time_and_then_by_id() -> None:
    """Nearly all scores are equal here, with other times of making: no order of rows may show."""
    held = [
        Record(id=f"r{n * 7 % 60:02}", text=f"tea {n}", created_at=(n % 3) * DAY, updated_at=9 * DAY, confidence=1.0)
        for n in range(60)
    ]
    settings = Retrieval(min_score=0.0, k_vec=50, k_final=70, k_txt=5, entity_cap=99, trade_off=1.0)
    vectors = {record.id or "": [1.0, 0.0] for record in held}
    with DuckActivation(held[::-1], vectors=vectors, settings=settings, extensions=()) as found:
        answer = found.search("TEA", [1.0, 0.0], now=9 * DAY)
    newest = sorted(held, key=lambda each: (-(each.created_at or 0.0), each.id))
    near = sorted(held, key=lambda each: each.id or "")[:50]
    assert [item.id for item in answer.items if item.s_text] == [each.id for each in newest[:5]]
    assert {item.id for item in answer.items if item.s_vec} == {each.id for each in near}
    others = [each.id for each in newest if each in near and each not in newest[:5]]
    assert [item.id for item in answer.items if not item.s_text] == others


@pytest.mark.parametrize("join", ["outer", "union"])
@pytest.mark.parametrize("text", ["substring", "fts"])
def test_whatever_is_cut_was_brought_into_a_total_order(text: str, join: str) -> None:
    """Rows often come in order by themselves, so that no answer shows where an order is missing."""
    asked = statement(text, "scan", join)
    cut = re.findall(r"ORDER BY ([^()]*?) LIMIT", asked)
    assert len(cut) == asked.count("LIMIT") == 2
    assert all(order.split(", ")[-1] in ("place", "rank") for order in cut)
    assert asked.rstrip().endswith(", place")


def test_k_only_cuts() -> None:
    with DuckActivation(claims(*[f"tea {n}" for n in range(20)]), settings=OPEN) as found:
        whole = found.search("tea", now=0)
        assert len(whole.items) == 12 and found.search("tea", k=5, now=0).items == whole.items[:5]


def test_without_the_package_the_error_names_the_extra() -> None:
    program = """
import sys
sys.modules["duckdb"] = None
from byheart.errors import MissingExtra
from byheart.integrations.duckdb import DuckActivation, register
import sqlite3
register(sqlite3.connect(":memory:"))
try:
    DuckActivation([])
except MissingExtra as error:
    assert "byheart[duckdb]" in str(error), error
    print("told")
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "told\n"
