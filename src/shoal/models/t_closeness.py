"""t-closeness: in every group the sensitive values are distributed nearly as in all records.

*Definition.* Records with the same quasi-identifiers form a group. In every group and for every sensitive column, the
earth mover's distance between the distribution of the values in the group and that in all published records is at most
t. The distance of two values is

* ``distance=equal``: 1, if they differ;
* ``distance=ordered``: how many places they are apart among the values that occur, over the greatest number of places.
  Numbers and dates are in their own order, other values in that in which the categories of the schema list them; a
  missing value stands before all others;
* ``distance=hierarchical``: the level of their lowest common label in the hierarchy of the column, over its height.

*Guarantee.* Anyone who finds the group of a person learns little that the table as a whole does not show: with
``equal``, no set of values is more likely by more than t than among all records.

*Assumption.* As for k-anonymity; and what all published records have in common may be known. The promise is about the
records that are published together: withholding some changes what groups are compared with.

*Reference.* Li, Li, Venkatasubramanian 2007. It is merge-safe: the distance to a fixed distribution is convex.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.errors import WordingError
from shoal.evidence import Evidence, GroupCounts, NeedGroups

from .base import PrivacyModel, Verdict, at_least, promises
from .earth_mover import Distance, EarthMover
from .shortfall import Shortfall

__all__ = ["TCloseness"]

_DECLARED: dict[Distance, Literal["order", "hierarchy"] | None] = {
    "equal": None,
    "ordered": "order",
    "hierarchical": "hierarchy",
}
_APART = {
    "equal": "any two different values being equally far apart",
    "ordered": "values being as far apart as their places in the order",
    "hierarchical": "values being as far apart as the level of their lowest common label",
}


@promises.add
@dataclass(frozen=True)
class TCloseness(PrivacyModel):
    """Every group has the sensitive values of all records, up to a distance of t."""

    name: ClassVar[str] = "t-closeness"
    kinds: ClassVar[frozenset[str]] = frozenset({"survey", "table"})
    merge_safe: ClassVar[bool] = True
    less_is_better: ClassVar[frozenset[str]] = frozenset({"t"})

    t: Fraction
    distance: Distance = "equal"

    def __post_init__(self) -> None:
        if not 0 <= self.t < 1:
            raise WordingError("t-closeness needs a t of at least 0 and below 1: no distance exceeds 1.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(Fraction(0)),
            cls(Fraction(1, 3)),
            cls(Fraction(2, 5), "ordered"),
            cls(Fraction(1, 4), "ordered"),
            cls(Fraction(2, 5), "hierarchical"),
            cls(Fraction(1, 4), "hierarchical"),
        )

    @property
    def need(self) -> NeedGroups:
        """Group sizes, the sensitive values in each group and in all records, and how far they are apart."""
        return NeedGroups(sensitive=True, amounts=True, declared=_DECLARED[self.distance], overall=True)

    @property
    def fewest_records(self) -> int:
        """One group of all."""
        return 1

    @property
    def meaning(self) -> str:
        """In words."""
        return (
            "Among records that look alike, every sensitive attribute is distributed as among all records, up to an "
            f"earth mover's distance of {float(self.t):g}, {_APART[self.distance]}. It does not hide what is true of "
            "all records, nor who is among them."
        )

    def fewest_broken(self, evidence: GroupCounts) -> np.ndarray:
        """Return how many records must be in parts farther than t away: the distance is convex, and at most 1."""
        measured = [EarthMover.of(counts, self.distance) for counts in evidence.sensitive]
        return np.max([moved.fewest_beyond(self.t) for moved in measured], axis=0)

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare the distance of every group from all records with t, for the worst sensitive attribute."""
        assert isinstance(evidence, GroupCounts)
        assert evidence.sensitive, "judged only on records with a sensitive part"
        measured = [EarthMover.of(counts, self.distance) for counts in evidence.sensitive]
        far = ~np.all([moved.is_within(self.t) for moved in measured], axis=0)
        level = {"t": at_least(max(moved.farthest() for moved in measured))}
        return Verdict(str(self), not far.any(), level, int(evidence.sizes[far].sum()), far)

    def shortfall(self, evidence: Evidence) -> Shortfall | None:
        """Compare the distance of every group with t, which is an upper bound."""
        assert isinstance(evidence, GroupCounts)
        found = Shortfall.nowhere(len(evidence))
        distances = np.stack([EarthMover.of(counts, self.distance).distances for counts in evidence.sensitive])
        found.measure(self.broken_alone(evidence), distances, float(self.t), at_most=True)
        return found
