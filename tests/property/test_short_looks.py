"""What a message says nothing by, asks or replies: looked at as far as it takes, it is what the whole text tells."""

import re
from itertools import islice
from unicodedata import normalize

from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart.patterns import asking, asks, is_reply, says_nothing, silence
from byheart.writing.noise_policy import Judged, NoisePolicy

from ..counts import examples

WORDS = st.sampled_from(
    ["hi", "ok", "thanks", "Yes", "no", "genau", "はい", "何時ですか。", "so", "What is it?", "tea", "don't", "you’re",
     "welcome", "see", "heartbeat", "14", "ＯＫ", "ﬁne", "?", "!", "…", "。", "\n", ". ", "_", "İ", "ß", "'"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=14).map(" ".join), st.lists(WORDS).map("".join))


def nothing(text: str) -> str | None:
    """Return what `says_nothing` does, by all its words."""
    plain = normalize("NFKC", text).casefold().translate({ord("'"): None, ord("’"): None})
    words = list(islice((match.group() for match in re.finditer(r"[^\W_]+", plain)), silence.MOST_WORDS + 1))
    if not words:
        return "signs" if text.strip() else "empty"
    said = " ".join(words)
    known = silence._NOTHING.fullmatch(said) or silence._HEARTBEAT.fullmatch(said)
    return "backchannel" if known and len(words) <= silence.MOST_WORDS else None


def replies(text: str) -> bool:
    """Return what `is_reply` does, by all its words."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return 0 < len(words) <= 4 and all(word in asking._REPLIES for word in words)


def asked(text: str) -> bool:
    """Return what `asks` does, by all its sentences."""
    ends = r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n+"
    said = [part.strip() for part in re.split(ends, text.strip())]
    parts = [part for part in said if part and not replies(part)]
    return bool(parts) and all(
        asking._MARKED.search(part) or asking._ASKS.match(part.lstrip("\"'¿(« ")) for part in parts
    )


@settings(max_examples=examples(5_000))
@given(TEXTS)
@example("ok ok ok ok ok ok ok ok")
@example("ok ok ok ok ok ok ok ok ok")
@example("o'k " * 9)
def test_a_short_look_is_enough(text: str) -> None:
    assert (says_nothing(text), is_reply(text), asks(text)) == (nothing(text), replies(text), asked(text))


@settings(max_examples=examples(1_000))
@given(TEXTS, st.sampled_from(["mark", "refuse"]))
def test_noise_is_judged_by_one_look_at_what_says_nothing(text: str, mode: str) -> None:
    policy = NoisePolicy(mode)
    reason = None if policy._reason(text) is None else f"noise: {policy._reason(text)}"
    reason = reason if text.strip() else "empty: it says nothing"
    kept, archived = (reason is None, False) if mode == "refuse" else (True, nothing(text) is not None)
    assert policy.judged(text) == Judged(reason, kept, archived)
