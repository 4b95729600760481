"""Ingestion of text: cutting it into chunks, and reading files and folders of it.

Knows records and the text they come from; knows no index, no query and no command line.
"""
