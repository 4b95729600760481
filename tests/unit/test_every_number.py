"""Every number, flag and word of every named profile can be set: in a file of settings, and from the command line."""

import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory, Profile, Settings, profiles
from byheart.cli.configuring import profile_of
from byheart.errors import ByheartError, InvalidArgument, UnknownField
from byheart.profiles.files import changed
from byheart.retrieval.protocol import settings_of

CALIBRATION = {"leg": "text", "method": "platt", "model_version": "1", "policy_version": "1", "n": 9,
               "params": [[1.0, 0.0]],
               "fitted_at": 0.0, "query_set_hash": ""}  # fmt: skip
ANOTHER: dict[str, Any] = {
    "mode": "approx", "users": "refused", "packing": "first_fit", "within": "session", "when": "if_fewer",
    "exit_rule": "at_least", "rescore": "tier", "how": "words",
    "strategy": "weighted", "normaliser": "ratio", "vector_score": "inverse_distance", "base": "half_life",
    "unit": "utf16", "profile": "1.0.11", "smoothing": "plus_one", "variant": "ascii", "utility": "raw",
    "stage1": "lexical", "stage2": "lexical", "tiers": [64], "thresholds": [0.5], "shortlist": 500, "estimate": 5.0,
    "floor": 0.25, "dense": 0.25, "k2": 3, "half_life_days": 20.0,
    "text_calibration": CALIBRATION, "vec_calibration": {**CALIBRATION, "leg": "vec"},
}  # fmt: skip
"""Another value where the kind of the value does not say one."""
OTHERWISE: dict[tuple[str, str], Any] = {("Route", "mode"): "rrf_fusion", ("qmd", "mode"): "words"}
NOT_NUMBERS = {"name", "notes", "stage", "retriever", "stand_in", "reranker", "settings", "legs", "stages"}
"""What a profile is known by, and what it is made of: other than these, all are set."""
SUMS = {"weights": [0.4, 0.3, 0.3]}


def another(owner: str, name: str, value: Any) -> Any:
    """Return another value that can stand there."""
    if value == ANOTHER.get(name):
        return "user"
    if (owner, name) in OTHERWISE:
        return OTHERWISE[owner, name]
    if isinstance(value, bool):
        return not value
    if name in SUMS and isinstance(value, list):
        return SUMS[name]
    if isinstance(value, int):
        return value + 1 if value < 8 else value - 1
    if isinstance(value, float):
        return value / 2 if value else 0.25
    if isinstance(value, list):
        return [another(owner, name, each) for each in value]
    if isinstance(value, dict):
        return {key: another(owner, key, each) for key, each in value.items()} or {"note": 5.0}
    return ANOTHER[name]


def places(profile: Profile) -> Iterator[tuple[str, Any]]:
    """Give every place of a profile at which a number, a flag or a word stands, and another value for it."""
    told = profile.to_dict()
    for name in (*told, "users"):
        if name not in NOT_NUMBERS:
            yield name, another("profile", name, told.get(name))
    for number, leg in enumerate(told["legs"]):
        for name, value in leg.items():
            if name not in NOT_NUMBERS and name not in ("when", "than"):
                yield f"legs.{number}.{name}", another("leg", name, value)
        if leg["when"] == "if_fewer":
            yield f"legs.{number}.than", leg["than"] + 1
        for name, value in settings_of(leg["retriever"]).items():
            yield f"legs.{number}.settings.{name}", another(leg["retriever"], name, value)
    for number, stage in enumerate(told["stages"]):
        for name, value in stage.items():
            if name in NOT_NUMBERS:
                continue
            if isinstance(value, dict) and value:
                for key, inner in value.items():
                    yield f"stages.{number}.{name}.{key}", another(stage["stage"], key, inner)
            else:
                yield f"stages.{number}.{name}", another(stage["stage"], name, value)


EVERY = [(name, place, value) for name in profiles.NAMES for place, value in places(profiles.get(name))]


def at(profile: Profile, place: str) -> Any:
    """Return what stands at a place, read back from the profile itself."""
    told: Any = profile.to_dict()
    for step in place.split("."):
        told = told[int(step)] if isinstance(told, list) else told[step]
    return told


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)


def test_there_are_many() -> None:
    assert len(EVERY) > 200, "the walk found nothing"
    assert {name for name, _, _ in EVERY} == set(profiles.NAMES)


@pytest.mark.parametrize(("name", "place", "value"), EVERY, ids=[f"{name}:{place}" for name, place, _ in EVERY])
def test_each_is_set_read_back_and_used(name: str, place: str, value: Any, tmp_path: Path) -> None:
    file = tmp_path / "byheart.toml"
    file.write_text(f'[profiles.mine]\nbase = "{name}"\nset = {{ "{place}" = {toml(value)} }}\n')
    by_file = Settings.read(file).profile("mine")
    typed = f"{place}={value if isinstance(value, str) else json.dumps(value)}"
    by_command = profile_of(Namespace(profile=name, set=[typed], configuration=None))

    assert at(by_file, place) == at(by_command, place) == value
    assert by_file != profiles.get(name) != by_command
    assert Profile.from_dict(json.loads(json.dumps(by_file.to_dict()))) == by_file
    with Memory() as memory:
        memory.remember("The kettle is descaled every spring.", id="kettle")
        assert memory.recall("kettle", profile=by_file).receipt.to_dict()["settings"] == by_file.to_dict()


@pytest.mark.parametrize(("name", "place", "value"), EVERY, ids=[f"{name}:{place}" for name, place, _ in EVERY])
def test_each_refuses_what_it_is_not(name: str, place: str, value: Any) -> None:
    with pytest.raises(ByheartError) as error:
        changed(profiles.get(name), {place: ["zzz", -7]})
    assert place.rpartition(".")[2] in str(error.value) or "zzz" in str(error.value)


def test_a_wrong_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownField, match=r"max_dept'.*did you mean 'max_depth'"):
        changed(profiles.get("kb-thinkingdb"), {"legs.symbolic.settings.max_dept": 2})
    with pytest.raises(InvalidArgument, match="max_depth: is 9; it must lie between 1 and 8"):
        changed(profiles.get("kb-thinkingdb"), {"legs.symbolic.settings.max_depth": 9})


def test_what_is_not_set_is_not_written() -> None:
    made = changed(profiles.get("kb-thinkingdb"), {"legs.symbolic.settings.max_depth": 2})
    assert made.legs[1].settings == {"max_depth": 2}
    assert changed(made, {"max_results": 3}).legs[1].settings == {"max_depth": 2}
