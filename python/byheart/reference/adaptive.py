"""Adaptive retrieval, by plain `re`."""
# docs/sources.md: A2.7.

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from .length import SCRIPT_SPACE, cjk_characters, length
from .noise import ANY, SPACE, Rule, matches

OTHER = f"[^{SCRIPT_SPACE}]"

_EMOJI = """
    23 2a 30-39 a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab
    25b6 25c0 25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a 262e-262f 2638-263a 2640
    2642 2648-2653 265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 2699 269b-269c 26a0-26a1 26a7 26aa-26ab
    26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf 26d1 26d3-26d4 26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705
    2708-270d 270f 2712 2714 2716 271d 2721 2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2764 2795-2797
    27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f004 1f0cf 1f170-1f171 1f17e-1f17f
    1f18e 1f191-1f19a 1f1e6-1f1ff 1f201-1f202 1f21a 1f22f 1f232-1f23a 1f250-1f251 1f300-1f321 1f324-1f393
    1f396-1f397 1f399-1f39b 1f39e-1f3f0 1f3f3-1f3f5 1f3f7-1f4fd 1f4ff-1f53d 1f549-1f54e 1f550-1f567 1f56f-1f570
    1f573-1f57a 1f587 1f58a-1f58d 1f590 1f595-1f596 1f5a4-1f5a5 1f5a8 1f5b1-1f5b2 1f5bc 1f5c2-1f5c4 1f5d1-1f5d3
    1f5dc-1f5de 1f5e1 1f5e3 1f5e8 1f5ef 1f5f3 1f5fa-1f64f 1f680-1f6c5 1f6cb-1f6d2 1f6d5-1f6d7 1f6dc-1f6e5 1f6e9
    1f6eb-1f6ec 1f6f0 1f6f3-1f6fc 1f7e0-1f7eb 1f7f0 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa70-1fa7c 1fa80-1fa89
    1fa8f-1fac6 1face-1fadc 1fadf-1fae9 1faf0-1faf8
"""


@cache
def emoji() -> frozenset[str]:
    """Return the characters with the property Emoji of Unicode 16; digits, `#` and `*` have it too."""
    found = set()
    for part in _EMOJI.split():
        low, _, high = part.partition("-")
        found |= {chr(code) for code in range(int(low, 16), int(high or low, 16) + 1)}
    return frozenset(found)


_GREETING = "^(hi|hello|hey|good{S}*(morning|afternoon|evening|night)|greetings|yo|sup|howdy|what'?s up)\\b".replace(
    "{S}", SPACE
)
_SHELL = "^(run|build|test|ls|cd|git|npm|pip|docker|curl|cat|grep|find|make|sudo)"
_END = f"{SPACE}*[.!]?\\Z"
_PERSONAL = ["name", "email", "phone", "address", "birthday", "preference"]

_SLASH: Rule = ("skip", "slash command", "^/")
_SAID_AND_DONE: list[Rule] = [
    (
        "skip",
        "affirmation",
        "^(yes|no|yep|nope|ok|okay|sure|fine|thanks|thank you|thx|ty|got it|understood|cool|nice|great|good|perfect"
        f"|awesome|👍|👎|✅|❌){_END}",
    ),
    ("skip", "continuation", f"^(go ahead|continue|proceed|do it|start|begin|next){_END}"),
    ("skip", "continuation", f"^(实施|开始|继续|好的|可以|行){_END}"),
]
_TRADITIONAL: Rule = ("skip", "continuation", f"^(實施|開始|繼續){_END}")
_SYSTEM: Rule = ("skip", "system", r"^\[system")
_PING: Rule = ("skip", "ping", f"^(ping|pong|test|debug){SPACE}*[.!?]?\\Z")
_ALL_EMOJI: Rule = ("skip", "emoji", "")


def _force(personal: list[str]) -> list[Rule]:
    return [
        ("force", "memory words", r"\b(remember|recall|forgot|memory|memories)\b"),
        ("force", "past", r"\b(last time|before|previously|earlier|yesterday|ago)\b"),
        ("force", "personal", rf"\bmy ({'|'.join(personal)})\b"),
        ("force", "what did we", r"\b(what did (i|we)|did i (tell|say|mention))\b"),
        ("force", "memory words", "你记得|之前|上次|以前|还记得|提到过|说过"),
    ]


