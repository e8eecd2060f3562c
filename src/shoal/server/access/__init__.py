"""Who may do what: ``identify`` finds out who sends a request, ``rules`` says which roles an operation is for.

``guards`` stands before everything else: names of hosts, sizes, rates, and the headers of every answer.
"""

from .guards import Guards
from .identify import SAFE, Forbidden, Unknown, Who, form_token_of, identify, known, refuse_foreign, service_of
from .proofs import Proven
from .rules import PUBLIC, rule, rules_of

__all__ = [
    "PUBLIC",
    "SAFE",
    "Forbidden",
    "Guards",
    "Proven",
    "Unknown",
    "Who",
    "form_token_of",
    "identify",
    "known",
    "refuse_foreign",
    "rule",
    "rules_of",
    "service_of",
]
