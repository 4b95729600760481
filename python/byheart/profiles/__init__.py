"""The named profiles, as data.

    auto            the default: words and vectors on one absolute scale, and what conversations say around a turn
    profile         legs, stages and constants: what a profile is
    escalating      agreement of retrievers: kb-fast, kb-balanced, kb-thinkingdb; and `dense` over embeddings
    hybrid          words and vectors side by side, then reranking, age, importance, length, diversity
    scoped          likeness, recency and scope, over session, user and everybody
    activation      words and vectors fused, times how useful, sure and recent a record is
    discovery       two passes by likeness and authority, and a hop over links
    gated           a leg that is asked where the others cover too little, and within a budget of time
    router          words and vectors first, a second source behind a gate

Make your own with `dataclasses.replace`, `Profile(...)` or `escalating(...)`, and hand it to `recall(profile=...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING

from ..errors import UnknownProfile
from ..validation import nearest, plain_text
from ..words import ProfileName
from .escalating import DENSE, KB_BALANCED, KB_FAST, KB_THINKINGDB, EscalatingConfig, escalating
from .gated import IfGate
from .profile import Always, IfFewer, IfUnsure, Leg, Profile

if TYPE_CHECKING:
    from .discovery import DiscoveryConfig
    from .hybrid import HybridConfig
    from .router import RouterConfig
    from .scoped import ScopedConfig

__all__ = [
    "BUILT_IN",
    "DENSE",
    "KB_BALANCED",
    "KB_FAST",
    "KB_THINKINGDB",
    "NAMES",
    "Always",
    "DiscoveryConfig",
    "EscalatingConfig",
    "HybridConfig",
    "IfFewer",
    "IfGate",
    "IfUnsure",
    "Leg",
    "Profile",
    "RouterConfig",
    "ScopedConfig",
    "escalating",
    "get",
]

_SHIPPED = (KB_FAST, KB_BALANCED, KB_THINKINGDB, DENSE)
BUILT_IN: Mapping[str, Profile] = {profile.name: profile for profile in _SHIPPED}


@cache
def _auto() -> Profile:
    from .auto import auto

    return auto()


@cache
def _scoped() -> Profile:
    from .scoped import ScopedConfig

    return ScopedConfig().profile()


@cache
def _discovery() -> Profile:
    from .discovery import DiscoveryConfig

    return DiscoveryConfig().profile()


@cache
def _hybrid() -> Profile:
    from .hybrid import default

    return default()


@cache
def _activation() -> Profile:
    from .activation import activation

    return activation()


@cache
def _router() -> Profile:
    from .router import RouterConfig

    return RouterConfig().profile()


_ON_USE: Mapping[str, str] = {
    "DiscoveryConfig": "discovery", "HybridConfig": "hybrid", "RouterConfig": "router", "ScopedConfig": "scoped",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Import on use the configurations of profiles that are made at their first use."""
    if name in _ON_USE:
        from importlib import import_module

        return getattr(import_module(f".{_ON_USE[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Made once, at their first use: most memories never ask for them, and `import byheart` stays light.
_MADE: Mapping[str, Callable[[], Profile]] = {
    "auto": _auto,
    "hybrid": _hybrid,
    "scoped": _scoped,
    "discovery": _discovery,
    "activation": _activation,
    "router": _router,
}
NAMES: tuple[str, ...] = (*BUILT_IN, *_MADE)


def get(profile: ProfileName | str | Profile, own: Collection[str] = ()) -> Profile:
    """Return the profile of this name; a profile is returned as it is.

    Args:
        profile: what is asked for.
        own: the names of others that its caller has, for the message.

    Raises:
        UnknownProfile: there is none of this name.

    >>> get("kb-fast").max_results
    3

    """
    if isinstance(profile, Profile):
        return profile
    if not isinstance(profile, str):
        raise TypeError(f"profile must be str or a profile, not {type(profile).__name__}")
    profile = plain_text(profile)
    if profile in BUILT_IN:
        return BUILT_IN[profile]
    if profile in _MADE:
        return _MADE[profile]()
    known = (*NAMES, *own)
    raise UnknownProfile(f"profile: {profile!r} does not exist; there are {', '.join(known)}{nearest(profile, known)}")
