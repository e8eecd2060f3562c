"""(b,l)-diversity of ratings: whoever knows a few items of a person finds at least l different profiles that hold them.

*Definition* (5.2 and 5.3 of Predictive Anonymization). Records with the same profile of non-sensitive ratings form a
group. Every set of at most b items that any published profile holds is held by the profiles of at least l groups.

*Which reading.* Definition 5.3 speaks of sets "that have been rated by a user" and leaves open whether in the original
or in the released data. Here it is the released data, the only ones a verifier has. It is the stronger reading wherever
a release keeps everything that was rated: then every set of items of an original profile is held by a published one.
The other way round it is not: homogenized profiles hold sets of items that no single person rated. Groups are told by
their published profiles, so two groups that happen to be published alike count once, as they do for the attacker of
Definition 5.1.

*Guarantee.* Whoever knows at most b items of a person, and not how they were rated, is left with at least l different
profiles, and cannot say which is the person's. It does not say how different they are: all may hold the same rating of
one more item. Nor does it say how many records each has: ask for k-anonymity beside it.

*Assumption.* An attacker knows items, at most b of them, and no ratings; items declared sensitive are not among them.

*Reference.* Chang, Thompson, Wang, Yao, Predictive Anonymization, section 5.1. It is not merge-safe: joining two groups
leaves one less.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from shoal.errors import WordingError
from shoal.evidence import Evidence, NeedItemSets, SharedItemSets

from .base import PrivacyModel, Verdict, promises

__all__ = ["BLDiversity"]


@promises.add
@dataclass(frozen=True)
class BLDiversity(PrivacyModel):
    """Every set of at most b items that a profile holds is held by at least l different profiles."""

    name: ClassVar[str] = "b-l-diversity"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    merge_safe: ClassVar[bool] = False

    b: int
    l: int  # noqa: E741 - the letter of the literature

    def __post_init__(self) -> None:
        if self.b < 1:
            raise WordingError("b-l-diversity needs a b of at least 1: who knows no item has nothing to search by.")
        if self.l < 2:
            raise WordingError("b-l-diversity needs an l of at least 2: one profile that fits discloses it.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(1, 2), cls(1, 3), cls(2, 2), cls(3, 3), cls(99, 2))

    @property
    def need(self) -> NeedItemSets:
        """How many groups hold the rarest sets of items of each."""
        return NeedItemSets(self.b, enough=self.l)

    @property
    def fewest_records(self) -> int:
        """One of each of l groups."""
        return self.l

    @property
    def meaning(self) -> str:
        """In words."""
        known = "one item" if self.b == 1 else f"at most {self.b} items"
        return (
            f"Whoever knows {known} that a person rated, and no ratings, finds at least {self.l} different published "
            "profiles that fit. It does not say how much they differ, and does not protect against those who know more."
        )

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare the number of groups that share the rarest items of each group with l."""
        assert isinstance(evidence, SharedItemSets)
        assert evidence.items == self.b
        rare = evidence.fewest < self.l
        level = {"l": int(evidence.fewest.min(initial=len(evidence)))}
        return Verdict(str(self), not rare.any(), level, int(evidence.sizes[rare].sum()), rare)
