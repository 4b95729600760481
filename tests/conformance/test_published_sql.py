"""Published cases against the formulas in SQL: DuckDB macros, SQLite functions, and the template of the source."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from byheart.conformance.runner import Case, load
from byheart.integrations.duckdb import TEMPLATE, install, register
from byheart.ranking.activation.matching import escaped

duckdb = pytest.importorskip("duckdb", reason="the extra duckdb is not installed")

DAY = 86_400.0
PUBLISHED = 1e-9
"""What published numbers hold to."""
Call = Callable[[str, Sequence[Any]], Any]

FORMS: dict[str, Callable[[dict[str, Any]], tuple[str, list[Any]]]] = {
    "pce.cos_sim": lambda said: ("cos_sim({}, {})", [said["a"], said["b"]]),
    "pce.norm_cos": lambda said: ("norm_cos({})", [next(iter(said.values()))]),
    "pce.vss_distance": lambda said: ("norm_cos(1 - {})", [said["dist"]]),
    "pce.recency": lambda said: (
        "recency_decay({}, {}, {})", [0.0, said["half_life_days"], said["age_days"] * DAY]
    ),
    "pce.sigmoid": lambda said: ("sigmoid({})", [said["x"]]),
    "pce.g": lambda said: ("g_rerank({}, {}, {})", [said["utility_z"], said["confidence"], said["recency"]]),
    "pce.g_quality": lambda said: (
        "g_rerank({}, {}, {}, {})", [said["utility_z"], said["confidence"], said["recency"], said["quality"]]
    ),
    "pce.fusion": lambda said: ("hybrid_score({}, {}, {})", [said["s_text"], said["s_vec"], said["alpha"]]),
    "pce.fusion_missing_side": lambda said: (
        "hybrid_score({}, {}, {})", [said["s_text"], said["s_vec"], said["alpha"]]
    ),
    "pce.ilike": lambda said: (
        r"lower({}) LIKE lower({}) ESCAPE '\'", [said["text"], f"%{escaped(said['q'])}%"]
    ),
}  # fmt: skip
"""How a case is asked in SQL: an expression, and what stands in its places."""


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[Case]:
    return load(shared / "vectors" / "pce.json")


@pytest.fixture(params=["duckdb", "sqlite"])
def call(request: pytest.FixtureRequest) -> Call:
    if request.param == "sqlite":
        lite = sqlite3.connect(":memory:")
        register(lite)

        def of_sqlite(form: str, given: Sequence[Any]) -> Any:
            said = [json.dumps(each) if isinstance(each, list) else each for each in given]
            return lite.execute("SELECT " + form.format(*["?"] * len(said)), said).fetchone()[0]

        return of_sqlite
    duck = duckdb.connect()
    install(duck)

    def of_duckdb(form: str, given: Sequence[Any]) -> Any:
        places = [f"${number}" for number in range(1, len(given) + 1)]
        return duck.execute("SELECT " + form.format(*places), list(given)).fetchone()[0]

    return of_duckdb


def test_functions_give_what_is_published(cases: list[Case], call: Call) -> None:
    own = [case for case in cases if case.feature in FORMS]
    for case in own:
        form, given = FORMS[case.feature](dict(case.input))
        if isinstance(case.expected, str) and case.expected.startswith("error:"):
            with pytest.raises((duckdb.Error, sqlite3.Error)):
                call(form, given)
            continue
        found = call(form, given)
        if isinstance(case.expected, float | int) and not isinstance(case.expected, bool):
            assert found == pytest.approx(case.expected, rel=0, abs=PUBLISHED), case.id
        else:
            assert (None if found is None else bool(found)) == case.expected, case.id
    assert {case.feature for case in own} == set(FORMS) and len(own) >= 30, "a feature was looked at nowhere"


def test_the_template_gives_what_is_published(cases: list[Case]) -> None:
    own = [case for case in cases if case.feature == "pce.sql_template"]
    for case in own:
        said = dict(case.input)
        assert said["half_life_days"] == 30, "the template has it fixed"
        found = _template(said["claims"], said["alpha"])
        assert [id for id, _ in found] == [id for id, _ in case.expected], case.id
        for (_, score), (_, wanted) in zip(found, case.expected, strict=True):
            assert score == pytest.approx(wanted, rel=0, abs=PUBLISHED), case.id
    assert own


def test_of_the_template_what_is_accepted_is_published(cases: list[Case]) -> None:
    own = [case for case in cases if case.feature == "pce.activate_accept"]
    for case in own:
        found = _template(case.input["claims"], case.input["alpha"])
        assert [id for id, score in found if score >= case.input["threshold"]] == case.expected, case.id
    assert own


def _template(claims: Sequence[dict[str, Any]], alpha: float) -> list[tuple[str, float]]:
    """Return what the template says of claims whose texts and vectors are made to have the ranks and cosines given."""
    connection = duckdb.connect()
    install(connection)
    connection.execute(
        "CREATE TABLE claims (id VARCHAR, text VARCHAR, scope VARCHAR, utility DOUBLE, confidence DOUBLE,"
        " created_at DOUBLE)"
    )
    connection.execute("CREATE TABLE claim_vectors (claim_id VARCHAR, embedding DOUBLE[])")
    found = [claim for claim in claims if claim["s_text_rank"] is not None]
    by_age = sorted(found, key=lambda claim: claim["age_days"])
    assert [claim["s_text_rank"] for claim in by_age] == list(range(1, len(found) + 1)), "the newest come first"
    for claim in claims:
        text = "the Needle" if claim["s_text_rank"] is not None else "hay"
        row = [claim["id"], text, "project", claim["utility"], claim["confidence"], -claim["age_days"] * DAY]
        connection.execute("INSERT INTO claims VALUES ($1, $2, $3, $4, $5, $6)", row)
        if claim["sim"] is not None:
            vector = [claim["sim"], math.sqrt(1.0 - claim["sim"] ** 2)]
            connection.execute("INSERT INTO claim_vectors VALUES ($1, $2)", [claim["id"], vector])
    asked = {"q": "nEEDle", "qvec": [1.0, 0.0], "k_txt": 48, "k_vec": 96, "k_final": 12, "alpha": alpha, "now": 0.0}
    return connection.execute(TEMPLATE, asked).fetchall()
