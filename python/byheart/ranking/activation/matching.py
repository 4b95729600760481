"""Substrings: which texts hold a question as it stands, and how a question is written for SQL's LIKE."""
# docs/sources.md: B1.3.1, B1.3.3.

from __future__ import annotations


def holds(text: str, question: str) -> bool:
    """Return whether a text holds the whole question, whatever the case; nothing in it is a wildcard.

    >>> holds("100% done", "100%"), holds("1000 done", "100%")
    (True, False)
    """
    return question.lower() in text.lower()


def words(question: str) -> list[str]:
    r"""Return the words of a question: what stands between white space, the full-width space included.

    >>> words("状態管理\u3000XState  Valtio")
    ['状態管理', 'XState', 'Valtio']
    """
    return question.split()


def escaped(question: str) -> str:
    r"""Return a question in which `%`, `_` and the backslash mean themselves in a LIKE with ESCAPE '\'.

    >>> escaped("100%_a")
    '100\\%\\_a'
    """
    return question.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
