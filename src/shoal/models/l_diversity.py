"""l-diversity: every group holds l well-represented values of each sensitive attribute, in one of three meanings.

*Definition.* Records with the same quasi-identifiers form a group. In every group, for every sensitive column:

* ``kind=distinct``: there are at least l different values.
* ``kind=entropy``: the entropy of the values, −Σ p ln p, is at least ln l. Here l may be a fraction.
* ``kind=recursive``: with r₁ ≥ r₂ ≥ … the numbers of records by value, r₁ < c·(r_l + r_{l+1} + … + r_m).

A missing value is one value, like any other. Where a person may have several records, a person counts once for every
different value; and a group must be of at least l people, or one person with l values would pass for diverse.

*Guarantee.* Anyone who finds the group of a person cannot be certain of the sensitive value, and must rule out l−1
values to become so. ``distinct`` does not bound the attacker's confidence: 99 times one value and once another is
2-diverse. ``recursive`` does (r₁/n is below c/(1 + c) for l = 2), ``entropy`` loosely.

*Assumption.* As for k-anonymity; and different values mean different things (two names of one disease do not).

*Reference.* Machanavajjhala et al. 2006. l-diversity implies k-anonymity with k = l, no more. All three are merge-safe:
entropy is concave, and what is common in two groups together is no more than in the one plus in the other.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.errors import WordingError
from shoal.evidence import Evidence, GroupCounts, NeedGroups, ValueCounts

from .base import PrivacyModel, Verdict, promises
from .entropy import diversities, fewest_undiverse, is_diverse, least_diversity
from .shortfall import Shortfall

__all__ = ["LDiversity", "fewest_too_common", "largest_l"]


_MEANING = {
    "distinct": "takes at least {l} different values. It does not bound how likely any one of them is.",
    "entropy": "is at least as uncertain, by its entropy, as {l} values that are equally likely. It bounds only "
    "loosely how likely any one of them is.",
    "recursive": "has a most common value that occurs less than {c} times as often as all values but the {others} most "
    "common together. It takes no account of values that mean nearly the same.",
}


@promises.add
@dataclass(frozen=True)
class LDiversity(PrivacyModel):
    """Every group has l well-represented values of each sensitive attribute."""

    name: ClassVar[str] = "l-diversity"
    kinds: ClassVar[frozenset[str]] = frozenset({"survey", "table"})
    merge_safe: ClassVar[bool] = True

    l: Fraction | int  # noqa: E741 - the letter of the literature
    kind: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: Fraction | None = None
    """With ``kind=recursive``: the bound on how often the most common value occurs, as a multiple of the rest."""

    def __post_init__(self) -> None:
        if self.kind == "entropy" and self.l <= 1:
            raise WordingError("l-diversity by entropy needs an l above 1: a single value in a group is disclosed.")
        if self.kind != "entropy" and self.l < 2:
            raise WordingError("l-diversity needs an l of at least 2: a single value in a group is disclosed.")
        if self.kind != "entropy" and self.l != int(self.l):
            raise WordingError("l-diversity needs a whole number for l: values are counted.", "Or say kind=entropy.")
        if (self.kind == "recursive") != (self.c is not None):
            raise WordingError("l-diversity knows c with kind=recursive, and needs it there.", "Add or leave out c=2.")
        if self.c is not None and self.c <= 0:
            raise WordingError("l-diversity needs a c above 0: no value occurs less than never.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(2),
            cls(3),
            cls(2, "entropy"),
            cls(Fraction(3, 2), "entropy"),
            cls(2, "recursive", Fraction(2)),
            cls(2, "recursive", Fraction(1, 2)),
            cls(3, "recursive", Fraction(3)),
        )

    @property
    def grow_safe(self) -> bool:
        """More records never have fewer values, but may make one value more common."""
        return self.kind == "distinct"

    @property
    def sufficient_values(self) -> int | None:
        """With ``kind=distinct``, l."""
        return int(self.l) if self.kind == "distinct" else None

    @property
    def need(self) -> NeedGroups:
        """Group sizes and the sensitive values in each group."""
        return NeedGroups(sensitive=True, amounts=self.kind != "distinct")

    @property
    def fewest_records(self) -> int:
        """One group with l values."""
        return math.ceil(self.l)

    @property
    def meaning(self) -> str:
        """In words."""
        numbers = {"l": f"{float(self.l):g}", "others": f"{math.ceil(self.l) - 1}", "c": f"{float(self.c or 0):g}"}
        return "Among records that look alike, every sensitive attribute " + _MEANING[self.kind].format(**numbers)

    def hopeless(self, evidence: Evidence) -> np.ndarray:
        """Return the groups with fewer than l people or values: every kind needs l of both, and no part has more."""
        assert isinstance(evidence, GroupCounts)
        fewest = np.min([evidence.sizes, *(counts.n_distinct for counts in evidence.sensitive)], axis=0)
        return fewest < min(math.ceil(self.l), np.iinfo(np.int64).max)

    def fewest_broken(self, evidence: GroupCounts) -> np.ndarray:
        """Return how many records cannot be in diverse parts: the union of diverse parts is diverse, too."""
        surely = [super().fewest_broken(evidence)]
        if self.kind == "entropy":
            surely += [fewest_undiverse(counts, Fraction(self.l)) for counts in evidence.sensitive]
        elif self.c is not None:
            surely += [fewest_too_common(counts, int(self.l), self.c) for counts in evidence.sensitive]
        return np.max(surely, axis=0)

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare the diversity of every group with l, for the worst sensitive attribute."""
        assert isinstance(evidence, GroupCounts)
        assert evidence.sensitive, "judged only on records with a sensitive part"
        if self.kind == "entropy":
            uniform = ~np.all([is_diverse(counts, Fraction(self.l)) for counts in evidence.sensitive], axis=0)
            level: int | float = self._least_entropy(evidence)
        else:
            fewest = np.min([self._numbers(counts) for counts in evidence.sensitive], axis=0)
            uniform = fewest < min(int(self.l), np.iinfo(np.int64).max)
            level = int(fewest.min(initial=_most(evidence)))
        # one person with several values hides nobody: there must be at least l people, too
        uniform |= evidence.sizes < min(math.ceil(self.l), np.iinfo(np.int64).max)
        level = min(level, int(evidence.sizes.min(initial=math.ceil(level))))
        return Verdict(str(self), not uniform.any(), {"l": level}, int(evidence.sizes[uniform].sum()), uniform)

    def shortfall(self, evidence: Evidence) -> Shortfall | None:
        """Compare the diversity of every group with l; by entropy, as a number of equally likely values."""
        assert isinstance(evidence, GroupCounts)
        found = Shortfall.nowhere(len(evidence))
        reached = np.stack([self._diversity(counts) for counts in evidence.sensitive])
        found.measure(self.broken_alone(evidence), reached, float(self.l))
        return found

    def _diversity(self, counts: ValueCounts) -> np.ndarray:
        return diversities(counts) if self.kind == "entropy" else self._numbers(counts)

    def _numbers(self, counts: ValueCounts) -> np.ndarray:
        return counts.n_distinct if self.c is None else largest_l(counts, self.c)

    def _least_entropy(self, evidence: GroupCounts) -> float:
        if not len(evidence):
            return float(_most(evidence))
        return float(min(least_diversity(counts) for counts in evidence.sensitive))


