"""Facts on records, rules of one's own, proofs, sufficiency, traces and aggregates, as a memory shows them."""

from pathlib import Path

import pytest

import byheart
from byheart import Memory, Record, Rule, errors, profiles, rules
from byheart.profiles import KB_THINKINGDB
from byheart.profiles.profile import Leg
from byheart.retrieval import plain_facts

CHAIN = {
    "u0": "AchillesIDE uses Ploinky.",
    "u1": "Ploinky provides sandboxing.",
    "u2": "Sandboxing is relevant for secure execution.",
}
ASKED = "why is AchillesIDE relevant for secure execution?"


@pytest.fixture
def memory():
    memory = Memory()
    memory.remember_many([{"text": text, "id": id, "created_at": 0} for id, text in CHAIN.items()])
    return memory


def test_the_middle_of_a_chain_is_found_and_proved(memory):
    assert "u1" not in [hit.id for hit in memory.recall(ASKED, profile="kb-balanced")]
    found = memory.recall(ASKED, profile="kb-thinkingdb", explain=True)
    explanation = {hit.id: hit.explanation for hit in found}["u1"]
    drawn = str(explanation)
    assert "derived: AchillesIDE has_capability sandboxing via tool_to_capability (0.95)" in drawn
    assert "AchillesIDE uses Ploinky   stated by u0" in drawn and "Ploinky provides sandboxing   stated by u1" in drawn
    assert drawn.index("derived:") < drawn.index("stated by u0") < drawn.index("stated by u1")
    assert str(memory.explain(ASKED, "u1", profile="kb-thinkingdb")) == drawn


def test_parts_of_a_symbolic_score_recompute_to_its_bits(memory):
    for hit in memory.recall(ASKED, profile="kb-thinkingdb", explain=True):
        assert hit.explanation.recomputed() == hit.score
        inner = {change.of: change.inner for change in hit.explanation.changes if change.of is not None}
        assert inner
        for explanation in inner.values():
            assert explanation.recomputed() == explanation.score


def test_a_triple_stands_above_the_text_and_is_sure_by_default(memory):
    memory.remember("nothing of note", id="u9", subject="Ploinky", relation="provides", object="speed", created_at=0)
    trace = memory.recall("achilleside", profile="kb-thinkingdb", explain=True).trace
    assert {proof.text: proof.value for proof in trace.proofs}[
        "derived: AchillesIDE has_capability speed via tool_to_capability (0.95)"
    ] == 0.9 * 1.0 * 0.95


def test_the_trace_says_what_ran_and_why(memory):
    trace = memory.recall(ASKED, profile="kb-thinkingdb", act="explain", explain=True).trace
    assert [strategy.name for strategy in trace.strategies] == ["lexical", "symbolic"]
    assert (trace.purpose, trace.escalated, trace.considered, trace.unit_types) == ("explain", True, 3, ("atomic",))
    notes = {candidate.id: candidate.notes for candidate in trace.strategies[1].candidates}
    assert notes["u1"] == ("thinkingdb", "derived: AchillesIDE has_capability sandboxing", "via: tool_to_capability")
    assert memory.recall(ASKED, profile="kb-thinkingdb").trace is None


def test_a_trace_shows_scores_of_words_as_shares_of_the_best(memory):
    memory.remember_many({"id": f"k{n}", "text": "kettle " * n + "of copper", "created_at": 0} for n in range(1, 4))
    trace = memory.recall("copper kettle sandboxing", profile="kb-thinkingdb", explain=True).trace
    candidates = next(strategy.candidates for strategy in trace.strategies if strategy.name == "lexical")
    best = max(candidate.raw_score for candidate in candidates)
    assert len(candidates) >= 3 and best > 1.0
    for candidate in candidates:
        assert candidate.normalised_score == candidate.raw_score / best


def test_the_needed_roles_are_covered():
    memory = Memory()
    memory.remember("The kettle is descaled in spring", role="Narrative", created_at=0)
    assert memory.recall("kettle").covers_roles
    assert memory.recall("kettle", needed_roles=["Narrative"]).covers_roles
    assert not memory.recall("kettle", needed_roles=["Procedure"]).covers_roles
    assert not memory.recall("teapot").covers_roles
    memory.remember("The kettle is blue", created_at=0)
    assert memory.recall("kettle", needed_roles=["Procedure"]).covers_roles


