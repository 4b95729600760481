"""Embedders, which make vectors of texts: their protocol, and those that byheart brings.

An embedder has two methods, for what is remembered and for what is asked, and a `Fingerprint` that says what made its
vectors. Nothing here downloads anything: models are files that are there. (`assemble` is what makes such files, by the
command `byheart models assemble` alone.)
"""

from .cache import CachedEmbedder
from .checked import checked_rows, embed_checked
from .fingerprint import Fingerprint, check_dimensions, check_fingerprint
from .hashing import HashingEmbedder
from .onnx import OnnxEmbedder
from .profiles import PROFILES, ModelProfile
from .protocol import Embedder, Mode, Vectors, check_mode, check_texts, refuse_non_finite, unit_rows
from .static import StaticEmbedder

__all__ = [
    "PROFILES",
    "CachedEmbedder",
    "Embedder",
    "Fingerprint",
    "HashingEmbedder",
    "Mode",
    "ModelProfile",
    "OnnxEmbedder",
    "StaticEmbedder",
    "Vectors",
    "check_dimensions",
    "check_fingerprint",
    "check_mode",
    "check_texts",
    "checked_rows",
    "embed_checked",
    "refuse_non_finite",
    "unit_rows",
]
