"""Named pipelines as data.

    escalating      seed 003's: kb-fast, kb-balanced, kb-thinkingdb; and `dense` over embeddings
    staged          legs and stages, for pipelines of your own
    hybrid          seed 001's pipeline and its configuration
    scoped          seed 000's hybrid score over session, user and all
    discovery       seed 000's two-pass discovery

Make your own with `dataclasses.replace`, `Profile(...)` or `StagedProfile(...)`, and hand it to `recall(profile=...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from ..errors import UnknownProfile
from .escalating import DENSE, KB_BALANCED, KB_FAST, KB_THINKINGDB, Profile

if TYPE_CHECKING:
    from .staged import StagedProfile

__all__ = ["BUILT_IN", "DENSE", "KB_BALANCED", "KB_FAST", "KB_THINKINGDB", "NAMES", "Profile", "get"]

_SHIPPED = (KB_FAST, KB_BALANCED, KB_THINKINGDB, DENSE)
BUILT_IN: Mapping[str, Profile] = {profile.name: profile for profile in _SHIPPED}


@cache
def _scoped() -> StagedProfile:
    from .scoped import ScopedConfig

    return ScopedConfig().profile()


@cache
def _discovery() -> StagedProfile:
    from .discovery import DiscoveryConfig

    return DiscoveryConfig().profile()


@cache
def _hybrid() -> StagedProfile:
    from .hybrid import default

    return default()


# Made once, at their first use: most memories never ask for them, and `import byheart` stays light.
_MADE: Mapping[str, Callable[[], StagedProfile]] = {"hybrid": _hybrid, "scoped": _scoped, "discovery": _discovery}
NAMES: tuple[str, ...] = (*BUILT_IN, *_MADE)


def get(profile: str | Profile | StagedProfile) -> Profile | StagedProfile:
    """Return the profile of this name; a profile is returned as it is.

    >>> get("kb-fast").max_results
    3
    """
    if isinstance(profile, str):
        if profile in BUILT_IN:
            return BUILT_IN[profile]
        if profile in _MADE:
            return _MADE[profile]()
        raise UnknownProfile(f"profile: {profile!r} does not exist; there are {', '.join(NAMES)}")
    if isinstance(profile, Profile):
        return profile
    from .staged import StagedProfile

    if isinstance(profile, StagedProfile):
        return profile
    raise TypeError(f"profile must be str or a profile, not {type(profile).__name__}")
