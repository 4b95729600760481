"""What is made of a message: the short ways to it find what the long ones do, whatever is said."""

from __future__ import annotations

import re
from unicodedata import normalize

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart._core import GatePatterns
from byheart.patterns import chatter as chatting
from byheart.patterns import says_nothing, stating

from ..counts import examples

_SAID = """haha that's a good one see you tomorrow on monday at the harbour thanks for your help with garden thank asdf
    qwerty kl; hiya moin servus hm hmmm mhm heartbeat ok 14 np obrigado días never mind I am vegan boat it's 42. Tuesday
    nineteen moved to Rome we have plans für Ich mag keine Oliven bis später à demain je pars hasta luego buenos días
    gracias tengo お茶 なるほど すごいですね Привет 나는 “so” it’s ja doch xd lol lllll bcdfgh yeah! no? and. (well)
    my mother is from Graz next week called the blue cat is here he likes"""
_WORDS = _SAID.split()
messages = st.lists(st.sampled_from(_WORDS), max_size=14).map(" ".join) | st.text(max_size=30)


@settings(max_examples=examples(1_500))
@given(messages)
def test_chatter_is_what_its_rules_say_one_by_one(text):
    assert chatting.chatter(text) == _chatter(text)


def _chatter(text: str) -> str | None:
    plain = normalize("NFKC", text).casefold().translate(chatting._APOSTROPHES)
    phrases, laughs, _ = chatting._patterns()
    japanese = re.compile("(?:" + "".join(chatting._JAPANESE.split()) + ")+")
    fillers = [known.__contains__ for known in chatting._fillers()]
    if chatting._KANA.search(plain):
        said = chatting._MARKS.sub("", plain)
        return "fillers" if said and japanese.fullmatch(said) else None
    words = chatting._WORD.findall(plain)
    if not words:
        return None
    if says_nothing(text) is not None:
        return "fillers"
    keys = chatting._KEY_SIGNS.findall(plain)
    others = [word for word in keys if not chatting._is_pressed(word)]
    is_known = all(fillers[0](word) or laughs.fullmatch(word) for word in others)
    if len(others) < len(keys) and is_known and not any(map(str.isdecimal, words)):
        return "keyboard"
    left = phrases.sub(" ", " ".join(words)).split()
    return "fillers" if any(all(is_one(w) or laughs.fullmatch(w) for w in left) for is_one in fillers) else None


@settings(max_examples=examples(400))
@given(messages)
def test_a_message_states_what_each_kind_alone_finds(text):
    found = stating.stated(text)
    plain = " ".join(normalize("NFKC", text).casefold().translate(_APOSTROPHES).split())
    fired = {kind: patterns.signals(plain).counts for kind, patterns in _ALONE.items()}
    alone = {kind for kind, counts in fired.items() if any(":" in name for name, _ in counts)}
    assert alone <= set(found) <= alone | {"name"}


_APOSTROPHES = str.maketrans("", "", "'\u2019")
_ALONE = {
    kind: GatePatterns("strict", [("A", f":{at}", f"(?x){part}", 1.0) for at, part in enumerate(parts)])
    for kind, parts in ((kind, stating.ALTERNATIVES.split(table)) for kind, table in stating._TABLES.items())
}
