"""Evaluation of answers: judged collections, measures, and queries made worse on purpose.

Nothing here takes part in a recall. A measure is no score of a record, so it uses Python's own mathematics.
"""
