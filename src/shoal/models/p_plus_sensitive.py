"""p⁺-sensitive k-anonymity: every group has at least k records and sensitive values of p different categories.

*Definition* (3.2 of the thesis). Records with the same quasi-identifiers form a group; the owner sorted the values of
each sensitive attribute into categories. Every group has at least k records, and in every group each sensitive column
takes values of at least p different categories. A missing value is of no category.

*Guarantee.* That of k-anonymity, and whoever finds the group of a person cannot be certain of the category of the
sensitive value: a similarity attack finds nothing. It does not bound how likely one category is.

*Assumption.* As for k-anonymity; and values that mean nearly the same are in one category.

*Reference.* Thesis ch. 3. Its Table 3.8 reports similarity disclosures for p ≥ 2, which this rules out by definition.
"""

from dataclasses import dataclass
from typing import ClassVar

from .base import promises
from .sensitive_k_anonymity import SensitiveKAnonymity

__all__ = ["PPlusSensitive"]


@promises.add
@dataclass(frozen=True)
class PPlusSensitive(SensitiveKAnonymity):
    """Every group has values of at least p categories of each sensitive attribute, and k members."""

    name: ClassVar[str] = "p-plus-sensitive"
    by_category: ClassVar[bool] = True
