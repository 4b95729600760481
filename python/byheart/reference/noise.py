"""Noise, by plain `re`: rules one after the other, the first that fires names the reason."""
# docs/sources.md: A2.6.

from __future__ import annotations

import re
from collections.abc import Mapping

from .length import SCRIPT_SPACE, cjk_characters, length

Rule = tuple[str, str, str]
"""Group, name, pattern."""

SPACE = f"[{SCRIPT_SPACE}]"
ANY = "[^\n\r\u2028\u2029]"

_WORDS_OF_DENIAL = [
    ("has no information", "i don{A}t have (any )?(information|data|memory|record)"),
    ("is not sure", "i{A}m not sure about"),
    ("does not recall", "i don{A}t recall"),
    ("does not remember", "i don{A}t remember"),
    ("looks like it does not", "it looks like i don{A}t"),
    ("could not find", "i wasn{A}t able to find"),
    ("no memories found", "no (relevant )?memories found"),
    ("has no access", "i don{A}t have access to"),
]
_QUESTIONS = [
    ("do you remember", "do you (remember|recall|know about)"),
    ("can you remember", "can you (remember|recall)"),
    ("what did I tell", "what did i (tell|say|mention)"),
    ("did I tell", "did i (tell|mention|say|share)"),
    ("have I told", "have i (told|mentioned|said)"),
]
_OPENINGS = [
    ("greeting", "^(hi|hello|hey|good morning|good evening|greetings)"),
    ("new session", "^(fresh|new) session"),
    ("heartbeat", "^heartbeat"),
]
_CHINESE = [
    ("if you know, only answer", f"如果你知道{ANY}+只回复"),
    ("if you do not, only answer none", f"如果不知道{ANY}+只回复{SPACE}*none"),
    ("only answer the code name", "只回复精确代号"),
    ("only answer none", f"只回复{SPACE}*none"),
    ("do you remember", "你还?记得"),
    ("remember or not", "记不记得"),
    ("still remember", f"还记得{ANY}*吗"),
    ("do you know", f"你[知晓]道{ANY}+吗"),
    ("have I said", f"我(之前|上次|以前)(说|提|讲){ANY}*(吗|呢|？|\\?)"),
]
_COMPLAINTS = [
    ("you never remember", r"\byou (never|don'?t|do not|can'?t|cannot) (remember|recall|get|understand)\b"),
    ("why do you forget", r"\bwhy (do|can) you (keep )?(forget|not remember|never remember)\b"),
    ("did you understand", r"\bdid you (get|understand) what i (said|told you|meant)\b"),
    ("what changed", rf"^what (just )?changed\??{SPACE}*\Z"),
    ("memory is broken", r"\bwhy (is|are) (my|the) (memory|memories) (wrong|missing|broken|not working)\b"),
]
_VAIN = "(none|no explicit solution|unknown|not found)"
_REMAINS = [
    ("query without an answer", rf"\bquery{SPACE}*->{SPACE}*{_VAIN}\b"),
    ("user asked in vain", rf"\buser asked for\b{ANY}*\b{_VAIN}\b"),
    ("no explicit solution", r"\bno explicit solution\b"),
]
_ADDRESS = rf"^((hey|hi|hello|so|ok|okay|and|but|well|please)({SPACE}|[,!.])+){{0,2}}"
_HELLO = "(hi|hello|hey|hiya|greetings|good (morning|afternoon|evening|day|night))"
_SIGN = f"({SPACE}|[,.!?;:~-])"
_TO_WHOM = (
    "there|again|all|everyone|everybody|folks|guys|team|world|today|how are you( doing)?|how['’]?s it going"
    "|what['’]?s up|nice to (meet|see) you"
)
_GREETS = rf"^{_HELLO}({_SIGN}+({_HELLO}|{_TO_WHOM}))*({_SIGN}+[a-z]+)?{_SIGN}*\Z"


def _denials(apostrophe: str) -> list[Rule]:
    return [("denial", name, words.replace("{A}", apostrophe)) for name, words in _WORDS_OF_DENIAL]


def _group(group: str, rules: list[tuple[str, str]], before: str = "", behind: str = "") -> list[Rule]:
    return [(group, name, before + pattern + behind) for name, pattern in rules]


_PLAIN = [*_denials("'?"), *_group("meta", _QUESTIONS, r"\b", r"\b")]
PROFILES: Mapping[str, list[Rule]] = {
    "1.0.11": [*_PLAIN, *_group("boilerplate", _OPENINGS)],
    "1.1.0-beta.11": [
        *_PLAIN,
        *_group("meta", _CHINESE),
        *_group("frustration", _COMPLAINTS),
        *_group("boilerplate", _OPENINGS),
        *_group("diagnostic", _REMAINS),
    ],
    "byheart": [
        *_denials("['’]?"),
        *_group("meta", _QUESTIONS, _ADDRESS, r"\b"),
        ("boilerplate", "greeting", _GREETS),
        *_group("boilerplate", _OPENINGS[1:], "", r"\b"),
    ],
}
SWITCHES = {"denial": "denials", "meta": "meta", "frustration": "meta", "boilerplate": "boilerplate"}


def matches(pattern: str, text: str) -> bool:
    """Return whether a pattern occurs in a text; case and word characters are ASCII's."""
    return re.search(pattern, text, re.ASCII | re.IGNORECASE) is not None


def is_noise(text: str, profile: str = "byheart", off: frozenset[str] = frozenset(), unit: str = "") -> str | None:
    """Return "group: rule" of the first rule that fires, or None; `off` names switches that are off.

    >>> is_noise("hello world"), is_noise("His name is Bob"), is_noise("His name is Bob", "1.0.11")
    ('boilerplate: greeting', None, 'boilerplate: greeting')
    """
    text = text.strip(SCRIPT_SPACE)
    ours = profile == "byheart"
    short = length(text, unit or ("codepoint" if ours else "utf16")) < 5
    if short and not (ours and cjk_characters(text) >= 2):
        return "length: below 5"
    for group, name, pattern in PROFILES[profile]:
        if SWITCHES.get(group) in off or not matches(pattern, text):
            continue
        return f"{group}: {name}"
    return None
