"""The stages by name: each is found in its module, and comes back from what it says of itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import byheart
from byheart.errors import InvalidArgument
from byheart.ranking.registry import stage_class, stage_from_dict, stage_names

STAGE = re.compile(r"^class ([A-Z]\w+)\((?:Stage|WorthWeight|MinimumScore|TimeDecay)\):", re.MULTILINE)
FILES = (Path(byheart.__file__).parent / "ranking").rglob("*.py")
WRITTEN = {name for path in FILES for name in STAGE.findall(path.read_text(encoding="utf-8"))}
"""The stages whose classes are written in this folder."""


def test_each_stage_that_is_written_has_its_name() -> None:
    assert len(WRITTEN) >= 35 and set(stage_names()) >= WRITTEN


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_a_stage_says_how_its_score_follows_what_it_reads(name: str) -> None:
    stage = stage_class(name)
    assert set(stage.monotone) <= {"score", *stage.inputs}


OF_OTHERS = {  # what moves a score beside what the text says: in which column, why, and how
    "AnchoredWorth": ["g quality multiply"], "WorthWeight": ["g quality multiply"],
    "AuthorityWeight": ["omega time multiply", "omega access multiply", "omega authority multiply"],
    "ScopeWeight": ["scope_weight scope add"], "ScopedRecency": ["recency time add"],
    "SummaryQuality": ["summary_quality quality multiply"], "MarkedNoise": ["marked_noise quality multiply"],
    "ThisSession": ["this_session scope add"], "Recency": ["recency time add"],
    "ReinforcedTimeDecay": ["time_decay time multiply"], "TimeDecay": ["time_decay time multiply"],
    "Importance": ["importance_factor importance multiply"], "LengthNormalisation": ["length_factor length multiply"],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_a_stage_says_what_it_moves_a_score_by(name: str) -> None:
    try:
        stage = stage_from_dict({"stage": name})
    except InvalidArgument:  # it has settings without a default
        return
    said = [f"{each.column} {each.cause} {each.operation}" for each in stage.influence()]
    assert said == OF_OTHERS.get(name, [])


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_a_stage_comes_back_by_its_name(name: str) -> None:
    try:
        made = stage_from_dict({"stage": name})
    except InvalidArgument as error:  # it has settings without a default
        assert str(error).startswith(f"stage {name}: lacks ")
    else:
        assert type(made).__name__ == name and stage_from_dict(made.to_dict()) == made
