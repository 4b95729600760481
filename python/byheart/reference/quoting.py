"""The quoting of a text in a block for a prompt, character by character, and how it is read back."""
# docs/sources.md: A1.8.5.

from __future__ import annotations

import re
import unicodedata

_LOOKS_LIKE_A_TAG = set("<&＜﹤˂ᐸᚲ‹❮𝈶＆﹠")
_SEEN_THOUGH_FORMAT = {*"\u200c\u200d\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"} | {
    chr(code) for codes in (range(0x600, 0x606), range(0x13430, 0x13440)) for code in codes
}
_RESERVED_UNSEEN = {"\u2065", *map(chr, range(0xFFF0, 0xFFF9))}  # no characters yet; would be unseen ones
_FILLERS = _RESERVED_UNSEEN | set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")


def escaped(text: str, name: bool = False) -> str:
    r"""Return a text with "<", "&", their look-alikes and what cannot be seen as references.

    >>> escaped("a<b\u200b"), escaped('"', name=True)
    ('a&lt;b&#x200B;', '&#x22;')
    """
    return "".join(_reference(one) if _needs_one(one, name) else one for one in text)


def read_back(text: str) -> str:
    """Return the text that was escaped.

    >>> read_back("a&lt;b &amp;lt; c&#x200B;") == "a<b &lt; c" + chr(0x200B)
    True
    """
    names = {"amp": "&", "lt": "<"}
    return re.sub(r"&(amp|lt|#x([0-9A-F]+));", lambda found: names.get(found[1]) or chr(int(found[2], 16)), text)


def _needs_one(one: str, name: bool) -> bool:
    if one in "\t\n\"'>":
        return name and one != "'"
    category = unicodedata.category(one)
    unseen = category in ("Cc", "Zl", "Zp") or (category == "Cf" and one not in _SEEN_THOUGH_FORMAT)
    return one in _LOOKS_LIKE_A_TAG or unseen or one in _FILLERS or 0xE0000 <= ord(one) < 0xE1000


def _reference(one: str) -> str:
    return {"<": "&lt;", "&": "&amp;"}.get(one) or f"&#x{ord(one):X};"