_LATER: list[Rule] = [
    ("force", "memory words", "[你妳]記得|還記得|提到過|說過"),
    (
        "force",
        "memory words",
        r"\b(erinnerst du dich|weißt du noch|weisst du noch|was war mein|was ist mein|letztes mal|letzten mal|vorher"
        r"|gestern|neulich|merk dir|merke dir|habe ich dir gesagt|habe ich erw[äÄ]hnt)\b",
    ),
]
_ORIGINAL: list[Rule] = [
    *_force(_PERSONAL),
    ("skip", "greeting", _GREETING),
    _SLASH,
    ("skip", "shell word", rf"{_SHELL}\b"),
    *_SAID_AND_DONE,
    _ALL_EMOJI,
    ("skip", "heartbeat", "^heartbeat"),
    _SYSTEM,
]
_BETA: list[Rule] = [
    *_force(_PERSONAL),
    *_LATER,
    ("skip", "greeting", _GREETING),
    _SLASH,
    ("skip", "shell word", rf"{_SHELL}\b"),
    *_SAID_AND_DONE,
    _TRADITIONAL,
    _ALL_EMOJI,
    ("skip", "heartbeat", "heartbeat"),
    _SYSTEM,
    _PING,
]
_COMMAND = rf"(--?[a-z]|\.\.?({SPACE}|\Z)|(~|\.\.?)?/|[\w.-]+/[\w.-]+/)"
_OURS: list[Rule] = [
    *_force([*_PERSONAL, *(word + "s" for word in _PERSONAL), "addresses"]),
    *_LATER,
    ("skip", "greeting", f"{_GREETING}{OTHER}*({SPACE}+{OTHER}+){{0,3}}\\Z"),
    _SLASH,
    ("skip", "short shell command", f"{_SHELL}({SPACE}+{OTHER}+){{0,2}}\\Z"),
    ("skip", "shell command", f"{_SHELL}{SPACE}({ANY}*{SPACE})?{_COMMAND}"),
    *_SAID_AND_DONE,
    _TRADITIONAL,
    _ALL_EMOJI,
    ("skip", "heartbeat", r"^heartbeat\b"),
    _SYSTEM,
    _PING,
]
PROFILES: Mapping[str, list[Rule]] = {"byheart": _OURS, "1.0.11": _ORIGINAL, "1.1.0-beta.11": _BETA}
_NOT_FOR_QUESTIONS = {"greeting", "short shell command", "shell command"}


def _trim(text: str) -> str:
    return text.strip(SCRIPT_SPACE)


def _without(pattern: str, text: str) -> str:
    return re.sub(pattern, "", text, count=1, flags=re.ASCII | re.IGNORECASE)


def normalise(query: str, profile: str) -> str:
    """Return a query without what a host wrapped around it.

    >>> normalise("[cron:1 nightly] run it", "1.0.11")
    'run it'
    """
    # docs/sources.md: A2.7.2.
    text = _trim(query)
    cron = rf"\A\[cron:[^\]]+\]{SPACE}*"
    if profile == "1.0.11":
        text = _without(cron, text)
        body = _without(rf"\Aconversation info \(untrusted metadata\):{SPACE}*", text)
        if body == text:
            return _trim(text)
        paragraphs = re.split(f"\n{SPACE}*\n", body)
        return _trim(paragraphs[min(1, len(paragraphs) - 1)])
    header = rf"^(conversation info|sender) \(untrusted metadata\):(.|\n)*?\n{SPACE}*\n"
    text = _trim(re.sub(header, "", text, flags=re.ASCII | re.IGNORECASE | re.MULTILINE))
    stamp = rf"\A\[[a-z]{{3}}{SPACE}\d{{4}}-\d\d-\d\d{SPACE}\d\d:\d\d{SPACE}[^\]]+\]{SPACE}*"
    return _trim(_without(stamp, _trim(_without(cron, text))))


def _fires(rule: Rule, text: str, profile: str) -> bool:
    _, name, pattern = rule
    if name == "emoji":
        allowed = emoji() | set(SCRIPT_SPACE)
        if profile == "byheart":
            allowed = allowed - set("#*0123456789") | set("\u200d\u20e3\ufe0f")
        return text != "" and set(text) <= allowed
    if profile == "byheart" and name in _NOT_FOR_QUESTIONS and matches("[?？]", text):
        return False
    return matches(pattern, text)


def _exempt(text: str) -> str | None:
    """Return why a short query is retrieved all the same, in profile byheart."""
    marks = [place for place, character in enumerate(text) if character in "?？"]
    if marks and any(unicodedata.category(character)[0] in "LN" for character in text[: marks[-1]]):
        return "exempt: question"
    return "exempt: number" if matches(r"\d{4}", text) else None


def should_skip(query: str, profile: str = "byheart", least: int | None = None, unit: str = "") -> tuple[bool, str]:
    """Return whether a query can do without the memory, and what decided it.

    >>> should_skip("good morning"), should_skip("/remember this")
    ((True, 'skip: greeting'), (False, 'force: memory words'))
    """
    text = normalise(query, profile)
    rules = [rule for rule in PROFILES[profile] if _fires(rule, text, profile)]
    for group, name, _ in rules:
        if group == "force":
            return False, f"force: {name}"
    exempt = _exempt(text) if profile == "byheart" else None
    size = length(text, unit or ("codepoint" if profile == "byheart" else "utf16"))
    if size < 5 and not exempt:
        return True, "length: below 5"
    for group, name, _ in rules:
        if group == "skip":
            return True, f"skip: {name}"
    if exempt:
        return False, exempt
    limit = least if least is not None else 6 if cjk_characters(text) else 15
    if size < limit and not matches("[?？]", text):
        return True, f"length: below {limit}"
    return False, "default: nothing speaks against it"
