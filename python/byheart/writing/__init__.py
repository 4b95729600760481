"""Writes: what a record lacks is completed, noise is judged, and the store changes before the indexes do."""
