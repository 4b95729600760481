"""The memory: its verbs, and how it is opened, kept and closed."""

from .memory import Memory

__all__ = ["Memory"]
