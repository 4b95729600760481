"""LanceDB as a retriever: a table of a memory's records, searched by LanceDB itself.

    table      the table in this process, filled from the memory, and the two searches over it
    retriever  the same behind the protocol of retrievers: `LanceRetriever`

For the second stage of the profile `router`, and to compare. The memory's own vectors are searched faster without it.
Needs the extra `lancedb`.
"""

from .retriever import LanceRetriever

__all__ = ["LanceRetriever"]
