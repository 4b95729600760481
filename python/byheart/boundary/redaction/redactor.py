"""The redactor: what detectors find in a text, hidden, and the account of it.

Every rule looks at the original text once, and none sees what another put in its place. Where finds overlap, each
character is hidden by the longest of them, and of equal ones by the earlier rule; what a longer find leaves of a
shorter one is hidden under the shorter one's name, so that no half of a number stays. What comes to light only when
something beside it is hidden (a name behind a key, without a space) is looked for in further rounds, until nothing is
found. `literal=True` is the published
letter: the shorter find is dropped whole. The account holds digests and counts, and no text.
"""
# docs/sources.md: B1.16, B1.15.11.

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from ...errors import InvalidPolicy
from ...light.classes import dataclass
from ...validation import check_text, nearest
from . import cards, credentials, letters, mails, persons, telephones
from .letters import Span
from .shadow import Shadow

Detector = Callable[[str], Iterable[Span]]
"""From a text to where something stands in it: pairs of start and end, in any order."""

DETECTORS: Mapping[str, Detector] = MappingProxyType(
    {
        "email": mails.emails,
        "phone": telephones.telephones,
        "secret": credentials.secrets,
        "card": cards.cards,
        "name": persons.names,
        "address": persons.addresses,
    }
)
LITERAL: Mapping[str, Detector] = MappingProxyType(
    {"email": letters.emails, "phone": letters.numbers, "secret": letters.keys}
)
_ROUNDS = 8
SECRETS = frozenset({"secret"})
"""The detectors whose finds make a text secret."""


@dataclass(frozen=True, slots=True)
class Find:
    """What was hidden: by which rule, where in the original text, and a keyed digest of what stood there."""

    name: str
    start: int
    end: int
    digest: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without what was found in it, the finds in order, and whether the original text held a secret.

    A secret counts as one if a longer find of another rule hides it: a password with an `@` is an address, too.
    """

    text: str
    finds: tuple[Find, ...] = ()
    holds_secret: bool = False

    @property
    def count(self) -> int:
        """How many places were hidden."""
        return len(self.finds)

    def account(self) -> dict[str, Any]:
        """Return what may be logged: counts by rule, and digests; no text.

        >>> Redactor(["email"]).redact("x@example.com").account()["by_rule"]
        {'email': 1}
        """
        by_rule = dict(sorted(Counter(find.name for find in self.finds).items()))
        return {"count": self.count, "by_rule": by_rule, "digests": sorted({find.digest for find in self.finds})}


class Redactor:
    """A list of rules, the earlier one first, and the detectors that they name.

    Args:
        rules: names of detectors, or pairs of a name and what stands in its place (else the name in brackets).
        detectors: your own by name, beside the built-in ones or in their place.
        key: of the digests, so that nobody can try all telephone numbers; without one they can be compared by anybody.
        literal: the published patterns and their rule for overlaps, to the letter.

    Raises:
        InvalidPolicy: there is no such detector, or what stands in the place of its finds would be found again.

    >>> Redactor(["email", "phone"]).redact("Ask x@example.com or 090-1234-5678.").text
    'Ask [email] or [phone].'

    """

    def __init__(
        self,
        rules: Iterable[str | tuple[str, str]] = ("email", "card", "phone", "secret"),
        *,
        detectors: Mapping[str, Detector] | None = None,
        key: bytes = b"",
        literal: bool = False,
    ) -> None:
        known = {**(LITERAL if literal else DETECTORS), **(detectors or {})}
        pairs = [(rule, f"[{rule}]") if isinstance(rule, str) else rule for rule in rules]
        for name, _ in pairs:
            if name not in known:
                raise InvalidPolicy(
                    f"redaction: there is no detector {name!r}{nearest(name, known)}; give one by that name"
                )
        self.names = tuple(name for name, _ in pairs)
        self._rules = [(name, replacement, known[name]) for name, replacement in pairs]
        self._key = key[:64]
        self._literal = literal
        for name, replacement in pairs:
            if self._spans(replacement):
                raise InvalidPolicy(f"redaction: {replacement!r}, which stands for {name}, would be found again")

    def redact(self, text: str) -> Redacted:
        """Return a text without what the rules find in it.

        >>> Redactor().redact("nothing to hide")
        Redacted(text='nothing to hide', finds=(), holds_secret=False)
        """
        text = check_text("text", text)
        hidden: list[tuple[int, int, int]] = []  # of the original text: start, end, rule
        secret = False
        for _ in range(1 if self._literal else _ROUNDS):
            seen, places = self._written(text, hidden)
            spans = self._spans(seen)
            if not spans:
                break
            secret = secret or any(self.names[rule] in SECRETS for _, _, rule in spans)
            chosen = _dropped(spans) if self._literal else _painted(seen, spans)
            hidden = _joined(hidden, [(*places(start, end), rule) for start, end, rule in chosen])
        else:
            if not self._literal:
                raise InvalidPolicy("redaction: something is found in every round; a detector finds what it hid itself")
        finds = tuple(
            Find(self._rules[rule][0], start, end, self._digest(text[start:end])) for start, end, rule in hidden
        )
        return Redacted(self._written(text, hidden)[0], finds, secret)

    def _written(
        self, text: str, hidden: list[tuple[int, int, int]]
    ) -> tuple[str, Callable[[int, int], tuple[int, int]]]:
        """Return the text with some places hidden, and the way back from a span of that to the original text."""
        if not hidden:
            return text, lambda start, end: (start, end)
        parts: list[str] = []
        edges: list[tuple[int, int, int, int]] = []  # of each placeholder: its span there, and that of the original
        at = size = 0
        for start, end, rule in hidden:
            replacement = self._rules[rule][1]
            parts += [text[at:start], replacement]
            size += start - at
            edges.append((size, size + len(replacement), start, end))
            size += len(replacement)
            at = end
        starts = [edge[0] for edge in edges]

        def original(place: int, right: bool) -> int:
            before = bisect_left(starts, place + (not right)) - 1  # the last placeholder that starts before the place
            if before < 0:
                return place
            _, last, start, end = edges[before]
            return end + place - last if place >= last else end if right else start

        return "".join([*parts, text[at:]]), lambda start, end: (original(start, False), original(end, True))

    def left(self, text: str) -> str:
        """Return what is left of a text without what the rules find in it, and without what stands for such.

        What reads like a word stays, though it stands for finds: nobody can tell it from one.

        >>> Redactor().left("who is x@example.com, or [email]?")
        'who is , or ?'
        """
        parts, at = [], 0
        for find in self.redact(text).finds:
            parts += [text[at : find.start], " "]
            at = find.end
        rest = "".join([*parts, text[at:]])
        for _, replacement, _ in self._rules:
            if replacement and not replacement[0].isalnum() and not replacement[-1].isalnum():
                rest = rest.replace(replacement, " ")
        return text if rest == text else " ".join(rest.split())

    def finds(self, text: str) -> bool:
        """Return whether a rule finds something in a text."""
        return bool(self._spans(text))

    def _spans(self, text: str) -> list[tuple[int, int, int]]:
        """Return where the rules find something: start, end, number of the rule."""
        shadow = Shadow(text, self._literal)
        found = []
        for rule, (name, _, detector) in enumerate(self._rules):
            for start, end in detector(shadow.text):
                _check_span(name, start, end, shadow.text)
                found.append((*shadow.span(start, end), rule))
            if getattr(detector, "as_written", False) and shadow.text != text:
                for start, end in detector(text):
                    _check_span(name, start, end, text)
                    found.append((start, end, rule))
        return found if self._literal or not found else _with_accounts(shadow, found)

    def _digest(self, text: str) -> str:
        from hashlib import blake2b  # on use

        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=self._key).hexdigest()


def _with_accounts(shadow: Shadow, found: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return finds that hide the whole number of a bank account where they hide a part of it."""
    accounts = [shadow.span(*each) for each in cards.accounts(shadow.text)]
    starts, ends = [start for start, _ in accounts], [end for _, end in accounts]
    whole = []
    for start, end, rule in found:
        first, behind = bisect_right(ends, start), bisect_left(starts, end)
        if first < behind:
            start, end = min(start, starts[first]), max(end, ends[behind - 1])
        whole.append((start, end, rule))
    return whole


