"""k^m-anonymity: whoever knows up to m items of a person finds at least k people who have them all.

*Definition.* Every set of at most m items that a published record holds is held by the records of at least k people. A
record holds an item that it has a rating of, whatever the rating; on data that are sets, it holds its items. Items
declared sensitive are not among them.

On a survey it is (k, k^m)-anonymity: records with equal quasi-identifiers form a class, and every set of at most m
items that a record holds is held by at least k people of its class. The set of no items is one of them, so every class
has at least k people.

*Guarantee.* Anyone who knows at most m items of a person, and of a survey all demographics too, finds at least k people
who hold all of them. It says nothing about the other items of these people: what all of them hold besides is disclosed.

*Assumption.* An attacker knows at most m items that a person has, no ratings, and not that somebody does *not* have an
item: to know what is missing narrows the k people down.

*Reference.* Terrovitis, Mamoulis, Kalnis 2008, Definition 1. There, sets that nobody holds count as kept; so they do
here. On a survey, Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos 2013. It follows from k-anonymity of the same
records, for every m. On a survey, k-anonymity of the demographics and k^m-anonymity of the answers follow from it; from
these two it does not follow.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from shoal.errors import WordingError
from shoal.evidence import Evidence, NeedItemSets, SharedItemSets

from .base import PrivacyModel, Verdict, promises

__all__ = ["KmAnonymity"]


@promises.add
@dataclass(frozen=True)
class KmAnonymity(PrivacyModel):
    """Every set of at most m items that a record holds is held by at least k people."""

    name: ClassVar[str] = "km-anonymity"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "survey"})
    merge_safe: ClassVar[bool] = False

    k: int
    m: int

    def __post_init__(self) -> None:
        if self.k < 2:
            raise WordingError("km-anonymity needs a k of at least 2: with k = 1 nobody is hidden.")
        if self.m < 1:
            raise WordingError(
                "km-anonymity needs an m of at least 1: without a known item there is nothing to search by."
            )

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(2, 1), cls(3, 2), cls(2, 3), cls(4, 99))

    @property
    def need(self) -> NeedItemSets:
        """The number of people who hold the rarest set of items of each group."""
        return NeedItemSets(self.m, enough=self.k, people=True)

    @property
    def fewest_records(self) -> int:
        """Whoever holds a set that k people hold."""
        return self.k

    @property
    def hidden_among(self) -> None:
        """Whoever knows more than m items may find a single person."""

    @property
    def kept_by_equal(self) -> int:
        """Where k people have equal records, they hold the same sets."""
        return self.k

    @property
    def meaning(self) -> str:
        """In words."""
        known = "one item" if self.m == 1 else f"at most {self.m} items"
        return (
            f"Anyone who knows {known} that a person has, and of a survey also the quasi-identifiers, finds at least "
            f"{self.k} people who have them all. It does not hide what else all of these people have, and does not "
            "protect against anyone who knows more items, or which items a person does not have."
        )

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare the number of people who hold the rarest set of items of each group with k."""
        assert isinstance(evidence, SharedItemSets)
        assert evidence.people
        assert evidence.items == self.m
        rare = evidence.fewest < self.k
        level = {"k": int(evidence.fewest.min(initial=evidence.sizes.sum()))}
        return Verdict(str(self), not rare.any(), level, int(evidence.sizes[rare].sum()), rare)
