"""Verbs for asyncio: each call runs in a thread, and the event loop goes on meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import copy_context
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from .options import suggesting

if TYPE_CHECKING:
    from asyncio import Future
    from concurrent.futures import ThreadPoolExecutor

P = ParamSpec("P")
T = TypeVar("T")


_THREADS: Final = 64
"""As many calls are under way at most. Those that write wait together for one commit (`byheart.writing.group`), so that
more threads than processors are of use; one is started only if all others have something to do."""

_pools: dict[int, ThreadPoolExecutor] = {}  # by process: the threads of another one are not here after a fork


def in_thread(verb: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return a verb as a coroutine function, of the same arguments, answer and errors.

    Cancelling the coroutine does not cancel the call: it goes on to its end in its thread, so that what it does is
    done whole, and its answer, or its error, is thrown away; `asyncio.run` waits for that at the end.

    >>> import asyncio
    >>> asyncio.run(in_thread(len)("four"))
    4
    """
    verb = suggesting(verb)

    @wraps(verb)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        import asyncio
        from concurrent.futures import wait

        loop, context = asyncio.get_running_loop(), copy_context()
        call = _pool().submit(context.run, _ending, partial(verb, *args, **kwargs))
        answer = asyncio.wrap_future(call)
        try:
            return await asyncio.shield(answer)  # which would cancel one that has not begun
        except asyncio.CancelledError:
            answer.add_done_callback(_thrown_away)
            if not call.cancelled():
                with suppress(RuntimeError):  # the loop has ended its own threads already
                    loop.run_in_executor(None, wait, [call])  # for whose threads `asyncio.run` waits
            raise

    run.__name__ = f"a{verb.__name__}"
    run.__qualname__ = f"{verb.__qualname__.removesuffix(verb.__name__)}{run.__name__}"
    run.__doc__ = (
        f"As `{verb.__name__}`, in a thread; see `byheart.memory.coroutines.in_thread` for what cancelling does."
    )
    return run


def _ending(call: Callable[[], T]) -> T:
    """Return the answer of a call; `StopIteration` of a caller's own, as of an embedder, ends no coroutine.

    >>> _ending(partial(next, iter(())))
    Traceback (most recent call last):
        ...
    RuntimeError: the call raised StopIteration
    """
    try:
        return call()
    except StopIteration as error:
        raise RuntimeError("the call raised StopIteration") from error


def _thrown_away(answer: Future[Any]) -> None:
    """Look at the error of a call that nobody waits for any more, or asyncio complains that nobody did."""
    if not answer.cancelled():
        answer.exception()


def _pool() -> ThreadPoolExecutor:
    """Return the threads of this process, which are made when they are first wanted."""
    own = os.getpid()
    if own not in _pools:
        from concurrent.futures import ThreadPoolExecutor

        _pools[own] = ThreadPoolExecutor(_THREADS, thread_name_prefix="byheart")
    return _pools[own]
