"""What one gets who says nothing: what `byheart` exports, and every stage, has the defaults of `defaults.txt`.

Of a stage also what it declares of itself: who writes one, or leaves one out, goes by that.

What is changed on purpose is written anew: `python -m tests.unit.test_defaults_told > tests/unit/defaults.txt`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, get_origin, get_type_hints

import byheart
from byheart.conversation.gate import GateSettings
from byheart.memory.governed import PolicyOptions
from byheart.profiles.discovery import DiscoveryConfig
from byheart.profiles.escalating import EscalatingConfig
from byheart.profiles.hybrid import HybridConfig
from byheart.profiles.router import RouterConfig
from byheart.profiles.scoped import ScopedConfig
from byheart.ranking.algebra import Stage
from byheart.ranking.registry import _MODULES
from byheart.writing.noise_policy import NoisePolicy

SETTINGS = (
    DiscoveryConfig, EscalatingConfig, GateSettings, HybridConfig, NoisePolicy, PolicyOptions, RouterConfig,
    ScopedConfig,
)  # fmt: skip
TABLE = Path(__file__).with_name("defaults.txt")


def row(name: str, called: Any) -> Iterator[str]:
    """Yield what a call has where it says nothing, if it is anything but None."""
    given = inspect.signature(called).parameters.values()
    said = [f"{each.name}={each.default!r}" for each in given if each.default not in (each.empty, None)]
    if said:
        yield f"{name}: {', '.join(said)}"


def declared(name: str, stage: type[Stage]) -> str:
    """Return the row of what a stage declares of itself."""
    known = [each for each, kind in get_type_hints(Stage).items() if get_origin(kind) is ClassVar]
    return f"{name} is: {', '.join(f'{each}={getattr(stage, each)!r}' for each in known)}"


def rows() -> Iterator[str]:
    """Yield a row for each class, verb and function that has defaults, and one for each stage."""
    stages = {name: getattr(import_module(f"byheart.ranking.{home}"), name) for name, home in _MODULES.items()}
    exported = {name: getattr(byheart, name) for name in byheart.__all__}
    for name, called in sorted((exported | stages | {kind.__name__: kind for kind in SETTINGS}).items()):
        if inspect.isclass(called) and issubclass(called, Stage):
            yield declared(name, called)
        if inspect.isclass(called) and not issubclass(called, BaseException | dict):
            yield from row(name, called)
            verbs = dict(inspect.getmembers(called, inspect.isfunction))
            for verb, function in sorted(verbs.items()):
                if not verb.startswith("_") and verb[1:] not in verbs:  # coroutines take what their verbs take
                    yield from row(f"{name}.{verb}", function)
        elif inspect.isfunction(called):
            yield from row(name, called)


def test_every_default_is_as_the_table_has_it() -> None:
    there = TABLE.read_text(encoding="utf-8").splitlines()
    assert len(there) > 60
    assert list(rows()) == there


if __name__ == "__main__":
    print("\n".join(rows()))
