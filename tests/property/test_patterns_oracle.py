"""Noise, adaptive retrieval and the gate's signals are their definition, on texts made of the pieces of patterns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart._core import gate_signals, is_noise, should_skip_retrieval
from byheart.reference import adaptive, noise
from byheart.reference import gate as gate_oracle

from ..counts import examples

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

NOISE_PIECES = """hi|His|hello|hey|good morning|good evening|good|greetings|fresh session|new session
sessions|HEARTBEAT|heartbeats|i don't|I dont|i don’t|i don't have|I don’t have any
i have|any|a|information|data|memory|record|I'm not sure|im not sure|i’m not sure
about|recall|remember|it looks like|i wasn't able to|I wasnt able to|find|no|no relevant
memories found|have access to|access|do you|Can you|know about|know|did i|What did I
have I|tell|mention|say|share|told|mentioned|said|you never|you don't|you dont
you do not|you can't|you cant|You cannot|get|understand|why do you|why can you|keep
forget|not remember|never remember|did you get|did you understand|what i said
what i told you|what I meant|what|just|changed|why is my|why are the|Why is the|memories
wrong|missing|broken|not working|query|->|none|no explicit solution|unknown|not found
user asked for|so|please|my name|is|was|we|Bob|如果你知道|如果不知道|只回复
精确代号|none|你|还|記|记得|记不记得|还记得|吗|呢|知道|晓道|我
之前|上次|以前|说|提|讲|喝|茶|😀|\u212a|ſ""".replace("\n", "|")

ADAPTIVE_PIECES = """hi|hello|hey|goodmorning|good|morning|afternoon|evening|night|greetings|yo|sup|howdy
what's|whats|up|/|/help|run|build|test|ls|cd|git|npm|pip|docker|curl|cat|grep|find|make
sudo|the|decision|-v|--all|./x|a/b/c|~/x|/etc|..|.|yes|no|yep|nope|ok|okay|sure|fine
thanks|thank you|thx|ty|got it|understood|cool|nice|great|perfect|awesome|👍|👎|✅
❌|go ahead|continue|proceed|do it|start|begin|next|实施|开始|继续|好的|可以
行|實施|開始|繼續|😀|❤|\ufe0f|\u200d|👩|1|12|2026|#|*|[System|[system:
HEARTBEAT|heartbeats|ping|pong|debug|remember|recall|forgot|memory|memories|last time
before|previously|earlier|yesterday|ago|my name|my emails|my phone|my addresses
My birthday|my preference|what did I|what did we|did i tell|did I say|did i mention
你记得|你|妳|記得|還記得|之前|上次|以前|还记得|提到过|提到過
说过|說過|erinnerst du dich|weißt du noch|weisst du noch|was war mein|was ist mein
letztes mal|letzten mal|vorher|gestern|neulich|merk dir|merke dir|habe ich dir gesagt
habe ich erwähnt|HABE ICH ERWÄHNT|数据库|端口|Postgres|port|[cron:1 x]|[CRON:a]
[cron:]|Conversation info (untrusted metadata):|conversation info (untrusted metadata):
Sender (untrusted metadata):|{"a": 1}|[Mon 2026-03-02 04:21 GMT+8]|\u212a|ſup|½|é""".replace("\n", "|")

GATE_PIECES = """```|`|go|make|git|docker|$|$ ls|./a|../b|/c|a/b|src/x.py|and/or|10/12/2024
2024/1/2|2024-10-12|e/f.g.|.|..|~|func|def|class|f(|f (|foo.bar(|a.b.c(|(|http://x|https://y/z|http
/users|"/q|panic:|exception:|goroutine 7|stack trace|Traceback|at x.py:3|at|x:1|deadbeef|DEADBEEF
0x1F|0xg|abcdefg|12|3.14|1.|.5|mr|Mr.|alarms|prof|ann|my friend|my|is|i prefer|I like|i am|have
i work at|i live in|ERR_IO|err_x|ENOENT|even|E1|HTTP 404|http\t503|404|450|HEAD|head|main|master
origin/a-b|origin/|switched to|use|instead|migrated to|decided to|fixed|Resolved|prefixed|deployed
rolled out|set X to|configured|env var|environment var|struct|type|map[|import|require|go.mod|gomod
depends on|func TestA|it(|test(a|describe(|//|///|/**|/*|😀|界|ſet|É|\u212a|i\u017fam""".replace("\n", "|")


# Sentences by slots, an option of each: what a rule wants in a row, and now and then something else.
NOISE_SENTENCES = [
    ("I don't|i dont|i don’t", "have|have any", "information|data|memory|record|a record|access to"),
    ("I don't|i dont|i don’t|it looks like i don't", "recall|remember|know"),
    ("I'm|im|i’m", "not sure", "about|of"),
    ("I wasn't|i wasnt", "able to", "find|see"),
    ("no|No relevant", "memories", "found|lost"),
    ("|so, |hey, |Bob: ", "do you|can you", "remember|recall|know about|know"),
    ("|so, |Bob: ", "did i|what did i|have i", "tell|mention|say|share|told|mentioned|said"),
    ("如果你知道|如果不知道", "x|就", "只回复", "none|精确代号|NONE"),
    ("你|你还|记不|还", "记得", "|x|x吗"),
    ("你", "知道|晓道|知", "|x", "吗|呢"),
    ("我", "之前|上次|以前", "说|提|讲|写", "过这个|", "吗|呢|？|?|。"),
    ("you", "never|don't|dont|do not|can't|cannot|can", "remember|recall|get|understand|see"),
    ("why", "do|can|did", "you", "|keep", "forget|not remember|never remember|see"),
    ("did you", "get|understand|see", "what i", "said|told you|meant|saw"),
    ("what", "|just", "changed", "|?|??|!"),
    ("why", "is|are|was", "my|the|our", "memory|memories|memorys", "wrong|missing|broken|not working|slow"),
    ("query", "->|-->|=>", "none|no explicit solution|unknown|not found|found"),
    ("user asked for", "x|x\ny", "none|no explicit solution|unknown|not found|nothing"),
    ("hi|hello|hey|good morning|good evening|greetings", "|there|Jude", "|is|was|my|our|we|I'm|i’m|so|sure"),
    ("fresh|new|old", "session|sessions"),
]
ADAPTIVE_SENTENCES = [
    ("hi|hello|hey|good|greetings|yo|sup|howdy|whats|what's", "|morning|night|up", "|x", "|y z", "|w", "|?"),
    ("run|build|test|ls|cd|git|npm|pip|docker|curl|cat|grep|find|make|sudo", "|a", "|b", "|c d",
     "|-v|--x|/e|./f|..|g/h/i|j/k"),
    ("yes|nope|ok|sure|fine|thank you|thx|ty|got it|cool|great|perfect|awesome|👍|❌|go ahead|next|ping|debug",
     "|.|!|?|..|x"),
    ("实施|开始|继续|好的|可以|行|實施|開始|繼續", "|    .|    !|了"),
    ("I", "remember|recall|forgot|memory|memories|memorise", "|it"),
    ("x", "last time|before|previously|earlier|yesterday|ago|agog"),
    ("my", "name|names|email|phones|address|addresses|birthday|preference|preferences|car"),
    ("what did|did", "i|we|they", "tell|say|mention|do"),
    ("你|妳|还|還", "记得|記得", "吗|"),
    ("之前|上次|以前|提到过|提到過|说过|說過|现在", "x|"),
    ("erinnerst du dich|weißt du noch|weisst du noch|was war mein|was ist mein|was ist dein|letztes mal|letzten mal"
     "|letzter mal|vorher|gestern|neulich|merk dir|merke dir|habe ich dir gesagt|habe ich erwähnt|HABE ICH ERWÄHNT",
     "|x"),
    ("|x\n|[cron:a b] ",
     "Conversation info (untrusted metadata):|Sender (untrusted metadata):|CONVERSATION INFO (untrusted metadata):",
     "\n{}|{}", "\n\n|\n \u3000\n|\n", "hi|Which one is it now", "|\n\nok|\n\nwell, that is it"),
    ("[cron:1 x]|[CRON:a]|[cron:]", "[Mon 2026-03-02 04:21 GMT+8]|[mon 2026-03-02 04:21]|", "hi|run it|x"),
    ("12345|1 2 3 4 5|#*123|😀😀😀|👩\u200d💻|❤\ufe0f❤\ufe0f❤|port|端口|x", "|?|？|2026"),
    ("HEARTBEAT|heartbeats|x HEARTBEAT|[System|[system:", "|x|now and then it comes"),
]  # fmt: skip


@st.composite
def sentences(draw, families, pieces):
    """Return a sentence of a family, whole in most cases, with something before or behind it."""
    words = [draw(st.sampled_from(slot.split("|"))) for slot in draw(st.sampled_from(families))]
    joint = " " if words[0].isascii() else ""
    whole = joint.join(word for word in words if word)
    text = whole if draw(st.integers(0, 3)) else "".join(word + draw(st.sampled_from(GAPS)) for word in words)
    case = draw(st.sampled_from([str, str, str.upper, str.title]))
    around = st.just("") | text_of(pieces, 2)
    return draw(around) + case(text) + draw(around)


def text_of(pieces, most):
    """Return texts of pieces with gaps between them."""
    pairs = st.tuples(st.sampled_from(pieces.split("|")), st.sampled_from(GAPS))
    return st.lists(pairs, max_size=most).map(lambda parts: "".join(piece + gap for piece, gap in parts))


@settings(max_examples=examples(10_000))
@given(
    sentences(NOISE_SENTENCES, NOISE_PIECES) | text_of(NOISE_PIECES, 9),
    st.sampled_from([*PROFILES, PROFILES[-1]]),
    st.sampled_from([(), (), (), (), ("denials",), ("meta",), ("boilerplate",), tuple(SWITCHES)]).map(frozenset),
    st.sampled_from([None, "codepoint", "utf16"]),
)
def test_noise_is_its_definition(text, profile, off, unit):
    switches = {f"filter_{name}": name not in off for name in SWITCHES}
    found = is_noise(text, profile, **switches, length_unit=unit)
    assert found == noise.is_noise(text, profile, off, unit or "")


@settings(max_examples=examples(10_000))
@given(
    sentences(ADAPTIVE_SENTENCES, ADAPTIVE_PIECES) | text_of(ADAPTIVE_PIECES, 7),
    st.sampled_from(PROFILES),
    st.none() | st.integers(1, 40),
    st.sampled_from([None, "codepoint", "utf16"]),
)
def test_adaptive_retrieval_is_its_definition(query, profile, least, unit):
    found = should_skip_retrieval(query, profile, min_length=least, length_unit=unit)
    assert (found.skip, found.reason) == adaptive.should_skip(query, profile, least, unit or "")


@settings(max_examples=examples(10_000))
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
