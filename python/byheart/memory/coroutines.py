"""Verbs for asyncio: each call runs in a thread of its own, and the event loop goes on meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def in_thread(verb: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return a verb as a coroutine function, of the same arguments, answer and errors.

    Cancelling the coroutine does not cancel the call: it goes on to its end in its thread, so that what it does is
    done whole, and its answer is thrown away. Threads are those of the event loop's default executor, which
    `asyncio.run` waits for at the end.

    >>> import asyncio
    >>> asyncio.run(in_thread(len)("four"))
    4
    """

    @wraps(verb)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        import asyncio

        return await asyncio.to_thread(verb, *args, **kwargs)

    run.__name__ = f"a{verb.__name__}"
    run.__qualname__ = f"{verb.__qualname__.removesuffix(verb.__name__)}{run.__name__}"
    run.__doc__ = (
        f"As `{verb.__name__}`, in a thread; see `byheart.memory.coroutines.in_thread` for what cancelling does."
    )
    return run
