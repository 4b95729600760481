"""The check of a question. Arguments of a recall are checked here and only here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from .. import boundary as boundaries
from .. import knowledge
from .._core import Analyzer
from ..boundary import Boundary
from ..errors import InvalidArgument
from ..frozen import maker
from ..light.expressions import expression
from ..patterns import should_skip_retrieval
from ..profiles import Profile
from ..retrieval.names_asked import names_asked
from ..retrieval.operators import parse
from ..retrieval.plain_forms import without_unseen
from ..retrieval.question import Query, Question
from ..validation import (
    MAX_IDS,
    MAX_QUERY_BYTES,
    check_deadline,
    check_flag,
    check_k,
    check_named,
    check_one_of,
    check_share,
    check_text,
    epoch_seconds,
    plain_text,
    renamed,
    strings,
)
from .plan import plan_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..retrieval.filter import Filter, Scalar, Where

__all__ = ["BoundaryLike", "Query", "Question", "check", "needless"]

_question = maker(Question)

BoundaryLike = Boundary | Mapping[str, Any]

_MARK = "[\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
_UNSEEN = expression(rf"(?<!{_MARK})(?:(?<!\w){_MARK}++|{_MARK}++(?!\w))")
"""Marks without width, but for those within a word."""


def check(
    query: Query,
    *,
    profile: Profile,
    analyzer: Analyzer,
    default: Boundary,
    ceiling: Boundary | None,
    k: int | None = None,
    boundary: BoundaryLike | None = None,
    now: Any = None,
    as_of: Any = None,
    include_superseded: bool = False,
    act: str | None = None,
    needed_roles: Sequence[str] = (),
    deadline: float | None = None,
    session_id: str | None = None,
    user_id: str | None = None,
    category: str | None = None,
    exclude: Sequence[str] = (),
    vector: Any = None,
    where: Where | Filter | None = None,
    since: Scalar | None = None,
    until: Scalar | None = None,
    min_strength: float | None = None,
    operators: bool = False,
    told: Query | None = None,
) -> Question:
    """Return what was asked, or raise the one error that says what is wrong with it.

    `operators`: whether phrases in quotation marks, and words with + or -, are read as such. `told`: the query as it
    may be told, where that is not what is searched for.
    """
    inside = boundaries.resolve(boundary, default, ceiling)
    if act is not None:
        act = check_one_of("act", act, knowledge.ACTS)
    roles = strings("needed_roles", needed_roles) or knowledge.ACT_ROLES.get(act or "", ())
    min_strength = None if min_strength is None else check_share("min_strength", min_strength)
    then = None if as_of is None else epoch_seconds("as_of", as_of)
    moment = epoch_seconds("now", now)
    check_flag("include_superseded", include_superseded)
    check_flag("operators", operators)
    told = None if told is None or told is query else in_usual_letters(check_query(told))
    query = in_usual_letters(check_query(query))
    readers = plan_of(profile).readers
    own = bool(readers) and isinstance(query, str) and any(each.reads(query) for each in readers)
    asked = parse(query, analyzer) if operators and not own and isinstance(query, str) else None
    said = query if asked is None else asked.plain
    terms = analyzer.terms(said) if isinstance(said, str) else said
    if asked is None and not terms and not own and isinstance(query, str):
        asked = names_asked(query, analyzer)
    return _question(
        query=said,
        terms=terms,
        boundary=inside,
        k=profile.max_results if k is None else check_k(k),
        act=act,
        needed_roles=roles,
        now=then if moment is None else moment,
        as_of=then,
        include_superseded=include_superseded,
        deadline=None if deadline is None else check_deadline(deadline),
        session_id=None if session_id is None else _named("session_id", session_id),
        user_id=None if user_id is None else _named("user_id", user_id),
        category=None if category is None else _named("category", category),
        exclude=frozenset() if exclude is None else frozenset(strings("exclude", exclude, MAX_IDS)),
        vector=None if vector is None else checked_vector(vector),
        filter=None if where is None and since is None and until is None else _filter(where, since, until),
        min_strength=min_strength,
        operators=asked,
        is_typed=own,
        told=None if told == query else told,
    )


def _named(what: str, name: str) -> str:
    return check_named(what, check_text(what, name))


def in_usual_letters(query: Query) -> Query:
    """Return a text as patterns know its words: in composed letters, without unseen marks around and in words.

    Keyboards and pages write "é" and Hangul in pieces, marks of direction before a word, and soft hyphens in one;
    records keep theirs, and are found by either. Terms stay as they are given.

    >>> in_usual_letters("\u200fOu\u0300 est-il ?"), in_usual_letters("le ro\u00adbinet")
    ('Où est-il ?', 'le robinet')
    """
    if not isinstance(query, str) or query.isascii():
        return query
    return without_unseen(_UNSEEN.sub("", normalize("NFC", query)))


_LEAST: Final = 1e-6


def checked_vector(vector: Any) -> NDArray[np.float32]:
    """Return a caller's vector as an array; its width is compared with the memory's when it is searched."""
    import numpy as np

    try:
        if np.iscomplexobj(vector):  # half of each number would be thrown away
            raise TypeError("its numbers are complex")
        wide = np.array(vector, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"vector must be a list of numbers, or an array ({error!s:.200})") from error
    if wide.ndim != 1 or not len(wide) or not np.isfinite(wide).all():
        raise InvalidArgument("vector: must be one row of finite numbers")
    if _LEAST <= float(np.abs(wide).max()) <= 1.0 / _LEAST:
        made = wide.astype(np.float32)
    else:  # in 32 bits it would have no length, or none that is finite
        from ..embedding.protocol import unit_rows

        made = unit_rows(wide)[0]
    made.flags.writeable = False
    return made


def _filter(where: Where | Filter | None, since: Scalar | None, until: Scalar | None) -> Filter | None:
    from ..retrieval.filter import Filter  # on use: `import byheart` stays light

    return Filter.asked(where, since=since, until=until)


def needless(question: Question, adaptive: bool | str) -> str | None:
    """Return why a question needs no memory, by the rules of a pattern profile; None if it needs one.

    Args:
        question: what was asked.
        adaptive: the name of the profile; True for "byheart"; False: every question is taken to need one.

    Raises:
        InvalidArgument: there is no such profile.

    """
    if not isinstance(adaptive, (bool, str)):
        raise TypeError(f"adaptive must be bool or the name of a profile, not {type(adaptive).__name__}")
    if adaptive is False:
        return None
    if isinstance(adaptive, str):
        adaptive = check_text("adaptive", adaptive)
    try:
        decision = should_skip_retrieval(question.text, *([] if adaptive is True else [adaptive]))
    except InvalidArgument as error:
        raise renamed(error, "profile", "adaptive") from None
    return decision.reason if decision.skip else None


def check_query(query: Query) -> Query:
    """Return a text or a list of terms; refuse what is neither."""
    if isinstance(query, str):
        return check_text("query", query, MAX_QUERY_BYTES)
    if not isinstance(query, (list, tuple)):
        raise TypeError(f"query must be str or a list of terms, not {type(query).__name__}")
    for term in query:
        if not isinstance(term, str):
            raise TypeError(f"query terms must be str, not {type(term).__name__}")
    return query if all(type(term) is str for term in query) else list(map(plain_text, query))