def test_facts_follow_replacement_forgetting_and_expiry(memory):
    def middle(now=None):
        return "u1" in [hit.id for hit in memory.recall(ASKED, profile="kb-thinkingdb", now=now)]

    assert middle()
    memory.remember("AchillesIDE sleeps.", id="u0", created_at=0)
    memory.forget(["u2"])
    assert not middle()
    memory.remember(CHAIN["u0"], id="u0", created_at=0, expires_at=100)
    assert middle(now=99)
    assert not middle(now=100), "what has expired proves nothing"
    assert memory.recall(ASKED, profile="kb-thinkingdb").receipt.now is not None


def test_an_end_of_life_outside_the_boundary_is_not_noticed(memory):
    memory.remember("far away", id="away", scope="session", expires_at=100, created_at=0)
    inside = {"scopes": ["project"]}
    assert memory.recall(ASKED, profile="kb-thinkingdb", boundary=inside).receipt.now is None


def test_relations_and_rules_of_ones_own():
    likes = Rule("taste", (("?x", "likes", "?y"), ("?y", "part_of", "?z")), ("?x", "likes", "?z"), weight=0.5)
    memory = Memory(relations=["likes"], rules=[*rules.SHIPPED, likes])
    memory.remember("a note", id="a", subject="Ada", relation="likes", object="strings", created_at=0)
    memory.remember("Strings is part of harps", id="b", created_at=0)
    trace = memory.recall("what does Ada like?", profile="kb-thinkingdb", explain=True).trace
    assert trace.proofs[0].text == "derived: Ada likes harps via taste (0.5)"
    with pytest.raises(errors.InvalidArgument, match="'likes' is unknown"):
        Memory().remember("a note", subject="Ada", relation="likes", object="strings")
    with pytest.raises(errors.InvalidArgument, match='"likes" is unknown'):
        Memory(rules=[likes])


def test_rules_from_toml(tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text(
        '[[rules]]\nid = "r"\nwhen = [["?x", "uses", "?y"]]\nthen = ["?y", "supports", "?x"]\nmax_depth = 1\n'
    )
    assert rules.load_toml(file) == (Rule("r", (("?x", "uses", "?y"),), ("?y", "supports", "?x"), 0.9, 1),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("rules = 3", "a list of tables"),
        ("= ", "no TOML"),
        ("other = 1\nrules = []", "nothing else"),
        ("rules = [1]", "rule 1: is no table"),
        ('rules = [{id = "r", then = ["?x", "uses", "?y"]}]', "lacks when"),
        ('rules = [{id = "r", when = [], then = ["a", "uses", "b"]}]', "0 premises"),
        ('rules = [{id = "r", when = [["?x", "uses"]], then = ["a", "uses", "b"]}]', "subject, relation, object"),
        ('rules = [{id = "r", when = [["?x", "uses", "?y"]], then = ["?x", "uses", "?z"]}]', "?z of the conclusion"),
        ('rules = [{id = "r", when = [["?x", "?r", "?y"]], then = ["?x", "uses", "?y"]}]', "name of a relation"),
        (
            'rules = [{id = "r", when = [["?x", "uses", "?y"]], then = ["?x", "uses", "?y"], weight = 2.0}]',
            "weight is 2",
        ),
        ('rules = [{id = "r", when = [["?x", "uses", "?y"]], then = ["?x", "uses", "?y"], weight = "1"}]', "rule 1"),
        (
            'rules = [{id = "r", when = [["?x", "uses", "?y"]], then = ["?x", "uses", "?y"], not = 1}]',
            "unknown key 'not'",
        ),
        (
            'rules = [{id = "r", when = [["?x", "uses", "?y"]], then = ["?x", "uses", "?y"], max_depth = -1}]',
            "max_depth",
        ),
    ],
)
def test_bad_rules_are_refused_with_the_reason(text, reason):
    with pytest.raises(errors.InvalidArgument) as caught:
        rules.parse_toml(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "error", "reason"),
    [
        ({"subject": "a"}, errors.InvalidArgument, "relation and object missing"),
        ({"subject": "a", "relation": "uses"}, errors.InvalidArgument, "object missing"),
        ({"subject": " ?! ", "relation": "uses", "object": "b"}, errors.InvalidArgument, "no letter or number"),
        ({"subject": "a" * 10**6, "relation": "uses", "object": "b"}, errors.LimitExceeded, "512"),
        ({"subject": "a", "relation": "r" * 65, "object": "b"}, errors.LimitExceeded, "64"),
        ({"subject": "a", "relation": "uses", "object": "b", "ku_type": "aggregate"}, errors.InvalidArgument, "none"),
        ({"ku_type": "molecular"}, errors.InvalidArgument, "atomic"),
        ({"child_unit_ids": "abc"}, TypeError, "list"),
    ],
)
def test_bad_facts_are_refused(fields, error, reason):
    with pytest.raises(error, match=reason.replace("?", r"\?")):
        Record(text="x", **fields)


