r"""Values of fields whose name says that they are secret: `password = ...`, `api_key: "..."`, `{"token": "..."}`.

Each `=` and `:` is looked at once, and the name before it is looked for in a fixed number of characters. What is
taken, by how the value is written:

    {"password": "..."}   any value: nobody writes prose so
    password=...          any value, but for words that speak of a field (`required`) and what stands for a value; a
                          line that goes on after such a word with others is a value to its end
    password = "..."      a value in quotes; behind a colon, with blanks in it, at the start of a line only
    password: ...         a value of mixed kinds (`looks_secret`), since a colon goes on in prose as well
    password: swordfish   a plain word too, if the line is nothing but this, and the name is one of a password

What stands for a value is `$NAME`, `<your-key>`, `os.environ[...]`, `***`, or the name of a field again.
"""
# docs/sources.md: B1.16.6.

from __future__ import annotations

import re
from collections.abc import Iterator

from ...light.expressions import expression
from .letters import Span

_KEYS = r"(?:api|access|private|secret|signing|encryption|auth|account|master)[ _-]?key(?:_base)?"
PASSWORD = (
    r"password|passwd|passphrase|passcode|passwort|kennwort|contraseña|mot de passe|パスワード|密码|密碼|"
    r"(?<![^\W_])(?:pass|pwd|pw)"
)
_NAME = expression(rf"(?:(?P<password>{PASSWORD})|secret|token|credentials?|{_KEYS}|(?P<header>authorization))$", re.I)
_AGAIN = expression(rf"(?:[a-z]+[_.-])*(?:{PASSWORD}|secret|token|credentials?|{_KEYS})", re.IGNORECASE)
"""The name of a field or of a variable."""
_SIGN = expression(r"=>|:=|={1,3}|:(?!//)")
_PART_OF_NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-$"
_LINE_START = expression(r"(?:^|\n)[ \t]{0,40}(?:[-*>#] ?|export |set |env |ENV |const |let |var )?[\"'`]?$")
_GAP, _WIDE_GAP = re.compile(r"[ \t]{0,8}"), re.compile(r"\s{0,20}")
_SCHEME = expression(r"(?:basic|bearer|token|digest|apikey)[ \t]{1,8}", re.IGNORECASE)
_OPENS = expression(r"\\?([\"'`])")
_QUOTED = {quote: re.compile(rf"(?:[^{quote}\\]|\\.)*", re.DOTALL) for quote in "\"'`"}
_LINE = {quote: re.compile(rf"(?:[^{quote}\\\n]|\\.)*") for quote in "\"'`"}
_ESCAPED = expression(r"[^\"'`\\\n]*")
_NEXT = r"(?=[^\s,;&\"'}\])])(?![A-Za-z0-9_.-]{1,40}[\"']?[=:])"
_BARE = expression(rf"(?:[^\s,;&\"'}}\])]|[,;&\"'}}\])]{_NEXT})+")
_REST = expression(r"[ \t]*(?:[,;.})\]\"'`]*[ \t]*(?:#[^\n]*|//[^\n]*)?)(?:\n|$)")
PLACEHOLDER = expression(r"\[[a-z_]+\]")
"""At the start of a value that was hidden before."""
_ELSEWHERE = expression(
    r"[a-z][a-z0-9+.-]{0,20}://|(?:os\.environ|os\.getenv|getenv|process\.env|config|settings|vault)\b[.\[(:]"
    r"|[A-Za-z_.]{1,60}[(\[]|\$\{|\$\(|\{\{|%\(|<[A-Za-z][^<>\n]{0,60}>",
    re.IGNORECASE,
)
"""How a value starts that is an address, a call or a variable."""
_STANDS = expression(r"\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|%[A-Z_]+%|<.*>|\$?\{.*\}|[*.xX•…_-]+|(?i:your[_-].*)", re.DOTALL)
"""What stands for a value: a variable, a gap to be filled, a row of stars."""
_SPOKEN = (
    "required optional missing empty unset set invalid expired changed unchanged reset "
    "field fields string str text bytes int integer number bool boolean none nil undefined yes no "
    "unknown redacted hidden removed masked omitted n/a tbd todo example value values "
)
"""Words that speak of a field instead of being its value."""
_PROSE = "incorrect wrong valid correct here see ask is was the a an in on and or not"
"""Words that speak of a value where blanks or a colon stand before them; right behind a sign, nobody writes prose."""
_ABOUT_FIELDS = frozenset(_SPOKEN.split())
_SPOKEN_WORDS = _ABOUT_FIELDS | frozenset(_PROSE.split())
_LINE_END = expression(r"[^\n#,;&|]*?(?=[ \t]*(?:[#,;&|]|//|\n|\Z))")
NOTHING = ("", "null", "true", "false", "[")
_KIND = r"(?:u?int|float|utf|sha|md|aes|rsa|base|hs|rs|es|ps|ed|oauth|http|ipv|argon|pbkdf|v|1password)[0-9]{0,5}"
_TECHNICAL = expression(rf"{_KIND}|[a-z]+|[0-9]{{1,4}}", re.IGNORECASE)
_JOINS = "[-_./:]"
_MONTH = (
    "(?:jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz|apr(?:il)?|ma[iy]|june?|juni|july?|juli|aug(?:ust)?"
    "|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)"
)
_SPEAKS_OF = expression(
    rf"(?:{_KIND}|version|level|type|step|rfc|iso)(?:{_JOINS}[0-9]+)*(?:{_JOINS}[a-z]+)?"
    rf"|[0-9]+(?:{_JOINS}[0-9]+)?{_JOINS}(?:char|digit|letter|word|sign|symbol|bit|byte|day|week|month|year|hour|min"
    rf"|step|factor|stellig|zeichen|tag|woche|monat|jahr|stunde)[a-z]*(?:{_JOINS}[a-z]+)*"
    rf"|[0-9]{{1,2}}{_JOINS}{_MONTH}(?:{_JOINS}[0-9]{{2,4}})?|{_MONTH}{_JOINS}(?:19|20)[0-9]{{2}}",
    re.IGNORECASE,
)
"""What words and numbers that signs join say of a password: its kind, its length, or a day."""
_HUMPS = expression(r"[A-Z]?[a-z]+|[A-Z]+")
_LOOK_BACK, _LONGEST_NAME, _LONGEST_LOOKED_INTO = 64, 16, 200
_LAST = frozenset("deltnswyDELTNSWYaAド码碼")
"""What a name ends with."""


