"""Activation: which records a question calls up, by what its words and its vector find, and by what they are worth.

    formulas       normalisation, fusion, the factor g, acceptance, decay
    calibration    coefficients in the place of normalisation
    question_form  the share of vectors that a question asks for
    matching       substrings, where there is no full text
    reasons        why a result is there
    statistics     the figures of an event
    stages         all of it over the table of a recall
    ranked         results with the parts of their scores, read from that table

Not here: the search itself, and what is saved of it.
"""

from .calibration import Calibration
from .formulas import Population, Worth
from .question_form import alpha_for
from .ranked import Candidate, Ranked, Scored, Sides, rank

__all__ = ["Calibration", "Candidate", "Population", "Ranked", "Scored", "Sides", "Worth", "alpha_for", "rank"]
