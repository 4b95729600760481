"""Redaction: what must not be stored, embedded, indexed, logged or sent is hidden first, in linear time.

    letters      e-mail addresses, telephone numbers and keys, to the published letter
    mails        e-mail addresses in any script
    telephones   telephone numbers, and not the numbers of orders and books
    credentials  tokens, JSON web tokens, private keys, passwords in addresses
    fields       values of fields such as `password = ...`
    cards        payment cards
    persons      names and postal addresses
    patterns     patterns that a policy brings
    shadow       full-width characters and their kin, seen as what they mean
    redactor     the rules together: overlaps, placeholders, the account

A detector is a function from a text to spans; your own come in by `Redactor(detectors={...})`.
"""

from .patterns import Pattern
from .redactor import DETECTORS, LITERAL, SECRETS, Detector, Find, Redacted, Redactor

__all__ = ["DETECTORS", "LITERAL", "SECRETS", "Detector", "Find", "Pattern", "Redacted", "Redactor"]
