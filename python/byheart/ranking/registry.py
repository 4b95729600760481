"""The stages by name: ours, and those of callers, so that a profile can be read back from a receipt or a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, TypeVar

from ..errors import InvalidArgument, UnknownField
from ..validation import check_names, nearest, plain_values, shortly
from .algebra import Stage

_HOMES: Mapping[str, tuple[str, ...]] = {
    "absolute": ("AbsoluteFusion", "ByScore"),
    "activation.stages": (
        "Acceptance", "AlphaFusion", "AnchoredWorth", "CollapseTexts", "DiverseEntities", "NewestFirst", "SideScores",
        "WorthWeight",
    ),
    "agreement": (
        "AgreementFusion", "DropDuplicates", "DropUnlike", "ExpandAggregates", "GapPruning", "Normalise", "ScoreFloor",
    ),
    "asked_first": ("AskedFirst",),
    "discovery.hops": ("Hops",),
    "discovery.stages": ("AuthorityWeight", "CoarseFloor", "KeywordBoost", "SecondPass", "Similarity"),
    "named_time": ("NamedTime",),
    "near_duplicates": ("NearDuplicatesBeside",),
    "qmd.marks": ("KeepMarks",),
    "rerank.stage": ("Rerank",),
    "router.blended": ("BlendByPlace",),
    "router.stage": ("Route",),
    "scoped_stages": (
        "Cosine", "DropSameSource", "ScopeWeight", "ScopedRecency", "StableOrder", "SummaryQuality",
    ),
    "session_stages": ("MarkedNoise", "ThisSession"),
    "scoring.fuse": ("Fuse",),
    "scoring.selection": ("DeferSimilar", "MustContain", "NoiseFilter"),
    "scoring.thresholds": ("HardMinimum", "MinimumScore"),
    "scoring.time": ("Recency", "ReinforcedTimeDecay", "TimeDecay"),
    "scoring.weights": ("Importance", "LengthNormalisation"),
    "strength": ("Strength",),
    "told": ("Asking", "Neighbours", "SpeakerNamed", "WholeSession"),
}  # fmt: skip
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

_REGISTERED: dict[str, type[Stage]] = {}

S = TypeVar("S", bound=type[Stage])


def register_stage(stage: S) -> S:
    """Let profiles name a stage of your own; also as a decorator. Return the class.

    It is known by the name of the class. Registering the same class again changes nothing.

    Raises:
        InvalidArgument: another stage has the name.
        TypeError: it is no class of stages that are dataclasses.

    """
    if not (isinstance(stage, type) and issubclass(stage, Stage) and is_dataclass(stage)):
        raise TypeError(f"stage must be a dataclass that derives from Stage, not {stage!r}")
    name = stage.__name__
    if name in _MODULES or _REGISTERED.get(name, stage) is not stage:
        raise InvalidArgument(f"stage: {name!r} is taken; give the class another name")
    _REGISTERED[name] = stage
    return stage


def stage_names() -> tuple[str, ...]:
    """Return the names of the stages that profiles may name."""
    return (*_MODULES, *_REGISTERED)


def stage_class(name: str) -> type[Stage]:
    """Return the class of the stages of a name.

    Raises:
        UnknownField: there is no such stage.

    >>> stage_class("MinimumScore").name
    'minimum score'

    """
    if name in _MODULES:
        kind: type[Stage] = getattr(import_module(f".{_MODULES[name]}", __package__), name)
        return kind
    if name in _REGISTERED:
        return _REGISTERED[name]
    advice = "one of your own has to be registered first (byheart.ranking.registry.register_stage)"
    raise UnknownField(f"stage: {name!r} does not exist{nearest(name, stage_names())}; {advice}")


def stage_from_dict(mapping: Mapping[str, Any]) -> Stage:
    """Return the stage that `Stage.to_dict` described.

    Raises:
        UnknownField: there is no such stage, or it has no such setting.
        InvalidArgument: a setting is outside its range, or was an object, which a mapping cannot carry.

    >>> stage_from_dict({"stage": "MinimumScore", "at_least": 0.25})
    MinimumScore(at_least=0.25)

    """
    if not isinstance(mapping, Mapping) or not isinstance(mapping.get("stage"), str):
        raise InvalidArgument(f'stage: {shortly(mapping)} is no mapping with a "stage"')
    name = mapping["stage"]
    kind = stage_class(name)
    check_names(f"stage {name}", {key: value for key, value in mapping.items() if key != "stage"}, kind, "setting")
    settings: dict[str, Any] = {}
    for key, value in mapping.items():
        if key == "stage":
            continue
        if isinstance(value, Mapping) and "object" in value:
            raise InvalidArgument(
                f"stage {name}: {key} was {value['object']!r}, an object; make the stage with it again"
            )
        settings[key] = tuple(value) if isinstance(value, list) else value
    try:
        return kind(**plain_values(kind, settings))
    except TypeError as error:  # a value of another kind
        raise InvalidArgument(f"stage {name}: {error}") from None
