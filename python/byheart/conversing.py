"""What an agent does with conversations: turns in, context out, old turns summarised."""

from __future__ import annotations

from .upkeep import Upkeep


class Conversing(Upkeep):
    """The verbs over turns and sessions."""
