"""Credentials found in linear time: tokens by their beginnings, JSON web tokens, private keys, passwords in addresses.

Every pattern here is a fixed beginning and classes of characters behind it, so that a match gives back at most a fixed
number of them; what needs more is cut into pieces first. Values of fields such as `password = ...` are in `fields`.
"""
# docs/sources.md: B1.16.6.

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from ...light.expressions import expression
from .fields import PLACEHOLDER, fields, looks_secret, stands_for
from .letters import Span
from .unsigned import unsigned

_TOKENS = tuple(
    (mark, re.compile(pattern))
    for mark, pattern in (
        ("-", r"(?<![A-Za-z0-9])(?i:sk-[a-z0-9]{10,})"),
        ("sk-", r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,}"),
        ("gh", r"gh[pousr]_[A-Za-z0-9]{30,}"),
        ("github_pat_", r"github_pat_[A-Za-z0-9_]{22,}"),
        ("gl", r"(?<![A-Za-z0-9])gl(?:pat|dt|rt|ptt|cbt|ft|oas|agent|imt)-[A-Za-z0-9_-]{16,}"),
        ("xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("xapp-", r"(?<![A-Za-z0-9])xapp-[A-Za-z0-9-]{10,}"),
        ("hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/]{16,}"),
        ("AKIA", r"AKIA[0-9A-Z]{16}"),
        ("ASIA", r"ASIA[0-9A-Z]{16}"),
        ("AIza", r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}"),
        ("GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,}"),
        ("ya29.", r"(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}"),
        ("hf_", r"(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}"),
        ("_live_", r"(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{10,}"),
        ("_test_", r"(?<![A-Za-z0-9])[sr]k_test_[A-Za-z0-9]{10,}"),
        ("whsec_", r"whsec_[A-Za-z0-9+/]{20,}"),
        ("npm_", r"(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}"),
        ("pypi-", r"(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{40,}"),
        ("SG.", r"(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,}"),
        ("gsk_", r"(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{30,}"),
        ("shp", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
        ("do", r"do[opr]_v1_[a-f0-9]{40,}"),
    )
)
"""Beginnings of tokens that services give out, each with a text that stands in every one of them."""
_LONG_TOKENS = tuple(
    (mark, re.compile(pattern))
    for mark, pattern in (
        ("hv", r"(?<![A-Za-z0-9])hv[bsr]\.[A-Za-z0-9_-]{20,}"),
        ("SK", r"(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])"),
        ("key-", r"(?<![A-Za-z0-9])key-[a-f0-9]{32}(?![A-Za-z0-9])"),
        ("-us", r"(?<![A-Za-z0-9])[a-f0-9]{32}-us[0-9]{1,2}(?![A-Za-z0-9])"),
        ("r8_", r"(?<![A-Za-z0-9])r8_[A-Za-z0-9]{30,}"),
        ("pplx-", r"(?<![A-Za-z0-9])pplx-[A-Za-z0-9]{40,}"),
        ("xai-", r"(?<![A-Za-z0-9])xai-[A-Za-z0-9]{60,}"),
        ("dapi", r"(?<![A-Za-z0-9])dapi[a-f0-9]{32}(?![A-Za-z0-9])"),
        ("lin_api_", r"lin_api_[A-Za-z0-9]{30,}"),
        ("ntn_", r"(?<![A-Za-z0-9])ntn_[A-Za-z0-9]{40,}"),
        ("secret_", r"(?<![A-Za-z0-9])secret_[A-Za-z0-9]{40,}"),
        ("figd_", r"(?<![A-Za-z0-9])figd_[A-Za-z0-9_-]{30,}"),
        ("pat", r"(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
        (":AA", r"(?<![A-Za-z0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}"),
        (".", r"(?<![A-Za-z0-9])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])"),
        ("/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}"),
        ("NRAK-", r"NRAK-[A-Z0-9]{27}"),
        ("gl", r"(?<![A-Za-z0-9])(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_eyJ[A-Za-z0-9+/=]{30,})"),
        ("dp.", r"(?<![A-Za-z0-9])dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}"),
        ("pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,}"),
        ("sbp_", r"(?<![A-Za-z0-9])sbp_[a-f0-9]{40}"),
        ("PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
        ("sntry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
        ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
        ("ATATT3", r"(?<![A-Za-z0-9])ATATT3[A-Za-z0-9_=-]{60,}"),
        ("sq0", r"(?<![A-Za-z0-9])sq0(?:csp|atp|idp)-[A-Za-z0-9_-]{22,}"),
        ("EAA", r"(?<![A-Za-z0-9])EAA[A-Za-z0-9]{57,}"),
        ("sl.", r"(?<![A-Za-z0-9])sl\.(?:u\.)?[A-Za-z0-9_-]{100,}"),
        ("rubygems_", r"rubygems_[a-f0-9]{48}"),
        (".atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,}"),
        ("fm2_", r"(?<![A-Za-z0-9])fm2_[A-Za-z0-9+/=]{40,}"),
        ("dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
        ("sig=", r"[?&]sig=([A-Za-z0-9%+/_-]{40,})"),
    )
)
"""Likewise, for texts that hold so many characters without a blank, as few do."""
_LONG = expression(r"[^\s]{24}")
_PIECES = expression(r"[\w.-]+(?:\r?\n[ \t]{0,8}(?=[\w.-]{16}|[\w.-]+[ \t]{0,8}(?:[\r\n\"'`]|\Z))[\w.-]+)*", re.ASCII)
"""Characters of tokens, over the ends of lines where the next line begins with many of them, or holds nothing else."""
_WEB_PART = expression(r"\s{0,12}eyJ")
_FULL_LINE = 40
_BEGIN = expression(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = expression(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = expression(r"[A-Za-z0-9+/=\s\\]*")
_AUTHORITY = expression(r"://([^\s/?#\"'<>`]+)")
_UNQUOTED = expression(r"[/?#][^\s@\"'<>`]{0,200}@[^\s/?#@\"'<>`]+")
"""The rest of a password that holds what ends an address, and the host behind it."""
_PORT = expression(r"[^:]*:[0-9]*|\[.*")
_BEARER = expression(r"(?<![A-Za-z0-9])bearer[ \t]{1,8}([A-Za-z0-9._~+/=-]{16,})", re.IGNORECASE)


def secrets(text: str) -> Iterator[Span]:
    """Yield where credentials stand: tokens, keys, JSON web tokens, private keys, passwords of fields and addresses.

    >>> list(secrets('{"password": "tea"} AKIAABCDEFGHIJKLMNOP'))
    [(20, 40), (14, 17)]
    """
    for mark, pattern in (*_TOKENS, *_LONG_TOKENS) if _LONG.search(text) else _TOKENS:
        if mark in text:
            for found in pattern.finditer(text):
                yield found.span(pattern.groups)
    yield from web_tokens(text)
    yield from private_keys(text)
    yield from logins(text)
    yield from fields(text)
    yield from unsigned(text)
    for found in _BEARER.finditer(text):
        if looks_secret(found[1]):
            yield found.span(1)


def logins(text: str) -> Iterator[Span]:
    """Yield the user, password and host of addresses such as `postgres://admin:...@db/prod`.

    >>> [text[a:b] for text in ["postgres://admin:s3cret@db/prod", "http://host:80/x@y"] for a, b in logins(text)]
    ['admin:s3cret@db']
    """
    if "://" not in text or "@" not in text:
        return
    for found in _AUTHORITY.finditer(text):
        said, end = found[1], found.end()
        if "@" not in said and ":" in said and not _PORT.fullmatch(said) and (rest := _UNQUOTED.match(text, end)):
            said, end = said + rest.group(), rest.end()
        password = said.rpartition("@")[0].partition(":")[2]
        if password and not stands_for(password) and not PLACEHOLDER.match(password):
            yield found.start(1), end


def web_tokens(text: str) -> Iterator[Span]:
    """Yield where JSON web tokens stand: three parts with dots between, of which the first two start with "eyJ".

    >>> list(web_tokens("Bearer eyJhbGciOiJ9.eyJzdWIiOiJ9.c2ln"))
    [(7, 37)]
    """
    if "eyJ" not in text:
        return
    for run in _PIECES.finditer(text):
        ends, start = [], run.start()
        for part in run.group().split("."):
            ends.append((start, start + len(part)))
            start += len(part) + 1
        at = 0
        while at + 2 < len(ends):
            first, second, third = ends[at : at + 3]
            begin = text.find("eyJ", *first)
            if begin >= 0 and _WEB_PART.match(text, second[0]) and third[1] > third[0]:
                yield begin, _last_line(text, *third)
                at += 3
            else:
                at += 1


def _last_line(text: str, start: int, end: int) -> int:
    """Return where the last part of a token ends: a line that is not full is its last one."""
    while (line := text.find("\n", start, end)) >= 0:
        if line - (text.rfind("\n", 0, line) + 1) < _FULL_LINE:
            return line - (text[line - 1] == "\r")
        start = line + 1
    return end


def private_keys(text: str) -> Iterator[Span]:
    r"""Yield where blocks of private keys stand; one without an end goes as far as its letters do.

    >>> block = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----"
    >>> list(private_keys(f"a {block} b")) == [(2, 2 + len(block))]
    True
    """
    begins = list(_BEGIN.finditer(text)) if "-----" in text else []
    if not begins:
        return
    ends = [found.span() for found in _END.finditer(text)]
    floor = 0
    for place, begin in enumerate(begins):
        if begin.start() < floor:
            continue
        following = begins[place + 1].start() if place + 1 < len(begins) else len(text)
        at = bisect_left(ends, (begin.end(), 0))
        if at < len(ends) and ends[at][0] < following:
            floor = ends[at][1]
        else:
            body = _BODY.match(text, begin.end(), following)
            floor = body.end() if body else begin.end()
        yield begin.start(), floor