def test_long_and_hostile_texts_state_nothing_and_cost_little(memory):
    for text in ["a " * 400_000 + "uses b", "uses " * 400, " uses \n" * 250, "x uses " + "y" * 1_500]:
        memory.remember(text, id="hostile", created_at=0)
        assert "hostile" not in [hit.id for hit in memory.recall(["achilleside"], profile="kb-thinkingdb")]


def test_an_aggregate_brings_its_children_when_asked_to():
    memory = Memory()
    memory.remember(
        "Kitchen tools, a summary",
        id="all",
        ku_type="aggregate",
        child_unit_ids=["k", "s", "gone", "far"],
        created_at=0,
    )
    memory.remember("The kettle is blue", id="k", parent_unit_ids=["all"], created_at=0)
    memory.remember("Spoons are steel", id="s", expires_at=50, created_at=0)
    memory.remember("Far away", id="far", scope="session", created_at=0)
    ask = {"boundary": {"scopes": ["project"]}, "now": 10}
    profile = profiles.escalating("wide", expand_aggregates=True)
    found = memory.recall("kitchen summary", profile=profile, explain=True, **ask)
    top = found.hits[0].score
    assert [(hit.id, hit.score) for hit in found] == [("all", top), ("k", top * 0.95), ("s", top * 0.95)]
    assert all(hit.explanation.recomputed() == hit.score for hit in found)
    assert [hit.id for hit in memory.recall("kitchen summary", profile=profile, boundary=ask["boundary"], now=60)] == [
        "all",
        "k",
    ]
    assert [hit.id for hit in memory.recall("kitchen summary", **ask)] == ["all"]


def test_a_child_of_two_aggregates_comes_once_by_the_better_of_them():
    memory = Memory()
    memory.remember("kitchen kitchen", id="best", ku_type="aggregate", child_unit_ids=["k", "s"], created_at=0)
    memory.remember("kitchen tools and more", id="next", ku_type="aggregate", child_unit_ids=["s", "k"], created_at=0)
    memory.remember("The kettle is blue", id="k", created_at=0)
    memory.remember("Spoons are steel", id="s", created_at=0)
    found = memory.recall("kitchen", profile=profiles.escalating("wide", expand_aggregates=True), explain=True, now=1)
    scores = {hit.id: hit.score for hit in found}
    assert sorted(hit.id for hit in found) == ["best", "k", "next", "s"]
    assert scores["best"] > scores["next"] and scores["k"] == scores["s"] == scores["best"] * 0.95
    assert len(set(found.table.keys)) == len(found.table.keys)


def test_a_profile_whose_second_retriever_has_no_weight_is_refused():
    with pytest.raises(errors.InvalidArgument, match="lack 'symbolic'"):
        profiles.escalating("mine", secondary="symbolic", escalation="always")
    assert KB_THINKINGDB.runs_secondary(100) and byheart.profiles.get("kb-thinkingdb") is KB_THINKINGDB


def test_an_exhausted_closure_degrades_the_answer_and_says_so():
    chain = Rule("all", (("?a", "uses", "?b"), ("?c", "uses", "?d"), ("?e", "uses", "?f")), ("?a", "uses", "?f"))
    memory = Memory(rules=[chain])
    memory.remember_many([f"hub uses t{n}" for n in range(90)])
    found = memory.recall("hub", profile="kb-thinkingdb", explain=True)
    assert found.degraded and "200000 attempts" in found.degraded[0]
    assert len(found) and found.trace.strategies[1].exhausted


def test_a_deadline_that_is_over_gives_a_degraded_answer():
    memory = Memory()
    for number in range(40):
        memory.remember(f"Node{number} depends on Node{number + 1}.", id=f"n{number}", created_at=0)
    asked = {"profile": "kb-thinkingdb", "explain": True}
    whole = memory.recall("what does Node3 depend on?", **asked)
    assert whole.degraded == () and whole.trace.proofs
    hurried = memory.recall("what does Node3 depend on?", deadline=0, **asked)
    assert hurried.degraded and "stopped" in hurried.degraded[0]
    for bad, kind in ((-1, errors.InvalidArgument), (float("nan"), errors.InvalidArgument), ("1", TypeError)):
        with pytest.raises(kind, match="deadline"):
            memory.recall("x", deadline=bad)


