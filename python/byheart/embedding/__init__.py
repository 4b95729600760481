"""Text to vectors: what byheart asks of an embedder, and the embedders that it brings.

An embedder has two methods, for what is remembered and for what is asked, and a `Fingerprint` that says what made its
vectors. Nothing here downloads anything, ever: models are files that are there.
"""

from .fingerprint import Fingerprint, check_dimensions, check_fingerprint
from .protocol import Embedder, Mode, Vectors, check_mode, check_texts, refuse_non_finite, unit_rows

__all__ = [
    "Embedder",
    "Fingerprint",
    "Mode",
    "Vectors",
    "check_dimensions",
    "check_fingerprint",
    "check_mode",
    "check_texts",
    "refuse_non_finite",
    "unit_rows",
]
