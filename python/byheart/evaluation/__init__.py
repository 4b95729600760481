"""Evaluation of answers: judged collections, measures, runs of profiles over them, and reports.

Nothing here takes part in a recall. A measure is no score of a record, so it uses Python's own mathematics.

    datasets, converters    collections in files, and other formats made into them
    splits, perturbation    parts to tune and to report on; queries made worse on purpose
    metrics, ...            measures of rankings, of contexts, of abstention; intervals by resampling
    runner, results         `evaluate`: profiles over one memory, query by query
    replay                  conversations turn by turn, and what a prompt then gets
    activation_benchmark    activation and its levels of search against pass lines; see pseudo_queries too
    arms                    sessions found in one run by several ways, with receipts: the router and its stages
    benching                how long things take, at several sizes
    tables, pages           what came out, as text and as a page for a browser
"""
