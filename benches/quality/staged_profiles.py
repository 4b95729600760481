"""Which profile answers best, which of the seed's stages cost, and what comes back when nothing fits?

What: nDCG@10, R@10 and the share of queries without a hit, of kb-balanced, dense, hybrid (reranked by cosines or not),
scoped and discovery, with WordLlama's table and without an embedder. Then hybrid with one stage turned off, or fused in
another way, as nDCG query by query beside it as it is. Then queries of another collection, which nothing here answers:
how many hits come back, and how many above the highest floor that leaves the judged queries 0.99 of their nDCG.
On: locomo-dev (turns at their dates; "now" is the newest turn of the conversation, or 2026-11-22), scifact-train and
cosqa-dev whole, jsquad-valid by `vectors.sample`. What has no date is made at one time: "now", or three years before.

    python benches/quality/staged_profiles.py --data DIR [--cache FOLDER] [--out FILE] [--only locomo-dev]

Arguments are those of dense.py. Seed 7, for the samples; all else is deterministic.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from material import PRESETS, SEED, K, dates
from vectors import WIDTHS, WORDLLAMA, Kept, sample

from byheart import Memory
from byheart.embedding import Embedder, StaticEmbedder
from byheart.errors import InvalidArgument
from byheart.evaluation import datasets, metrics
from byheart.evaluation.datasets import Collection, Query
from byheart.profiles import Profile, get
from byheart.profiles.hybrid import HybridConfig

ABSENT = {
    "locomo-dev": "scifact-train",
    "scifact-train": "cosqa-dev",
    "cosqa-dev": "scifact-train",
    "jsquad-valid": "locomo-dev",
}
ABSENT_QUERIES = 200
TODAY = datetime(2026, 11, 22, tzinfo=UTC).timestamp()
MADE = TODAY - 3.0 * 365.25 * 86_400.0  # what has no date
KEPT = 0.99  # of the nDCG, at the lowest score that is looked for
OWNER = "u"
LIGHT = HybridConfig(rerank="lightweight")
UNTIMED = {"recency_weight": 0.0, "time_decay_half_life_days": 0.0}
MIXED = {"fusion": "weighted", "normaliser": "min_max", "vector_weight": 0.2, "bm25_weight": 0.8}
OFF: Mapping[str, Mapping[str, Any]] = {
    "reranking": {"rerank": "none"},
    "both minima": {"min_score": 0.0, "hard_min_score": 0.0},
    "recency": {"recency_weight": 0.0},
    "time decay": {"time_decay_half_life_days": 0.0},
    "recency and time decay": UNTIMED,
    "length": {"length_norm_anchor": 0.0},
    "noise": {"filter_noise": False},
    "near-duplicates": {"deferral_threshold": 1.0},
}
OTHERWISE: Mapping[str, Mapping[str, Any]] = {
    **{f"without {name}": change for name, change in OFF.items()},
    "fusion weighted": {"fusion": "weighted"},
    "fusion rrf": {"fusion": "rrf"},
    "normaliser min_max": {"normaliser": "min_max"},
    "weighted .2 and .8, min_max": MIXED,
    "the same, no time, no length": {**MIXED, **UNTIMED, "length_norm_anchor": 0.0},
    "the same, no minima": {**MIXED, **UNTIMED, "length_norm_anchor": 0.0, "min_score": 0.0, "hard_min_score": 0.0},
}
Row = dict[str, Any]


@dataclass(frozen=True)
class World:
    """A memory of a collection, the time of its newest record and the newest session, by tenant."""

    memory: Memory
    newest: Mapping[str | None, float]
    sessions: Mapping[str | None, str | None]


@dataclass(frozen=True)
class Asked:
    """What a query got: ids with scores, in order."""

    query: Query
    hits: Sequence[tuple[str, float]]

    def above(self, least: float) -> list[str]:
        """Return the ids of the hits that score at least so much."""
        return [id for id, score in self.hits if score >= least]


def world(collection: Collection, said: Mapping[str, float], embedder: Embedder | None) -> World:
    """Return a memory of the collection."""
    memory = Memory(preset=PRESETS.get(collection.name, "default"), embedder=embedder)
    newest: dict[str | None, float] = {}
    sessions: dict[str | None, str | None] = {}
    records = []
    for document in collection.documents:
        at, tenant = said.get(document.id, MADE), document.conversation
        if at >= newest.get(tenant, 0.0):
            newest[tenant], sessions[tenant] = at, document.session
        records.append(replace(document.record(), created_at=at, user_id=OWNER if document.session else None))
    memory.remember_many(records)
    return World(memory, newest, sessions)


def ask(place: World, queries: Sequence[Query], profile: Profile | str, old: bool, owned: bool) -> list[Asked]:
    """Recall every query inside its conversation, on behalf of its newest session or of nobody."""
    answers = []
    sessions = place.sessions if owned and get(profile).tells_sessions else {}
    for query in queries:
        tenant = query.conversation
        recall = place.memory.recall(
            query.text,
            K,
            profile,
            boundary=None if tenant is None else {"tenant": tenant},
            now=TODAY if old else place.newest[tenant],
            session_id=sessions.get(tenant),
            user_id=OWNER if owned else None,
        )
        answers.append(Asked(query, [(hit.id, hit.score) for hit in recall]))
    return answers


def ndcgs(collection: Collection, answers: Sequence[Asked], least: float = -1.0) -> list[float]:
    """Return the nDCG of each query, of hits that score at least so much."""
    return [metrics.ndcg(one.above(least), collection.grades[one.query.id], K) for one in answers]


def floor(collection: Collection, answers: Sequence[Asked]) -> float:
    """Return the highest lowest score, of two digits, that leaves 0.99 of the nDCG."""
    wanted = KEPT * metrics.estimate(ndcgs(collection, answers)).mean
    steps = [step / 100.0 for step in range(200)]
    return max(least for least in steps if metrics.estimate(ndcgs(collection, answers, least)).mean >= wanted)


def summary(collection: Collection, answers: Sequence[Asked], absent: Sequence[Asked]) -> Row:
    """Return what one profile makes of one collection, and of queries of another."""
    least = floor(collection, answers)
    recalls = [metrics.recall(one.above(-1.0), collection.grades[one.query.id], K) for one in answers]
    return {
        "ndcg": metrics.estimate(ndcgs(collection, answers)),
        "recall": metrics.estimate(recalls).mean,
        "empty": metrics.estimate([not one.hits for one in answers]).mean,
        "absent empty": metrics.estimate([not one.hits for one in absent]).mean,
        "absent hits": metrics.estimate([len(one.hits) for one in absent]).mean,
        "floor": least,
        "absent empty above": metrics.estimate([not one.above(least) for one in absent]).mean,
        "absent hits above": metrics.estimate([len(one.above(least)) for one in absent]).mean,
    }


def absent_queries(folder: Path, collection: Collection) -> list[Query]:
    """Return queries of another collection, put to the conversations of this one in turns."""
    other = datasets.load(folder / ABSENT[collection.name.partition(",")[0]])
    drawn = sorted(other.judged(), key=lambda query: hashlib.sha256(f"{SEED}/{query.id}".encode()).digest())
    tenants = sorted({document.conversation or "" for document in collection.documents})
    return [
        replace(query, conversation=tenants[at % len(tenants)] or None)
        for at, query in enumerate(drawn[:ABSENT_QUERIES])
    ]


def compare(
    collection: Collection, said: Mapping[str, float], absent: Sequence[Query], embedder: Embedder | None
) -> list[Row]:
    """Return a row for each profile, and for each change of hybrid, at both times."""
    place, queries = world(collection, said, embedder), collection.judged()
    common = {"collection": collection.name, "embedder": WORDLLAMA if embedder is not None else "none"}
    profiles: list[tuple[str, Profile | str, bool]] = [
        ("kb-balanced", "kb-balanced", False),
        ("dense", "dense", False),
        ("hybrid", LIGHT.profile(), False),
        ("hybrid, not reranked", LIGHT.merged({"rerank": "none"}).profile(), False),
        ("scoped, for nobody", "scoped", False),
        *([("scoped, for a session", get("scoped"), True)] if said else []),  # type: ignore[list-item]
        ("discovery", "discovery", False),
    ]
    rows: list[Row] = []
    for old in (False, True):
        whole: list[float] = []
        for name, profile, owned in profiles:
            answers = ask(place, queries, profile, old, owned)
            whole = ndcgs(collection, answers) if name == "hybrid" else whole
            found = summary(collection, answers, ask(place, absent, profile, old, owned))
            rows.append(common | {"old": old, "profile": name} | found)
        for name, change in OTHERWISE.items():
            each = ndcgs(collection, ask(place, queries, LIGHT.merged(change).profile(), old, False))
            beside = metrics.estimate([one - other for one, other in zip(each, whole, strict=True)])
            rows.append(common | {"old": old, "otherwise": name, "ndcg": metrics.estimate(each), "beside": beside})
    return rows


def print_rows(rows: Sequence[Row]) -> None:
    """Print the profiles, then the changes of hybrid."""
    head = "| | now | nDCG@10 | R@10 | no hit | absent: no hit, hits | floor | absent above it: no hit, hits |"
    print(f"{head}\n{'|---' * 8}|")
    for row in rows:
        if "profile" in row:
            now = "years later" if row["old"] else "newest"
            mean, error = row["ndcg"]
            print(
                f"| {row['collection']}, {row['embedder']}, {row['profile']} | {now} | {mean:.4f} ± {error:.4f}"
                f" | {row['recall']:.3f} | {row['empty']:.1%} | {row['absent empty']:.0%}, {row['absent hits']:.1f}"
                f" | {row['floor']:.2f} | {row['absent empty above']:.0%}, {row['absent hits above']:.1f} |"
            )
    print("\n| hybrid | now | nDCG@10 | beside hybrid |\n|---|---|---|---|")
    for row in rows:
        if "otherwise" in row:
            now, (mean, error) = "years later" if row["old"] else "newest", row["beside"]
            what = f"{row['collection']}, {row['embedder']}, {row['otherwise']}"
            print(f"| {what} | {now} | {row['ndcg'].mean:.4f} | {mean:+.4f} ± {error:.4f} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare profiles of stages on judged collections.")
    parser.add_argument("--data", default=os.environ.get("BYHEART_DATA"), help="folder of collections")
    parser.add_argument("--cache", type=Path, help="keep vectors here between runs")
    parser.add_argument("--out", type=Path, help="write all numbers here, as JSON")
    parser.add_argument("--only", action="append", choices=sorted(ABSENT), help="these collections only")
    options = parser.parse_args()
    if not options.data:
        sys.exit("staged_profiles: no collections; give --data DIR or set BYHEART_DATA")
    folder, started, rows = Path(options.data), perf_counter(), []
    embedder = Kept(StaticEmbedder.wordllama(max(WIDTHS[WORDLLAMA])), options.cache)
    for name in options.only or ABSENT:
        try:
            collection = datasets.load(folder / name)
            collection = sample(collection) if name == "jsquad-valid" else collection
            absent = absent_queries(folder, collection)
        except InvalidArgument as error:
            sys.exit(f"staged_profiles: {error}")
        embedder.embed_queries([query.text for query in (*collection.judged(), *absent)])  # in one batch, to be kept
        for each in (embedder, None):
            rows += compare(collection, dates(collection), absent, each)
            print(f"{name}: {perf_counter() - started:.0f} s", file=sys.stderr)
        if options.out:
            options.out.write_text(json.dumps({"seed": SEED, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    print_rows(rows)


if __name__ == "__main__":
    main()
