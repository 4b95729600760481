"""An embedding as verbs take it: a list or an array of numbers."""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    Floats: TypeAlias = array[float]
else:
    Floats = array  # which takes no parameter before Python 3.12

VectorLike: TypeAlias = Sequence[float] | NDArray[np.floating[Any]] | Floats
"""A vector of finite numbers, of the width of the memory's own."""
