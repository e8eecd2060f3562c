"""p-sensitive k-anonymity and its extensions: what the four forms of chapter 3 of the thesis have in common.

In every group there are at least p different sensitive values or, in the forms with a plus, values of p different
categories; and in the forms with α, the values of the records of the group weigh at least α together. Values weigh by
their category (equation 3.1): with m categories, those of the most sensitive one weigh nothing, those of the i-th
(i−1)/(m−1), and those of the last 1.

Where the thesis leaves open what is meant:

* With one category, (i−1)/(m−1) is 0/0. It is then the most sensitive one, and weighs nothing.
* A missing value is a value, and of no category: it counts for none, and weighs nothing.
* Every other value must be in a category, or the promise is refused: a word written wrongly must not pass.

All of these can only refuse. Joining groups adds up their weights and joins their values, so all four are merge-safe.

p-sensitive k-anonymity: every group has at least k records and p different values of each sensitive attribute.

*Definition* (3.1 of the thesis). Records with the same quasi-identifiers form a group. Every group has at least k
records, and in every group each sensitive column takes at least p different values. A missing value is one value.

*Guarantee.* That of k-anonymity, and anyone who finds the group of a person cannot be certain of the sensitive value.
It does not bound how likely one of them is, and the p values may mean nearly the same: HIV and cancer are two.

*Assumption.* As for k-anonymity; and different values mean different things.

*Reference.* Truta and Vinay 2006; thesis ch. 3. It is k-anonymity and distinct l-diversity with l = p at once.

p⁺-sensitive k-anonymity: every group has at least k records and sensitive values of p different categories.

*Definition* (3.2 of the thesis). Records with the same quasi-identifiers form a group; the owner sorted the values of
each sensitive attribute into categories. Every group has at least k records, and in every group each sensitive column
takes values of at least p different categories. A missing value is of no category.

*Guarantee.* That of k-anonymity, and anyone who finds the group of a person cannot be certain of the category of the
sensitive value: a similarity attack finds nothing. It does not bound how likely one category is.

*Assumption.* As for k-anonymity; and values that mean nearly the same are in one category.

*Reference.* Thesis ch. 3. Its Table 3.8 reports similarity disclosures for p ≥ 2, which this rules out by definition.

(p,α)-sensitive k-anonymity: p-sensitive k-anonymity, and the sensitive values of every group weigh at least α.

*Definition* (3.3 of the thesis). Records with the same quasi-identifiers form a group; the owner sorted the values of
each sensitive attribute into m categories, the most sensitive first. A record weighs (i−1)/(m−1) if its value is of the
i-th. Every group has at least k records, at least p different values, and records that weigh at least α together.

*Guarantee.* That of p-sensitive k-anonymity, and with α > 0 some record of every group has a value that is not of the
most sensitive category. α is a sum over records and not a mean: 99 times HIV and once flu weighs 1, as one flu does. A
larger α is the *stronger* promise, against what the text to Figure 3.3 of the thesis says.

*Assumption.* As for k-anonymity; and categories are in the order of sensitivity.

*Reference.* Thesis ch. 3. What it leaves open (one category, values of none) is read in
:mod:`shoal.models.sensitive_k_anonymity`.

(p⁺,α)-sensitive k-anonymity: p⁺-sensitive k-anonymity, and the sensitive values of every group weigh at least α.

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

import math
from abc import ABC
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from shoal.errors import WordingError
from shoal.evidence import Evidence, GroupCounts, NeedGroups, ValueCounts
from shoal.wording.format import format_count

from .base import PrivacyModel, Verdict, at_most, promises
from .shortfall import Shortfall

__all__ = ["PAlphaSensitive", "PPlusAlphaSensitive", "PPlusSensitive", "PSensitive", "SensitiveKAnonymity"]


@dataclass(frozen=True)
class SensitiveKAnonymity(PrivacyModel, ABC):
    """At least p different sensitive values or categories in each group, of k records and weight α where asked."""

    kinds: ClassVar[frozenset[str]] = frozenset({"survey", "table"})
    merge_safe: ClassVar[bool] = True
    by_category: ClassVar[bool]
    """Whether categories are counted instead of values."""

    p: int
    k: int | None = None
    """The fewest records of a group; without it, p."""

    def __post_init__(self) -> None:
        if self.p < 2:
            raise WordingError(f"{self.name} needs a p of at least 2: a single value in a group is disclosed.")
        if self.k is not None and self.k < 2:
            raise WordingError(f"{self.name} needs a k of at least 2: with k = 1 nobody is hidden.")
        if self.least_weight is not None and self.least_weight <= 0:
            raise WordingError(f"{self.name} needs an alpha above 0: weights are not negative.")

    @property
    def grow_safe(self) -> bool:
        """More records never have fewer values, and weigh no less."""
        return True

    @property
    def least_weight(self) -> Fraction | None:
        """The least total weight of the records of a group, α; None in the forms without it."""
        return getattr(self, "alpha", None)

    @property
    def need(self) -> NeedGroups:
        """Group sizes and the sensitive values in each group; with α or a plus, their categories."""
        by_category = self.by_category or self.least_weight is not None
        amounts = self.least_weight is not None
        return NeedGroups(sensitive=True, amounts=amounts, declared="categories" if by_category else None)

    @property
    def fewest_records(self) -> int:
        """One whole group."""
        return max(self.p, self.k or 0)

    @property
    def meaning(self) -> str:
        """In words."""
        size = (
            "" if self.k is None else f"Every record looks exactly like at least {format_count(self.k - 1, 'other')}. "
        )
        what = f"values of at least {self.p} categories" if self.by_category else f"at least {self.p} different values"
        weight = "" if self.least_weight is None else f", which weigh at least {float(self.least_weight):g} together"
        return (
            f"{size}Among records that look alike, every sensitive attribute takes {what}{weight}. "
            "It does not bound how likely any one of them is."
        )

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare sizes with k, numbers of values with p and weights with α, for the worst sensitive attribute."""
        assert isinstance(evidence, GroupCounts)
        assert evidence.sensitive, "judged only on records with a sensitive part"
        fewest = np.min([self.n_different(counts) for counts in evidence.sensitive], axis=0)
        fewest = np.minimum(fewest, evidence.sizes)  # one person with p values hides nobody
        broken = fewest < self.p
        most = max(counts.n_values for counts in evidence.sensitive)
        level: dict[str, int | float] = {"p": int(fewest.min(initial=most))}
        if self.k is not None:
            broken |= evidence.sizes < self.k
            level["k"] = int(evidence.sizes.min(initial=evidence.sizes.sum()))
        if self.least_weight is not None:
            light, least = self._light(evidence, self.least_weight)
            broken |= light
            level["alpha"] = at_most(least)
        return Verdict(str(self), not broken.any(), level, int(evidence.sizes[broken].sum()), broken)

    def shortfall(self, evidence: Evidence) -> Shortfall | None:
        """Compare numbers of values or categories with p and, where there are enough of these, weights with α."""
        assert isinstance(evidence, GroupCounts)
        found = Shortfall.nowhere(len(evidence))
        broken = replace(self, k=None).broken_alone(evidence)  # a group that is only too small lacks no values
        different = np.stack([self.n_different(counts) for counts in evidence.sensitive])
        few = broken & (different < self.p)
        if self.least_weight is not None:
            weighed = [self.weights(counts) for counts in evidence.sensitive]
            weights = np.stack([steps / unit for steps, unit in weighed])
            found.measure(broken & ~few, weights, float(self.least_weight))
        found.measure(few, different, self.p)  # last: of a group that lacks both, values are named
        return found

    def n_different(self, counts: ValueCounts) -> np.ndarray:
        """Count the different values of each group or, where these are asked for, categories."""
        if not self.by_category:
            return counts.n_distinct
        assert counts.known is not None, "judged only with what is declared of the values"
        n = counts.known.n_categories
        categories = counts.by_label(counts.known.categories, n + 1)
        # missing values are of no category
        return categories.n_distinct - categories.sums((categories.values == n).astype(np.int64))

    @staticmethod
    def weights(counts: ValueCounts) -> tuple[np.ndarray, int]:
        """Return the total weight of the records of each group, in steps, and how many steps make a weight of 1."""
        assert counts.known is not None, "judged only with what is declared of the values"
        n = counts.known.n_categories
        steps = np.where(counts.known.categories < n, counts.known.categories, 0).astype(np.int64)
        return counts.sums(counts.counts * steps[counts.values]), max(n - 1, 1)

    def _light(self, evidence: GroupCounts, alpha: Fraction) -> tuple[np.ndarray, Fraction]:
        """Return the mask of the groups that weigh less than α, and the least weight of all."""
        light, least = np.zeros(len(evidence), bool), []
        for counts in evidence.sensitive:
            weights, unit = self.weights(counts)
            light |= weights < min(math.ceil(alpha * unit), np.iinfo(np.int64).max)
            least.append(Fraction(int(weights.min(initial=int(weights.sum()))), unit))
        return light, min(least)


