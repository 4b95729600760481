"""Profiles of models, known before their files are opened: widths, prefixes, windows. Data only.

A profile says how the model was trained to be asked. Whoever uses another model writes one, or gives `OnnxEmbedder` the
settings one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from ..errors import UnknownProfile
from ..light.classes import dataclass

Pooling: TypeAlias = Literal["mean", "cls"]


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """How a model is to be used.

    Attributes:
        family: the model's name.
        dimensions: components that its graph gives; None where only the graph knows.
        context: tokens that it can take at once, special ones included; None where unknown.
        max_tokens: tokens of a window, special ones and prefix included; longer texts are cut into windows.
        stride: tokens from the beginning of one window to that of the next.
        pooling: "mean" over the tokens, or "cls", the first token.
        normalise: scale rows to unit length.
        layer_norm: subtract the mean of a row's components and divide by their deviation, before a row is cut.
        document_prefix, query_prefix: what stands before each text, and in each of its windows.
        widths: Matryoshka widths that the model was trained for, ascending; empty if it was not.

    """

    family: str
    dimensions: int | None = None
    context: int | None = None
    max_tokens: int = 256
    stride: int = 128
    pooling: Pooling = "mean"
    normalise: bool = True
    layer_norm: bool = False
    document_prefix: str = ""
    query_prefix: str = ""
    widths: tuple[int, ...] = ()


PLAIN: Final = ModelProfile("onnx")

# nomic: its authors apply a layer normalisation before they cut a vector to a Matryoshka width. Here that is done at
# the full width too, so that the beginning of a full vector is what the narrow vector would be: tiers are prefixes.
# MiniLM: trained on 128 tokens, published with 256; the latter, so that vectors are those that others publish.
PROFILES: Final[Mapping[str, ModelProfile]] = {
    profile.family: profile
    for profile in (
        ModelProfile(
            "nomic-embed-text-v1.5",
            dimensions=768,
            context=8192,
            max_tokens=512,
            stride=256,
            layer_norm=True,
            document_prefix="search_document: ",
            query_prefix="search_query: ",
            widths=(64, 128, 256, 512, 768),
        ),
        ModelProfile("all-MiniLM-L6-v2", dimensions=384, context=512, max_tokens=256, stride=128),
    )
}


MATRYOSHKA_TABLES: Final = ("wordllama-l2-supercat",)
"""Static tables that were trained as Matryoshka representations."""


def model_profile(name: str) -> ModelProfile:
    """Return the profile of a model by its name, in any mixture of cases.

    Raises:
        UnknownProfile: there is none of this name.

    >>> model_profile("nomic-embed-text-v1.5").query_prefix
    'search_query: '
    >>> model_profile("all-minilm-l6-v2").dimensions
    384

    """
    for family, profile in PROFILES.items():
        if isinstance(name, str) and name.lower() == family.lower():
            return profile
    raise UnknownProfile(f"embedding profile: {name!r} does not exist; there are {', '.join(PROFILES)}")
