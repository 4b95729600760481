"""The question of a recall, checked once: what retrievers and stages are asked, in the one form that it has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..boundary import Boundary
from ..errors import InvalidArgument
from ..light.classes import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .filter import Filter
    from .operators import Operators

Query = str | Sequence[str]


class ReadAs(NamedTuple):
    """What words of a question are searched for as: other words, or nothing but terms that no record holds.

    `within`: also where they stand within others, in writing without blanks.
    """

    words: str
    text: str
    absent: tuple[str, ...] = ()
    within: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, with every argument checked.

    Attributes:
        query: the text, or the terms analysed before.
        terms: of the query, as the lexical index knows terms.
        boundary: whose records, and which, may be looked at.
        k: hits at most. It cuts the answer, and changes nothing else.
        act, needed_roles: what the answer is for, and the roles that it needs.
        now: epoch seconds that expiry and ages are measured against; None: the clock's, if it matters.
        as_of: epoch seconds: only what was known and held then is found; None for what is known and holds now.
        include_superseded: whether records are found that others stand in the place of.
        deadline: seconds that a closure over facts, or a reranker, may take.
        session_id, user_id: for whom the recall is; the profile says what it makes of them.
        category: the only category to look at.
        exclude: records that are not to be found.
        vector: the query's embedding, made by the caller; None: the memory's embedder makes it.
        filter: which records may be found, by their fields; None for all.
        min_strength: the least strength of an answer that is not empty; None for the profile's own.
        operators: what a record must say to be found, and what it must not; `query` is what is left without them.
        is_typed: whether the query is in a language of a retriever that the profile asks, which reads its marks.
        told: the query as it is told, with a placeholder for each thing that a policy hides; None if it hides nothing.
        read_as: what values and kinds in the query are searched for as, where records write them in another way.
        saying: the rows of records that say a value of the query whose words others hold, too.
        unsaid: whether no record says one of its values, in whichever way.
        unheld: terms by which it asks that no record holds; they are none of `terms`.
        is_of_nothing: whether it asks for a property of what no record says.

    """

    query: Query
    terms: Sequence[str]
    boundary: Boundary
    k: int
    act: str | None = None
    needed_roles: tuple[str, ...] = ()
    now: float | None = None
    as_of: float | None = None
    include_superseded: bool = False
    deadline: float | None = None
    session_id: str | None = None
    user_id: str | None = None
    category: str | None = None
    exclude: frozenset[str] = frozenset()
    vector: NDArray[np.float32] | None = None
    filter: Filter | None = None
    min_strength: float | None = None
    operators: Operators | None = None
    is_typed: bool = False
    told: Query | None = None
    read_as: tuple[ReadAs, ...] = ()
    saying: frozenset[str] = frozenset()
    unsaid: bool = False
    unheld: frozenset[str] = frozenset()
    is_of_nothing: bool = False

    def searched(self, text: str) -> str:
        """Return a text, the query or a part of it, with values and kinds as records write them."""
        if not self.read_as:
            return text
        others = {each.words.lower(): f" {each.text} " if each.within else each.text for each in self.read_as}
        ways = (
            re.escape(each.words) if each.within else rf"(?<!\w){re.escape(each.words)}(?!\w)" for each in self.read_as
        )
        words = "|".join(sorted(ways, key=len, reverse=True))
        return re.sub(words, lambda found: others[found[0].lower()], text, flags=re.IGNORECASE)

    @property
    def written(self) -> Query:
        """The query as it was asked, operators and all, as far as it may be told."""
        if self.told is not None:
            return self.told
        return self.query if self.operators is None else self.operators.written

    @property
    def is_hidden(self) -> bool:
        """Whether a policy hides of it all that would be searched for."""
        return self.told is not None and not self.terms and self.operators is None

    @property
    def text(self) -> str:
        """The query as one text."""
        return self.query if isinstance(self.query, str) else " ".join(self.query)

    def session(self) -> str:
        """Return the session that the call is about.

        Raises:
            InvalidArgument: it names none.

        """
        if self.session_id is None:
            raise InvalidArgument("session_id: is missing; say whose turns are meant")
        return self.session_id
