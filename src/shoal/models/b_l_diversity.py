"""(b,l)-diversity of ratings: anyone who knows a few items of a person finds at least l profiles that hold them.

*Definition* (5.2 and 5.3 of Predictive Anonymization). Records with the same profile of non-sensitive ratings form a
group. Every set of at most b items that any published profile holds is held by the profiles of at least l groups.

*Which reading.* Definition 5.3 is about sets "that have been rated by a user" and leaves open whether in the original
or in the released data. Here it is the released data, the only ones a verifier has. It is the stronger reading wherever
a release keeps everything that was rated: then every set of items of an original profile is held by a published one.
The other way round it is not: homogenized profiles hold sets of items that no single person rated. Groups are
distinguished by their published profiles, so two groups that happen to be published alike count once, as they do for
the attacker of Definition 5.1.

*Guarantee.* Anyone who knows at most b items of a person, but not how they were rated, is left with at least l
different profiles, and cannot say which is the person's. It does not say how different they are: all may hold the same
rating of one more item. Nor does it say how many records each has: ask for k-anonymity beside it.

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
            raise WordingError(
                "b-l-diversity needs a b of at least 1: without a known item there is nothing to search by."
            )
        if self.l < 2:
            raise WordingError("b-l-diversity needs an l of at least 2: a single matching profile is disclosed.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(1, 2), cls(1, 3), cls(2, 2), cls(3, 3), cls(99, 2))

    @property
    def need(self) -> NeedItemSets:
        """The number of groups that hold the rarest set of items of each group."""
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
            f"Anyone who knows {known} that a person rated, but not the ratings, finds at least {self.l} different "
            "published profiles that match. It does not say how much these differ, and does not protect against anyone "
            "who knows more."
        )

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare the number of groups that hold the rarest set of items of each group with l."""
        assert isinstance(evidence, SharedItemSets)
        assert evidence.items == self.b
        rare = evidence.fewest < self.l
        level = {"l": int(evidence.fewest.min()) if len(evidence) else 0}
        return Verdict(str(self), not rare.any(), level, int(evidence.sizes[rare].sum()), rare)