@promises.add
@dataclass(frozen=True)
class PSensitive(SensitiveKAnonymity):
    """Every group has at least p different values of each sensitive attribute, and k members."""

    name: ClassVar[str] = "p-sensitive"
    by_category: ClassVar[bool] = False

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(2), cls(2, 4))

    @property
    def sufficient_values(self) -> int:
        """p values in a group of k."""
        return self.p


@promises.add
@dataclass(frozen=True)
class PPlusSensitive(SensitiveKAnonymity):
    """Every group has values of at least p categories of each sensitive attribute, and k members."""

    name: ClassVar[str] = "p-plus-sensitive"
    by_category: ClassVar[bool] = True

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(2), cls(3, 2))


@promises.add
@dataclass(frozen=True)
class PAlphaSensitive(SensitiveKAnonymity):
    """Every group has at least p different values that weigh α of each sensitive attribute, and k members."""

    name: ClassVar[str] = "p-alpha-sensitive"
    by_category: ClassVar[bool] = False

    alpha: Fraction = field(kw_only=True)

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(2, alpha=Fraction(1)), cls(2, 3, alpha=Fraction(4, 3)))


@promises.add
@dataclass(frozen=True)
class PPlusAlphaSensitive(SensitiveKAnonymity):
    """Every group has values of at least p categories that weigh α of each sensitive attribute, and k members."""

    name: ClassVar[str] = "p-plus-alpha-sensitive"
    by_category: ClassVar[bool] = True

    alpha: Fraction = field(kw_only=True)

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(2, 2, alpha=Fraction(1, 3)), cls(2, alpha=Fraction(2)))
