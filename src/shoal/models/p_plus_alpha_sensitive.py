"""(p⁺,α)-sensitive k-anonymity: p⁺-sensitive k-anonymity, and the sensitive values of every group weigh at least α.

*Definition* (3.4 of the thesis). Records with the same quasi-identifiers form a group; the owner sorted the values of
each sensitive attribute into m categories, the most sensitive first. A record weighs (i−1)/(m−1) if its value is of the
i-th. Every group has at least k records, values of at least p different categories, and records that weigh at least α
together.

*Guarantee.* That of p⁺-sensitive k-anonymity. With p ≥ 2 some record is not of the most sensitive category anyway; α
says how much there is of that. It is a sum over records and not a mean, so large groups reach it easily.

*Assumption.* As for k-anonymity; values that mean nearly the same are in one category, and categories are in the order
of sensitivity.

*Reference.* Thesis ch. 3. What it leaves open (one category, values of none) is read in
:mod:`shoal.models.sensitive_k_anonymity`.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from .base import promises
from .sensitive_k_anonymity import SensitiveKAnonymity

__all__ = ["PPlusAlphaSensitive"]


@promises.add
@dataclass(frozen=True)
class PPlusAlphaSensitive(SensitiveKAnonymity):
    """Every group has values of at least p categories that weigh α of each sensitive attribute, and k members."""

    name: ClassVar[str] = "p-plus-alpha-sensitive"
    by_category: ClassVar[bool] = True

    alpha: Fraction = field(kw_only=True)
