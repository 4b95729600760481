"""Summarisers, which make one text of several turns: their protocol, and those that byheart brings.

A summary says how sure one may be of it, who made it and of which turns. An extract is made of the turns' own words;
a sequence-to-sequence model in a local folder writes its own; a function of yours may be either. `preservation` tells
what a summary keeps of its turns, by their embeddings.

Not here: which turns are summarised, and what becomes of them.

    protocol      turns, summaries, what a summariser is
    confidence    from the log-probabilities of tokens to a confidence
    function      a plain function as a summariser
    extractive    the turns nearest to the middle
    likeness      the middle, and cosines to it
    preservation  what a summary keeps
    onnx          the summariser that writes
    model_folder  its files and settings
    graphs        its encoder and decoder
    greedy        the likeliest token each time
"""

from .confidence import confidence_of
from .extractive import ExtractiveSummariser, extract, extractive_count
from .function import FunctionSummariser
from .onnx import OnnxSummariser
from .preservation import Preservation, preservation
from .protocol import Summariser, Summary, Turn, check_turns

__all__ = [
    "ExtractiveSummariser",
    "FunctionSummariser",
    "OnnxSummariser",
    "Preservation",
    "Summariser",
    "Summary",
    "Turn",
    "check_turns",
    "confidence_of",
    "extract",
    "extractive_count",
    "preservation",
]
