"""The QMD retriever: words and vectors side by side, fused by ranks.

    expansion   further wordings of a question by somebody's model; off unless one is given
    retriever   the search itself

Formulas, and the small language of its questions, are those of `byheart.ranking.qmd`.
"""
# docs/sources.md: A3.7.

from .expansion import Expander, Variant
from .retriever import Qmd

__all__ = ["Expander", "Qmd", "Variant"]
