"""Values of secrets that no sign introduces: in elements of XML, in cookies, in `.netrc`, and in what people say.

    <password>hunter2</password>            any value, as in JSON
    Cookie: sid=9f8a7b6c5d; theme=dark      values of mixed kinds (`looks_secret`); of `Set-Cookie` the first one
    machine host login ann password x       any value
    my password for the router is hunter2   a value of mixed kinds or in quotes, or a number of four digits
    Password for the router: hunter2        likewise

Each pattern begins with a fixed word or a bracket, and gives back at most a fixed number of characters.
"""
# docs/sources.md: B1.16.6.

from __future__ import annotations

import re
from collections.abc import Iterator

from ...light.expressions import expression
from .fields import NOTHING, PASSWORD, PLACEHOLDER, is_told, looks_secret, names_secret, stands_for
from .letters import Span

_ELEMENT = expression(r"<([A-Za-z_][A-Za-z0-9_.:-]{0,63})(?:[ \t][^<>\n]{0,200})?>([^<>]{1,500})</\1[ \t]{0,4}>")
_ATTRIBUTES = expression(
    r"(?:key|name|id)=([\"'])([^\"'<>\n]{1,64})\1[ \t]{1,8}value=([\"'])([^\"'<>\n]{1,500})\3", re.IGNORECASE
)
_COOKIES = expression(r"(?<![A-Za-z0-9])(?:(set-)?cookie:|--cookie[ \t=]{1,4})([^\r\n]{1,4000})", re.IGNORECASE)
_NETRC = expression(
    r"(?<!\S)(?:machine\s{1,20}\S{1,200}|default)\s{1,20}login\s{1,20}\S{1,200}\s{1,20}password\s{1,20}(\S{1,200})"
)
_VERB = "is|was|ist|war|lautet|lautete|es|era|est|était|è"
_WHOSE = "for|of|to|at|on|für|zum|zur|vom|von|im|de|del|para|pour|du|per"
_SAID = expression(
    rf"(?P<name>(?:{PASSWORD})|(?<![^\W_])pin(?:[ -]?code)?|token|(?:api|access|secret)[ -]?key)(?![^\W_])"
    rf"(?:(?:[ ](?!(?:{_VERB})[ ])[^\s.,;:!?]{{1,30}}){{0,5}}[ ](?:{_VERB})[ :]{{1,2}}"
    rf"|[ ](?:{_WHOSE})(?:[ ][^\s.,;:!?]{{1,30}}){{1,4}}[ ]?:[ ]{{0,2}})"
    r"(?:(?:now|still|jetzt|nun|ahora|maintenant)[ ])?(?P<quote>[\"'`“„«]?)(?P<value>[^\s\"'`”“»]{1,200})",
    re.IGNORECASE,
)
_CLOSING = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»"}
_LEAST_COOKIE, _LONGEST_QUOTED = 8, 200


def unsigned(text: str) -> Iterator[Span]:
    """Yield where values of secrets stand that no sign introduces.

    >>> said = ["<apiKey>x y</apiKey>", "Cookie: a=b; sid=9f8a7b6c", "my password is hunter2.", "the password is wrong"]
    >>> [text[a:b] for text in said for a, b in unsigned(text)]
    ['x y', '9f8a7b6c', 'hunter2']
    """
    if "<" in text:
        yield from _elements(text)
    for found in _COOKIES.finditer(text):
        yield from _cookies(found.start(2), found[2], first=found[1] is not None)
    for found in _NETRC.finditer(text):
        if _is_value(found[1]):
            yield found.span(1)
    for found in _SAID.finditer(text):
        yield from _said(text, found)


def _cookies(start: int, said: str, *, first: bool) -> Iterator[Span]:
    """Yield the values of cookies that begin here; `first`: of the first one alone, behind which its limits stand."""
    for pair in said.split(";")[: 1 if first else None]:
        value = pair.partition("=")[2]
        bare = value.strip(" \t\"'")
        if len(bare) >= _LEAST_COOKIE and looks_secret(bare):
            at = start + len(pair) - len(value) + value.index(bare)
            yield at, at + len(bare)
        start += len(pair) + 1


def _elements(text: str) -> Iterator[Span]:
    for found in _ELEMENT.finditer(text):
        if names_secret(found[1]) and _is_value(found[2]):
            yield found.span(2)
    for found in _ATTRIBUTES.finditer(text):
        if names_secret(found[2]) and _is_value(found[4]):
            yield found.span(4)


def _is_value(said: str) -> bool:
    """Return whether something stands there, and no variable or placeholder in its place."""
    bare = said.strip()
    return bare not in NOTHING and PLACEHOLDER.match(bare) is None and not stands_for(bare)


def _said(text: str, found: re.Match[str]) -> Iterator[Span]:
    """Yield the value that a sentence says."""
    start, end = found.span("value")
    if quote := found["quote"]:
        end = text.find(_CLOSING[quote], start, start + _LONGEST_QUOTED)
        if end > start and is_told(text[start:end]) and PLACEHOLDER.match(text, start) is None:
            yield start, end
        return
    is_password = re.fullmatch("token|.*key", found["name"], re.IGNORECASE) is None
    for marks in (".,;:)", ".,;:)!?"):  # a password may end in one of the last two
        said = found["value"].rstrip(marks)
        if is_told(said) and PLACEHOLDER.match(said) is None and looks_secret(said, is_password):
            yield start, start + len(said)
            return
