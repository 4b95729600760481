"""A second opinion on the best candidates: cross-encoders in this process or behind HTTP, and what to do without."""
