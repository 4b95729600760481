"""The keywords of recalls and activations for mypy --strict: right ones pass, wrong lines say which error they give."""

import asyncio

from byheart import Memory, Profile, Recall, escalating
from byheart.memory.options import RecallOptions
from byheart.profiles import IfFewer, Leg
from byheart.ranking.agreement import AgreementFusion

memory = Memory()
answer: Recall = memory.recall("x", 3, "kb-fast", session_id="s", exclude=["a"], now=0, explain=True)
waited: Recall = asyncio.run(memory.arecall("x", 3, session_id="s"))
options: RecallOptions = {"session_id": "s", "deadline": 0.5}
memory.recall("x", **options)
memory.context("x", 100, user_id="ann")
memory.explain("x", "a", category="tea")
mine: Profile = Profile("mine", legs=(Leg("lexical"), Leg("dense", when=IfFewer(3))), stages=(AgreementFusion(),))
memory.recall("x", profile=mine)
memory.recall("x", profile=escalating("words", min_score=0.0))
memory.activate("x", 3, scope=["project"], actor="ann", now=0)
memory.search("x", where={"kind": "note"}, after=3)

memory.recall("x", sesion_id="s")  # E: call-arg
memory.recall("x", deadline="soon")  # E: arg-type
memory.context("x", 100, sesion_id="s")  # E: call-arg
memory.explain("x", "a", categroy="tea")  # E: call-arg
memory.recall("x", k="3")  # E: arg-type
asyncio.run(memory.arecall("x", sesion_id="s"))  # E: call-arg
memory.activate("x", scopes=["project"])  # E: call-arg
memory.search("x", actor="ann")  # E: call-arg
wrong: RecallOptions = {"sesion_id": "s"}  # E: typeddict-unknown-key
Leg("dense", when=3)  # E: arg-type
