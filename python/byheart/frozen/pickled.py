"""The pickled form of an analyser: what its name says of it, so that a worker process makes the same one.

The core's class is told to `copyreg` here, which `pickle` and `copy` ask; the core itself knows neither.
"""

from __future__ import annotations

import copyreg

from .._core import Analyzer


def analyzer_of(name: str) -> Analyzer:
    """Return the analyser of a name that index headers carry.

    >>> analyzer_of("ascii+none+porter").name
    'ascii+none+porter'
    """
    mode, words, stem = name.split("+")
    return Analyzer(stem=stem != "none", stop_words=None if words == "none" else words, mode=mode)


def _told(analyzer: Analyzer) -> tuple[object, tuple[str]]:
    return analyzer_of, (analyzer.name,)


def keep_form() -> None:
    """Have analysers be pickled and copied."""
    copyreg.pickle(Analyzer, _told)  # type: ignore[arg-type]
