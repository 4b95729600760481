"""Conversations: turns and the gate, context for a prompt, compaction, invariants."""
