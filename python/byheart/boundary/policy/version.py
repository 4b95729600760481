"""Versions of policies: Semantic Versioning 2.0.0, and which step a change asks for."""
# docs/sources.md: B1.15.9.

from __future__ import annotations

from ...errors import InvalidPolicy
from ...light.classes import dataclass
from ...light.expressions import expression

_NUMBER = r"(0|[1-9][0-9]{0,8})"
_WORD = r"[0-9A-Za-z-]+"
_FORM = expression(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_WORD}(?:\.{_WORD})*))?(?:\+({_WORD}(?:\.{_WORD})*))?")
_SHORT = expression(rf"{_NUMBER}(?:\.{_NUMBER})?")
_LONGEST = 128


@dataclass(frozen=True, slots=True)
class Version:
    """A version; `precedence` orders versions, and build metadata plays no part in it.

    >>> Version.read("1.2.0-rc.1").precedence < Version.read("1.2.0").precedence
    True
    """

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()
    build: str = ""

    @classmethod
    def read(cls, text: str) -> Version:
        """Return the version that a text writes.

        Raises:
            InvalidPolicy: it is not major.minor.patch with what SemVer allows behind it.

        >>> str(Version.read("0.1.3"))
        '0.1.3'

        """
        found = _FORM.fullmatch(text) if isinstance(text, str) and len(text) <= _LONGEST else None
        if found is None:
            raise InvalidPolicy(f"version: {str(text)[:60]!r} is no SemVer; write major.minor.patch, such as 0.1.0")
        major, minor, patch, pre, build = found.groups()
        words = tuple(pre.split(".")) if pre else ()
        if any(word.isdigit() and len(word) > 1 and word[0] == "0" for word in words):
            raise InvalidPolicy(f"version: {text!r} has a number with a leading zero behind the '-'")
        return cls(int(major), int(minor), int(patch), words, build or "")

    @property
    def precedence(self) -> tuple[object, ...]:
        """What versions are compared by: a release is above its own pre-releases, numbers are below words."""
        words = tuple((0, int(word), "") if word.isdigit() else (1, 0, word) for word in self.pre)
        return self.major, self.minor, self.patch, not self.pre, words

    def allows_breaking(self, before: Version) -> bool:
        """Return whether a change that breaks something may have this version, coming from another.

        That takes a higher major number; below 1.0.0, where SemVer promises nothing, a higher minor number will do.

        >>> first = Version.read("0.1.0")
        >>> Version.read("0.2.0").allows_breaking(first), Version.read("0.1.1").allows_breaking(first)
        (True, False)
        """
        if self.major != before.major:
            return self.major > before.major
        return self.major == 0 and self.minor > before.minor

    def __str__(self) -> str:
        """Return the version as it is written."""
        pre = f"-{'.'.join(self.pre)}" if self.pre else ""
        return f"{self.major}.{self.minor}.{self.patch}{pre}{'+' + self.build if self.build else ''}"


def completed(text: str) -> str:
    """Return a version with the numbers that it leaves out as 0; anything else as it is.

    >>> completed("0.1"), completed("2"), completed("1.0.0")
    ('0.1.0', '2.0.0', '1.0.0')
    """
    found = _SHORT.fullmatch(text)
    return f"{found[1]}.{found[2] or 0}.0" if found else text
