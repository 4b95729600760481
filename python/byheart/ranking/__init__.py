"""The way from candidates to an answer: pure functions over the candidate table.

Nothing here reads a store, an index or a clock.
"""
