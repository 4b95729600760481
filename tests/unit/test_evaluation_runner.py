"""Profiles are run over a collection: what is counted, what is kept apart, and which files of profiles are read."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from byheart import Memory, profiles
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, ModelError, UnknownProfile
from byheart.evaluation import metrics
from byheart.evaluation.datasets import Collection, load
from byheart.evaluation.filling import UNDATED
from byheart.evaluation.measures import MEASURES
from byheart.evaluation.profile_files import of_file, profiles_of
from byheart.evaluation.results import Answer, ProfileResult, percentiles
from byheart.evaluation.runner import evaluate
from byheart.evaluation.tables import markdown
from byheart.profiles.hybrid import HybridConfig

from . import judged


@pytest.fixture
def whole(tmp_path: Path) -> Collection:
    return load(judged.subjects(tmp_path / "subjects", unanswerable=True))


@pytest.fixture
def told(tmp_path: Path) -> Collection:
    return load(judged.conversations(tmp_path / "told"))


def test_each_answer_is_that_of_a_recall_inside_its_conversation(told: Collection) -> None:
    found = evaluate(told, ["kb-balanced", "scoped"], embedder=HashingEmbedder(64), k=3)
    memory = Memory(preset="conversation", embedder=HashingEmbedder(64))
    memory.remember_many([document.record() for document in told.documents])
    asked = 0
    for result in found.profiles:
        for answer, query in zip(result.answers, told.queries, strict=True):
            now = 1685611800.0 if query.conversation == "c1" else 1688328000.0  # of the newest turn
            hits = memory.recall(query.text, 3, result.name, boundary={"tenant": query.conversation}, now=now)
            assert [*zip(answer.ids, answer.scores, strict=True)] == [(hit.id, hit.score) for hit in hits]
            assert answer.measures["recall"] == metrics.recall(answer.ids, told.grades[query.id], 3)
            assert all(id.startswith(f"{query.conversation}/") for id in answer.ids)
            asked += 1
    assert asked == 8


def test_two_runs_are_the_same_bytes_but_for_timings(told: Collection) -> None:
    one, two = (evaluate(told, ["kb-fast", "hybrid"], embedder=HashingEmbedder(64)) for _ in range(2))
    written = [json.dumps(each.to_dict(timings=False)) for each in (one, two)]
    assert written[0] == written[1] and "timings" not in written[0]
    timings = one.to_dict()["timings"]
    assert set(timings["laps"]) == {"kb-fast", "hybrid"} and len(timings["laps"]["hybrid"]) == 4
    assert all(lap["total"] > 0 and "search" in lap["steps"] for lap in timings["laps"]["hybrid"])
    assert markdown(one, timings=False) == markdown(two, timings=False)


def test_progress_is_told_what_is_looped_over(told: Collection) -> None:
    labels: list[tuple[str, int]] = []

    def progress(label, steps, total):  # type: ignore[no-untyped-def]
        labels.append((label, total))
        return steps

    evaluate(told, ["kb-fast", "dense"], progress=progress)
    assert labels == [("remembering", 1), ("kb-fast", 4), ("dense", 4)]


def test_undated_documents_are_made_at_one_time(whole: Collection) -> None:
    found = evaluate(whole, ["discovery"], embedder=HashingEmbedder(64))
    assert found.collection["undated"] == 40
    memory = Memory(embedder=HashingEmbedder(64))
    memory.remember_many([replace(document.record(), created_at=UNDATED) for document in whole.documents])
    hits = memory.recall(whole.queries[0].text, 10, "discovery", now=UNDATED)
    assert found.profiles[0].answers[0].scores == tuple(hit.score for hit in hits)


def test_what_nothing_answers_counts_in_abstention_alone(whole: Collection) -> None:
    result = evaluate(whole, ["kb-balanced"]).profiles[0]
    assert [answer.query for answer in result.answers if not answer.measures] == ["none"]
    assert (len(result.answers), len(result.judged)) == (9, 8)
    assert result.abstention == (1, 8, 1.0, 0.0, 1.0, 1.0)
    assert set(result.by_type) == {"when"} and result.by_type["when"]["queries"] == 8


def test_the_first_profile_is_the_baseline(told: Collection) -> None:
    one = replace(profiles.get("dense"), pool=1)  # a hit where two are right
    found = evaluate(told, ["kb-balanced", one])
    first, second = found.to_dict()["profiles"]
    assert first["beside"] is None and second["beside"]["profile"] == "kb-balanced"
    difference = found.profiles[1].intervals["ndcg"].mean - found.profiles[0].intervals["ndcg"].mean
    assert difference < -0.01
    assert second["beside"]["ndcg"]["mean"] == pytest.approx(difference, abs=1e-12)
    assert found.profiles[1].notes == {
        "dense: the memory has no embedder; the answer rests on words": 4,
        "profile 'dense' gives 1 hits at most, however many are asked for: more records may answer": 4,
    }
    assert "- dense: dense: the memory has no embedder; the answer rests on words (4 of 4)" in markdown(found)


def test_a_failed_recall_is_listed_and_both_means_are_told(told: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Memory.recall

    def recall(self, query, *rest, **options):  # type: ignore[no-untyped-def]
        if "rye" in query:
            raise ModelError("the model fell asleep")
        return plain(self, query, *rest, **options)

    monkeypatch.setattr(Memory, "recall", recall)
    found = evaluate(told, ["kb-balanced"])
    (result,) = found.profiles
    assert [answer.failure for answer in result.failed] == ["ModelError: the model fell asleep"]
    assert len(result.judged) == 3
    for name in MEASURES:
        assert result.with_failures[name] == pytest.approx(result.intervals[name].mean * 3 / 4)
    assert "1 recalls failed and count in no mean" in markdown(found)


def test_a_bug_is_no_failure_of_a_recall(told: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "recall", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        evaluate(told, ["kb-balanced"])


def test_types_come_by_frequency_then_name() -> None:
    def answer(number: int, type: str | None) -> Answer:
        return Answer(str(number), type, True, measures=dict.fromkeys(MEASURES, number / 10))

    types = ["b", "a", "c", "c", None]
    result = ProfileResult("p", "", {}, tuple(answer(number, type) for number, type in enumerate(types)))
    assert list(result.by_type) == ["c", "a", "all", "b"]
    assert result.by_type["c"] == {"queries": 2} | dict.fromkeys(MEASURES, 0.25)


def test_settings_change_the_digest_of_a_profile(told: Collection) -> None:
    changed = replace(HybridConfig(rerank="none").profile(), name="hybrid")
    digests = {evaluate(told, [each]).profiles[0].digest for each in ("hybrid", changed)}
    configs = {evaluate(told, ["hybrid"], k=k).config_digest for k in (1, 2, 2)}
    assert len(digests) == 2 and len(configs) == 2


def test_percentiles_are_linear_between_two() -> None:
    assert percentiles([float(number) for number in range(101)])["p95"] == 95.0
    assert percentiles([1.0, 2.0])["p50"] == 1.5


@pytest.mark.parametrize(
    ("profiles", "k", "message"),
    [
        ([], 10, "profiles: are none"),
        (["kb-fast"], 0, "k: is 0"),
        (["kb-fast", "kb-fast"], 1, "'kb-fast' is given twice"),
    ],
)
def test_wrong_arguments_are_refused(told: Collection, profiles: list[str], k: int, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        evaluate(told, profiles, k=k)


def test_a_collection_without_judged_queries_is_refused(told: Collection) -> None:
    with pytest.raises(InvalidArgument, match="there is nothing to measure"):
        evaluate(replace(told, grades={}), ["kb-fast"])


# ---- files of profiles


TOML = """
[mine]
base = "hybrid"
settings = { vectorWeight = 0.2, bm25_weight = 0.8, fusion = "weighted" }

