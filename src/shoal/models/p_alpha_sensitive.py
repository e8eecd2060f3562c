"""(p,α)-sensitive k-anonymity: p-sensitive k-anonymity, and the sensitive values of every group weigh at least α.

*Definition* (3.3 of the thesis). Records with the same quasi-identifiers form a group; the owner sorted the values of
each sensitive attribute into m categories, the most sensitive first. A record weighs (i−1)/(m−1) if its value is of the
i-th. Every group has at least k records, at least p different values, and records that weigh at least α together.

*Guarantee.* That of p-sensitive k-anonymity, and with α > 0 some record of every group has a value that is not of the
most sensitive category. α is a sum over records and not a mean: 99 times HIV and once flu weighs 1, as one flu does. A
larger α is the *stronger* promise, against what the text to Figure 3.3 of the thesis says.

*Assumption.* As for k-anonymity; and categories are in the order of sensitivity.

*Reference.* Thesis ch. 3. What it leaves open (one category, values of none) is read in
:mod:`shoal.models.sensitive_k_anonymity`.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from .base import promises
from .sensitive_k_anonymity import SensitiveKAnonymity

__all__ = ["PAlphaSensitive"]


@promises.add
@dataclass(frozen=True)
class PAlphaSensitive(SensitiveKAnonymity):
    """Every group has at least p different values that weigh α of each sensitive attribute, and k members."""

    name: ClassVar[str] = "p-alpha-sensitive"
    by_category: ClassVar[bool] = False

    alpha: Fraction = field(kw_only=True)
