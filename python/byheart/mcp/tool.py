"""Tools as data: name, arguments, answer, limits and effects of each, and the function that answers a call.

To add one, write an entry and its handler, and put the entry into `tools.TOOLS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..memory.memory import Memory
from ..profiles import Profile
from ..words import BoundaryClass

SHORT, FILES, PCE = "short", "files", "pce"
GROUPS = (SHORT, FILES, PCE)
"""What tools belong to, and what `--tools` may name."""

Schema = Mapping[str, Any]
Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Service:
    """What a process serves; the same for all its calls.

    Attributes:
        memory: opened with the boundary of the process.
        read_only: nothing may be changed.
        admin: whether whoever started the process lets its tools change what bounds them.
        profile: how `recall` runs; None for the memory's own default.
        boundary_class: of what is written.
        policy_version: says which policy is in force; without it the memory is asked.

    """

    memory: Memory
    read_only: bool = False
    admin: bool = False
    profile: str | Profile | None = None
    boundary_class: BoundaryClass = "internal"
    policy_version: Callable[[], str | None] | None = None

    def version(self) -> str | None:
        """Return the version of the policy in force; None if there is none."""
        if self.policy_version is not None:
            return self.policy_version()
        policy = self.memory.policy
        return None if policy is None else str(policy.version)


@dataclass(frozen=True, slots=True)
class Call:
    """One call: what it is served from, and by which ids it is known in logs and events."""

    service: Service
    request_id: str
    trace_id: str

    @property
    def memory(self) -> Memory:
        """The memory that is served."""
        return self.service.memory


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool gives: data for programs, and a text for the model; without a text the data as JSON."""

    data: Mapping[str, Any]
    text: str | None = None


Handler = Callable[[Call, Arguments], Answer]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tool:
    """A tool.

    Attributes:
        name: the one that it is listed by. One with dots is known by underscores too, and listed so: some hosts refuse
            dots.
        also: other names, under which it is not listed unless it is asked for by them.
        group: "short", "files" or "pce".
        title, description: for people, and for models.
        arguments, result: JSON Schemas of objects without additional properties. With `envelope` the result is that of
            `data` in it.
        handler: answers a call; its arguments have passed the schema.
        changes, destructive, idempotent: whether it writes; whether it may take something away; whether a second equal
            call changes nothing more.
        max_bytes: of the arguments, as JSON in UTF-8.
        seconds: how long a caller waits.
        envelope: whether the answer is {data, policy_version, request_id, trace_id}, or the data alone.
        codes: of what its handler raises, by the class of an error; the first that fits. Arguments that do not fit the
            schema have the same code in every tool,
        misfits: but for the arguments named here: this is the code of a word that is none of those that there are.

    >>> def hello(call, arguments):
    ...     return Answer({"text": "hello"})
    >>> Tool(name="pce.hello", group=PCE, title="Hello", description="Greets.", arguments={}, result={}, handler=hello,
    ...     changes=False).names
    ('pce.hello', 'pce_hello')

    """

    name: str
    group: str
    title: str
    description: str
    arguments: Schema
    result: Schema
    handler: Handler
    changes: bool
    destructive: bool = False
    idempotent: bool = True
    also: tuple[str, ...] = ()
    max_bytes: int = 65_536
    seconds: float = 10.0
    envelope: bool = False
    codes: Mapping[type[BaseException], str] = field(default_factory=dict)
    misfits: Mapping[str, str] = field(default_factory=dict)

    @property
    def listed(self) -> str:
        """The name in a list of tools that every host takes."""
        return self.name.replace(".", "_")

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it may be called."""
        return tuple(dict.fromkeys((self.name, self.listed, *self.also)))
