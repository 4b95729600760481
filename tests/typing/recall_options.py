"""Keywords and words of the verbs for type checkers: right ones pass, wrong lines say which error mypy gives there."""

import asyncio
from datetime import UTC, date, datetime

from byheart import Boundary, Memory, Profile, Recall, RecallOptions, RecordFields, Where, escalating, field
from byheart.conversation.gate import GateSettings
from byheart.memory.histories import Happened
from byheart.profiles import EscalatingConfig, HybridConfig, IfFewer, Leg
from byheart.ranking.agreement import AgreementFusion
from byheart.writing.receipts import RememberReceipt

memory = Memory()
answer: Recall = memory.recall("x", 3, "kb-fast", session_id="s", exclude=["a"], now=0, explain=True)
waited: Recall = asyncio.run(memory.arecall("x", 3, session_id="s"))
several: list[Recall] = memory.recall_many(["x", ["y"]], 3, session_id="s", vectors=[None, [1.0]])
options: RecallOptions = {"session_id": "s", "deadline": 0.5}
memory.recall("x", **options)
memory.context("x", 100, user_id="ann")
memory.explain("x", "a", category="tea")
mine: Profile = Profile("mine", legs=(Leg("lexical"), Leg("dense", when=IfFewer(3))), stages=(AgreementFusion(),))
memory.recall("x", profile=mine)
memory.recall("x", profile=escalating("words", min_score=0.0))
memory.activate("x", 3, scope=["project"], actor="ann", now=0)
memory.search("x", where={"kind": "note"}, after=3)

memory.recall("x", as_of="2026-01-01T00:00:00Z", include_superseded=True)
id: str = memory.remember("x", user_id="ann")
done: RememberReceipt = memory.remember("x", supersedes="a", receipt=True)
each: list[RememberReceipt] = memory.remember_many(["x"], receipt=True)
told: list[Happened] = memory.history("a")

memory.recall("x", sesion_id="s")  # E: call-arg
memory.recall("x", include_superseded="yes")  # E: arg-type
never: str = memory.remember("x", receipt=True)  # E: assignment
memory.history(3)  # E: arg-type
memory.recall("x", deadline="soon")  # E: arg-type
memory.context("x", 100, sesion_id="s")  # E: call-arg
memory.explain("x", "a", categroy="tea")  # E: call-arg
memory.recall("x", k="3")  # E: arg-type
memory.recall_many(["x"], sesion_id="s")  # E: call-arg
asyncio.run(memory.arecall("x", sesion_id="s"))  # E: call-arg
memory.activate("x", scopes=["project"])  # E: call-arg
memory.search("x", actor="ann")  # E: call-arg
wrong: RecallOptions = {"sesion_id": "s"}  # E: typeddict-unknown-key
Leg("dense", when=3)  # E: arg-type

# ---- the fields of a record

memory.remember(
    "x", id="a", topic="tea", tags=["hot"], metadata={"room": "kitchen"}, created_at=datetime(2026, 1, 1, tzinfo=UTC)
)
memory.remember("x", boundary_class="pii", role="Procedure", expires_at="2027-01-01", supersedes=["a"], vector=[1.0])
memory.update("a", text="y", importance=0.5, if_version="1", superseded_by="b")
fields: RecordFields = {"topic": "tea", "user_id": "ann"}
memory.remember("x", **fields)
memory.remember("x", topci="tea")  # E: call-overload
memory.remember("x", boundary_class="privat")  # E: call-overload
memory.remember("x", importance="high")  # E: call-overload
memory.remember("x", tags=3)  # E: call-overload
memory.remember("x", created_at=[2026])  # E: call-overload
memory.update("a", tpoic="tea")  # E: call-arg
memory.update("a", created_at=0)  # E: call-arg
asyncio.run(memory.aremember("x", topci="tea"))  # E: call-overload

# ---- closed words

Memory(preset="conversation", hypervectors="ngrams", noise=None, noise_profile="byheart")
memory.recall("x", profile="mine", mode="early_exit", act="explain", now="2026-01-01", since=date(2026, 1, 1))
memory.ingest_turn("x", session_id="s", role="human", durable="all", durable_duplicates="refuse", now=0)
memory.compact("s", sources="delete", summary_time="compaction", trivial="decline")
memory.feedback("a", "helpful", now="2026-01-01")
memory.observe("chat", "x", mode="digest_only", boundary_class="pii")
memory.upsert("x", provenance={"at": 0}, boundary_class="public", kind="fact")
memory.forget("a", sources="forget")
memory.context("x", 100, policy="fill")
memory.events("search")
Boundary("default", classes=("public",))
EscalatingConfig("mine", escalation="full", secondary="symbolic")
HybridConfig(fusion="rrf", rerank="none")
Memory(preset="chat")  # E: arg-type
Memory(noise="drop")  # E: arg-type
Memory(hypervectors="words")  # E: arg-type
memory.recall("x", mode="quick")  # E: arg-type
memory.recall("x", act="explian")  # E: arg-type
memory.recall("x", now=[0])  # E: arg-type
memory.recall("x", adaptive="mine")  # E: arg-type
memory.ingest_turn("x", session_id="s", durable="maybe")  # E: arg-type
memory.compact("s", sources="keep")  # E: arg-type
memory.feedback("a", "usefull")  # E: arg-type
memory.observe("mail", "x")  # E: arg-type
memory.upsert("x", provenance={}, boundary_class="public", kind="opinion")  # E: arg-type
memory.validate("x", boundary_class="private")  # E: arg-type
memory.forget("a", sources="keep")  # E: arg-type
memory.context("x", 100, policy="full")  # E: arg-type
memory.events("serach")  # E: arg-type
Boundary("default", classes=("pubic",))  # E: arg-type
Profile("mine", legs=(Leg("lexical"),), stages=(), mode="fast")  # E: arg-type
Leg("lexical", within="tenant")  # E: arg-type
EscalatingConfig("mine", escalation="sometimes")  # E: arg-type
HybridConfig(fusion="sum")  # E: arg-type
GateSettings(profile="loose")  # E: arg-type

# ---- filters

where: Where = {"metadata.room": "kitchen", "importance": {">=": 0.5, "<": 1}, "tags": ["a", None], "kind": None}
memory.recall("x", where=where)
memory.recall("x", where={"or": [{"kind": "note"}, {"not": {"created_at": {">=": "2026-01-01"}}}], "user_id": "ann"})
memory.recall("x", where={"metadata.room": {"in": ["a", "b"]}, "or": [{"metadata.floor": 1}]})
memory.recall("x", where={"topic": {"not": {"exists": True}}, "not": {"metadata.room": "a"}})
memory.recall("x", where=field("kind") == "note")
memory.records({"kind": {"$in": ["a"]}})
memory.recall("x", where={"importance": {"=>": 0.5}})  # E: dict-item
memory.recall("x", where={"kind": {"is": "note"}})  # E: dict-item
memory.recall("x", where={"kind": {"exists": "yes"}})  # E: dict-item
memory.count({"importance": {"over": 0.5}})  # E: dict-item
memory.recall("x", where=["kind"])  # E: arg-type
