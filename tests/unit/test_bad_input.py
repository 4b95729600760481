"""Bad input gets one clear typed error, or a stated result, and leaves everything as it was."""

import asyncio
import pickle
import re

import numpy as np
import pytest

import byheart
from byheart import errors
from byheart.embedding import HashingEmbedder


@pytest.fixture
def memory():
    memory = byheart.Memory()
    memory.remember("The kettle is descaled in spring", id="kettle", created_at=0)
    return memory


def state(memory):
    """Return all that can be seen of a memory, for before-and-after comparisons."""
    return memory.stats(), memory.recall("kettle descaled spring", now=0).to_dict()


MB = 1_000_000
CALLS = {
    "lone surrogate in a text": (
        lambda m: m.remember("a\ud800b"),
        errors.InvalidArgument,
        "lone surrogate at character 1",
    ),
    "lone surrogate in a query": (lambda m: m.recall("\udfff"), errors.InvalidArgument, "query"),
    "lone surrogate in a topic": (lambda m: m.remember("a", topic="\ud800"), errors.InvalidArgument, "topic"),
    "lone surrogate in an id": (lambda m: m.remember("a", id="\ud800"), errors.InvalidArgument, "id"),
    "lone surrogate in a tenant": (lambda m: m.remember("a", tenant="\ud800"), errors.InvalidArgument, "tenant"),
    "document of 11 MB": (lambda m: m.remember("word " * (11 * MB // 5)), errors.LimitExceeded, "10000000"),
    "document of 11 MB in few characters": (lambda m: m.remember("東" * 4 * MB), errors.LimitExceeded, "10000000"),
    "query of a million terms": (lambda m: m.recall("ab " * MB), errors.LimitExceeded, "1000000"),
    "query of 5,000 distinct terms": (
        lambda m: m.recall(" ".join(f"t{n}" for n in range(5000))),
        errors.LimitExceeded,
        "4096",
    ),
    "k of 0": (lambda m: m.recall("kettle", k=0), errors.InvalidArgument, "at least 1"),
    "negative k": (lambda m: m.recall("kettle", k=-1), errors.InvalidArgument, "at least 1"),
    "k of 2^63": (lambda m: m.recall("kettle", k=2**63), errors.LimitExceeded, "100000"),
    "k of 2^200": (lambda m: m.recall("kettle", k=2**200), errors.LimitExceeded, "100000"),
    "k that is no int": (lambda m: m.recall("kettle", k="3"), TypeError, "k must be int"),
    "k that is a bool": (lambda m: m.recall("kettle", k=True), TypeError, "k must be int"),
    "one id twice": (
        lambda m: m.remember_many([{"text": "a", "id": "x"}, {"text": "b", "id": "x"}]),
        errors.DuplicateId,
        "'x' occurs twice",
    ),
    "a bad record among good ones": (lambda m: m.remember_many(["good", ""]), errors.InvalidArgument, "text"),
    "text that is no str": (lambda m: m.remember(7), TypeError, "int"),
    "one str as many records": (lambda m: m.remember_many("text"), TypeError, "list"),
    "query that is no str": (lambda m: m.recall(7), TypeError, "query"),
    "query terms that are no str": (lambda m: m.recall(["a", 7]), TypeError, "terms"),
    "text of blanks": (lambda m: m.remember(" \n\t"), errors.InvalidArgument, "text: is empty"),
    "blank user": (lambda m: m.remember("a", user_id=""), errors.InvalidArgument, "user_id: is blank"),
    "blank session": (lambda m: m.remember("a", session_id=" "), errors.InvalidArgument, "session_id: is blank"),
    "blank user made of an update": (lambda m: m.update("kettle", user_id=""), errors.InvalidArgument, "user_id"),
    "turn of a blank user": (
        lambda m: m.ingest_turn("tea", session_id="s", user_id=""),
        errors.InvalidArgument,
        "user_id: is blank",
    ),
    **{
        f"turn whose {name} is {value!r}": (lambda m, given={name: value}: turn(m, **given), kind, said)
        for name, value, kind, said in [
            ("session_id", " ", errors.InvalidArgument, "session_id: is blank"),
            ("role", "", errors.InvalidArgument, "role: is blank"),
            ("text", 7, TypeError, "text must be str, not int"),
            ("session_id", 7, TypeError, "session_id must be str, not int"),
            ("role", None, TypeError, "role must be str, not NoneType"),
            ("user_id", 7, TypeError, "user_id must be str, not int"),
            ("tenant", "", errors.InvalidArgument, "tenant"),
            ("scope", 7, TypeError, "scope must be"),
            ("boundary_class", "open", errors.InvalidArgument, "boundary class: 'open'"),
            ("gate", 7, TypeError, "gate must be GateSettings, not int"),
            ("durable", "maybe", errors.InvalidArgument, "durable"),
            ("metadata", {"n": float("nan")}, errors.InvalidArgument, "metadata"),
        ]
    },
    "recall for a blank user": (lambda m: m.recall("kettle", user_id=""), errors.InvalidArgument, "user_id: is blank"),
    "context of a blank session": (
        lambda m: m.context("kettle", 100, session_id=""),
        errors.InvalidArgument,
        "session_id: is blank",
    ),
    "bytes for an id": (lambda m: m.get(b"kettle"), TypeError, "not bytes"),
    "array in metadata": (
        lambda m: m.remember("a", metadata={"fine": 1, "a": np.arange(2)}),
        errors.InvalidArgument,
        "metadata: is not plain JSON at 'a'",
    ),
    "milliseconds": (
        lambda m: m.remember("a", created_at=1_763_900_000_000),
        errors.InvalidArgument,
        "counts milliseconds, divide it by 1,000",
    ),
    "nothing to remember": (lambda m: m.remember_many(None), TypeError, "records must be a list or another iterable"),
    "a fact that ends before it began": (
        lambda m: m.remember("a", valid_from="2026-01-02", valid_to="2026-01-01"),
        errors.InvalidArgument,
        "valid_to: lies before valid_from",
    ),
    "fewer turns than none": (
        lambda m: m.compact(session_id="s", keep_recent=-1),
        errors.InvalidArgument,
        "keep_recent: is -1",
    ),
    "a key that is no text": (
        lambda m: m.remember("a", metadata={1: 2, "1": 3}),
        errors.InvalidArgument,
        "metadata: is not plain JSON: key 1 is no text",
    ),
    "a key that is no text, further in": (
        lambda m: m.remember("a", metadata={"sizes": [{"s": 1}, {None: 2}]}),
        errors.InvalidArgument,
        "key None is no text",
    ),
    "an argument of opening": (
        lambda m: byheart.Memory(embeder=None),
        TypeError,
        "Memory: there is no argument 'embeder'; did you mean 'embedder'?",
    ),
    "an argument of a verb": (
        lambda m: m.ingest_turn("a", session="s"),
        TypeError,
        "Memory.ingest_turn: there is no argument 'session'; did you mean 'session_id'?",
    ),
    "an argument that is given twice": (
        lambda m: m.update("a", id="b"),
        TypeError,
        "Memory.update: 'id' is given twice, by its place and by its name",
    ),
    "an argument of a coroutine": (
        lambda m: asyncio.run(m.acount(fliter={})),
        TypeError,
        "count: there is no argument 'fliter'",
    ),
    "a key of a boundary": (
        lambda m: m.recall("a", boundary={"tenants": "t"}),
        errors.InvalidArgument,
        "it has tenant, scopes and classes; did you mean 'tenant'?",
    ),
    "an embedder by its name": (
        lambda m: byheart.Memory(embedder="hashing"),
        TypeError,
        "such as HashingEmbedder(), or work like one, not str",
    ),
    "an embedder's class": (
        lambda m: byheart.Memory(embedder=HashingEmbedder),
        TypeError,
        "embedder is the class HashingEmbedder; give an instance: HashingEmbedder()",
    ),
    "an embedder's class, to embed": (
        lambda m: m.embed(HashingEmbedder),
        TypeError,
        "embedder is the class HashingEmbedder; give an instance: HashingEmbedder()",
    ),
    "an embedder by its name, to embed": (lambda m: m.embed("hashing"), TypeError, "such as HashingEmbedder"),
    "until, a flag": (lambda m: m.recall("a", until=True), TypeError, "until must be a datetime"),
    "since, an object": (lambda m: m.recall("a", since=object()), TypeError, "since must be a datetime"),
    "k, as others call it": (lambda m: m.recall("a", top_k=3), TypeError, "did you mean 'k'"),
    "where, as others call it": (lambda m: m.recall("a", filter={"id": "x"}), TypeError, "did you mean 'where'"),
    "title, as others call it": (lambda m: m.remember("a", title="b"), errors.UnknownField, "did you mean 'topic'"),
    "filter by title": (lambda m: m.recall("a", where={"title": "b"}), errors.UnknownField, "did you mean 'topic'"),
    "empty id": (lambda m: m.remember("a", id=""), errors.InvalidArgument, "id"),
    "id of 513 bytes": (lambda m: m.remember("a", id="x" * 513), errors.LimitExceeded, "512"),
    "unknown profile": (lambda m: m.recall("a", profile="kb-slow"), errors.UnknownProfile, "kb-fast, kb-balanced"),
    "profile of another type": (lambda m: m.recall("a", profile=3), TypeError, "profile"),
    "unknown field": (lambda m: m.remember("a", colour="red"), errors.UnknownField, "colour"),
    "unknown field to forget by": (lambda m: m.forget(where={"colour": 1}), errors.UnknownField, "colour"),
    "forget nothing in particular": (lambda m: m.forget(), errors.InvalidArgument, "ids or where"),
    "forget with an empty filter": (lambda m: m.forget(where={}), errors.InvalidArgument, "where"),
    "unknown act": (lambda m: m.recall("a", act="dance"), errors.InvalidArgument, "dance"),
    "unknown boundary class": (lambda m: m.recall("a", boundary={"classes": ["top"]}), errors.InvalidArgument, "top"),
    "unknown key of a boundary": (lambda m: m.recall("a", boundary={"user": "x"}), errors.InvalidArgument, "user"),
    "boundary of another type": (lambda m: m.recall("a", boundary=3), TypeError, "boundary"),
    "scope of 65 characters": (lambda m: m.remember("a", scope="s" * 65), errors.LimitExceeded, "64"),
    "control character in a scope": (lambda m: m.remember("a", scope="a\x1fb"), errors.InvalidArgument, "control"),
    **{
        f"character {code:#x} in a scope": (
            lambda m, code=code: m.remember("a", scope=f"a{chr(code)}b"),
            errors.InvalidArgument,
            "surrogate",
        )
        for code in (0x0, 0x1F, 0xD800, 0xDFFF)
    },
    "empty scope of a boundary": (
        lambda m: m.recall("a", boundary={"scopes": ["project", ""]}),
        errors.InvalidArgument,
        "scope: is empty; give 1 to 64 characters",
    ),
    "no time": (lambda m: m.remember("a", created_at="March"), errors.InvalidArgument, "is no ISO time"),
    "NaN time": (lambda m: m.remember("a", created_at=float("nan")), errors.InvalidArgument, "seconds"),
    "absurd time": (lambda m: m.recall("a", now=1e300), errors.InvalidArgument, "seconds"),
    "NaN importance": (lambda m: m.remember("a", importance=float("nan")), errors.InvalidArgument, "importance"),
    "importance over 1": (lambda m: m.remember("a", importance=2), errors.InvalidArgument, "importance"),
    "metadata that is no JSON": (lambda m: m.remember("a", metadata={"a": object()}), errors.InvalidArgument, "JSON"),
    "deep metadata": (lambda m: m.remember("a", metadata=nested(40)), errors.LimitExceeded, "32"),
    "large metadata": (lambda m: m.remember("a", metadata={"a": "x" * 1_000_000}), errors.LimitExceeded, "1000000"),
    "explain an unknown id": (lambda m: m.explain("kettle", "pot"), errors.RecordNotFound, "pot"),
    "pickle a memory": (pickle.dumps, TypeError, "pickled"),
}


def nested(depth):
    value = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def turn(memory, **given):
    """Take a turn in."""
    given = {"text": "tea", "session_id": "s", **given}
    return memory.ingest_turn(given.pop("text"), **given)


@pytest.mark.parametrize("name", CALLS)
def test_one_clear_error_and_nothing_changed(memory, name):
    call, kind, words = CALLS[name]
    before = state(memory)
    with pytest.raises(kind) as caught:
        call(memory)
    assert re.search(rf"(?<!\w){re.escape(words)}", str(caught.value)), "names and words stand whole"
    assert len(str(caught.value)) < 400
    assert state(memory) == before


def test_what_looks_bad_but_is_defined(memory):
    assert memory.remember("nul \x00 is a character", id="nul") == "nul"
    assert [hit.id for hit in memory.recall("nul")] == ["nul"]
    assert memory.remember("x" * (10 * MB), id="long") == "long"
    assert [hit.id for hit in memory.recall("x" * (MB - 1))] == [
        "long"
    ]  # a token is cut at 255 bytes: both begin alike
    assert list(memory.recall("")) == []
    assert list(memory.recall("the of and")) == []
    assert list(memory.recall("kettle", boundary={"tenant": "nobody"})) == []
    assert list(memory.recall("kettle", boundary={"scopes": []})) == []
    assert memory.forget("unknown") == byheart.ForgetReceipt((), ("unknown",))


@pytest.mark.parametrize("code", [0x20, 0x7F, 0xD7FF, 0xE000, 0x10FFFF])
def test_a_scope_holds_any_other_character(memory, code):
    id = memory.remember("tea", scope=f"a{chr(code)}b")
    assert memory.get(id).scope == f"a{chr(code)}b"


def test_a_closed_boundary_can_only_be_narrowed():
    memory = byheart.Memory(tenant="a", boundary={"tenant": "a", "scopes": ["project", "session"]})
    memory.remember("kettle", id="k")
    assert [hit.id for hit in memory.recall("kettle", boundary={"scopes": ["project"]})] == ["k"]
    wider = [{"tenant": "b"}, {"scopes": ["principle"]}, {"scopes": None}, {"classes": ["pii"]}]
    for boundary in wider:
        with pytest.raises(errors.BoundaryViolation):
            memory.recall("kettle", boundary=boundary)
    for fields in ({"tenant": "b"}, {"scope": "principle"}, {"boundary_class": "secret"}):
        with pytest.raises(errors.BoundaryViolation):
            memory.remember("kettle", **fields)
    assert memory.stats()["records"] == 1


def test_indexes_refuse_what_memories_refuse():
    index = byheart.LexicalIndex()
    index.add(["a"], ["fox"])
    before = index.to_bytes()
    bad = [
        (lambda: index.add(["b", "b"], ["x", "y"]), errors.InvalidArgument),
        (lambda: index.add(["b"], ["x", "y"]), errors.InvalidArgument),
        (lambda: index.add(["b"], [{"body": "x"}]), errors.InvalidArgument),
        (lambda: index.add(["b"], [7]), TypeError),
        (lambda: index.add("b", ["x"]), TypeError),
        (lambda: index.add(["b"], ["x\ud800"]), errors.InvalidArgument),
        (lambda: index.add([""], ["x"]), errors.InvalidArgument),
        (lambda: index.add(["b"], ["x" * (10 * MB + 1)]), errors.LimitExceeded),
        (lambda: index.search("fox", 0), errors.InvalidArgument),
        (lambda: index.search("fox", 2**63), errors.LimitExceeded),
        (lambda: index.search("fox", boosts={"role": float("nan")}), errors.InvalidArgument),
        (lambda: index.search("fox", boosts={"role": -1.0}), errors.InvalidArgument),
        (lambda: index.explain("fox", "nobody"), errors.InvalidArgument),
        (lambda: byheart.LexicalIndex({"text": float("nan")}), errors.InvalidArgument),
        (lambda: byheart.LexicalIndex({"text": -1.0}), errors.InvalidArgument),
        (lambda: byheart.LexicalIndex({}), errors.InvalidArgument),
        (lambda: byheart.LexicalIndex(k1=float("inf")), errors.InvalidArgument),
        (lambda: byheart.LexicalIndex(b=1.5), errors.InvalidArgument),
        (lambda: byheart.LexicalIndex.from_bytes(before[:-1]), errors.CorruptIndex),
        (lambda: byheart.HypervectorIndex.from_bytes(before), errors.CorruptIndex),
        (lambda: pickle.dumps(index), TypeError),
        (lambda: byheart.Analyzer(mode="latin"), errors.InvalidArgument),
        (lambda: byheart.HyperVector.from_bytes(b"short"), errors.InvalidArgument),
    ]
    for call, kind in bad:
        with pytest.raises(kind):
            call()
    assert index.to_bytes() == before


def test_a_misspelled_field_is_told_the_nearest_and_a_time_by_the_name_it_was_given() -> None:
    memory = byheart.Memory()
    with pytest.raises(
        errors.UnknownField, match=r"unknown field 'supersede'; did you mean 'supersedes'\?; data of your own"
    ):
        memory.remember("tea", supersede="k")
    for name in ("since", "until"):
        with pytest.raises(errors.InvalidArgument, match=f"^{name}: '9 May' is no ISO time"):
            memory.recall("tea", **{name: "9 May"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "path", ["", "  ", b"memory.db", 3, "sqlite:///me.db", "postgresql://host/me", "nul\0.db", "nul\0.jsonl"]
)
def test_what_is_no_path_makes_no_file(tmp_path, monkeypatch, path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((errors.InvalidArgument, TypeError), match=r"^path"):
        byheart.Memory(path)
    assert not list(tmp_path.iterdir())


HINTS: list[tuple[str, tuple[object, ...], dict[str, object], str]] = [
    ("recall", ("tea",), {"tenant": "acme"}, "recall: there is no option 'tenant'; write boundary={\"tenant\": ...}"),
    ("context", ("tea", 9), {"tenant": "acme"}, "no option 'tenant'; write boundary={\"tenant\": ...}"),
    ("recall", ("tea",), {"limit": 3}, "did you mean 'k'?"),
    ("forget", (), {"user_id": "ann"}, "no argument 'user_id'; write where={\"user_id\": ...}"),
    ("records", (), {"offset": 5}, "no argument 'offset'; the next page is asked for by cursor="),
    ("update", ("a", "new text"), {}, "Memory.update: what changes is given by name, as in update(id, text=...)"),
    ("activate", ("tea",), {"user_id": "ann"}, 'an actor is no wall: write where={"user_id": ...}'),
    ("update", (), {"text": "new text"}, "missing 1 required positional argument: 'id'"),
]


@pytest.mark.parametrize(
    ("verb", "args", "options", "said"), HINTS, ids=[f"{verb} {said}" for verb, _, _, said in HINTS]
)
def test_the_commonest_slips_are_told_what_to_write(verb, args, options, said) -> None:
    memory = byheart.Memory()
    memory.remember("tea", id="a")
    with pytest.raises(TypeError) as caught:
        getattr(memory, verb)(*args, **options)
    assert said in str(caught.value)
    assert memory.get("a").text == "tea"


OF_OTHERS = {
    "recall": ("tenant", "tenant_id", "scope", "boundary_class", "limit", "top_k", "n_results", "filter", "filters"),
    "search": ("user_id", "limit", "filter"),
    "activate": ("user_id", "limit", "filter"),
    "forget": ("user_id", "session_id", "filter"),
    "records": ("user_id", "session_id", "offset"),
    "count": ("user_id",),
}
HERE = {"limit": "k", "top_k": "k", "n_results": "k", "filter": "where", "filters": "where", "offset": "cursor"} | {
    "tenant": "boundary", "tenant_id": "boundary", "scope": "boundary", "boundary_class": "boundary",
    "user_id": "where", "session_id": "where",
}  # fmt: skip


@pytest.mark.parametrize(("verb", "option"), [(verb, option) for verb, some in OF_OTHERS.items() for option in some])
def test_options_of_other_stores_are_told_the_one_here(verb: str, option: str) -> None:
    asked = getattr(byheart.Memory(), verb)
    question = ("tea",) if verb in ("recall", "search", "activate") else ()
    with pytest.raises(TypeError) as caught:
        asked(*question, **{option: 3})
    known, here = str(caught.value).partition(f"'{option}'; ")[2], HERE[option]
    assert f"did you mean '{here}'?" in known or f"{here}=" in known
    with pytest.raises((TypeError, errors.ByheartError), match=f"^{here}") as refused:  # which there is
        asked(*question, **{here: object()})
    assert "there is no" not in str(refused.value)


def test_a_mistyped_verb_leads_to_the_one_there_is() -> None:
    memory = byheart.Memory()
    for hidden in ("_recal", "_zzz"):  # what begins so is nobody's to mean
        with pytest.raises(AttributeError, match=rf"'Memory' object has no attribute '{hidden}'$"):
            getattr(memory, hidden)
    with pytest.raises(AttributeError, match="'Memory' object has no attribute 'rekall'; did you mean 'recall'"):
        memory.rekall  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute '_engines'$"):
        memory._engines  # type: ignore[attr-defined]  # noqa: B018


def test_what_is_no_time_is_refused_by_name() -> None:
    class NoTime:
        """As pandas' NaT, which has a date's verbs."""

        def toordinal(self) -> int:
            raise ValueError("no date")

        def utcoffset(self) -> None:
            raise ValueError("no zone")

        def __str__(self) -> str:
            return "NaT"

    memory = byheart.Memory()
    with pytest.raises(errors.InvalidArgument, match=r"^created_at: NaT names no time"):
        memory.remember("tea", created_at=NoTime())
    with pytest.raises(errors.InvalidArgument, match=r"^now: NaT names no time"):
        memory.recall("tea", now=NoTime())  # type: ignore[arg-type]
    assert memory.count() == 0


def test_numbers_of_numpy_are_numbers_and_kept_as_plain_ones() -> None:
    memory = byheart.Memory()
    metadata = {"litres": np.int64(2), "hot": np.bool_(True), "sizes": [np.float32(0.5)]}
    memory.remember(
        "kettle",
        id="a",
        importance=np.float32(0.5),
        access_count=np.int64(3),
        created_at=np.float64(9),
        metadata=metadata,
    )
    record = memory.get("a")
    assert record == byheart.Record.from_dict(record.to_dict())
    assert (type(record.importance), type(record.access_count), record.created_at) == (float, int, 9.0)
    assert record.metadata == {"hot": True, "litres": 2, "sizes": [0.5]} and type(record.metadata["litres"]) is int
    for where in ({"metadata.litres": np.int32(2)}, {"importance": {">=": np.float32(0.5)}}):
        assert (
            len(memory.recall("kettle", k=np.int64(1), where=where, now=np.int64(10), min_strength=np.float32(0))) == 1
        )
    assert len(memory.records(limit=np.int64(1))) == 1


def test_answers_can_be_held_in_sets_and_named() -> None:
    memory = byheart.Memory()
    memory.remember("kettle", id="a", metadata={"litres": 2})
    one, again = memory.recall("kettle"), memory.recall("kettle", explain=True)
    assert {one[0], memory.recall("kettle")[0]} == {one[0]} and len({one[0], again[0]}) == 2
    assert {memory.get("a"), memory.get("a")} == {memory.get("a")}
    assert isinstance(memory.remember("tea", receipt=True), byheart.RememberReceipt)
    assert isinstance(memory.stats(), byheart.Stats) and set(byheart.__all__) <= set(dir(byheart))
    for name in dir(byheart):
        getattr(byheart, name)


def test_a_closed_memory_says_so_and_takes_nothing() -> None:
    memory = byheart.Memory()
    memory.remember("tea", id="tea")
    memory.close()
    memory.close()
    for call in (lambda: memory.recall("tea"), lambda: memory.get("tea"), lambda: memory.remember("rice")):
        with pytest.raises(errors.StoreError, match="closed"):
            call()


def test_a_text_is_given_once() -> None:
    memory = byheart.Memory()
    with pytest.raises(TypeError, match="text is given twice, by itself and by name"):
        memory.remember("The paddles hang on the wall.", text="y")
    assert memory.count() == 0
    assert memory.remember({"text": "x", "id": "a"}, text="y") == "a" and memory.get("a").text == "y"