def fields(text: str) -> Iterator[Span]:
    """Yield the values of fields whose name says that they are secret.

    >>> said = ['{"api_key": "x y"}', "TOKEN=abc&x=1", "password: hunter2", "password: field is required"]
    >>> [text[a:b] for text in said for a, b in fields(text)]
    ['x y', 'abc', 'hunter2']
    """
    at = 0
    while sign := _SIGN.search(text, at):
        at = sign.end()
        head = text[max(0, sign.start() - _LOOK_BACK) : sign.start()]
        bare = head.rstrip(" \t")
        closed = bare.rstrip("\"'`\\")
        if closed[-1:] not in _LAST or len(bare) - len(closed) > 2:
            continue
        name = _NAME.search(closed, max(0, len(closed) - _LONGEST_NAME))
        if name is None:
            continue
        field = _Field(text, sign, name, tight=bare == head, closed=len(closed) < len(bare))
        value, at = field.value()
        if value:
            yield value


class _Field:
    """A name of a secret and the sign behind it; what stands behind that is read once."""

    def __init__(self, text: str, sign: re.Match[str], name: re.Match[str], *, tight: bool, closed: bool) -> None:
        self._text, self._sign, self._closed = text, sign, closed
        self._password = name["password"] is not None
        self._colon = sign.group() == ":"
        gap = (_WIDE_GAP if closed else _GAP).match(text, sign.end())
        self._at = gap.end() if gap else sign.end()
        self._tight = tight and self._at == sign.end() and not self._colon
        before = name.string[: name.start()].rstrip(_PART_OF_NAME)
        whole = before != "" or sign.start() <= _LOOK_BACK  # nothing of the line is out of sight
        self._line = whole and _LINE_START.search(before) is not None
        if name["header"] and (scheme := _SCHEME.match(text, self._at)):
            self._at = scheme.end()

    def value(self) -> tuple[Span | None, int]:
        """Return where the value stands, None if it is no secret; and where to look on."""
        text = self._text
        if PLACEHOLDER.match(text, self._at):
            return None, self._at
        if quote := _OPENS.match(text, self._at):
            return self._quoted(quote)
        if _ELSEWHERE.match(text, self._at):
            return None, self._at
        found = _BARE.match(text, self._at)
        if not found:
            return None, self._at
        said = found.group()
        end = found.end() if self._tight or self._closed else found.start() + len(said.rstrip(".!?:"))
        if self._tight and self._line:
            end = self._whole_line(text[self._at : end], end)
        taken = self._bare(text[self._at : end], end)
        if taken:
            return (self._at, end), max(end, found.end())
        return None, self._at if len(said) <= _LONGEST_LOOKED_INTO else found.end()  # there may be a name in it

    def _whole_line(self, said: str, end: int) -> int:
        """Return where the value of a line ends that begins with a word about fields, and goes on with others."""
        if is_told(said) or stands_for(said):
            return end
        rest = _LINE_END.match(self._text, end, end + _LONGEST_LOOKED_INTO)
        more = rest.group().split() if rest else []
        return rest.end() if rest and any(is_told(word) for word in more) else end

    def _quoted(self, quote: re.Match[str]) -> tuple[Span | None, int]:
        patterns = _QUOTED if self._closed else _LINE
        pattern = _ESCAPED if quote.group() != quote[1] else patterns[quote[1]]
        found = pattern.match(self._text, quote.end())
        said = found.group() if found else ""
        spaced = any(map(str.isspace, said))
        spoken = self._colon and not self._closed and spaced and not self._line
        if not found or PLACEHOLDER.match(said) or spoken or not self._told(said):
            return None, quote.end()
        return found.span(), found.end()

    def _told(self, said: str) -> bool:
        if self._closed:
            return said not in NOTHING
        return not _ELSEWHERE.match(said) and is_told(said, tight=self._tight)

    def _bare(self, said: str, end: int) -> bool:
        if not is_told(said, tight=self._tight):
            return False
        if self._tight or self._closed or looks_secret(said, self._password):
            return True
        alone = _REST.match(self._text, end) is not None and said.isalpha() and len(said) > 3
        if self._colon:
            return alone and self._line and self._password
        return alone and (self._password or len(said) >= 10)


