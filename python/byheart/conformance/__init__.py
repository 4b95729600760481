"""Published cases against this installation: `python -m byheart.conformance FILE.json ...`.

A case is {"id", "feature", "input", "expected"}: somebody else's numbers. An adapter hands its input to the
code that the feature names, and does no arithmetic of its own; numbers are compared to 1e-9, all else exactly.
Not a place for our own properties: these are in the tests.

    registry    the features, and which input keys each one knows
    compare     when an answer equals the expected one
    runner      files to cases, cases to outcomes, outcomes to lines
    mrp         adapters of knowledge units
    bm25        its formulas as plain functions, over the core's
    symbolic    those of its facts, rules and closures
    diversity   those of similarity, maximal marginal relevance and deferral
    gate        adapters for noise, adaptive retrieval, the gate and token estimates
    hybrid      those of the hybrid pipeline
    budget      those of budgets
    matryoshka  those of Matryoshka tiers
    scoped      those of its hybrid score
    discovery   those of its two-pass discovery
    compaction  those of its compaction
    rerank      those of reranking
    policy      those of policies and redaction
    activation  those of activation: candidates, normalisation, fusion, the factor g, diversity, acceptance
    feedback    those of feedback and decay
    metric      those of rankings and percentiles
    router      those of the router, of its first stage, and of its bench
    not_built   published features that have no adapter yet
"""

from . import activation as activation
from . import budget as budget
from . import compaction as compaction
from . import discovery as discovery
from . import diversity as diversity
from . import feedback as feedback
from . import gate as gate
from . import hybrid as hybrid
from . import matryoshka as matryoshka
from . import metric as metric
from . import mrp as mrp
from . import policy as policy
from . import rerank as rerank
from . import router as router
from . import scoped as scoped
from . import symbolic as symbolic
from .registry import FEATURES, feature
from .runner import main, run

__all__ = ["FEATURES", "feature", "main", "run"]
