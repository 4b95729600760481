"""What escalation.py, scaling.py and staged_profiles.py measure on: query sets, small memories, dates of turns.

Seed: 7, for the misspellings; all else is deterministic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from byheart import Analyzer
from byheart.evaluation import perturbation
from byheart.evaluation.datasets import Collection, Query

SEED = 7
K = 10
ENCODERS = ("ngrams", "tokens", "subwords")
BY_SESSION = "locomo-dev by session"
PRESETS = {"locomo-dev": "conversation", BY_SESSION: "conversation", "scifact-train": "default"}
Frequencies = Mapping[str | None, Counter[str]]


def document_frequencies(collection: Collection, analyzer: Analyzer) -> Frequencies:
    """Return for each conversation how many of its documents hold a term."""
    counts: dict[str | None, Counter[str]] = {}
    for document in collection.documents:
        text = f"{document.title or ''} {document.searched()}"
        counts.setdefault(document.conversation, Counter()).update(set(analyzer.terms(text)))
    return counts


def query_sets(collection: Collection, known: Frequencies, analyzer: Analyzer) -> dict[str, list[Query]]:
    """Return the judged queries as they are, and made worse on purpose, under the same ids."""

    def rewritten(change: Callable[[Query], str]) -> list[Query]:
        changed = [replace(query, text=change(query)) for query in collection.judged()]
        return [query for query in changed if query.text]

    def rarest(count: int) -> Callable[[Query], str]:
        return lambda query: perturbation.rarest_words(query.text, count, known[query.conversation], analyzer)

    return {
        "as asked": list(collection.judged()),
        "misspelled": rewritten(lambda query: perturbation.misspell(query.text, f"{SEED}/{query.id}")),
        "two rarest words": rewritten(rarest(2)),
        "rarest word": rewritten(rarest(1)),
    }


def by_session(collection: Collection) -> Collection:
    """Return the conversations cut into a memory for each session, with the queries that one session answers."""
    home = {document.id: f"{document.conversation}/{document.session}" for document in collection.documents}
    homes = {
        query.id: {home[id] for id, grade in collection.grades[query.id].items() if grade}
        for query in collection.judged()
    }
    return replace(
        collection,
        name=BY_SESSION,
        documents=tuple(replace(document, conversation=home[document.id]) for document in collection.documents),
        queries=tuple(
            replace(query, conversation=min(homes[query.id]))
            for query in collection.judged()
            if len(homes[query.id]) == 1
        ),
    )


def dates(collection: Collection) -> dict[str, float]:
    """Return when the documents were said, as far as they say so."""
    said = {document.id: document.record().created_at for document in collection.documents}
    return {id: at for id, at in said.items() if at is not None}