def names_secret(name: str) -> bool:
    """Return whether a name of a field says that its value is secret.

    >>> names_secret("dbPassword"), names_secret("api-key"), names_secret("passport")
    (True, True, False)
    """
    return _NAME.search(name, max(0, len(name) - _LONGEST_NAME)) is not None


def is_told(said: str, *, tight: bool = False) -> bool:
    """Return whether a value is one, and neither speaks of the field nor stands for what is elsewhere.

    Args:
        said: the value.
        tight: whether it stands right behind a sign that is no colon.

    >>> [is_told(said) for said in ("swordfish", "required", "$TOKEN", "<password>", "***", "self.token")]
    [True, False, False, False, False, False]

    """
    word = said.strip().strip(".,;:!?()<>{}[]").lower()
    spoken = _ABOUT_FIELDS if tight else _SPOKEN_WORDS
    return word not in NOTHING and word not in spoken and not stands_for(said) and not _AGAIN.fullmatch(word)


def stands_for(said: str) -> bool:
    """Return whether a text is put where a value belongs: `${TOKEN}`, `<password>`, `***`.

    >>> stands_for("${DB_PASSWORD}"), stands_for("$ecret99")
    (True, False)
    """
    return _STANDS.fullmatch(said) is not None


def looks_secret(said: str, password: bool = False) -> bool:
    """Return whether a value in the midst of prose is a secret by its kinds of characters.

    It is if digits stand beside letters (five characters and more), a sign such as `!` beside letters (six and more),
    capitals amid small letters (eight and more); if it is a word of twenty letters and more; and for a password, if it
    is a number of four digits and more. Words and numbers that signs join, as "next-2", are one of a password alone.

    >>> [looks_secret(said) for said in ("hunter2", "field", "dXNlcjpwYXNz", "CancellationToken", "sha256", "p@ssword")]
    [True, False, True, False, False, True]
    >>> [looks_secret(said, password=True) for said in ("maple-42", "sha-256", "12-characters")]
    [True, False, False]
    """
    letters = sum(map(str.isalpha, said))
    digits = sum(map(str.isdigit, said))
    if not letters:
        return password and digits == len(said) >= 4
    if digits and len(said) >= 5:
        is_plain = all(map(_TECHNICAL.fullmatch, re.split(_JOINS, said)))
        return not is_plain or (password and _SPEAKS_OF.fullmatch(said) is None)
    if len(said) >= 6 and any(sign in "!@#$%^&*+=~|?" for sign in said):
        return True
    if not said.isascii() or not said.isalpha():
        return False
    parts = _HUMPS.findall(said)
    return len(said) >= 20 + 10 * (len(parts) > 1) or (len(said) >= 8 and len(parts) > 1 and min(map(len, parts)) < 3)
