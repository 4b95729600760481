"""The retrievers, which propose candidates: a protocol, and one file for each of ours."""
