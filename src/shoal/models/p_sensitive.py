"""p-sensitive k-anonymity: every group has at least k records and p different values of each sensitive attribute.

*Definition* (3.1 of the thesis). Records with the same quasi-identifiers form a group. Every group has at least k
records, and in every group each sensitive column takes at least p different values. A missing value is one value.

*Guarantee.* That of k-anonymity, and whoever finds the group of a person cannot be certain of the sensitive value. It
does not bound how likely one of them is, and the p values may mean nearly the same: HIV and cancer are two.

*Assumption.* As for k-anonymity; and different values mean different things.

*Reference.* Truta and Vinay 2006; thesis ch. 3. It is k-anonymity and distinct l-diversity with l = p at once.
"""

from dataclasses import dataclass
from typing import ClassVar

from .base import promises
from .sensitive_k_anonymity import SensitiveKAnonymity

__all__ = ["PSensitive"]


@promises.add
@dataclass(frozen=True)
class PSensitive(SensitiveKAnonymity):
    """Every group has at least p different values of each sensitive attribute, and k members."""

    name: ClassVar[str] = "p-sensitive"
    by_category: ClassVar[bool] = False