@pytest.mark.parametrize("asked_before", [True, False])
def test_facts_of_archived_turns_are_not_learnt(tmp_path: Path, asked_before: bool) -> None:
    """Whether facts were asked for before the compaction or not, in the same handle and in one that is opened anew."""
    path = tmp_path / "memory.db"

    def check(memory: byheart.Memory) -> None:
        for query in ("what does the fox use?", "owl", "who provides red paint?"):
            for explain in (False, True):
                found = memory.recall(query, profile="kb-thinkingdb", explain=explain)
                assert not [hit.id for hit in found if hit.record.archived_by is not None]
        assert memory.check() == []

    with byheart.Memory(path, noise=None) as memory:
        for number, text in enumerate(["Fox uses owl.", "The owl provides red paint.", "Lunch was fine today."]):
            memory.ingest_turn(text, session_id="s", created_at=number)
        memory.remember("Kettles are descaled in spring.")
        if asked_before:
            assert memory.recall("what does the fox use?", profile="kb-thinkingdb").hits
        assert memory.compact("s", force=True).turns_removed == 3
        check(memory)
    with byheart.Memory(path, noise=None) as memory:
        check(memory)


@pytest.mark.parametrize("denial", ["not", "never", "no", "nobody", "none", "cannot"])
def test_what_denies_states_no_fact(denial: str) -> None:
    assert plain_facts.read(f"Ann {denial} lives in Rome.", ["lives_in"]) is None


@pytest.mark.parametrize(
    ("name", "most"),
    [("max_depth", 8), ("max_derived", 4_096), ("max_proofs", 4_096), ("max_seeds", 4_096), ("max_focused", 4_096),
     ("max_attempts", 100_000_000)],
)  # fmt: skip
def test_a_bound_of_the_closure_is_a_count_up_to_its_most(name, most):
    assert Leg("symbolic", 10, settings={name: most}).settings[name] == most
    for wrong in (0, most + 1):
        with pytest.raises(errors.InvalidArgument, match=f"^{name}: is {wrong}; it must lie between 1 and {most}$"):
            Leg("symbolic", 10, settings={name: wrong})


NOT_NOW = (
    "was were been had has have did do does used once formerly previously will would shall should could can may might "
    "must to she'd we'll they've she\u2019d we\u2019ll they\u2019ve"
)
INSIDE_NAMES = (
    "of the de del della di da do dos du la le les los las el al am an der den die von van zu bei im in on upon sur y "
    "e i and"
)
OF_NOW = "now currently today still recently presently actually"
DEPENDING = "if when while where who how why because that what whether"
ANYTHING = "A An Some Any Every Each My Your His Her Our Their This"


def test_three_words_are_the_least_that_state_a_fact() -> None:
    assert plain_facts.read("Ann likes Rust.", ["likes"]) == ("ann", "likes", "rust")
    assert plain_facts.read("Ann likes.", ["likes"]) is None


@pytest.mark.parametrize("word", NOT_NOW.split())
def test_what_was_or_may_be_is_no_fact_of_the_present(word: str) -> None:
    assert plain_facts.read(f"Ann {word} live in Rome.", ["lives_in"]) is None
    assert plain_facts.read(f"Ann {word} works at Acme.", ["works_at"]) is None
    assert plain_facts.read("Ann quickly works at Acme.", ["works_at"]) == ("ann quickly", "works_at", "acme")


@pytest.mark.parametrize("word", [*OF_NOW.split(), "am", "is", "are"])
def test_words_of_the_present_before_a_verb_belong_to_no_subject(word: str) -> None:
    assert plain_facts.read(f"Ann {word} married to Bob", ["married_to"]) == ("ann", "married_to", "bob")


@pytest.mark.parametrize("word", OF_NOW.split())
def test_words_of_the_present_are_no_part_of_what_is_told(word: str) -> None:
    for said in (f"Ann lives in {word} Rome", f"Ann lives in Rome {word}"):
        assert plain_facts.read(said, ["lives_in"]) == ("ann", "lives_in", "rome")


@pytest.mark.parametrize("word", DEPENDING.split())
def test_what_depends_on_something_or_asks_is_no_fact(word: str) -> None:
    assert plain_facts.read(f"{word.title()} Ann lives in Rome", ["lives_in"]) is None


@pytest.mark.parametrize("word", INSIDE_NAMES.split())
def test_small_words_stand_inside_names(word: str) -> None:
    assert plain_facts.read(f"Ann lives in Bad {word} Isar", ["lives_in"]) == ("ann", "lives_in", f"bad {word} isar")
    assert plain_facts.read("Ann lives in Bad xyz Isar", ["lives_in"]) is None, "any other word is none of a name"


@pytest.mark.parametrize("word", ANYTHING.split())
def test_what_could_be_anything_is_no_name(word: str) -> None:
    assert plain_facts.read(f"Ann lives in {word} House", ["lives_in"]) is None
    assert plain_facts.read("Ann lives in White House", ["lives_in"]) == ("ann", "lives_in", "white house")
