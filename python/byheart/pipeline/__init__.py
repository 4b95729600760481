"""Runs a profile: the only control flow of a recall."""

from .escalating import Reader, Request, Run, explain, run, trace

__all__ = ["Reader", "Request", "Run", "explain", "run", "trace"]
