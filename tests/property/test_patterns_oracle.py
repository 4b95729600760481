"""Noise, adaptive retrieval and the gate's signals are their definition, on texts made of the pieces of patterns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart._core import gate_signals, is_noise, should_skip_retrieval
from byheart.reference import adaptive, noise
from byheart.reference import gate as gate_oracle

PROFILES = ["byheart", "1.0.11", "1.1.0-beta.11"]
SWITCHES = ["denials", "meta", "boilerplate"]

# Between two pieces: nothing, spaces of several alphabets, ends of lines, and what stands around words.
GAPS = [
    "",
    "",
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r",
    "\u2028",
    "\u3000",
    "\x85",
    "\ufeff",
    "\t",
    "_",
    ",",
    ".",
    "!",
]
GAPS += ["?", "？", "'", "’", "-", "/", "é", "1"]

NOISE_PIECES = """hi|His|hello|hey|good|morning|evening|greetings|fresh|new|session|HEARTBEAT
heartbeats|i|I|don't|dont|don’t|have|any|a|information|data|memory|record|I'm|Im|not|sure|about
recall|remember|It|looks|like|wasn't|able|to|find|no|relevant|memories|found|access|do|you|know|can
did|tell|mention|say|share|told|mentioned|what|my|is|was|so|please|name|Bob|never|get|understand|why
keep|forget|just|changed|are|the|wrong|not|working|broken|query|->|none|explicit|solution|unknown
user|asked|for|如果你知道|如果不知道|只回复|精确代号|none|你|还|記|记得
记不记得|还记得|吗|呢|知道|晓道|我|之前|上次|说|提|喝|茶|😀|\u212a|ſ""".replace("\n", "|")

ADAPTIVE_PIECES = """hi|hello|hey|goodmorning|good|night|greetings|yo|sup|howdy|what's|whats|up|/
/help|run|build|test|ls|cd|git|npm|make|sudo|find|the|decision|-v|--all|./x|a/b/c|/etc|..|.|yes|ok
okay|thank|you|got|it|perfect|👍|✅|❌|go|ahead|do|next|实施|开始|繼續|好的|行|😀|❤
\ufe0f|\u200d|👩|1|12|2026|#|*|[System|[system:|HEARTBEAT|heartbeat|ping|debug|remember|recall
forgot|memories|last|time|before|ago|my|name|emails|addresses|preference|what|did|I|we|tell|mention
你记得|你|妳|記得|還記得|之前|提到过|erinnerst|du|dich|weißt|weisst|noch|was|ist
mein|letztes|mal|gestern|merk|merke|dir|habe|ich|gesagt|erwähnt|ERWÄHNT|数据库|端口|Postgres
port|[cron:1 x]|[CRON:a]|[cron:]|Conversation info (untrusted metadata):
conversation info (untrusted metadata):|Sender (untrusted metadata):|{"a": 1}
[Mon 2026-03-02 04:21 GMT+8]|\u212a|ſup|½|é""".replace("\n", "|")

GATE_PIECES = """```|`|go|make|git|docker|$|$ ls|./a|../b|/c|a/b|src/x.py|and/or|10/12/2024
2024/1/2|2024-10-12|e/f.g.|.|..|~|func|def|class|f(|f (|foo.bar(|a.b.c(|(|http://x|https://y/z|http
/users|"/q|panic:|exception:|goroutine 7|stack trace|Traceback|at x.py:3|at|x:1|deadbeef|DEADBEEF
0x1F|0xg|abcdefg|12|3.14|1.|.5|mr|Mr.|alarms|prof|ann|my friend|my|is|i prefer|I like|i am|have
i work at|i live in|ERR_IO|err_x|ENOENT|even|E1|HTTP 404|http\t503|404|450|HEAD|head|main|master
origin/a-b|origin/|switched to|use|instead|migrated to|decided to|fixed|Resolved|prefixed|deployed
rolled out|set X to|configured|env var|environment var|struct|type|map[|import|require|go.mod|gomod
depends on|func TestA|it(|test(a|describe(|//|///|/**|/*|😀|界|ſet|É|\u212a|i\u017fam""".replace("\n", "|")


def text_of(pieces, most):
    """Return texts of pieces with gaps between them."""
    pairs = st.tuples(st.sampled_from(pieces.split("|")), st.sampled_from(GAPS))
    return st.lists(pairs, max_size=most).map(lambda parts: "".join(piece + gap for piece, gap in parts))


@settings(max_examples=10_000)
@given(
    text_of(NOISE_PIECES, 9),
    st.sampled_from(PROFILES),
    st.frozensets(st.sampled_from(SWITCHES)),
    st.sampled_from([None, "codepoint", "utf16"]),
)
def test_noise_is_its_definition(text, profile, off, unit):
    switches = {f"filter_{name}": name not in off for name in SWITCHES}
    found = is_noise(text, profile, **switches, length_unit=unit)
    assert found == noise.is_noise(text, profile, off, unit or "")


@settings(max_examples=10_000)
@given(
    text_of(ADAPTIVE_PIECES, 7),
    st.sampled_from(PROFILES),
    st.none() | st.integers(1, 40),
    st.sampled_from([None, "codepoint", "utf16"]),
)
def test_adaptive_retrieval_is_its_definition(query, profile, least, unit):
    found = should_skip_retrieval(query, profile, min_length=least, length_unit=unit)
    assert (found.skip, found.reason) == adaptive.should_skip(query, profile, least, unit or "")


@settings(max_examples=10_000)
@given(
    text_of(GATE_PIECES, 12),
    st.sampled_from(["strict", "1.3.5"]),
    st.sampled_from([1.5, 0.0, -1.0, 0.7, 3.0]),
    st.sampled_from(["byte", "codepoint"]),
    st.integers(1, 60),
)
def test_gate_signals_are_their_definition(text, profile, norm, unit, times):
    text *= times if len(text) * times < 3_000 else 1  # long enough for P to be divided by the length
    found = gate_signals(text, profile, norm=norm, token_unit=unit)
    expected = gate_oracle.signals(text, profile, norm, unit)
    sums = (found.technicality, found.natural_density, found.specificity, found.actionability, found.technical_density)
    assert (*sums, found.tokens, found.counts) == tuple(expected)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_character_alone(profile):
    """The property Emoji, character by character; no emoji lies beyond the second plane."""
    told = set()
    for code in (*range(0xD800), *range(0xE000, 0x20000)):
        # Eight of it: long enough for the length not to decide.
        if should_skip_retrieval(chr(code) * 8, profile).reason == "skip: emoji":
            told.add(chr(code))
    corrected = adaptive.emoji() - set("#*0123456789") | set("\u200d\u20e3\ufe0f")
    assert told == (corrected if profile == "byheart" else adaptive.emoji())
