"""k-anonymity: every published record looks like at least k−1 others.

*Definition.* Records with the same observable part (the quasi-identifiers of a table, the whole profile of
non-sensitive ratings, both of them in a survey) form a group (an equivalence class); every group holds records of at
least k different people.

*Guarantee.* Anyone who knows the observable part of a person, all of it and exactly, finds records of at least k
people. It says nothing about what these records have in common: if all have the same sensitive value, it is disclosed.

*Assumption.* The owner named every column an attacker can know as a quasi-identifier, and said which column names the
person; otherwise one person has one record.

*Reference.* Samarati and Sweeney 1998; thesis ch. 2. The thesis counts hash buckets, which is unsound when two values
share a bucket; here equal means equal.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from shoal.errors import WordingError
from shoal.evidence import Evidence, GroupCounts, NeedGroups
from shoal.wording.format import format_count

from .base import PrivacyModel, Verdict, promises

__all__ = ["KAnonymity", "groups_of_at_least"]


@promises.add
@dataclass(frozen=True)
class KAnonymity(PrivacyModel):
    """Every equivalence class has at least k members."""

    name: ClassVar[str] = "k-anonymity"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "survey", "table"})
    merge_safe: ClassVar[bool] = True

    k: int

    def __post_init__(self) -> None:
        if self.k < 2:
            raise WordingError("k-anonymity needs a k of at least 2: with k = 1 nobody is hidden.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(2), cls(4))

    @property
    def grow_safe(self) -> bool:
        """More records never make a group too small."""
        return True

    @property
    def sufficient_values(self) -> int:
        """Any group of k people will do."""
        return 0

    @property
    def need(self) -> NeedGroups:
        """Group sizes suffice."""
        return NeedGroups()

    @property
    def fewest_records(self) -> int:
        """One whole group."""
        return self.k

    @property
    def meaning(self) -> str:
        """In words."""
        return (
            f"Every record looks exactly like at least {format_count(self.k - 1, 'other')} to anyone who knows the "
            "quasi-identifiers of a table, the non-sensitive ratings, or both of a survey. It does not hide a "
            "sensitive value that all of them share."
        )

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare every group size with k."""
        assert isinstance(evidence, GroupCounts)
        small = evidence.sizes < self.k
        level = {"k": int(evidence.sizes.min(initial=evidence.sizes.sum()))}
        return Verdict(str(self), not small.any(), level, int(evidence.sizes[small].sum()), small)


def groups_of_at_least(size: int) -> PrivacyModel:
    """Return the promise that every group has so many people."""
    return KAnonymity(size)