[short]
base = "kb-fast"
max_results = 2

[whole]
legs = [{ retriever = "lexical", pool = 50 }]
stages = [{ stage = "%s" }]
"""


def test_a_table_is_a_profile(tmp_path: Path) -> None:
    fusion = profiles.get("kb-fast").stages[0].to_dict()
    assert next(iter(fusion)) == "stage"
    file = tmp_path / "mine.toml"
    file.write_text(TOML % fusion["stage"], encoding="utf-8")
    mine, short, own = of_file(file)
    config = HybridConfig(rerank="lightweight", vector_weight=0.2, bm25_weight=0.8, fusion="weighted")
    assert mine == replace(config.profile(), name="mine")
    assert short == replace(profiles.get("kb-fast"), name="short", max_results=2)
    assert (own.name, own.legs[0].pool, len(own.stages)) == ("whole", 50, 1)


def test_a_file_of_python_lists_profiles_or_names_them(tmp_path: Path) -> None:
    head = "from dataclasses import replace\nfrom byheart.profiles import KB_FAST, get\n"
    (tmp_path / "named.py").write_text(f"{head}mine = replace(KB_FAST, name='mine')\n", encoding="utf-8")
    (tmp_path / "listed.py").write_text(f"{head}PROFILES = [get('dense'), KB_FAST]\n", encoding="utf-8")
    assert [each.name for each in of_file(tmp_path / "named.py")] == ["mine"]
    assert [each.name for each in of_file(tmp_path / "listed.py")] == ["dense", "kb-fast"]
    given = [profiles.get("scoped"), "kb-fast", str(tmp_path / "named.py")]
    assert [each.name for each in profiles_of(given)] == ["scoped", "kb-fast", "mine"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", "[mine", "a.toml: "),
        ("a.toml", "", "a.toml: holds no profile"),
        ("a.toml", "mine = 3", r"a.toml: \[mine\]: is no table"),
        ("a.toml", '[mine]\nbase = "kb-fst"', r"a.toml: \[mine\]: profile: 'kb-fst' does not exist"),
        ("a.toml", '[mine]\nbase = "auto"\nsettings = {}', "'auto' has none; hybrid, scoped, discovery, router"),
        ("a.toml", '[mine]\nbase = "hybrid"\nsettings = { vectorWait = 1 }', "did you mean"),
        ("a.toml", '[mine]\nbase = "kb-fast"\npools = 3', "unknown name 'pools'"),
        ("a.toml", "[mine]\nsettings = {}", "are of a base"),
        ("a.toml", "[mine]", "legs: are none"),
        ("a.py", "PROFILES = [3]", "PROFILES holds a int"),
        ("a.py", "1 / 0", "a.py: ZeroDivisionError"),
        ("a.py", "x = 1", "holds no profile"),
    ],
)
def test_a_file_that_holds_no_profile_says_where(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InvalidArgument, match=message):
        profiles_of([str(tmp_path / name)])


def test_what_is_neither_a_name_nor_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownProfile, match="did you mean 'kb-fast'"):
        profiles_of(["kb-fst"])
    for name in ("absent.toml", "absent.py"):
        with pytest.raises(InvalidArgument, match="absent"):
            profiles_of([str(tmp_path / name)])