def _most(evidence: GroupCounts) -> int:
    return max(counts.n_values for counts in evidence.sensitive)


def largest_l(counts: ValueCounts, c: Fraction) -> np.ndarray:
    """Return for each group the largest l with r₁ < c·(r_l + … + r_m), r₁ ≥ r₂ ≥ … being how common its values are."""
    groups = counts.groups
    common_first = counts.counts[np.lexsort((-counts.counts, groups))]
    before = np.cumsum(common_first) - common_first
    starts = np.repeat(counts.indptr[:-1], counts.n_distinct)
    left = counts.sizes[groups] - (before - before[starts])
    return counts.sums((left >= _needed(common_first[starts], c)).astype(np.int64))


def fewest_too_common(counts: ValueCounts, l: int, c: Fraction) -> np.ndarray:  # noqa: E741
    """Return for each group how many of its records are in parts that are not diverse, at least, however it is split.

    Together, diverse parts have r₁ < c·(r_l + … + r_m), and that sum is no larger than that of the whole group: of no
    value can more records be in diverse parts than that allows.
    """
    groups = counts.groups
    rank = np.arange(len(groups)) - np.repeat(counts.indptr[:-1], counts.n_distinct)
    common_first = counts.counts[np.lexsort((-counts.counts, groups))]
    rest = counts.sums(np.where(rank >= l - 1, common_first, 0))
    distinct, place = np.unique(rest, return_inverse=True)
    largest = np.iinfo(np.int64).max
    # the largest whole number below c times the rest
    allowed = [max(min(-(-int(number) * c.numerator // c.denominator) - 1, largest), 0) for number in distinct]
    return counts.sums(np.maximum(counts.counts - np.array(allowed, np.int64)[place][groups], 0))


def _needed(most: np.ndarray, c: Fraction) -> np.ndarray:
    """Return the least whole number above most / c, in whole numbers of any length."""
    distinct, place = np.unique(most, return_inverse=True)
    largest = np.iinfo(np.int64).max
    needed = [min(int(number) * c.denominator // c.numerator + 1, largest) for number in distinct]
    return np.array(needed, np.int64)[place]
