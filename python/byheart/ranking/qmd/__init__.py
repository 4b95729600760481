"""QMD's rules, as pure functions: how its words and vectors are scored, fused, blended with a reranker, and cut.

    scores  of words and of a reranker, and when words alone are enough
    fusion  weighted reciprocal ranks, with a bonus for the first places
    syntax  of questions: phrases, excluded and wanted terms, typed lines
    marks   the same for rows that others found, as a stage
    chunks  where a document is cut, and which piece of it a reranker reads

The retriever `byheart.retrieval.qmd` asks by them.
"""
# docs/sources.md: A3.7.