def _check_span(name: str, start: int, end: int, text: str) -> None:
    if not 0 <= start < end <= len(text):
        raise InvalidPolicy(f"redaction: detector {name!r} gave the span ({start}, {end}), which is none")


def _joined(hidden: list[tuple[int, int, int]], found: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return hidden places with new ones, which take in what they reach into."""
    left = []
    ordered = sorted(found)
    for span in hidden:
        at = bisect_left(ordered, (span[1], 0, 0)) - 1
        if at < 0 or ordered[at][1] <= span[0]:
            left.append(span)
    return sorted([*left, *found])


def _order(span: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return what decides between overlapping spans: the longer, the earlier rule, the earlier place."""
    start, end, rule = span
    return start - end, rule, start


def _dropped(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return the spans that win against all that they overlap; the others are dropped whole."""
    kept: list[tuple[int, int, int]] = []
    for span in sorted(spans, key=_order):
        at = bisect_left(kept, span)
        before = at == 0 or kept[at - 1][1] <= span[0]
        if before and (at == len(kept) or span[1] <= kept[at][0]):
            insort(kept, span)
    return kept


def _painted(text: str, spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return the pieces of all spans, each character in the piece of the span that wins it.

    A sweep from left to right: between two ends of spans the best of those that are open has the place.
    """
    ordered = sorted(spans)
    edges = sorted({edge for start, end, _ in spans for edge in (start, end)})
    opened: list[tuple[tuple[int, int, int], tuple[int, int, int]]] = []
    pieces: list[tuple[int, int, tuple[int, int, int]]] = []
    taken = 0
    for left, right in pairwise(edges):
        while taken < len(ordered) and ordered[taken][0] <= left:
            heapq.heappush(opened, (_order(ordered[taken]), ordered[taken]))
            taken += 1
        while opened and opened[0][1][1] <= left:
            heapq.heappop(opened)
        if not opened:
            continue
        span = opened[0][1]
        if pieces and pieces[-1][1] == left and pieces[-1][2] == span:
            pieces[-1] = (pieces[-1][0], right, span)
        else:
            pieces.append((left, right, span))
    return [
        (left, right, span[2])
        for left, right, span in pieces
        if (left, right) == span[:2] or any(map(str.isalnum, text[left:right]))
    ]
